"""The search tree of a bot, for states that the native machine can search."""

from __future__ import annotations

from collections.abc import Sequence

from warchest.game.state import State
from warchest.native.compiled import Valuation
from warchest.native.search_tree import SearchCourse, SearchTree, TriedOption
from warchest.native.shared_game import Moment


class NativeSearch:
    """A tree that the native machine grows from the state in which a player is to decide."""

    def __init__(self, moment: Moment, players: int, course: SearchCourse) -> None:
        self._moment, self._world = moment, moment
        self._tree = SearchTree(moment.bench.library, players, course)

    def enter(self, world: State, seed: int) -> bool:
        """Grow in a world from now on, with a seed for chance; return whether the world is held natively."""
        self._tree.draw_by(seed)
        if world._moment is not None:
            self._world = world._moment
        return world.native

    def grow(self, iterations: int) -> bool:
        """Grow by some iterations; return whether the machine could complete all of them."""
        return self._tree.grow(self._world, iterations)

    def tried(self) -> Sequence[TriedOption]:
        """Return the results of each option of the state."""
        return self._tree.tried(self._moment)


def native_search(state: State, valuation: Valuation, ahead: int, usual: float) -> NativeSearch | None:
    """Return a search tree for a state, with given settings; None if the reference machine holds the state."""
    moment, course = state._moment, SearchCourse(valuation, ahead, usual)
    return NativeSearch(moment, len(state.variant.naming.players), course) if moment is not None else None


__all__ = ["NativeSearch", "TriedOption", "native_search"]
