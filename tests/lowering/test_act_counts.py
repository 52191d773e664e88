"""Counts of a time start again for every owner."""

from __future__ import annotations

from loaded import shipped
from machine.machine_support import card
from warchest.ir.steps import SetField
from warchest.ir.values import Everyone
from warchest.lowering.code import KeepMembers, Plain


def test_a_count_is_reset_for_every_player_with_one() -> None:
    rites = card("Rites", kind="action", rules="a player cannot recruit more than once a round.")
    program = shipped("war-chest", rites).variant({}).program
    fields = {number: field.of for number, field in enumerate(program.ruleset.fields) if field.per == "round"}
    assert list(fields.values()) == ["player"]
    found = [
        (fields[clears.step.field], among.among.members)
        for routine in program.routines.values()
        for among, _, clears in zip(*(routine.instructions[at:] for at in range(3)), strict=False)
        if isinstance(among, KeepMembers) and isinstance(clears, Plain)
        if isinstance(clears.step, SetField) and clears.step.field in fields
    ]
    assert found == [("player", Everyone("player"))]
