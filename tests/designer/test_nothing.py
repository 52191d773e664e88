"""`nothing`: a field of a document or a space that is not set, asked for and cleared."""

from __future__ import annotations

from functools import cache

import pytest

import warchest
from designer.reading_support import advised_with
from machine.machine_support import card, game, offered, passed, position, round_trips, take, unit
from warchest import State

WORDS = """\
words: Lairs
fields:
  unit:
    lair: space
    look: direction
    guise: document
    guide: player
    heat: number
    trace: {trail of: space}
"""
KEEP = "after this moves, its space becomes the lair of this, then its space becomes the trace of this."


@cache
def with_lair(tactic: str) -> warchest.Game:
    """Return War Chest with a card whose unit keeps the space that it moved to last."""
    return game(WORDS, card("Horn", tactic=tactic, attribute=KEEP))


def standing(tactic: str) -> State:
    units = "Horn f4, wolf Archer f7, wolf Pikeman e7"
    return with_lair(tactic).position(position(units, "Horn, Horn, Horn", "Archer, Archer"))


def moved(state: State, space: str) -> State:
    """Return the state after the Horn has moved, and the other player has passed."""
    take(state, act="move", to=space)
    passed(state)
    return state


@pytest.mark.parametrize(
    ("asked", "before", "after"),
    [
        ("the lair of this is nothing", True, False),
        ("its lair is not nothing", False, True),
        ("no space is the lair of this", True, False),
        ("the trace of this is nothing", True, False),
        ("its guise is not nothing", False, False),
    ],
)
def test_the_presence_of_a_value_is_a_condition(asked: str, before: bool, after: bool) -> None:
    state = standing(f"if {asked}, attack any enemy unit.")
    assert (len(offered(state, act="tactic")) == 2) == before
    assert (len(offered(moved(state, "f5"), act="tactic")) == 2) == after


def test_a_field_is_cleared_and_a_position_says_so() -> None:
    state = moved(standing("the lair of this becomes nothing."), "f5")
    assert unit(state, "Horn")["lair"] == "f5"
    round_trips(state)
    take(state, act="tactic")
    assert "lair" not in unit(state, "Horn")
    assert any("the lair of the Horn on f5 is nothing now" in one.text for one in state.trace)
    round_trips(state)


WRONG = [
    ("the guide of this becomes nothing.", "a player", "say `nobody becomes the guide of this`"),
    ("if its guide is nothing, draw a coin.", "a player", "say `nobody`"),
    ("the heat of this becomes nothing.", "a number", "say `0`"),
    ("if its heat is nothing, draw a coin.", "a number", "say `0`"),
    ("if its look is nothing, draw a coin.", "a direction", "name the direction"),
    ("if its space is nothing, draw a coin.", "a space", "only a field is nothing"),
    ("the trace of this becomes nothing.", "a trail never becomes `nothing`", "say `the trace of this goes back`"),
    ("attack nothing.", "`nothing` is no thing of the game", "only a field is nothing"),
    ("nothing becomes the lair of this.", "`nothing` is no thing of the game", "only a field is nothing"),
    ("if this is nothing, draw a coin.", "is never `nothing`", "only a field is nothing"),
]


@pytest.mark.parametrize(("tactic", "message", "help"), WRONG, ids=[tactic for tactic, _, _ in WRONG])
def test_misuses_of_nothing_are_findings(tactic: str, message: str, help: str) -> None:
    found = advised_with(WORDS, card("Horn", tactic=tactic))
    said = [(one.message, one.help) for one in found]
    assert any(message in one.message and help in one.help for one in found), said
