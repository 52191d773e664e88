"""How much a state takes, also late in a game, and what copies share of its history."""

from __future__ import annotations

import tracemalloc
from random import Random

import warchest
from warchest import State

MOST = 20_000
COPIES = 200


def played(decisions: int) -> State:
    rng, state = Random(3), warchest.load("war-chest").new(seed=3)
    for _ in range(decisions):
        if state.decision is None:
            break
        state.apply(state.decision.sample(rng))
    return state


def test_a_state_takes_less_than_twenty_kilobytes_late_in_a_game() -> None:
    state = played(300)
    assert state.decision is not None
    copies: list[State] = []
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    copies.extend(state.clone() for _ in range(COPIES))
    taken = (tracemalloc.get_traced_memory()[0] - before) / COPIES
    tracemalloc.stop()
    assert taken < MOST


def test_copies_share_their_history_and_go_their_own_ways() -> None:
    state = played(40)
    before = state.log
    one, other = state.clone(), state.clone()
    assert one.log == other.log == state.log == before
    one.apply(0)
    other.apply(len(other.decision.options) - 1)  # type: ignore[union-attr]
    assert state.log == before
    assert one.log[: len(before)] == other.log[: len(before)] == before
    assert len(one.log) > len(before) and one.log != other.log
    state.apply(0)
    assert state.log == one.log and state.clone().clone().log == state.log
