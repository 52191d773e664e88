"""Conditions about all of some things: `if all units adjacent to this are friendly, …`."""

from __future__ import annotations

import pytest

from designer.reading_support import read
from machine.machine_support import card, game, position, refused, take
from warchest.paraphrase.reading import STEPS

ALONE = "Herdsman f4, wolf Scout c5"
FRIEND = "Herdsman f4, Scout f5, wolf Knight c5"
MIXED = "Herdsman f4, Scout f5, wolf Knight f3"
FOE = "Herdsman f4, wolf Knight f3"


@pytest.mark.parametrize(
    ("condition", "so_with"),
    [
        ("all units adjacent to this are friendly", (ALONE, FRIEND)),
        ("each unit adjacent to this is friendly", (ALONE, FRIEND)),
        ("no unit adjacent to this is not friendly", (ALONE, FRIEND)),
        ("all units adjacent to this are friendly units", (ALONE, FRIEND)),
        ("all units adjacent to this are Scouts", (ALONE, FRIEND)),
        ("a unit adjacent to this is not friendly", (MIXED, FOE)),
        ("an adjacent unit is not enemy", (FRIEND, MIXED)),
        ("no unit adjacent to this is friendly", (ALONE, FOE)),
        ("all adjacent spaces are empty", (ALONE,)),
        ("all enemy units are adjacent to this", (MIXED, FOE)),
        ("all your units are on locations", ()),
        ("all of your units are unbolstered", (ALONE, FRIEND, MIXED, FOE)),
        ("all units adjacent to this are friendly and a unit is adjacent to this", (FRIEND,)),
    ],
)
def test_a_condition_on_all_holds_unless_one_fails(condition: str, so_with: tuple[str, ...]) -> None:
    into = "put all coins in this into your"
    made = game(card("Herdsman", tactic=f"if {condition}, {into} box. otherwise, {into} bag."))
    for units in (ALONE, FRIEND, MIXED, FOE):
        state = take(made.position(position(units, "Herdsman")), act="tactic")
        boxed = "Herdsman" in state.position()["box"].get("raven", [])
        assert boxed == (units in so_with), units


@pytest.mark.parametrize(
    "sentence",
    ["if all units adjacent to this are not friendly, move.", "if each adjacent unit is not bolstered, move."],
)
def test_a_negation_that_could_mean_none_or_not_all_is_refused(sentence: str) -> None:
    (found,) = refused(card("Herdsman", tactic=sentence))
    assert found.name == "ambiguous-it"
    assert found.help.count("is friendly" if "friendly" in sentence else "is bolstered") == 1


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("if all units of an opponent are on locations, move.", "if all units of an opponent are on a location, this "),
        ("if all units adjacent to this are friendly, move.", "if no enemy unit is adjacent to this, this moves"),
    ],
)
def test_its_reading_can_be_read_back(sentence: str, told: str) -> None:
    assert told in str(read(sentence, STEPS))
