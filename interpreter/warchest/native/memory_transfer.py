"""Cells that cross the border between the memory of a state and that of the native machine.

The cells of both are the same, but for four things: those of documents stand elsewhere, with room for further ones
(see native_layout.py); sets of 32 pieces are signed numbers there; trails are rows of steps behind all else; and cells
that only repeat other ones are left for the machine to derive.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from warchest.ir.values import NOTHING, TRAIL_BITS, steps_of
from warchest.lowering.layout import LIVE, Layout
from warchest.native.definitions import LARGEST, Trails
from warchest.native.native_layout import roomy
from warchest.native.unfit import Unfit


class Border:
    """Translates memories of a layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout, room = layout, roomy(layout)
        self.room, trails = room, Trails(room)
        words = 2 * ((room.documents + 63) // 64)
        sets = range(room.of_document, room.of_document + layout.documents)
        self.sets = (LIVE, *range(room.at, room.of_kind + len(room.ruleset.kinds)), *sets)
        """The cells that are sets of pieces."""
        self.trails, self.deep = list(trails.places(room)), trails.deep
        kinds = 2 * max(len(room.ruleset.kinds), 1)
        self.steps = room.size + (room.holders + 2) * words + kinds
        """The first cell of the steps of trails."""
        self.cells = self.steps + trails.count * self.deep
        """The number of cells of the native machine."""
        apart = frozenset(self.sets)
        self._numbers = itemgetter(*(cell for cell in range(room.size) if cell not in apart))
        self._spare = room.documents - layout.documents
        self._shifts = (
            (layout.of_document, 0),
            (layout.of_document + layout.documents, room.of_document - layout.of_document),
            (layout.tokens, -layout.documents),
            (layout.size, room.tokens - layout.tokens),
        )

    def inward(self, memory: Sequence[int]) -> list[int]:
        """Return the cells for a memory; raises Unfit where numbers are too large, or trails too long."""
        layout = self.layout
        first, behind = layout.of_document, layout.of_document + layout.documents
        found = [
            *memory[:first],
            *memory[behind : layout.tokens],
            *memory[first:behind],
            *[0] * self._spare,
            *memory[layout.tokens :],
        ]
        found += [0] * (self.cells - len(found))
        for cell in self.sets:
            found[cell] -= (found[cell] >> 31) << 32
        for cell, row, most in self.trails:
            trail = found[cell]
            steps = steps_of(trail)[::-1] if trail > 0 else []
            if len(steps) > most or trail < NOTHING:
                raise Unfit("a trail is too long, or has a step that is below nothing")
            found[cell] = len(steps) if trail >= 0 else NOTHING
            first = self.steps + row * self.deep
            found[first : first + len(steps)] = steps
        if max(map(abs, self._numbers(found))) > LARGEST:
            raise Unfit("a number is too large")
        return found

    def outward(self, cells: Sequence[int]) -> list[int]:
        """Return the memory for some cells."""
        held = list(cells[: self.room.size])
        for cell in self.sets:
            held[cell] &= 0xFFFFFFFF
        for cell, row, _ in self.trails:
            first = self.steps + row * self.deep
            steps = cells[first : first + max(cells[cell], 0)]
            if cells[cell] >= 0:
                held[cell] = sum(step << TRAIL_BITS * at for at, step in enumerate(reversed(steps)))
        layout, room = self.layout, self.room
        behind = room.tokens + layout.size - layout.tokens
        return [
            *held[: layout.of_document],
            *held[room.of_document : room.of_document + layout.documents],
            *held[layout.of_document : room.of_document],
            *held[room.tokens : behind],
        ]

    def places(self, cells: range) -> list[int]:
        """Return the cells of native memory for some of the memory of a state."""
        return [self.place(cell) for cell in cells]

    def place(self, cell: int) -> int:
        """Return the cell of native memory for one of the memory of a state."""
        return cell + next(shift for end, shift in self._shifts if cell < end)
