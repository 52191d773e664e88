"""Refused input: impossible positions, corrupted pending work, invalid options."""

from __future__ import annotations

import copy
from itertools import islice
from random import Random
from typing import Any

import pytest
from game_support import Position, after, game, start
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.state import COIN_COUNTS, LOCATIONS, NOBILITY_COUNTS, SIEGE_COUNTS
from seeds import is_usual, seeds
from warchest import OptionError, PositionError, State
from warchest.game.turn_successors import turn_successors
from watching import everything, is_mid_effect

# ---- positions that cannot be

GOOD: Position = {
    "game": "war-chest",
    "to_act": "raven",
    "initiative": "raven",
    "control": {"raven": ["e2", "h1"], "wolf": ["g6", "d7"]},
    "units": [
        {"at": "f4", "unit": "Archer", "owner": "raven", "coins": 2},
        {"at": "f5", "unit": "Knight", "owner": "wolf"},
    ],
    "hand": {"raven": ["Archer", "Royal Coin"], "wolf": ["Knight"]},
    "bag": {"raven": ["Archer"]},
    "discard": {"wolf": {"up": ["Knight"], "down": ["Royal Coin"]}},
}
KNIGHT = {"at": "g3", "unit": "Knight", "owner": "wolf"}
TEN = sorted(LOCATIONS)

