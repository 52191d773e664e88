"""Positions of states on the native machine: written from its cells, without a run of the reference machine."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from warchest.engine.runs import Frame, Run
from warchest.game.native_frames import top_of
from warchest.game.position.pending import Pending
from warchest.game.position.read_cells import Memory
from warchest.game.position.whole import ToldRun
from warchest.game.position.writing import Format
from warchest.game.variant import Variant
from warchest.native.compiled import NativeLibrary
from warchest.native.shared_game import Moment


@dataclass(frozen=True)
class NativeTelling:
    """The writers of positions for the cells of a native machine."""

    format: Format
    pending: Pending
    timed: ctypes.Array[ctypes.c_int32] | None
    """Pairs of a cell that a new turn or round resets, and its piece or -1; None if a cell is that of a trail."""


@lru_cache(maxsize=8)
def native_telling(variant: Variant, library: NativeLibrary) -> NativeTelling:
    """Return the writers for a native machine of a variant."""
    layout = library.border.native_cells()
    format_, timed = variant.format.over(layout), None
    if not any(field.is_timed and field.steps is not None for field in layout.ruleset.fields):
        numbers = [number for pair in layout.timed() for number in pair]
        timed = (ctypes.c_int32 * len(numbers))(*numbers)
    return NativeTelling(format_, Pending(variant.program, format_.naming), timed)


class ToldMoment:
    """A moment that a position is written from; `run` returns the run of the reference machine there."""

    __slots__ = ("_moment", "_run", "memory", "telling", "variant")

    def __init__(self, variant: Variant, moment: Moment, run: Callable[[], Run]) -> None:
        self.variant, self._moment, self._run = variant, moment, run
        self.telling = native_telling(variant, moment.bench.library)
        self.memory: Memory = moment.cells

    @property
    def format(self) -> Format:
        """The writer of the keys, for the layout of the cells."""
        return self.telling.format

    @property
    def pending(self) -> Pending:
        """The writer of the work under way."""
        return self.telling.pending

    @property
    def top(self) -> Frame | None:
        """The work under way, the innermost frame first."""
        return top_of(self._moment, self.variant.program)

    @property
    def run(self) -> Run:
        """The run of the reference machine in this state."""
        return self._run()

    def opens(self) -> bool:
        """Whether play that begins from the memory alone would stop at this same moment."""
        timed = self.telling.timed
        found = self._moment.opens(timed) if timed is not None else None
        return ToldRun(self.variant, self.run).opens() if found is None else found
