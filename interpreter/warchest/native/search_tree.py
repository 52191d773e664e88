"""The tree of a bot that searches, grown by the machine: see search.c."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from warchest.native.compiled import ALWAYS, NativeGame, NativeLibrary, Valuation, most, words_of
from warchest.native.shared_game import Moment


@dataclass(frozen=True, slots=True)
class SearchCourse:
    """The way a search plays on from new branches: the valuation, the decisions, and the usual difference in worth."""

    valuation: Valuation
    ahead: int
    usual: float


@dataclass(frozen=True, slots=True)
class TriedOption:
    """An option after a search: the number of tries, the mean of the values, and its prior probability."""

    visits: int
    value: float
    prior: float


class SearchTree:
    """A tree that grows in one world after the other; several can grow at the same time, each in a thread of its own."""

    def __init__(self, library: NativeLibrary, players: int, course: SearchCourse) -> None:
        self.library, self.course, self.code = library, course, library.code
        self._game = NativeGame(library)
        self._favours = library.favours((frozenset[str](),) * players)
        self._looks = bytes((ALWAYS,)) * players
        self._tree = self.code.tree_new()
        if not self._tree:
            raise MemoryError("no memory for the tree of a search")

    def __del__(self) -> None:
        if getattr(self, "_tree", None):
            self.code.tree_free(self._tree)

    def draw_by(self, seed: int) -> None:
        """Seed the outcomes of chance in further iterations."""
        key = words_of(seed)
        self.code.tree_chance(self._tree, key, len(key))

    def grow(self, world: Moment, iterations: int) -> bool:
        """Grow by some iterations in a world; return whether all were done: the machine may have given up."""
        course = self.course
        done = self.code.tree_grow(
            self._game.handle,
            self._tree,
            world.bench.keep(world),
            iterations,
            most(course.ahead),
            course.usual,
            self._favours,
            self.library.act_count,
            self._looks,
            *course.valuation.arguments,
        )
        return bool(done == iterations)

    def tried(self, moment: Moment) -> list[TriedOption]:
        """Return the results of each option at a moment."""
        visits = (ctypes.c_int32 * moment.count)()
        values, priors = (ctypes.c_double * moment.count)(), (ctypes.c_double * moment.count)()
        self.code.tree_tell(self._game.handle, self._tree, moment.bench.keep(moment), visits, values, priors)
        return [TriedOption(*one) for one in zip(visits, values, priors, strict=True)]