BAD: dict[str, tuple[dict[str, Any], str]] = {
    "two units on a space": ({"units": [KNIGHT, {"at": "g3", "unit": "Archer", "owner": "raven"}]}, "units[1].at"),
    "a unit off the board": ({"units": [{**KNIGHT, "at": "a1"}]}, "units[0].at"),
    "a space that is no text": ({"units": [{**KNIGHT, "at": 4}]}, "units[0].at"),
    "an unknown unit": ({"units": [{**KNIGHT, "unit": "Dragon"}]}, "units[0].unit"),
    "the Royal Coin as a unit": ({"units": [{**KNIGHT, "unit": "Royal Coin"}]}, "units[0].unit"),
    "an unknown owner": ({"units": [{**KNIGHT, "owner": "crow"}]}, "units[0].owner"),
    "a unit of nobody": ({"units": [{**KNIGHT, "owner": None}]}, "units[0].owner"),
    "a unit without a place": ({"units": [{"unit": "Knight", "owner": "wolf"}]}, "units[0].at"),
    "a unit without a name": ({"units": [{"at": "g3", "owner": "wolf"}]}, "units[0].unit"),
    "a unit without an owner": ({"units": [{"at": "g3", "unit": "Knight"}]}, "units[0].owner"),
    "a stack of none": ({"units": [{**KNIGHT, "coins": 0}]}, "units[0].coins"),
    "a stack of less than none": ({"units": [{**KNIGHT, "coins": -2}]}, "units[0].coins"),
    "a stack of half a coin": ({"units": [{**KNIGHT, "coins": 1.5}]}, "units[0].coins"),
    "a stack of true": ({"units": [{**KNIGHT, "coins": True}]}, "units[0].coins"),
    "a stack higher than there are coins": ({"units": [{**KNIGHT, "coins": 5}]}, "units"),
    "a unit with an unknown key": ({"units": [{**KNIGHT, "facing": "n"}]}, "units[0].facing"),
    "a unit that is a text": ({"units": ["Knight"]}, "units[0]"),
    "units that are a mapping": ({"units": {"g3": "Knight"}}, "units"),
    "two of a unit": ({"units": [KNIGHT, {**KNIGHT, "at": "g4"}]}, "units[1]"),
    "three Footmen": (
        {"units": [{"at": at, "unit": "Footman", "owner": "wolf"} for at in ("c4", "d4", "e4")]},
        "units[2]",
    ),
    "more coins than there are": ({"bag": {"wolf": ["Knight"] * 4}}, "bag.wolf"),
    "two Royal Coins": ({"bag": {"raven": ["Royal Coin"]}}, "bag.raven"),
    "an unknown coin": ({"hand": {"raven": ["Dragon"]}}, "hand.raven[0]"),
    "a coin that is a number": ({"hand": {"raven": ["Archer", 3]}}, "hand.raven[1]"),
    "a hand that is a text": ({"hand": {"raven": "Archer"}}, "hand.raven"),
    "a hand that is a length": ({"hand": {"raven": 3}}, "hand.raven"),
    "a hand of nobody known": ({"hand": {"crow": []}}, "hand"),
    "hands that are a list": ({"hand": ["Archer"]}, "hand"),
    "a discard without faces": ({"discard": {"wolf": ["Knight"]}}, "discard.wolf"),
    "an unknown face": ({"discard": {"wolf": {"sideways": []}}}, "discard.wolf"),
    "a type in both armies": ({"armies": {"raven": ["Archer", "Knight"], "wolf": ["Knight"]}}, "armies"),
    "a coin of the other's army": ({"supply": {"raven": ["Knight"]}}, "armies"),
    "a card twice in an army": ({"armies": {"raven": ["Archer", "Archer"], "wolf": ["Knight"]}}, "armies.raven"),
    "the Royal Coin in an army": (
        {"armies": {"raven": ["Archer", "Royal Coin"], "wolf": ["Knight"]}},
        "armies.raven[1]",
    ),
    "a location given to both": ({"control": {"raven": ["e2"], "wolf": ["e2"]}}, "control.wolf[0]"),
    "a location given twice": ({"control": {"raven": ["e2", "e2"]}}, "control.raven[1]"),
    "control of what is no location": ({"control": {"raven": ["f4"]}}, "control.raven[0]"),
    "control of an unknown space": ({"control": {"raven": ["z9"]}}, "control.raven[0]"),
    "control by nobody known": ({"control": {"crow": ["e2"]}}, "control"),
    "nobody to act": ({"to_act": None}, "to_act"),
    "somebody unknown to act": ({"to_act": "crow"}, "to_act"),
    "somebody to act in a finished game": ({"winner": "raven"}, "to_act"),
    "an unknown winner": ({"to_act": None, "winner": "crow"}, "winner"),
    "an unknown holder of the initiative": ({"initiative": "crow"}, "initiative"),
    "initiative_moved as a text": ({"initiative_moved": "no"}, "initiative_moved"),
    "an unknown key": ({"hands": {}}, "hands"),
    "a key that is no text": ({3: []}, "3"),
    "another game": ({"game": "chess"}, "game"),
    "an unknown option": ({"options": {"dragon": "original"}}, "options.dragon"),
    "an unknown printing": ({"options": {"royal_guard": "lost"}}, "options.royal_guard"),
    "a printing that is a list": ({"options": {"royal_guard": []}}, "options.royal_guard"),
    "options that are a list": ({"options": ["royal_guard"]}, "options"),
    "an unknown decree": ({"decrees": [{"name": "Marsh"}]}, "decrees[0].name"),
    "a unit as a decree": ({"decrees": [{"name": "Archer"}]}, "decrees[0].name"),
    "a decree as a coin": ({"hand": {"raven": ["March"]}}, "hand.raven[0]"),
    "a decree given twice": ({"decrees": [{"name": "March"}, {"name": "Spy"}, {"name": "March"}]}, "decrees[2].name"),
    "a decree without a name": ({"decrees": [{"seals": ["raven"]}]}, "decrees[0].name"),
    "a decree that is a text": ({"decrees": ["March"]}, "decrees[0]"),
    "decrees that are a mapping": ({"decrees": {"March": ["raven"]}}, "decrees"),
    "a decree with an unknown key": ({"decrees": [{"name": "March", "seal": "raven"}]}, "decrees[0].seal"),
    "a seal of an unknown team": ({"decrees": [{"name": "March", "seals": ["wolf", "crow"]}]}, "decrees[0].seals[1]"),
    "a seal given twice": ({"decrees": [{"name": "March", "seals": ["wolf", "wolf"]}]}, "decrees[0].seals[1]"),
    "seals that are a text": ({"decrees": [{"name": "March", "seals": "raven"}]}, "decrees[0].seals"),
    "a fort off a location": ({"forts": ["e2", "e3"]}, "forts[1]"),
    "a fort off the board": ({"forts": ["z9"]}, "forts[0]"),
    "a fort that is a number": ({"forts": [4]}, "forts[0]"),
    "two forts on a space": ({"forts": ["e5", "g3", "e5"]}, "forts[2]"),
    "forts that are a mapping": ({"forts": {"e5": 1}}, "forts"),
    "a fort as a unit": ({"units": [{**KNIGHT, "unit": "Fortification"}]}, "units[0].unit"),
    "a fort as a coin": ({"hand": {"raven": ["Fortification"]}}, "hand.raven[0]"),
    "more than seven forts": ({"forts": TEN[:8], "fort_supply": 0}, "fort_supply"),
    "seven forts and one more": ({"forts": TEN[:7], "fort_supply": 1}, "fort_supply"),
    "more than seven in supply": ({"fort_supply": 8}, "fort_supply"),
    "a fort supply that is a text": ({"fort_supply": "3"}, "fort_supply"),
    "a fort supply that is a half": ({"fort_supply": 1.5}, "fort_supply"),
    "a fort supply that is true": ({"fort_supply": True}, "fort_supply"),
    "a fort supply that is a list": ({"fort_supply": ["Fortification"]}, "fort_supply"),
    "a fort supply below none": ({"fort_supply": -1}, "fort_supply"),
    "pending that is a text": ({"pending": "soon"}, "pending"),
    "pending without a stack": ({"pending": {"ask": True}}, "pending"),
    "an empty stack": ({"pending": {"stack": []}}, "pending"),
    "a stack that is a number": ({"pending": {"stack": 7}}, "pending"),
    "a stack of garbage": ({"pending": {"stack": [{"code": "x", "at": 0, "values": [], "outs": []}]}}, "pending"),
    "a stack of texts": ({"pending": {"stack": ["x"]}}, "pending"),
    "a stack with a hold of words": ({"pending": {"stack": [], "hold": "tight"}}, "pending"),
}


