"""Changes that can be declined: `this may become marked`, `its heat may increase by 1`."""

from __future__ import annotations

from functools import cache

import pytest

import warchest
from designer.reading_support import advised_with
from loaded import read_card
from machine.machine_support import card, game, offered, player, round_trips, take, unit
from warchest import State

WORDS = "words: Marks\nfields: {unit: {marked: {flag: true, opposite: plain}, heat: number}, player: {fame: number}}\n"


@cache
def marking(tactic: str) -> warchest.Game:
    """Return War Chest with a card of this tactic, and units that can be marked."""
    return game(WORDS, card("Horn", tactic=tactic))


def blown(tactic: str) -> State:
    """Return the state before the tactic of a Horn beside an enemy."""
    return marking(tactic).position(
        {
            "to_act": "raven",
            "initiative": "wolf",
            "hand": {"raven": ["Horn"], "wolf": ["Royal Coin"]},
            "units": [
                {"at": "f4", "unit": "Horn", "owner": "raven", "heat": 3},
                {"at": "f5", "unit": "Archer", "owner": "wolf"},
            ],
        }
    )


@pytest.mark.parametrize(
    ("tactic", "said", "key", "value"),
    [
        ("this may become marked", "become marked", "marked", True),
        ("its heat may increase by 1", "increase heat", "heat", 4),
        ("the heat of this may decrease by 2", "decrease heat", "heat", 1),
        ("the heat of this may double", "double heat", "heat", 6),
        ("the heat of this may become 9", "become 9", "heat", 9),
        ("this may become marked until your next turn", "become marked", "marked", True),
        ("once a round, this may become marked", "become marked", "marked", True),
        ("if this is plain, once a round, this may become marked", "become marked", "marked", True),
    ],
)
def test_a_change_is_made_or_declined(tactic: str, said: str, key: str, value: object) -> None:
    state = blown(f"{tactic}.")
    assert len(offered(state, act="tactic")) == 2
    before = unit(state, "Horn").get(key)
    changed = take(state.clone(), act="tactic", then=said)
    declined = take(state.clone(), act="tactic", then="decline")
    assert unit(changed, "Horn")[key] == value != before
    assert unit(declined, "Horn").get(key) == before
    round_trips(state)


def test_steps_after_an_offer_belong_to_it() -> None:
    state = blown("move, then this may become marked, then it attacks the Archer.")
    take(state, act="tactic", to="e5")
    # An option is called by the last act in it.
    assert [one["act"] for one in offered(state)] == ["decline", "attack"]
    declined = take(state.clone(), act="decline")
    assert "marked" not in unit(declined, "Horn") and unit(declined, "Archer")
    taken = take(state, act="attack")
    assert unit(taken, "Horn")["marked"] and "Archer" not in [one["unit"] for one in taken.position()["units"]]


def test_the_owner_of_the_piece_that_changes_decides() -> None:
    state = blown("choose an adjacent enemy unit, then that unit may become marked.")
    take(state, act="tactic", chosen="f5")
    assert player(state) == "wolf"
    assert [one for one in offered(state) if one["act"] != "decline"] == [{"act": "become marked", "unit": "f5"}]
    assert unit(take(state, act="become marked"), "Archer")["marked"]


def test_players_decide_on_their_own_properties() -> None:
    state = blown("each player may become the holder of the initiative.")
    take(state, act="tactic", then="become the holder of the initiative")
    assert player(state) == "wolf"
    assert take(state.clone(), act="decline").position()["initiative"] == "raven"
    assert take(state, act="become the holder of the initiative").position()["initiative"] == "wolf"
    state = blown("your fame may increase by 2.")
    assert take(state, act="tactic", then="increase fame").position()["fame"] == {"raven": 2}


def test_each_of_several_pieces_is_asked() -> None:
    state = blown("each unit may become marked.")
    take(state, act="tactic", then="become marked")
    assert player(state) == "wolf"
    take(state, act="become marked")
    assert all(unit(state, name)["marked"] for name in ("Horn", "Archer"))


def test_no_offer_is_made_to_a_lost_piece() -> None:
    state = blown("attack an enemy unit, then that unit may become marked.")
    assert len(offered(state, act="tactic")) == 1
    take(state, act="tactic")
    assert player(state) == "wolf" and not offered(state, act="become marked")


READ = [
    "this may become marked.",
    "this may become marked, then it attacks.",
    "its heat may increase by 1.",
    "this may become marked until your next turn.",
    "you may become the holder of the initiative.",
    "move, then this may become marked if it is on a location.",
]


