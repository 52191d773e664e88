"""Values that an act begins with: `the depth of a rage is 2`, `the lair of a rage is the space of its brute`."""

from __future__ import annotations

from functools import cache

import pytest

import warchest
from designer.reading_support import advised_with
from loaded import shipped, studied
from machine.machine_support import card, game, position, round_trips, take, unit
from warchest import State
from warchest.paraphrase.reading import Reading

WORDS = """\
words: Rage
fields:
  rage: {depth: number, lair: space}
  unit: {pain: number, den: space}
verbs: {rage: {by: unit, parts: {brute: by}}}
"""
RAGE = """to rage: move, then the pain of this increases by the depth of the rage,
      then the lair of the rage becomes the den of this."""
BEGUN = "the depth of a rage is 2. the lair of a rage is the space of its brute."


def rules(text: str) -> str:
    return card("Rage", kind="action", rules=text)


@cache
def raging(begun: str, attribute: str) -> warchest.Game:
    return game(WORDS, rules(f"{RAGE} {begun}"), card("Hammer", tactic="this rages.", attribute=attribute))


def raged(begun: str, attribute: str = "after this rages, draw a coin, then put that coin into your hand.") -> State:
    """Return the state after the tactic of a Hammer that moves to f5 amid its rage."""
    state = raging(begun, attribute).position(position("Hammer f4 2, wolf Archer f7", "Hammer, Hammer"))
    round_trips(state)
    return take(state, act="tactic", to="f5")


def test_an_act_begins_with_its_values_and_keeps_them() -> None:
    hammer = unit(raged(BEGUN), "Hammer")
    assert (hammer["at"], hammer["den"], hammer["pain"]) == ("f5", "f4", 2)


def test_hooks_before_the_act_change_its_first_values() -> None:
    hooked = raging(BEGUN, "before this rages, the depth of the rage increases by 1.")
    state = take(hooked.position(position("Hammer f4 2, wolf Archer f7", "Hammer, Hammer")), act="tactic")
    assert unit(take(state, to="f5"), "Hammer")["pain"] == 3


def test_without_a_beginning_it_begins_with_nothing() -> None:
    hammer = unit(raged(""), "Hammer")
    assert "den" not in hammer and not hammer.get("pain")


WRONG = [
    ("the depth of a rage is 1. the depth of a rage is 2.", "is given twice", "keep one"),
    ("the depth of a rage is 2 when the initiative is fresh.", "begins with one value", "let a text of the act"),
    ("the depth of a rage is at least 2.", "is no value", "say which"),
    ("the lair of a rage is a location.", "", ""),
    ("the lair of a rage is 2.", "cannot be the lair of a rage", ""),
    ("the depth of a rage is the depth of the rage.", "not settled yet", "by the parts of the act"),
    ("the lair of a rage is the space of this.", "nothing here that `this` could be", ""),
]


@pytest.mark.parametrize(("text", "message", "help"), WRONG, ids=[text for text, _, _ in WRONG])
def test_an_impossible_first_value_is_a_finding(text: str, message: str, help: str) -> None:
    said = [(one.message, one.help) for one in advised_with(WORDS, rules(f"{RAGE} {text}"))]
    assert any(message in one[0] and help in one[1] for one in said), said


@pytest.mark.parametrize("text", ["the run of a movement is 2.", "the strength of a melee attack is 1."])
def test_it_is_read_back(text: str) -> None:
    reader = studied(shipped("unigames"))
    found = reader.written(text, "rules", reader.nobody)
    assert isinstance(found, Reading) and list(found.sentences) == [text], found


def test_a_card_must_not_set_first_values_of_an_act() -> None:
    said = advised_with(WORDS, rules(RAGE), card("Hammer", tactic="this rages.", attribute="the depth of a rage is 3."))
    assert any("a game says what its acts begin with" in one.message for one in said)


def test_a_standing_change_does_not_count_where_the_act_begins() -> None:
    hammer = card("Hammer", tactic="this rages.", attribute="the depth of its rage increases by 1.")
    said = [one.message for one in advised_with(WORDS, rules(f"{RAGE} the depth of a rage is 2."), hammer)]
    assert any("settled when the act begins, and this changes nothing" in one for one in said), said
