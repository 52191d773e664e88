"""Directions in conditions: the direction of a thing from `this`, and its facing."""

from __future__ import annotations

from pathlib import Path

import pytest

import warchest
from designer.reading_support import read
from machine.machine_support import card, game, offered, position
from squares.squares_support import position as standing
from warchest.paraphrase.reading import STEPS

WAY = "choose a direction. choose an enemy unit. "


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        (
            f"{WAY}if that unit is in that direction, move.",
            "if the bearing of that unit is that direction, this moves to a space.",
        ),
        (
            f"{WAY}if that unit is not in the opposite of that direction, move.",
            "if the bearing of that unit is not the opposite of that direction, this moves to a space.",
        ),
        (
            f"{WAY}if that unit is exactly 2 spaces away in that direction, move.",
            "if that unit is a unit in that direction exactly 2 spaces away, this moves to a space.",
        ),
        (
            f"{WAY}if that unit is within 3 spaces in line of sight, move.",
            "if that unit is a unit in a straight line within 3 spaces of this through empty spaces, this moves to a space.",
        ),
        (
            "choose a direction. if no unit is in that direction, move.",
            "if no unit is in that direction, this moves to a space.",
        ),
        ("choose a direction. choose a unit in that direction.", "choose a unit in that direction."),
    ],
)
def test_a_direction_is_read_back(said: str, printed: str) -> None:
    assert read(said, STEPS)[-1] == printed


@pytest.mark.parametrize(
    ("question", "most"),
    [
        ("an enemy unit is in that direction", 9),
        ("an enemy unit is exactly 1 space away in that direction", 1),
        ("an enemy unit is within 2 spaces away in that direction", 2),
        ("an enemy unit is in the opposite of that direction", 9),
        ("a space exactly 1 space away in that direction is with an enemy unit", 1),
    ],
)
def test_the_place_of_a_unit_is_a_condition(question: str, most: int) -> None:
    draws = "draw a coin, then put that coin into your hand"
    tactic = f"choose a direction. if {question}, {draws}. otherwise, do nothing."
    for at in ("f5", "d4", "c4"):
        here = position(f"Probe f4, wolf Lancer {at}", "Probe", bag={"raven": ["Marshall"]})
        state = game(card("Probe", tactic=tactic)).position(here)
        found = 0
        for option in state.decision.options if state.decision is not None else ():
            if option.data["act"] == "tactic":
                found += "Marshall" in state.clone().apply(option).position()["hand"]["raven"]
        assert found == int({"f5": 1, "d4": 2, "c4": 3}[at] <= most), at


FACING = {
    "is in the facing of this": {"n"},
    "is in the opposite of the facing of this": {"s"},
    "is not in the facing of this": {"s", "e", "w"},
}
FACED = "the facing of that figure is the opposite of the bearing of that figure"
"""The words for a figure that faces `this`."""


@pytest.mark.parametrize(
    ("question", "seen"), [*((f"that figure {question}", seen) for question, seen in FACING.items()), (FACED, {"s"})]
)
def test_the_facing_of_a_figure_is_a_condition(question: str, seen: set[str], tmp_path: Path) -> None:
    rules = f"rules: |\n  a figure cannot move while {question}.\n"
    (tmp_path / "gaze.yaml").write_text(f"ability: Gaze\nsource: a test\n{rules}", encoding="utf-8")
    for name, listed in (("Gazer", '"Gaze"'), ("Near", "")):
        sheet = f"figure: {name}\nattack: 1\ndefense: 1\nmove: 1\ncost: 10\nabilities: [{listed}]\nsource: a test\n"
        (tmp_path / f"{name}.yaml").write_text(sheet, encoding="utf-8")
    try:
        made = warchest.load("unigames", extra=[tmp_path])
    except warchest.CardError as error:
        pytest.fail(str(error))
    for way, at in (("n", "d6"), ("s", "d2"), ("e", "f4"), ("w", "b4")):
        state = standing(made, f"P2 Gazer d4 n, P1 Near {at} n")
        moves = {one["figure"] for one in offered(state, **{"as": "move"})}
        assert (at not in moves) == (way in seen), (way, at, moves)
