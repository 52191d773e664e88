"""Turn successors: the positions after one more turn, played out in full."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any

from warchest.game.position.whole import facts_in
from warchest.game.state import State

StateKey = tuple[Any, ...]
DIGITS = 16
"""The hexadecimal digits of a fingerprint."""


def turn_successors(state: State) -> list[State]:
    """Return the different states at the end of the present turn of a state, in a fixed order.

    Every choice of every player and every outcome of chance is followed, up to the next turn, the end of the round
    or the end of the game. A state between two rounds, or after the game, has none.
    """
    return [after for _, after in _successors(state)]


def frontier(state: State, depth: int, watch: Callable[[Iterable[State]], Iterable[State]] = iter) -> list[State]:
    """Return the different states that are reachable in `depth` turns; states that cannot go on are kept.

    `watch` gets the states of each depth and yields them one by one, so that a caller can follow.
    """
    edge: dict[StateKey, State] = {state.key(): state}
    finished: dict[StateKey, State] = {}
    for _ in range(depth):
        further: dict[StateKey, State] = {}
        for one in watch(list(edge.values())):
            successors = _successors(one)
            for key, successor in successors:
                further.setdefault(key, successor)
            if not successors:
                finished.setdefault(one.key(), one)
        edge = further
        if not edge:
            break
    return list((finished | edge).values())


def digest_of(states: Iterable[State]) -> str:
    """Return a fingerprint of different states in any order, the same for the same positions in every version.

    It covers the positions as data, without the keys about the wording of texts.
    """
    told = (json.dumps(facts_in(one.position()), sort_keys=True, ensure_ascii=True) for one in states)
    each = sorted(sha256(one.encode("ascii")).digest() for one in told)
    return sha256(b"".join(each)).hexdigest()[:DIGITS]


def _successors(state: State) -> list[tuple[StateKey, State]]:
    """Return the turn successors with their keys, which are costly and so made only once for each state."""
    if state.decision is None or (state.decision.is_chance and state.at_boundary):
        return []
    started = (state.turn, state.round)
    found: dict[StateKey, State] = {}
    waiting = [state]
    seen: set[StateKey] = set()
    while waiting:
        here = waiting.pop()
        decision = here.decision
        assert decision is not None
        for option in decision.options:
            after = here.clone()
            after.apply(option)
            key = after.key()
            if after.outcome is not None or (after.turn, after.round) != started:
                found.setdefault(key, after)
            elif key not in seen:
                seen.add(key)
                waiting.append(after)
    return list(found.items())
