"""What answers the beginning of a turn takes no question away: the coin is asked for, and nothing else with one answer.
"""

from __future__ import annotations

import pytest
from machine_support import card, game, offered, player, position, round_trips, take

LOSES = "at the start of the turn of an opponent, this loses a coin."
MOVES = "at the start of your turn, this may move."


def test_the_only_coin_is_asked_for_behind_what_starts_the_turn() -> None:
    state = game(card("Probe", attribute=LOSES)).position(position("Probe f4 3", "Archer, Royal Coin"))
    before = state.turn
    take(state, act="pass", coin="Archer")
    assert state.turn == before + 1 and player(state) == "wolf"
    assert offered(state, act="pass", coin="Royal Coin")
    assert [one["coins"] for one in state.position()["units"]] == [2]
    round_trips(state)


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
