"""Games of four: whose turn it is, what teammates share, and how they end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from setups_support import SEATS, game, played, setup_decisions

import warchest
from warchest.bots import BOTS, bot_named, drive

FOUR = SEATS[4]
TEAM = {"raven": "raven", "wolf": "wolf", "raven2": "raven", "wolf2": "wolf"}
HANDS = {player: ["Royal Coin"] for player in FOUR}
STARTS = {"raven": ["b5", "e2", "h1"], "wolf": ["d7", "g6", "j3"]}


def position(**keys: Any) -> warchest.State:
    """Return a position of four at which raven is to act."""
    return game().position({"to_act": "raven", "initiative": "raven", "hand": HANDS, "control": STARTS, **keys})


def acts(state: warchest.State) -> set[str]:
    """Return the options."""
    assert state.decision is not None
    return {option.data["act"] for option in state.decision.options}


def take(state: warchest.State, **wanted: str) -> warchest.State:
    """Take the one option that says this."""
    assert state.decision is not None
    (found,) = [option for option in state.decision.options if option.data.items() >= wanted.items()]
    return state.apply(found)


def ends(seeds: range, cap: int, **given: Any) -> list[tuple[str, ...]]:
    """Play games of that many decisions at most; return the winners of those that have ended."""
    found = []
    for seed in seeds:
        state = game().new(seed=seed, **given)
        state.silent = True
        played(state, seed, cap)
        if state.outcome is not None and state.outcome.winners:
            found.append(state.outcome.winners)
            (winner,) = state.outcome.winners
            assert len(state.position()["control"][winner]) == 8
            assert state.position()["winner"] == winner in ("raven", "wolf")
        assert game().position(state.position()) == state
    return found


@pytest.mark.parametrize(
    ("setup", "sets"), [("Four players random", "all"), ("Four players draft", "all"), ("Four players draft", None)]
)
def test_whole_games(setup: str, sets: str | None) -> None:
    ends(range(2), 600, setup=setup, sets=sets)


def test_most_games_are_won_by_a_team() -> None:
    assert len(ends(range(4), 3000, players=4)) >= 3


def test_turns_go_round_the_table() -> None:
    state, rng = game().new(seed=5, players=4), Random(5)
    asked: list[tuple[int, int, str]] = []
    for _ in range(300):
        if state.decision is None:
            break
        new = (state.turn, state.round) not in [one[:2] for one in asked]
        if new and state.at_boundary and not state.decision.is_chance:
            asked.append((state.turn, state.round, str(state.decision.player)))
        state.apply(state.decision.sample(rng))
    rounds: dict[int, list[str]] = {}
    for _, number, player in asked:
        rounds.setdefault(number, []).append(player)
    for players in [*rounds.values()][:-1]:
        start = FOUR.index(players[0])
        assert players == [FOUR[(start + turn) % 4] for turn in range(12)]
        assert [TEAM[player] for player in players[:2]] in (["raven", "wolf"], ["wolf", "raven"])


def test_a_team_wins_together() -> None:
    eight = ["b5", "e2", "h1", "d4", "g3", "i2", "e5"]
    state = position(
        to_act="raven2",
        hand={**HANDS, "raven2": ["Archer"]},
        control={"raven": eight, "wolf": ["d7"]},
        units=[{"at": "k1", "unit": "Archer", "owner": "raven2"}],
    )
    take(state, act="control")
    assert state.outcome is not None and state.outcome.winners == ("raven",)
    assert state.position()["winner"] == "raven"


def test_the_initiative_is_not_taken_from_a_teammate() -> None:
    for holder, can in (("raven", False), ("raven2", False), ("wolf", True), ("wolf2", True)):
        assert ("claim" in acts(position(initiative=holder))) is can, holder
    state = take(position(initiative="wolf2"), act="claim")
    assert state.position()["initiative"] == "raven" and state.position()["initiative_moved"] is True
    assert state.decision is not None and state.decision.player == "wolf"
    assert "claim" not in acts(state)


def test_a_teammates_location_is_ones_own() -> None:
    state = position(hand={**HANDS, "raven": ["Archer"]})
    assert state.decision is not None
    places = {option.data["to"] for option in state.decision.options if option.data["act"] == "deploy"}
    assert places == set(STARTS["raven"])


def test_teammates_do_not_fight() -> None:
    units = [
        {"at": "f4", "unit": "Knight", "owner": "raven", "coins": 2},
        {"at": "f5", "unit": "Scout", "owner": "raven2"},
    ]
    state = position(hand={**HANDS, "raven": ["Knight"]}, units=units)
    assert "attack" not in acts(state) and "move" in acts(state)


def test_recruiting_is_from_ones_own_supply() -> None:
    state = position(supply={"raven": ["Archer"], "raven2": ["Scout"]})
    assert state.decision is not None
    recruits = [option.data for option in state.decision.options if option.data["act"] == "recruit"]
    assert len(recruits) == 1 and "Archer" in recruits[0].values()


def test_the_hand_of_a_teammate_is_hidden() -> None:
    view = position(hand={**HANDS, "raven": ["Archer"]}).view("raven2")
    assert view["hand"] == {"raven": 1, "wolf": 1, "raven2": ["Royal Coin"], "wolf2": 1}


@pytest.mark.parametrize("name", BOTS[:-1])  # the last one searches, and has tests of its own
def test_bots_play_at_four(name: str) -> None:
    state = game().new(seed=1, setup="Four players draft")
    bots = {player: bot_named(name, game()) for player in FOUR}
    assert drive(state, bots, Random(1), 40) == 40


def test_a_game_of_four_can_be_reached_from_a_draft() -> None:
    state = game().new(seed=9, setup="Four players draft", sets="all")
    list(setup_decisions(state, Random(9)))
    assert state.position()["initiative"] == state.position()["to_act"]
    played(state, 9, 200)
    assert game().position(state.position()) == state
