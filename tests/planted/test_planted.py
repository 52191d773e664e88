"""Faults that are planted are found, in the budget of a command, and shrink to a size that is stated."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from planted.commands import CommandFault, command_faults, looked_for
from planted.machine import FAULTS, MachineFault, sighted_in_machine
from planted.planting import BUDGET, PlantedFault, Sighting, faults, sighted

ALL = os.environ.get("HYPOTHESIS_PROFILE") == "explore"
PLANTED = faults()
COMMANDED = command_faults()
QUICK = ("tokens go unheard",)


def assert_small(seen: Sighting | None, fault: PlantedFault | MachineFault) -> None:
    assert seen is not None, "it was not found"
    assert (seen.pieces, seen.options) <= (fault.pieces, fault.options) and seen.options <= fault.options
    assert seen.seconds < BUDGET


@pytest.mark.parametrize("fault", [one for one in PLANTED if ALL or one.quick], ids=lambda one: one.name)
def test_a_fault_in_the_texts_is_found(fault: PlantedFault) -> None:
    assert_small(sighted(fault), fault)


@pytest.mark.parametrize("fault", [one for one in FAULTS if ALL or one.name in QUICK], ids=lambda one: one.name)
def test_a_fault_in_the_machine_is_found(fault: MachineFault) -> None:
    seen = sighted_in_machine(fault)
    assert_small(seen, fault)
    assert seen is not None and seen.what in fault.laws


@pytest.mark.parametrize("fault", [one for one in COMMANDED if ALL or one.quick], ids=lambda one: one.name)
def test_a_fault_is_found_by_its_command_unless_it_is_said_to_be_missed(fault: CommandFault, tmp_path: Path) -> None:
    result = looked_for(fault, tmp_path)
    assert result.found is not fault.missed, result.output


def test_the_faults_for_commands_have_the_stated_numbers() -> None:
    assert len(COMMANDED) == len({one.name for one in COMMANDED}) == 20
    assert sum(one.game == "unigames" for one in COMMANDED) == 10
    assert [one.name for one in COMMANDED for edit in one.edits if one.shipped_text(edit).count(edit.old) != 1] == []


def test_the_faults_have_the_stated_numbers() -> None:
    assert len(PLANTED) == len({one.name for one in PLANTED}) == 40 and len(FAULTS) == 10
    assert sum(one.by == "check" for one in PLANTED) >= 12
    assert [one.name for one in PLANTED if one.shipped_text()[1].count(one.old) != 1] == []


def test_a_check_without_a_planted_fault_finds_none() -> None:
    fault = next(one for one in PLANTED if one.quick and one.by == "diff")
    assert sighted(replace(fault, new=fault.old), budget=0.3) is None
