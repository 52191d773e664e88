"""Properties of the oracle over random positions: conservation, round trips, perft."""

from collections import Counter
from random import Random

import pytest

from .naive import from_position, perft, random_position, to_position, turn_successors
from .state import ALL_COUNTS, COIN_COUNTS, NOBILITY_COUNTS, PLAYERS, SIEGE_COUNTS, TEAMS, Position

EXPANSIONS = [(), ("nobility",), ("siege",), ("nobility", "siege")]


def census(position: Position) -> Counter[tuple[str, str]]:
    """How many coins of each kind each player has anywhere."""
    count: Counter[tuple[str, str]] = Counter()
    for unit in position["units"]:
        count[unit["owner"], unit["unit"]] += unit["coins"]
    for player in position["armies"]:
        zones = [position[z][player] for z in ("hand", "bag", "supply", "box")]
        for coins in (*zones, *position["discard"][player].values()):
            count.update((player, coin) for coin in coins)
    return count


def test_random_positions_conserve_coins() -> None:
    for seed in range(60):
        start = random_position(Random(seed))
        full = {(p, k): COIN_COUNTS[k] for p in PLAYERS for k in start["armies"][p]}
        full |= {(p, "Royal Coin"): 1 for p in PLAYERS}
        assert census(start) == full, seed
        assert to_position(from_position(start)) == start, seed
        after = turn_successors(start)
        assert after, seed
        texts = {str(p) for p in after}
        assert len(texts) == len(after) == perft(start, 1), seed
        for position in after:
            assert census(position) == full, seed
            assert to_position(from_position(position)) == position, seed
            assert ("winner" in position) != ("to_act" in position), seed
            spaces = [u["at"] for u in position["units"]]
            assert len(set(spaces)) == len(spaces), seed
            left, held = (sum(map(len, (one["hand"][p] for p in PLAYERS))) for one in (position, start))
            assert left == held - 1, seed


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("sets", EXPANSIONS)
def test_random_positions_with_expansions(sets: tuple[str, ...], players: int) -> None:
    for seed in range(12):
        start = random_position(Random(seed), sets=sets, players=players)
        seats = list(start["armies"])
        assert len(seats) == players, seed
        full = {(p, k): ALL_COUNTS[k] for p in seats for k in start["armies"][p]}
        full |= {(p, "Royal Coin"): 1 for p in seats}
        assert census(start) == full, seed
        assert to_position(from_position(start)) == start, seed
        assert len(start["decrees"]) == (3 if "nobility" in sets else 0), seed
        forts = len(start["forts"]) + start["fort_supply"]
        assert forts <= 7 if "siege" in sets else forts == 0, seed
        after = turn_successors(start)
        assert len({str(p) for p in after}) == len(after) > 0, seed
        for position in after:
            check_successor(start, position, full, seed)
            assert len(position["forts"]) + position["fort_supply"] == forts, seed


def check_successor(start: Position, position: Position, full: dict[tuple[str, str], int], seed: int) -> None:
    """The invariants after any coin."""
    assert census(position) == full, seed
    assert to_position(from_position(position)) == position, seed
    assert ("winner" in position) != ("to_act" in position), seed
    spaces = [u["at"] for u in position["units"]]
    assert len(set(spaces)) == len(spaces), seed
    played = sum(map(len, start["hand"].values())) - sum(map(len, position["hand"].values()))
    assert played == 1, seed
    before, after = ({(d["name"], t) for d in p["decrees"] for t in d["seals"]} for p in (start, position))
    assert before <= after and len(after - before) <= 1, seed
    assert not set(position["control"]["raven"]) & set(position["control"]["wolf"]), seed
    assert set(position["control"]) == set(TEAMS), seed


@pytest.mark.parametrize("players", [2, 4])
def test_focus_brings_its_set_in(players: int) -> None:
    for kind in sorted(NOBILITY_COUNTS | SIEGE_COUNTS):
        rng = Random(kind)
        seen = [random_position(rng, [kind], players=players) for _ in range(20)]
        assert sum(any(u["unit"] == kind for u in p["units"]) for p in seen) >= 15, kind
        assert all(bool(p["decrees"]) == (kind in NOBILITY_COUNTS) for p in seen), kind
        assert all(bool(p["forts"]) <= (kind in SIEGE_COUNTS) for p in seen), kind


def test_focus_puts_the_unit_into_play() -> None:
    for kind in sorted(COIN_COUNTS):
        rng = Random(kind)
        seen = [random_position(rng, [kind]) for _ in range(20)]
        assert all(kind in p["armies"]["raven"] + p["armies"]["wolf"] for p in seen), kind
        assert sum(any(u["unit"] == kind for u in p["units"]) for p in seen) >= 15, kind


def test_perft_two_on_random_positions() -> None:
    for seed in range(5):
        start = random_position(Random(seed))
        firsts = turn_successors(start)
        by_hand = {str(q) for p in firsts for q in (turn_successors(p) or [p])}
        assert perft(start, 2) == len(by_hand)
