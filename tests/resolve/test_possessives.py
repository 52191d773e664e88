"""Possession: said by `'s` as well as by `of`, and by a verb with any of several players."""

from __future__ import annotations

import pytest

from designer.reading_support import read
from machine.machine_support import card, game, offered, position, refused
from warchest.paraphrase.reading import RULES, STEPS

CHOSEN = "choose an adjacent enemy unit. "


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        (
            f"{CHOSEN}put a coin in that unit into that unit's owner's box.",
            "put a coin in that unit into the box of the owner of that unit.",
        ),
        (
            f"{CHOSEN}put a coin in that unit into the unit's owner's box.",
            "put a coin in that unit into the box of the owner of that unit.",
        ),
        (f"{CHOSEN}move to that unit’s space.", "this moves to the space of that unit."),
        (f"{CHOSEN}if that unit's height is at least 2, move.", "if that unit is bolstered, this moves to a space."),
        (
            "choose an opponent. put a random coin in that player's hand into that player's discard.",
            "put a random coin in the hand of that opponent into the discard of that opponent.",
        ),
        (
            "put all coins in your bag into your left neighbour's bag.",
            "put all coins in your bag into the bag of your left neighbour.",
        ),
        (
            "attack a target on a location an opponent controls.",
            "this attacks a target on a location an opponent controls.",
        ),
        (
            "attack a target on a location no player controls.",
            "this attacks a target on a location no player controls.",
        ),
        (
            "if an opponent controls its space, move.",
            "if an opponent controls the space of this, this moves to a space.",
        ),
        ("if no player controls its space, move.", "if no player controls the space of this, this moves to a space."),
    ],
)
def test_a_step_is_read_as_the_long_form(said: str, printed: str) -> None:
    assert read(said, STEPS)[-1] == printed


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("at the end of an opponent's turn, this may move.", "at the end of the turn of an opponent, this may move."),
        (
            "at the start of an opponent’s turn, this may move.",
            "at the start of the turn of an opponent, this may move.",
        ),
        (
            "after a unit attacks this, if that unit's owner is not you, this may move.",
            "after a unit attacks this, if the owner of that unit is not you, this may move.",
        ),
        (
            "after this moves to a location an opponent controls, it may attack.",
            "after this moves to a location an opponent controls, it may attack.",
        ),
    ],
)
def test_a_rule_is_read_as_the_long_form(said: str, printed: str) -> None:
    assert read(said, RULES)[0] == read(printed, RULES)[0]


def test_a_name_with_an_apostrophe_stays_a_name() -> None:
    queen = card("Queen's Guard", attribute="the limit of this is 2.")
    chooser = "choose an adjacent Queen's Guard. move to that Queen's Guard's space if able."
    assert game(queen, card("Probe", tactic=chooser))


def test_a_controlling_opponent_is_any_of_some() -> None:
    probe = card("Probe", tactic="attack a target within 3 spaces of this on a location an opponent controls.")
    here = position("Probe f4, wolf Scout e5, wolf Knight f6", "Probe")
    state = game(probe).position({**here, "control": {"wolf": ["e5"], "raven": []}})
    assert [one["target"] for one in offered(state, act="tactic")] == ["e5"]
    state = game(probe).position({**here, "control": {"raven": ["e5"], "wolf": []}})
    assert not offered(state, act="tactic")


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("choose an adjacent unit. if that unit's hand is at least 2, move.", "that unit's hand"),
        ("choose an adjacent unit. put that unit's coins into your box.", "that unit's coins"),
        ("choose an adjacent unit. if that target's height is 2, move.", "that target"),
        ("choose an adjacent unit. move to that unit’s spce.", "spce"),
        ("move to the space of the units' owner.", "units'"),
        ("attack an enemy unit on a location each player controls.", "each player"),
        ("move attack a target.", "a"),
    ],
)
def test_a_mistake_is_found_at_its_place(text: str, at: str) -> None:
    first, *_ = refused(card("Probe", tactic=text))
    assert first.span is not None
    assert first.span.text == at
