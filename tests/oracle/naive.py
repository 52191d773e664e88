"""The oracle's public face: turn successors, draw successors, perft and random positions.

Everything takes and returns contract positions (mappings), with two players or four, with or without Nobility and
Siege; see `state` for the parts of a game and `rules` for the effects of a coin.
"""

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from .convert import from_position, to_position
from .moves import draws
from .random_positions import random_position
from .rules import play_coin
from .state import Position, State, hands_empty, next_player, refilled, seats_from, settle, side, take

__all__ = [
    "draw_successors",
    "from_position",
    "frontier",
    "perft",
    "position_key",
    "random_position",
    "to_position",
    "turn_successors",
]


def position_key(position: Mapping[str, Any]) -> str:
    """Canonical JSON of a position, to compare and sort by."""
    return json.dumps(position, sort_keys=True)


def _listed(states: Iterable[State]) -> list[Position]:
    """States as positions in a stable order."""
    return sorted((to_position(s) for s in states), key=position_key)


def _turn_states(state: State) -> set[State]:
    """The states after the next coin; none when the round or the game has ended."""
    if state.over or hands_empty(state):
        return set()
    me = state.to_act
    found: set[State] = set()
    for coin in set(side(state, me).hand):
        for after in play_coin(take(state, me, "hand", coin), me, coin):
            found.add(settle(after._replace(to_act=next_player(state, me))))
    return found


def turn_successors(position: Mapping[str, Any]) -> list[Position]:
    """All distinct positions after one coin of `to_act`; [] if the round or the game has ended."""
    return _listed(_turn_states(from_position(position)))


def _frontier(position: Mapping[str, Any], depth: int) -> set[State]:
    """The distinct states after `depth` coins; ended rounds and games stay as they are."""
    states = {from_position(position)}
    for _ in range(depth):
        following: set[State] = set()
        for state in states:
            following |= _turn_states(state) or {state}
        states = following
    return states


def frontier(position: Mapping[str, Any], depth: int) -> list[Position]:
    """The positions that `perft` counts."""
    return _listed(_frontier(position, depth))


def perft(position: Mapping[str, Any], depth: int) -> int:
    """The number of distinct positions after `depth` coins; ended ones are kept."""
    return len(_frontier(position, depth))


def _draw_one(chances: dict[State, Fraction], player: str) -> dict[State, Fraction]:
    """One more coin into the hand of `player`, the bag refilled from the discard if empty."""
    found: dict[State, Fraction] = {}
    for state, chance in chances.items():
        bag = side(refilled(state, player), player).bag
        if not bag:
            found[state] = found.get(state, Fraction(0)) + chance
        for coin, after in draws(state, player):
            share = Fraction(bag.count(coin), len(bag))
            found[after] = found.get(after, Fraction(0)) + chance * share
    return found


def draw_successors(position: Mapping[str, Any]) -> list[tuple[Position, Fraction]]:
    """All positions after a round's draw, with their probabilities; [] if no draw is due."""
    start = from_position(position)
    if start.over or not hands_empty(start):
        return []
    chances = {start._replace(initiative_moved=False): Fraction(1)}
    for player in seats_from(start, start.initiative):
        for _ in range(3):
            chances = _draw_one(chances, player)
    drawn = [(to_position(settle(state)), chance) for state, chance in chances.items()]
    return sorted(drawn, key=lambda pair: position_key(pair[0]))
