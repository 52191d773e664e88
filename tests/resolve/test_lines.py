"""`in that line`: the direction of a thing when it was chosen in a straight line."""

from __future__ import annotations

import pytest

from designer.reading_support import read
from lint.lint_support import codes
from machine.machine_support import card, game, position, refused, spaces, take
from warchest.paraphrase.reading import STEPS

FOE = "choose an enemy unit 2-3 spaces away in a straight line through empty spaces."


@pytest.mark.parametrize(
    ("tactic", "units", "then"),
    [
        (
            f"{FOE} displace that unit to a space adjacent to this in that line.",
            "Harpooner f3, wolf Scout f6",
            {"Harpooner": "f3", "Scout": "f4"},
        ),
        (
            f"{FOE} displace that unit to a space exactly 4 spaces away in that line.",
            "Harpooner f3, wolf Scout f5",
            {"Harpooner": "f3", "Scout": "f7"},
        ),
    ],
)
def test_acts_in_that_line_are_performed(tactic: str, units: str, then: dict[str, str]) -> None:
    state = game(card("Harpooner", tactic=tactic)).position(position(units, "Harpooner"))
    state = take(state, act="tactic")
    assert spaces(state) == then


def test_the_line_keeps_the_direction_that_it_had() -> None:
    tactic = (
        "choose an empty space exactly 1 space away in a straight line. move to that space. "
        "attack a target exactly 1 space away in that line."
    )
    units = "Charger f3, wolf Scout f5, wolf Knight g4"
    state = take(game(card("Charger", tactic=tactic)).position(position(units, "Charger")), act="tactic", to="f4")
    assert spaces(state) == {"Charger": "f4", "Knight": "g4"}
    assert "let direction be the bearing of that space." in read(tactic, STEPS)


@pytest.mark.parametrize(
    ("tactic", "name"),
    [
        ("choose an enemy unit 2-3 spaces away. move to a space exactly 1 space away in that line.", "no-antecedent"),
        (f"{FOE} move to a space adjacent to that unit in that line.", "ambiguous-it"),
        (
            f"{FOE} choose an own unit 2 spaces away in a straight line. move to a space exactly 1 space away in that line.",
            "ambiguous-it",
        ),
        (f"{FOE} choose another enemy unit in that line.", "not-definite"),
    ],
)
def test_a_line_that_is_not_known_is_refused(tactic: str, name: str) -> None:
    assert codes(refused(card("Harpooner", tactic=tactic))) == [name]
