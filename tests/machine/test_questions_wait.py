"""Hooks at the start of a turn take no question away: the coin is asked for, and no other choice of one candidate."""

from __future__ import annotations

import pytest
from machine_support import card, game, offered, player, position, round_trips, take

LOSES = "at the start of the turn of an opponent, this loses a coin."
MOVES = "at the start of your turn, this may move."


def test_the_only_coin_is_asked_for_after_the_start_of_the_turn() -> None:
    state = game(card("Probe", attribute=LOSES)).position(position("Probe f4 3", "Archer, Royal Coin"))
    before = state.turn
    take(state, act="pass", coin="Archer")
    assert state.turn == before + 1 and player(state) == "wolf"
    assert offered(state, act="pass", coin="Royal Coin")
    assert [one["coins"] for one in state.position()["units"]] == [2]
    round_trips(state)
    # The coin is not taken by itself, although there is no other.
    assert state.position()["pending"]["ask"] and "Royal Coin" not in str(state.position()["pending"])


FETCHES = "at the start of your turn, put a coin in your supply into your hand."


def test_a_choice_at_the_start_is_no_part_of_the_next_option() -> None:
    there = position("wolf Probe f4 3", "Archer, Royal Coin", "Royal Coin") | {"supply": {"wolf": ["Scout", "Knight"]}}
    state = game(card("Probe", attribute=FETCHES)).position(there)
    take(state, act="pass", coin="Archer")
    assert {tuple(one.items()) for one in offered(state)} == {
        (("act", "put"), ("coin", "Knight")),
        (("act", "put"), ("coin", "Scout")),
    }
    round_trips(state)
    take(state, coin="Scout")
    assert offered(state, act="pass", coin="Scout") and offered(state, act="pass", coin="Royal Coin")


@pytest.mark.parametrize("answer", ["decline", "move"])
def test_an_offer_comes_before_the_coin(answer: str) -> None:
    state = game(card("Probe", attribute=MOVES)).position(
        position("wolf Probe f4 3", "Archer, Royal Coin", "Royal Coin")
    )
    take(state, act="pass", coin="Archer")
    assert player(state) == "wolf" and offered(state, act="decline")
    round_trips(state)
    chosen = next(one for one in state.decision.options if one.data["act"] == answer)
    state.apply(chosen)
    assert player(state) == "wolf" and offered(state, act="pass", coin="Royal Coin")
    round_trips(state)
