"""Properties of the oracle over random positions: conservation, round trips, perft."""

from collections import Counter
from random import Random

import pytest

from .naive import from_position, perft, random_position, to_position, turn_successors
from .state import COIN_COUNTS, PLAYERS, Position


def census(position: Position) -> Counter[tuple[str, str]]:
    """How many coins of each kind each side has anywhere."""
    count: Counter[tuple[str, str]] = Counter()
    for unit in position["units"]:
        count[unit["owner"], unit["unit"]] += unit["coins"]
    for player in PLAYERS:
        zones = [position[z][player] for z in ("hand", "bag", "supply", "box")]
        for coins in (*zones, *position["discard"][player].values()):
            count.update((player, coin) for coin in coins)
    return count


@pytest.mark.parametrize("seed", range(60))
def test_random_positions_conserve_coins(seed: int) -> None:
    start = random_position(Random(seed))
    full = {(p, k): COIN_COUNTS[k] for p in PLAYERS for k in start["armies"][p]}
    full |= {(p, "Royal Coin"): 1 for p in PLAYERS}
    assert census(start) == full
    assert to_position(from_position(start)) == start
    after = turn_successors(start)
    assert after
    texts = {str(p) for p in after}
    assert len(texts) == len(after) == perft(start, 1)
    for position in after:
        assert census(position) == full
        assert to_position(from_position(position)) == position
        assert ("winner" in position) != ("to_act" in position)
        spaces = [u["at"] for u in position["units"]]
        assert len(set(spaces)) == len(spaces)
        assert (
            sum(map(len, (position["hand"][p] for p in PLAYERS)))
            == sum(map(len, (start["hand"][p] for p in PLAYERS))) - 1
        )


@pytest.mark.parametrize("kind", sorted(COIN_COUNTS))
def test_focus_puts_the_unit_into_play(kind: str) -> None:
    rng = Random(kind)
    seen = [random_position(rng, [kind]) for _ in range(20)]
    assert all(kind in p["armies"]["raven"] + p["armies"]["wolf"] for p in seen)
    assert sum(any(u["unit"] == kind for u in p["units"]) for p in seen) >= 15


def test_perft_two_on_random_positions() -> None:
    for seed in range(5):
        start = random_position(Random(seed))
        firsts = turn_successors(start)
        by_hand = {str(q) for p in firsts for q in (turn_successors(p) or [p])}
        assert perft(start, 2) == len(by_hand)
