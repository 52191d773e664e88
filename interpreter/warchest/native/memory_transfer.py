"""Cells that cross the border between the memory of a state and that of the native machine.

The cells of both are the same, but for four things: those of documents stand elsewhere, with room for further ones
(see native_layout.py); sets of 32 pieces are signed numbers there; trails are rows of steps behind all else; and cells
that only repeat other ones are left for the machine to derive.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from operator import itemgetter

from warchest.ir.values import NOTHING, TRAIL_BITS, steps_of
from warchest.lowering.layout import LIVE, Layout
from warchest.native.definitions import LARGEST, Trails
from warchest.native.native_layout import roomy
from warchest.native.unfit import Unfit


class NativeCells(Layout):
    """The layout by which the cells of the native machine are read where they are."""

    steps: Mapping[int, int]
    """For each cell of a trail the first cell of its steps."""

    def set_in(self, memory: Sequence[int], cell: int) -> int:
        """Return the set of pieces in a cell, which has a sign there, as bits."""
        return memory[cell] & 0xFFFFFFFF

    def trail_in(self, memory: Sequence[int], cell: int) -> int:
        """Return the trail in a cell, which holds the number of its steps there."""
        count = memory[cell]
        return _trail(memory[self.steps[cell] : self.steps[cell] + count]) if count > 0 else count

    def kept(self, memory: list[int]) -> Sequence[int]:
        """Return a memory as the native machine keeps it, but for trails."""
        return memoryview(array("i", memory))

    def part_of(self, memory: Sequence[int], first: int, end: int) -> Hashable:
        """Return the contents of some cells as bytes."""
        return memory[first:end].tobytes()  # type: ignore[attr-defined, no-any-return]

    def sum_of(self, memory: Sequence[int], holders: Iterable[int]) -> Hashable:
        """Return the sums as one number, in which each document has the bits of a cell: no sum needs more."""
        first, width = self.tokens, self.documents
        rows = [memory[first + one * width : first + (one + 1) * width] for one in holders]
        return sum([int.from_bytes(row, "little") for row in rows])


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
                held[cell] = _trail(steps)
        layout, room = self.layout, self.room
        behind = room.tokens + layout.size - layout.tokens
        return [
            *held[: layout.of_document],
            *held[room.of_document : room.of_document + layout.documents],
            *held[layout.of_document : room.of_document],
            *held[room.tokens : behind],
        ]

    @cached_property
    def native_cells(self) -> NativeCells:
        """The layout by which cells of the native machine are read where they are."""
        made: NativeCells = copy(self.room)  # type: ignore[assignment]
        made.__class__ = NativeCells
        # Tokens have the numbers that they have in the layout of a state.
        made.documents = self.layout.documents
        made.steps = {cell: self.steps + row * self.deep for cell, row, _ in self.trails}
        return made

    def places(self, cells: range) -> list[int]:
        """Return the cells of native memory for some of the memory of a state."""
        return [self.place(cell) for cell in cells]

    def place(self, cell: int) -> int:
        """Return the cell of native memory for one of the memory of a state."""
        return cell + next(shift for end, shift in self._shifts if cell < end)


def _trail(steps: Sequence[int]) -> int:
    """Return the trail of some steps, the earliest first."""
    return sum(step << TRAIL_BITS * at for at, step in enumerate(reversed(steps)))
