"""Turn successors: the positions that can stand when one more turn has been played out in full."""

from __future__ import annotations

from warchest.game.state import State


def turn_successors(state: State) -> list[State]:
    """Return the different states at the end of the turn that a state stands in, in a fixed order.

    Every choice of every player and every outcome of chance is followed, up to the next turn, the end of the round
    or the end of the game. A state between two rounds, or after the game, has none.
    """
    if state.decision is None or state.decision.is_chance and state.at_boundary:
        return []
    found: dict[State, None] = {}
    waiting = [state]
    seen: set[State] = set()
    while waiting:
        here = waiting.pop()
        decision = here.decision
        assert decision is not None
        for index in range(len(decision.options)):
            after = here.clone().apply(index)
            if after.decision is None or (after.turn, after.round) != (state.turn, state.round):
                found.setdefault(after)
            elif after not in seen:
                seen.add(after)
                waiting.append(after)
    return list(found)


def frontier(state: State, depth: int) -> list[State]:
    """Return the different states that can stand `depth` turns on; those that cannot go on are kept."""
    edge: dict[State, None] = {state: None}
    for _ in range(depth):
        further: dict[State, None] = {}
        for one in edge:
            successors = turn_successors(one)
            for successor in successors or [one]:
                further.setdefault(successor)
        edge = further
    return list(edge)
