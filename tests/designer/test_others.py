"""`another` and `other` after a choice: they leave out things that were chosen earlier in the same text."""

from __future__ import annotations

import pytest

from machine.machine_support import card, coins, game, offered, position, take

ENEMIES = "Probe f4, Archer e4, wolf Scout f5 3, wolf Knight f3 3"
FIRST = "choose an enemy unit. choose another enemy unit. the first unit loses a coin."
"""Two choices; the second unit is the one that was not chosen first."""


def test_another_excludes_the_first_choice() -> None:
    text = "choose an enemy unit. choose another enemy unit. the second unit loses a coin."
    state = game(card("Probe", tactic=text)).position(position(ENEMIES, "Probe"))
    assert {(one["chosen"], one["target"]) for one in offered(state, act="tactic")} == {("f5", "f3"), ("f3", "f5")}


def test_without_another_one_there_is_nothing_to_choose() -> None:
    state = game(card("Probe", tactic=FIRST)).position(position("Probe f4, wolf Scout f5 3", "Probe"))
    assert not offered(state, act="tactic")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("attack an adjacent enemy unit, then each other enemy unit loses a coin.", {"f5": 2, "f3": 2}),
        ("attack an adjacent enemy unit, then each enemy unit loses a coin.", {"f5": 1, "f3": 2}),
        ("choose an enemy unit. if another enemy unit is adjacent to this, that unit loses a coin.", {"f5": 2}),
        ("choose a friendly unit. each other unit loses a coin.", {"f5": 2, "f3": 2, "e4": 0, "f4": 1}),
        ("let gap be its space. move, then each other unit adjacent to that gap loses a coin.", {}),
    ],
)
def test_other_excludes_all_earlier_choices_of_a_text(text: str, left: dict[str, int]) -> None:
    state = game(card("Probe", tactic=text)).position(position(ENEMIES, "Probe"))
    found = [state.clone().apply(option) for option in state.decision.options if option.act == "tactic"]
    ends = [coins(one) for one in found]
    assert any(all(one.get(at, 0) == many for at, many in left.items()) for one in ends), ends


def test_another_excludes_the_present_unit_of_a_loop() -> None:
    text = "for each enemy unit, choose another enemy unit, then that second unit loses a coin."
    state = game(card("Probe", tactic=text)).position(position(ENEMIES, "Probe"))
    take(state, act="tactic")
    assert coins(state)["f5"] == coins(state)["f3"] == 2
