"""Spans of time: `this turn` and `this round` in sentences, and fields that are declared for a turn or a round."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import warchest
from designer.reading_support import advised_with
from linted import lint_text
from loaded import read_card
from machine.machine_support import (
    card,
    comes_back,
    drawn,
    game,
    offered,
    passed,
    player,
    position,
    refused,
    round_trips,
    take,
    unit,
)
from warchest import State

WORDS = """\
words: Weather
fields:
  unit: {wet: {flag: true, opposite: dried, until: turn}, chill: {number: true, until: round}}
  player: {fame: {number: true, until: turn}}
  location: {flooded: {flag: true, opposite: drained, until: round}}
"""


@cache
def weathered(tactic: str, attribute: str = "") -> warchest.Game:
    """Return War Chest with a card of this tactic, and the rules of weather."""
    return game(WORDS, card("Horn", tactic=tactic, **({"attribute": attribute} if attribute else {})))


def blown(tactic: str, attribute: str = "") -> State:
    """Return the state after the tactic of a Horn, with a round of two turns in front of it."""
    place = position("Horn f4, wolf Archer f6", "Horn, Royal Coin", "Archer, Royal Coin")
    return take(weathered(tactic, attribute).position(place), act="tactic")


def next_round(state: State) -> State:
    """Return a state in the next round, after all others have passed."""
    for _ in range(3):
        passed(state)
    return drawn(state)


def test_fields_end_with_the_turn_or_the_round_that_they_are_declared_for() -> None:
    state = blown(
        "this becomes wet; the chill of this increases by 2; your fame increases by 3; "
        "for each location, it becomes flooded."
    )
    assert player(state) == "wolf"
    assert "wet" not in unit(state, "Horn") and "fame" not in state.position()
    assert unit(state, "Horn")["chill"] == 2 and "flooded" in str(state.position())
    round_trips(state)
    after = next_round(state)
    assert "chill" not in unit(after, "Horn") and "flooded" not in str(after.position())


def test_a_field_holds_within_its_turn() -> None:
    state = weathered("this becomes wet; if this is wet, this moves.").position(
        {
            "to_act": "raven",
            "initiative": "raven",
            "hand": {"raven": ["Horn"], "wolf": ["Royal Coin"]},
            "units": [{"at": "f4", "unit": "Horn", "owner": "raven"}],
        }
    )
    assert unit(take(state, act="tactic", to="e4"), "Horn")["at"] == "e4"


@given(st.integers(-3, 3), st.integers(0, 3))
def test_a_number_for_a_time_returns_to_0(more: int, passes: int) -> None:
    how = "increases" if more >= 0 else "decreases"
    state = blown(f"the chill of this {how} by {abs(more)}.")
    for _ in range(passes):
        passed(state)
    state = drawn(state)
    assert unit(state, "Horn").get("chill", 0) == (more if passes < 3 else 0)


FORBIDDEN = [
    "choose an enemy unit, then that unit cannot attack or move this round.",
    "choose an enemy unit, then this round, that unit cannot attack or move.",
    "this round, no unit can move.",
    "no unit can move during this round.",
    "for this round, an enemy unit cannot move.",
]


@pytest.mark.parametrize("tactic", FORBIDDEN)
def test_prohibitions_hold_this_round(tactic: str) -> None:
    """The Archer cannot move with its coin in this round, and can in the next one."""
    state = weathered(tactic).position(
        {
            "to_act": "raven",
            "initiative": "raven",
            "hand": {"raven": ["Horn"], "wolf": ["Archer", "Royal Coin"]},
            "bag": {"raven": ["Horn"], "wolf": ["Archer"]},
            "units": [{"at": "f4", "unit": "Horn", "owner": "raven"}, {"at": "f6", "unit": "Archer", "owner": "wolf"}],
        }
    )
    take(state, act="tactic")
    assert player(state) == "wolf" and not offered(state, act="move")
    round_trips(state)
    for _ in range(2):
        passed(state)
    state = drawn(state)
    while player(state) != "wolf":
        passed(state)
    assert offered(state, act="move")


def test_a_prohibition_for_this_turn_ends_with_it() -> None:
    state = blown("no unit can move this turn.")
    assert player(state) == "wolf" and offered(state, act="move")
    assert "lasting" not in state.position()


def test_a_field_has_only_its_declared_span() -> None:
    (first, *_) = refused(WORDS, card("Horn", tactic="this becomes wet this round."))
    assert "`wet` is declared to last for a turn" in first.message
    (first, *_) = advised_with(WORDS, card("Horn", tactic="this becomes wet forever."))
    assert first.name == "wrong-kind"


@pytest.mark.parametrize(
    "tactic",
    [
        "this becomes roused until the end of the turn.",
        "this becomes roused until the end of your turn.",
        "this becomes roused until the start of the next round.",
        "move, then this becomes roused until your next turn.",
        "this becomes roused this round.",
        "choose an enemy unit, then that unit cannot attack this round.",
    ],
)
def test_spans_are_read_back(tactic: str) -> None:
    known = game(card("Bugle", tactic=tactic))
    assert all(one.said for one in read_card(known, "Bugle"))


@pytest.mark.parametrize(
    ("tactic", "help"),
    [
        ("this round, this becomes wet", "`this becomes wet this round`"),
        (
            "until the end of the turn, each friendly unit becomes roused",
            "`each friendly unit becomes roused until the end of the turn`",
        ),
        ("this round, the chill of this increases by 2", "leave out how long"),
        ("the chill of this increases by 2 this round", "leave out how long"),
        ("its chill may increase by 2 until the end of the round", "leave out how long"),
        ("its chill increases by 2 until this attacks", "leave out how long"),
        ("this turn no unit can move", "`this turn, no …`"),
        ("move, then this round no enemy unit can attack this", "`this round, no …`"),
        ("this turn, after this attacks, it may move", "only `… cannot …` or `… may …`"),
    ],
)
def test_a_misplaced_span_gets_advice_about_its_place(tactic: str, help: str) -> None:
    (first, *_) = advised_with(WORDS, card("Horn", tactic=f"{tactic}."))
    assert help in (first.help or "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("this cannot move this round.", "this cannot move this round."),
        ("until the end of the round, this cannot move.", "this cannot move this round."),
        ("until the start of your next turn, this cannot move.", "this cannot move until the start of your next turn."),
        ("this cannot move until your next turn.", "this cannot move until the start of your next turn."),
    ],
)
def test_a_prohibition_for_a_time_is_read_with_the_time_after_it(text: str, said: str) -> None:
    (reading,) = read_card(game(card("Damp", tactic=text)), "Damp")
    assert reading.said == (said,)


# ---- until an act is over


HEATED = """\
words: Heat
fields:
  unit:
    hot: {flag: true, opposite: cool, until: [maneuver, bolster]}
    way: {trail of: [space], until: maneuver}
    scars: number
