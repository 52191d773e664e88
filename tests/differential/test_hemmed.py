"""The engine against the oracle where there is hardly any room: packed edges, and pairs that order each other."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_support import check_turn

from oracle import naive
from oracle.hemmed import PAIRS, dense_position, hemmed_position
from oracle.state import Position
from seeds import seeds

FACTOR = 4
"""The number of times that more positions are compared where tests explore than examples are usual."""
SEEDS = seeds(12, "hemmed positions")
each_pair = pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)


@each_pair
def test_hemmed_turns(pair: tuple[str, str]) -> None:
    for seed in SEEDS:
        check_turn(hemmed_position(Random(f"{pair} {seed}"), pair))


@pytest.mark.parametrize("seed", ["m7251", "m13479"])
def test_a_tactic_that_an_answer_lets_begin_counts_on_no_offer(seed: str) -> None:
    """A Warrior Priest draws the coin of a Bishop, and a Mercenary could only make room for it."""
    check_turn(hemmed_position(Random(seed), ("Bishop", "Mercenary")))


@pytest.mark.parametrize("seed", range(6))
def test_hemmed_turns_of_four(seed: int) -> None:
    check_turn(hemmed_position(Random(f"four {seed}"), players=4))


@pytest.mark.parametrize("players", [2, 4])
def test_dense_turns(players: int) -> None:
    for seed in range(12):
        check_turn(dense_position(Random(f"dense {players} {seed}"), players))


def test_they_have_hardly_any_room() -> None:
    """In some of them the Bishop cannot move, in others it can."""
    found: Counter[bool] = Counter()
    for seed in range(60):
        position = hemmed_position(Random(seed), ("Bishop", "Mercenary"))
        assert position == naive.to_position(naive.from_position(position))
        before, ends = at(position, "Bishop"), naive.turn_successors(position)
        found[any(at(end, "Bishop") - before for end in ends)] += 1
    assert found[False] >= 10 and found[True] >= 10, found


def at(position: Position, kind: str) -> set[str]:
    """Return the spaces of units of a kind."""
    return {unit["at"] for unit in position["units"] if unit["unit"] == kind}


@pytest.mark.skipif(settings().derandomize, reason="only with HYPOTHESIS_PROFILE=explore: fresh seeds")
@given(st.integers(min_value=0, max_value=1 << 64), st.sampled_from((2, 2, 2, 4)))
@settings(max_examples=FACTOR * settings().max_examples, deadline=None)
def test_hemmed_turns_from_fresh_seeds(seed: int, players: int) -> None:
    check_turn(hemmed_position(Random(seed), players=players))


@pytest.mark.skipif(settings().derandomize, reason="only with HYPOTHESIS_PROFILE=explore: fresh seeds")
@given(st.integers(min_value=0, max_value=1 << 64), st.sampled_from((2, 2, 4)))
@settings(max_examples=FACTOR * settings().max_examples, deadline=None)
def test_dense_turns_from_fresh_seeds(seed: int, players: int) -> None:
    check_turn(dense_position(Random(seed), players))