@pytest.mark.parametrize("tactic", READ)
def test_offers_are_read_back(tactic: str) -> None:
    known = marking(tactic)
    assert all(one.said for one in read_card(known, "Horn"))


ADVISED = [
    ("this may increase its heat by 1", "its heat may increase by 1"),
    (
        "you may increase the heat of this by 1, then this may attack",
        "the heat of this may increase by 1, then this may attack",
    ),
    ("you may double the heat of this", "the heat of this may double"),
    ("this may increase heat by 2", "its heat may increase by 2"),
    ("you may increase fame by 2", "your fame may increase by 2"),
    ("this may become marked once a round", "once a round, this may become marked"),
    ("this may become marked only twice a game", "twice a game, this may become marked"),
    ("you may make this marked", "this may become marked"),
    ("you may have this become marked", "this may become marked"),
    ("this can become marked", "this may become marked"),
    ("this could become marked, then it attacks", "this may become marked, then it attacks"),
    ("this may be marked", "this may become marked"),
    ("this may be marked once a round", "once a round, this may become marked"),
    ("this may becomes marked", "this may become marked"),
    ("you may add 2 to the heat of this", "the heat of this may increase by 2"),
    ("you may subtract 2 from the heat of this", "the heat of this may decrease by 2"),
    ("move, then the heat of this can increase by 1", "move, then the heat of this may increase by 1"),
    (
        "choose an enemy unit, then you may increase the heat of that unit by 1",
        "choose an enemy unit, then either the heat of that unit increases by 1, or do nothing",
    ),
    (
        "choose an enemy unit, then you may make that unit marked",
        "choose an enemy unit, then either that unit becomes marked, or do nothing",
    ),
]


@pytest.mark.parametrize(("tactic", "whole"), ADVISED)
def test_the_whole_sentence_is_advised_and_accepted(tactic: str, whole: str) -> None:
    (first, *_) = advised_with(WORDS, card("Horn", tactic=f"{tactic}."))
    assert f"`{whole}" in (first.help or "")
    marking(f"{whole}.")


@pytest.mark.parametrize(
    ("tactic", "whole"),
    [
        ("choose an enemy unit, then the heat of that unit may increase by 1", "the heat of that unit increases by 1"),
        ("choose an enemy unit, then the heat of that unit may become 3", "the heat of that unit becomes 3"),
        ("for each adjacent unit, its heat may double", "its heat doubles"),
    ],
)
def test_an_unclear_decider_about_a_number_is_a_finding(tactic: str, whole: str) -> None:
    (first, *_) = advised_with(WORDS, card("Horn", tactic=f"{tactic}."))
    assert first.name == "unclear-reach" and f"`either {whole}, or do nothing`" in (first.help or "")
    before, _, _ = tactic.rpartition(", ")
    marking(f"{before}, {'then ' if 'then' in tactic else ''}either {whole}, or do nothing.")


def test_an_offer_is_no_rule() -> None:
    (first, *_) = advised_with(WORDS, card("Horn", attribute="this may become marked while it is on a location."))
    assert first.name == "step-among-rules"


@pytest.mark.parametrize(
    "tactic",
    [
        "each friendly unit may become marked, then move.",
        "each enemy unit adjacent to this may move, then lose a coin.",
    ],
)
def test_an_act_after_an_offer_to_each_must_name_its_agent(tactic: str) -> None:
    (first, *_) = advised_with(WORDS, card("Horn", tactic=tactic))
    assert first.name == "unclear-reach" and "`it " in (first.help or "") and "`this " in (first.help or "")


def test_the_contrary_of_a_word_is_not_taken_for_it() -> None:
    (first, *_) = advised_with(WORDS, card("Horn", tactic="this may become unmarked."))
    assert "unmarked" in first.message and "did you mean" not in (first.help or "") and first.fix is None


def test_a_change_to_the_present_state_is_not_offered() -> None:
    state = marking("draw a coin, then put that coin into your hand, then this may become marked.").position(
        {
            "to_act": "raven",
            "initiative": "wolf",
            "hand": {"raven": ["Horn", "Horn"], "wolf": ["Royal Coin"]},
            "bag": {"raven": ["Horn"]},
            "units": [
                {"at": "f4", "unit": "Horn", "owner": "raven", "marked": True},
                {"at": "f5", "unit": "Archer", "owner": "wolf"},
            ],
        }
    )
    take(state, act="tactic")
    assert player(state) == "wolf"
