"""Cells that cross the border between the memory of a state and that of the native machine.

The cells of both are the same, but for three things: sets of 32 pieces are signed numbers there, trails are rows of
steps behind all else, and cells that only repeat other ones are left for the machine to derive.
"""

from __future__ import annotations

from collections.abc import Sequence

from warchest.lowering.layout import LIVE, Layout
from warchest.native.definitions import DEEP, LARGEST, Trails
from warchest.native.unfit import Unfit
from warchest.rules.values import NOTHING, TRAIL_BITS, steps_of


class Border:
    """Translates memories of a layout."""

    def __init__(self, layout: Layout) -> None:
        trails = Trails(layout)
        words = 2 * ((layout.documents + 63) // 64)
        self.size = layout.size
        self.sets = (LIVE, *range(layout.at, layout.of_kind + len(layout.ruleset.kinds)))
        """The cells that are sets of pieces."""
        self.trails = list(trails.places(layout))
        kinds = 2 * max(len(layout.ruleset.kinds), 1)
        self.steps = layout.size + (layout.holders + 2) * words + kinds
        """The first cell of the steps of trails."""
        self.cells = self.steps + trails.count * DEEP
        """The number of cells of the native machine."""

    def inward(self, memory: Sequence[int]) -> list[int]:
        """Return the cells for a memory; raises Unfit where numbers are too large, or trails too long."""
        found = [*memory, *[0] * (self.cells - self.size)]
        for cell in self.sets:
            found[cell] -= (found[cell] >> 31) << 32
        for cell, row in self.trails:
            steps = steps_of(memory[cell])[::-1] if memory[cell] > 0 else []
            if len(steps) > DEEP:
                raise Unfit("a trail is too long")
            found[cell] = len(steps) if memory[cell] >= 0 else NOTHING
            found[self.steps + row * DEEP : self.steps + row * DEEP + len(steps)] = steps
        if any(abs(found[cell]) > LARGEST for cell in range(self.size) if cell not in self.sets):
            raise Unfit("a number is too large")
        return found

    def outward(self, cells: Sequence[int]) -> list[int]:
        """Return the memory for some cells."""
        found = list(cells[: self.size])
        for cell in self.sets:
            found[cell] &= 0xFFFFFFFF
        for cell, row in self.trails:
            steps = cells[self.steps + row * DEEP : self.steps + row * DEEP + max(cells[cell], 0)]
            if cells[cell] >= 0:
                found[cell] = sum(step << TRAIL_BITS * at for at, step in enumerate(reversed(steps)))
        return found
