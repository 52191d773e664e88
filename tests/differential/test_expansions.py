"""The engine against the oracle with Nobility, with Siege, with both, and at four: turns, draws and two turns on."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_support import check_draw, check_turn, game, keys

from oracle import naive
from oracle.state import DECREE_NAMES, NOBILITY_COUNTS, SIEGE_COUNTS, Position
from seeds import seeds
from warchest.game.turn_successors import frontier

Mode = tuple[tuple[str, ...], int]
MODES: dict[str, Mode] = {
    "nobility": (("nobility",), 2),
    "siege": (("siege",), 2),
    "both": (("nobility", "siege"), 2),
    "four": ((), 4),
    "four, nobility": (("nobility",), 4),
    "four, siege": (("siege",), 4),
    "four, both": (("nobility", "siege"), 4),
}
"""All that can be played beside the base game of two, which test_oracle.py covers: the sets, and how many play."""
USUAL = {
    "nobility": (1, 2, 3, 4, 7, 1001, 1006),
    "siege": (3, 5, 1000, 1001, 1005),
    "both": (4, 5, 7, 1001, 1007),
    "four": (3, 1001),
    "four, nobility": (5, 1002, 1007),
    "four, siege": (2, 4, 5),
    "four, both": (6, 7, 1000, 1005, 1007),
}
"""Seeds of positions in the usual run, chosen from 16 of each mode: in them every line of the oracle, every act and
every clause with its cause is reached that is reached in any of the 112."""
TURNS = {name: seeds(16, f"oracle turns {name}", usual=USUAL[name]) for name in MODES}
DRAWS = {name: seeds(3, f"oracle draws {name}", usual=(0, 2) if name == "four, both" else range(3)) for name in MODES}
"""Seeds of positions between rounds; in the one of four with both sets that is left out there are 210 draws."""
BATCHES = 2
modes = pytest.mark.parametrize("mode", MODES.values(), ids=MODES)


def random_position(mode: Mode, seed: int) -> Position:
    """Return a random position of a mode."""
    sets, players = mode
    return naive.random_position(Random(seed), sets=sets, players=players)


def between_rounds(mode: Mode, seed: int) -> Position:
    """Return a random position of a mode at the end of a round, with few coins to draw: four players draw twelve."""
    position, rng = random_position(mode, seed), Random(seed)
    for player, hand in position["hand"].items():
        bag = rng.sample(position["bag"][player], len(position["bag"][player]))
        keep = rng.randint(2, 6)
        position["discard"][player] = {"up": bag[keep : keep + 2], "down": hand[:]}
        position["bag"][player] = bag[:keep]
        hand.clear()
    position["to_act"] = position["initiative"]
    return naive.to_position(naive.from_position(position))


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("name", MODES)
def test_turns(name: str, batch: int) -> None:
    for seed in TURNS[name][batch::BATCHES]:
        check_turn(random_position(MODES[name], seed))


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("unit", sorted(NOBILITY_COUNTS | SIEGE_COUNTS))
def test_turns_with_each_unit(unit: str, players: int) -> None:
    rng = Random(f"{unit} {players}")
    for _ in range(3):
        check_turn(naive.random_position(rng, [unit], players=players))


@pytest.mark.parametrize("decree", DECREE_NAMES)
def test_turns_with_each_decree(decree: str) -> None:
    """The Royal Coin is in hand, and the decree is one of three that can be proclaimed."""
    rng = Random(decree)
    for players in (2, 2, 4):
        position = naive.random_position(rng, sets=["nobility", "siege"], players=players)
        others = rng.sample([name for name in DECREE_NAMES if name != decree], 2)
        position["decrees"] = [{"name": name, "seals": []} for name in sorted([decree, *others])]
        to_hand(position, "Royal Coin")
        check_turn(position)


def to_hand(position: Position, coin: str) -> None:
    """Put a coin of the player to act into the hand, and one of the hand where it has been."""
    me = position["to_act"]
    hand = position["hand"][me]
    places = [position["bag"][me], *position["discard"][me].values()]
    if coin not in hand:
        place = next(one for one in places if coin in one)
        place.remove(coin)
        place.append(hand.pop())
        hand.append(coin)
    for one in (hand, *places):
        one.sort()


@pytest.mark.parametrize("name", MODES)
def test_draws(name: str) -> None:
    for seed in DRAWS[name]:
        check_draw(between_rounds(MODES[name], seed))


def test_a_draw_of_four_has_many_ends() -> None:
    counts = [len(naive.draw_successors(between_rounds(MODES["four, both"], seed))) for seed in range(5)]
    assert sum(counts) >= 20, counts


@modes
def test_two_turns(mode: Mode) -> None:
    """Two turns on from the smallest of some positions that are still large enough to say something."""
    some = [random_position(mode, seed) for seed in range(30)]
    position = min(some, key=lambda one: (naive.perft(one, 1) < 6, naive.perft(one, 1)))
    ours = frontier(game().position(position), 2)
    assert keys([one.position() for one in ours]) == keys(naive.frontier(position, 2))
    assert len(ours) == naive.perft(position, 2) > 6


def told(name: str) -> Counter[str]:
    """Return how often things happen within the compared turns of a mode, by the oracle."""
    found: Counter[str] = Counter()
    for seed in TURNS[name]:
        before = random_position(MODES[name], seed)
        for after in naive.turn_successors(before):
            found["seal"] += seals(after) > seals(before)
            found["built"] += set(after["forts"]) > set(before["forts"])
            found["razed"] += set(after["forts"]) < set(before["forts"])
            found["won"] += "winner" in after
    return found


def seals(position: dict[str, Any]) -> int:
    return sum(len(decree["seals"]) for decree in position["decrees"])


def test_compared_positions_contain_decrees_and_forts() -> None:
    """The positions are no idle test: decrees are proclaimed in them, forts are built and razed."""
    found = sum(map(told, MODES), Counter[str]())
    assert found["seal"] > 20 and found["built"] and found["razed"] > 5 and found["won"] > 0, found


@pytest.mark.skipif(settings().derandomize, reason="only with HYPOTHESIS_PROFILE=explore: fresh seeds")
@given(st.sampled_from(sorted(MODES.values())), st.integers(min_value=0, max_value=1 << 64))
def test_turns_from_fresh_seeds(mode: Mode, seed: int) -> None:
    check_turn(random_position(mode, seed))


@pytest.mark.skipif(settings().derandomize, reason="only with HYPOTHESIS_PROFILE=explore: fresh seeds")
@given(st.sampled_from(sorted(MODES.values())), st.integers(min_value=0, max_value=1 << 64))
@settings(max_examples=max(1, settings().max_examples // 10))
def test_draws_from_fresh_seeds(mode: Mode, seed: int) -> None:
    check_draw(between_rounds(mode, seed))
