"""The engine against the oracle in tests/oracle, which was written from the rules alone and shares nothing with it."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import lru_cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import warchest
from oracle import naive
from oracle.state import COIN_COUNTS, PLAYERS, Position
from warchest.game.perft import frontier, turn_successors

BATCH = 10
"""How many positions a test looks at, so that there are fewer tests than positions."""
UNITS = sorted(COIN_COUNTS)


@lru_cache
def game() -> warchest.Game:
    """The shipped game."""
    return warchest.load("war-chest")


def keys(positions: list[Position]) -> list[str]:
    """Return positions as sorted canonical JSON."""
    return sorted(map(naive.position_key, positions))


def check_turn(position: Position) -> None:
    """Check that the engine and the oracle find the same ends of a turn."""
    state = game().position(position)
    ours = turn_successors(state)
    assert len({one.key() for one in ours}) == len(ours)
    found, wanted = keys([one.position() for one in ours]), keys(naive.turn_successors(position))
    assert len(set(found)) == len(found)
    missing, extra = sorted(set(wanted) - set(found)), sorted(set(found) - set(wanted))
    assert not missing and not extra, (
        f"{len(missing)} missing, {len(extra)} too many from\n{naive.position_key(position)}\n"
        f"missing: {(missing or ['none'])[0]}\ntoo many: {(extra or ['none'])[0]}"
    )


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


def drawn(state: warchest.State) -> dict[str, Fraction]:
    """Return the positions after the draw, with their probabilities."""
    found: dict[str, Fraction] = defaultdict(Fraction)
    waiting = [(state, Fraction(1))]
    while waiting:
        here, chance = waiting.pop()
        if here.decision is None or not here.decision.is_chance:
            found[naive.position_key(here.position())] += chance
            continue
        for option in here.decision.options:
            waiting.append((here.clone().apply(option), chance * option.probability))
    return dict(found)


def check_draw(position: Position) -> None:
    """Check that the engine and the oracle find the same draws, equally likely."""
    state = game().position(position)
    wanted = {naive.position_key(one): chance for one, chance in naive.draw_successors(position)}
    if not wanted:
        assert state.decision is None and state.outcome is not None
        return
    assert state.decision is not None and state.decision.is_chance
    assert turn_successors(state) == []
    found = drawn(state)
    assert found == wanted
    assert sum(found.values()) == 1


@pytest.mark.parametrize("batch", range(26))
def test_turns(batch: int) -> None:
    for number in range(BATCH):
        check_turn(naive.random_position(Random(1000 * batch + number)))


@pytest.mark.parametrize("unit", UNITS)
def test_turns_with_each_unit(unit: str) -> None:
    rng = Random(unit)
    for _ in range(3):
        check_turn(naive.random_position(rng, [unit]))


@pytest.mark.parametrize("batch", range(3))
def test_draws(batch: int) -> None:
    for number in range(5):
        check_draw(between_rounds(Random(7000 + 1000 * batch + number)))


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