@pytest.mark.parametrize(("change", "field"), BAD.values(), ids=BAD)
def test_bad_positions(change: dict[str, Any], field: str) -> None:
    bad = {key: value for key, value in {**GOOD, **change}.items() if value is not None or key == "pending"}
    kept = copy.deepcopy(bad)
    good = game().position(GOOD)
    before = everything(good)
    with pytest.raises(PositionError) as caught:
        game().position(bad)
    assert caught.value.field.startswith(field)
    assert field in str(caught.value)
    assert bad == kept
    assert everything(good) == before == everything(game().position(GOOD))


def test_the_position_they_are_made_from_is_good() -> None:
    assert game().position(GOOD).decision is not None


FOUR: Position = {
    "to_act": "raven2",
    "initiative": "wolf2",
    "control": {"raven": ["b5", "e2"], "wolf": ["j3"]},
    "units": [{"at": "k1", "unit": "Archer", "owner": "raven2"}, {"at": "a7", "unit": "Knight", "owner": "wolf"}],
    "hand": {player: ["Royal Coin"] for player in ("raven", "wolf", "raven2", "wolf2")},
    "decrees": [{"name": "Spy", "seals": ["raven", "wolf"]}],
    "forts": ["k1", "b5"],
    "fort_supply": 5,
}
BAD_OF_FOUR: dict[str, tuple[dict[str, Any], str]] = {
    "a unit of a fifth player": ({"units": [{**KNIGHT, "owner": "raven3"}]}, "units[0].owner"),
    "a unit owned by nobody": ({"units": [{**KNIGHT, "owner": "nobody"}]}, "units[0].owner"),
    "a unit whose owner is null": ({"units": [{**KNIGHT, "owner": None}]}, "units[0].owner"),
    "a unit dealt to teammates": (
        {"armies": {"raven": ["Scout"], "raven2": ["Archer", "Scout"], "wolf": ["Knight"]}},
        "armies.raven2",
    ),
    "a unit dealt to enemies": (
        {"armies": {"wolf": ["Scout", "Knight"], "raven2": ["Archer"], "wolf2": ["Scout"]}},
        "armies.wolf2",
    ),
    "a unit dealt twice to one": ({"armies": {"wolf": ["Knight", "Knight"], "raven2": ["Archer"]}}, "armies.wolf"),
    "a coin of a teammate's army": ({"bag": {"raven": ["Archer"]}}, "armies"),
    "two Royal Coins": ({"bag": {"wolf2": ["Royal Coin"]}}, "bag.wolf2"),
    "control by a member of a team": ({"control": {"raven2": ["e2"]}}, "control"),
    "a seal of a member of a team": ({"decrees": [{"name": "Spy", "seals": ["wolf2"]}]}, "decrees[0].seals[0]"),
    "a winner who is a member of a team": ({"to_act": None, "winner": "raven2"}, "winner"),
    "a fifth player's hand": ({"hand": {**FOUR["hand"], "wolf3": []}}, "hand"),
    "a team to act that is none": ({"to_act": "ravens"}, "to_act"),
    "a fort off a location": ({"forts": ["b6"]}, "forts[0]"),
    "more than seven forts": ({"forts": ["b5", "j3", "a7", *TEN[:5]], "fort_supply": 0}, "fort_supply"),
}


