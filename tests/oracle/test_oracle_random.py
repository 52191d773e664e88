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


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("sets", EXPANSIONS)
@pytest.mark.parametrize("seed", range(12))
def test_random_positions_with_expansions(seed: int, sets: tuple[str, ...], players: int) -> None:
    start = random_position(Random(seed), sets=sets, players=players)
    seats = list(start["armies"])
    assert len(seats) == players
    full = {(p, k): ALL_COUNTS[k] for p in seats for k in start["armies"][p]}
    full |= {(p, "Royal Coin"): 1 for p in seats}
    assert census(start) == full
    assert to_position(from_position(start)) == start
    assert len(start["decrees"]) == (3 if "nobility" in sets else 0)
    forts = len(start["forts"]) + start["fort_supply"]
    assert forts <= 7 if "siege" in sets else forts == 0
    after = turn_successors(start)
    assert len({str(p) for p in after}) == len(after) > 0
    for position in after:
        check_successor(start, position, full)
        assert len(position["forts"]) + position["fort_supply"] == forts


def check_successor(start: Position, position: Position, full: dict[tuple[str, str], int]) -> None:
    """What holds after any coin."""
    assert census(position) == full
    assert to_position(from_position(position)) == position
    assert ("winner" in position) != ("to_act" in position)
    spaces = [u["at"] for u in position["units"]]
    assert len(set(spaces)) == len(spaces)
    played = sum(map(len, start["hand"].values())) - sum(map(len, position["hand"].values()))
    assert played == 1
    before, after = (
        {(d["name"], t) for d in p["decrees"] for t in d["seals"]} for p in (start, position)
    )
    assert before <= after and len(after - before) <= 1
    assert not set(position["control"]["raven"]) & set(position["control"]["wolf"])
    assert set(position["control"]) == set(TEAMS)


@pytest.mark.parametrize("kind", sorted(NOBILITY_COUNTS | SIEGE_COUNTS))
@pytest.mark.parametrize("players", [2, 4])
def test_focus_brings_its_set_in(kind: str, players: int) -> None:
    rng = Random(kind)
    seen = [random_position(rng, [kind], players=players) for _ in range(20)]
    assert sum(any(u["unit"] == kind for u in p["units"]) for p in seen) >= 15
    assert all(bool(p["decrees"]) == (kind in NOBILITY_COUNTS) for p in seen)
    assert all(bool(p["forts"]) <= (kind in SIEGE_COUNTS) for p in seen)


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
