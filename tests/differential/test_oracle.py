"""The engine against the oracle in tests/oracle, which was written from the rules alone and shares nothing with it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_support import check_draw, check_turn, game, keys

from oracle import naive
from oracle.state import COIN_COUNTS, PLAYERS, Position
from seeds import seeds
from warchest.game.turn_successors import frontier

TURNS = seeds(
    100,
    "oracle turns",
    usual=(
        1,
        1000,
        1004,
        1006,
        1007,
        2001,
        2002,
        2008,
        3003,
        3004,
        3006,
        3007,
        3008,
        3009,
        6006,
        7008,
        8001,
        8004,
        8007,
        8009,
        9001,
        9003,
    ),
)
"""Seeds of positions. The usual ones were chosen from a hundred: in them every line of the oracle, every act and every
clause with its cause is reached that is reached in any of the hundred."""
DRAWS = seeds(9, "oracle draws", usual=(7000, 7001, 7002, 8000, 8002, 9000, 9002))
"""Seeds of positions between rounds; the usual ones have no more than 60 draws."""
BATCHES = 5
"""The number of tests that share them, so that there are fewer tests than positions."""
UNITS = sorted(COIN_COUNTS)


def between_rounds(rng: Random) -> Position:
    """Return a position at the end of a round, now and then with few coins to draw."""
    position = naive.random_position(rng)
    for player in PLAYERS:
        position["discard"][player]["down"] += position["hand"][player]
        position["hand"][player] = []
        if rng.random() < 0.4:
            loose = position["bag"][player]
            keep = rng.randint(0, min(3, len(loose)))
            position["box"][player] += [coin for coin in loose[keep:] if coin != "Royal Coin"]
            position["bag"][player] = loose[:keep]
        if rng.random() < 0.3:
            discard = position["discard"][player]
            discard["up"], discard["down"] = discard["up"][:1], discard["down"][:1]
    position["to_act"] = position["initiative"]
    return naive.to_position(naive.from_position(position))


@pytest.mark.parametrize("batch", range(BATCHES))
def test_turns(batch: int) -> None:
    for seed in TURNS[batch::BATCHES]:
        check_turn(naive.random_position(Random(seed)))


@pytest.mark.parametrize("unit", UNITS)
def test_turns_with_each_unit(unit: str) -> None:
    rng = Random(unit)
    for _ in range(3):
        check_turn(naive.random_position(rng, [unit]))


@pytest.mark.parametrize("batch", range(BATCHES))
def test_draws(batch: int) -> None:
    for seed in DRAWS[batch::BATCHES]:
        check_draw(between_rounds(Random(seed)))


@pytest.mark.parametrize("seed", range(3))
def test_two_turns(seed: int) -> None:
    position = naive.random_position(Random(seed))
    ours = frontier(game().position(position), 2)
    assert len(ours) == naive.perft(position, 2)
    assert keys([one.position() for one in ours]) == keys(naive.frontier(position, 2))


@pytest.mark.skipif(settings().derandomize, reason="only with HYPOTHESIS_PROFILE=explore: fresh seeds")
@given(st.integers(min_value=0, max_value=1 << 64))
def test_turns_from_fresh_seeds(seed: int) -> None:
    check_turn(naive.random_position(Random(seed)))


@pytest.mark.skipif(settings().derandomize, reason="only with HYPOTHESIS_PROFILE=explore: fresh seeds")
@given(st.integers(min_value=0, max_value=1 << 64))
@settings(max_examples=max(1, settings().max_examples // 10))
def test_draws_from_fresh_seeds(seed: int) -> None:
    check_draw(between_rounds(Random(seed)))