@pytest.mark.parametrize(("change", "field"), BAD_OF_FOUR.values(), ids=BAD_OF_FOUR)
def test_bad_positions_of_four(change: dict[str, Any], field: str) -> None:
    assert len(game().position(FOUR).position()["hand"]) == 4
    bad = {key: value for key, value in {**FOUR, **change}.items() if value is not None}
    with pytest.raises(PositionError) as caught:
        game().position(bad)
    assert caught.value.field.startswith(field) and field in str(caught.value)


def test_more_forts_than_there_are_without_a_supply() -> None:
    with pytest.raises(PositionError) as caught:
        game().position({**GOOD, "forts": TEN[:8]})
    assert caught.value.field.startswith("fort")


TWENTY_FOUR = sorted(COIN_COUNTS | NOBILITY_COUNTS | SIEGE_COUNTS)
DEALT = {"raven": TWENTY_FOUR[:4], "wolf": TWENTY_FOUR[4:8]}
DEALT_TO_FOUR = {player: TWENTY_FOUR[3 * n : 3 * n + 3] for n, player in enumerate(FOUR["hand"])}
BAD_ARMIES: dict[str, tuple[dict[str, Any], str]] = {
    "one too few": ({"armies": {**DEALT, "wolf": TWENTY_FOUR[4:7]}}, "armies.wolf"),
    "one too many": ({"armies": {**DEALT, "wolf": TWENTY_FOUR[4:9]}}, "armies.wolf"),
    "four each for four": ({"players": 4, "armies": {**DEALT_TO_FOUR, "raven2": TWENTY_FOUR[12:16]}}, "armies.raven2"),
    "a unit dealt twice": ({"armies": {**DEALT, "wolf": [*TWENTY_FOUR[4:7], TWENTY_FOUR[0]]}}, "armies.wolf[3]"),
    "a unit dealt twice to one": ({"armies": {**DEALT, "wolf": [*TWENTY_FOUR[4:7], TWENTY_FOUR[4]]}}, "armies.wolf[3]"),
    "a unit dealt to teammates": (
        {"armies": {**DEALT_TO_FOUR, "raven2": [TWENTY_FOUR[0], *TWENTY_FOUR[7:9]]}},
        "armies.raven2[0]",
    ),
    "a decree as a unit": ({"armies": {**DEALT, "wolf": ["March", *TWENTY_FOUR[4:7]]}}, "armies.wolf[0]"),
    "a fort as a unit": ({"armies": {**DEALT, "wolf": ["Fortification", *TWENTY_FOUR[4:7]]}}, "armies.wolf[0]"),
    "three players": ({"players": 3}, "players"),
    "one player": ({"players": 1}, "players"),
    "a fifth player": ({"armies": {**DEALT_TO_FOUR, "wolf3": TWENTY_FOUR[12:15]}}, "armies"),
}


@pytest.mark.parametrize(("given", "field"), BAD_ARMIES.values(), ids=BAD_ARMIES)
def test_bad_armies(given: dict[str, Any], field: str) -> None:
    with pytest.raises(PositionError) as caught:
        game().new(seed=1, sets="all", **given)
    assert caught.value.field.startswith(field) and field in str(caught.value)