"""
MARKS = "before this moves, its place becomes its way. after this moves, this becomes hot."


def heated(tactic: str, attribute: str = MARKS) -> State:
    """Return the state in front of the tactic of a Horn, whose moves heat it."""
    place = position("Horn f4, wolf Archer f6", "Horn, Horn, Royal Coin", "Archer, Royal Coin")
    return game(HEATED, card("Horn", tactic=tactic, attribute=attribute)).position(place)


def test_a_field_lasts_until_the_outermost_of_its_acts_is_over() -> None:
    """The move is over within the tactic, which is a maneuver, too."""
    state = heated("move, then if this is hot and a space is its way, its scars increase by 1.")
    take(state, act="tactic", to="f5")
    assert unit(state, "Horn")["scars"] == 1
    assert "hot" not in unit(state, "Horn") and "way" not in str(state.position())
    round_trips(state)


def test_a_state_that_begins_outside_of_an_act_ends_with_the_next_one() -> None:
    state = heated("this becomes hot.", "at the start of your turn, this becomes hot.")
    passed(state)
    passed(state)
    assert unit(state, "Horn")["hot"] and comes_back(state) == state
    take(state, act="move", to="f5")
    assert "hot" not in unit(state, "Horn")


def test_a_game_that_ends_amid_an_act_has_no_trace_of_it() -> None:
    state = heated("move, then your team wins.")
    take(state, act="tactic", to="f5")
    assert state.decision is None and "hot" not in unit(state, "Horn") and "way" not in str(state.position())


@pytest.mark.parametrize(
    ("fields", "code", "says"),
    [
        ("unit: {hot: {flag: true, opposite: cool, until: march}}", "undeclared", "`march`"),
        ("unit: {hot: {flag: true, opposite: cool, until: maneuvers}}", "undeclared", "did you mean `maneuver`?"),
        ("unit: {hot: {flag: true, opposite: cool, until: [attack, turn]}}", "wrong-kind", "name an act"),
        ("unit: {way: {trail of: space, until: turn}}", "wrong-kind", "name an act"),
        ("player: {fame: {number: true, until: attack}}", "wrong-kind", "declare it for a piece"),
        ("unit: {hot: {flag: true, opposite: cool, until: []}}", "wrong-size", ""),
    ],
)
def test_impossible_spans_of_fields_are_found(tmp_path: Path, fields: str, code: str, says: str) -> None:
    found = [one for one in lint_text(tmp_path, f"words: Heat\nfields: {{{fields}}}\n") if one.name != "unused-word"]
    assert [one.name for one in found] == [code] and says in f"{found[0].message} {found[0].help}"


def test_a_field_that_ends_with_an_act_has_no_other_span() -> None:
    (first, *_) = advised_with(HEATED, card("Horn", tactic="this becomes hot until the attack is over."))
    assert "`until: …`" in first.help
    (first, *_) = refused(HEATED, card("Horn", tactic="this becomes hot until your next turn."))
    assert "`hot` is declared to last until no `maneuver` or `bolster` is under way" in first.message