def test_the_armies_they_are_made_from_are_good() -> None:
    for armies in (DEALT, DEALT_TO_FOUR):
        assert game().new(seed=1, sets="all", armies=armies).position()["armies"] == armies


garbage = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.sampled_from(
        [
            "raven",
            "wolf",
            "Archer",
            "Royal Coin",
            "f4",
            "e2",
            "war-chest",
            "original",
            "",
            "\0",
            "up",
            "stack",
            "March",
            "Spy",
            "Fortification",
            "Sapper",
            "e5",
            "k1",
            "raven2",
            "wolf2",
        ]
    ),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "raven",
                    "wolf",
                    "up",
                    "down",
                    "at",
                    "unit",
                    "owner",
                    "coins",
                    "stack",
                    "royal_guard",
                    "name",
                    "seals",
                    "raven2",
                    "code",
                    "values",
                    "outs",
                    "ask",
                    "hold",
                ]
            )
            | st.text(max_size=3),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)
KEYS = sorted(game().position(GOOD).position()) + ["winner", "pending"]


@given(st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=4), garbage, max_size=6) | garbage)
@settings(max_examples=(1 if is_usual() else 4) * settings().max_examples)
def test_garbage_is_refused_and_nothing_else(mapping: Any) -> None:
    try:
        state = game().position(mapping)
    except PositionError:
        return
    assert game().position(state.position()) == state


@given(st.sampled_from(KEYS), garbage)
@settings(max_examples=(2 if is_usual() else 4) * settings().max_examples)
def test_a_good_position_with_garbage_in_it(key: str, value: Any) -> None:
    try:
        state = game().position({**GOOD, key: value})
    except PositionError:
        return
    assert game().position(state.position()) == state


NONSENSE = [None, -1, 0, 1, 5, 10**6, "f4", "raven", "nowhere", [], {}, [1, 2], ["nowhere", "Archer"]]


def spoilt(value: Any, rng: Random) -> Any:
    """Return pending work with one thing in it changed."""
    value = copy.deepcopy(value)
    here, steps = value, rng.randint(2, 6)
    for _ in range(steps):
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            break
        key = rng.choice(keys)
        if not isinstance(here[key], dict | list) or rng.random() < 0.2:
            here[key] = rng.choice(NONSENSE)
            break
        here = here[key]
    return value


def test_spoilt_pending_work_is_refused_or_goes_on() -> None:
    """Each work is corrupted in several ways; many of the states are in the middle of an effect."""
    found = [(seed, after(seed | 1, 40)) for seed in seeds(80, "spoilt", range(1, 80, 2))]
    assert sum(is_mid_effect(state) for _, state in found) >= len(found) // (3 if is_usual() else 4)
    assert any(state.round > 1 for _, state in found)
    for seed, state in found:
        position = state.position()
        for number in range(seed - 1, seed + 1) if "pending" in position else ():
            try:
                there = game().position({**position, "pending": spoilt(position["pending"], Random(number))})
            except PositionError:
                continue
            there.position()
            assert there.decision is None or there.decision.options


@pytest.mark.parametrize("nonsense", [None, "pass", 1.0, {"act": "pass"}, (), b"x"], ids=repr)
def test_invalid_options_are_refused(nonsense: Any) -> None:
    state = start(7)
    before = everything(state)
    with pytest.raises(OptionError):
        state.apply(nonsense)
    assert everything(state) == before


# ---- games to their ends


def test_games_end() -> None:
    """Most games of players who take a location where they can end; some go on for very long."""
    ended = list(islice((state for state in map(_played, range(6)) if state.outcome is not None), 3))
    assert len(ended) == 3
    for state in ended:
        _over(state)


def _played(seed: int) -> State:
    state, rng = game().new(seed=seed), Random(seed)
    state.silent = True
    for _ in range(1000):
        if state.decision is None:
            break
        state.apply(state.decision.sample(rng, ("control",)))
    return state


def _over(state: State) -> None:
    assert state.outcome is not None
    assert state.outcome.winners in ((), ("raven",), ("wolf",))
    assert state.outcome.reason
    before = everything(state)
    with pytest.raises(OptionError):
        state.apply(0)
    assert everything(state) == before
    assert turn_successors(state) == []
