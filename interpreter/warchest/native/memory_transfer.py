"""Translation of cells between the memory of a state and that of the native machine.

The cells of both are the same, with four exceptions: cells of documents are at other places, with space for further
documents (see native_layout.py); sets of pieces are signed words of 32 bits, with a second word elsewhere for more than
32 pieces; trails are rows of steps after all other cells; and the machine derives cells that only repeat others.
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
from warchest.native.sheets import signed
from warchest.native.unfit import Unfit


class NativeCells(Layout):
    """The layout for reading the cells of the native machine in place."""

    steps: Mapping[int, int]
    """For each cell of a trail the first cell of its steps."""
    piece_trails: Sequence[int]
    """The first cells of the steps of the trails that pieces have, for the first piece; the others follow."""
    deep: int
    """The number of cells for the steps of a trail."""
    is_kept_as_it_was = True
    further: int
    """The number of cells from that of a set of pieces to that for its further pieces; 0 if there are none."""

    def set_in(self, memory: Sequence[int], cell: int) -> int:
        """Return the set of pieces in a cell as bits; the cell holds it as a signed number."""
        return whole_set(memory, cell, self.further)

    def trail_in(self, memory: Sequence[int], cell: int) -> int:
        """Return the trail in a cell, which holds the number of its steps there."""
        count = memory[cell]
        return _trail(memory[self.steps[cell] : self.steps[cell] + count]) if count > 0 else count

    def kept(self, memory: list[int]) -> Sequence[int]:
        """Return a memory in the form of the native machine, apart from trails."""
        return memoryview(array("i", memory).tobytes() + bytes(4 * self.further)).cast("i")

    def part_of(self, memory: Sequence[int], first: int, end: int) -> Hashable:
        """Return the contents of some cells as bytes."""
        # Making a part of the whole takes half the time of a view of it.
        return memory.obj[4 * first : 4 * end]  # type: ignore[attr-defined, no-any-return]

    def piece_in(self, memory: Sequence[int], number: int) -> Hashable:
        """Return the contents of all cells of a piece, its tokens and the steps of its trails among them."""
        kept = memory.obj  # type: ignore[attr-defined]
        return tuple([kept[row] for row in self._piece_rows[number]])

    @cached_property
    def _piece_rows(self) -> list[list[slice]]:
        """The bytes of each piece: its cells, its tokens, and the steps of its trails."""
        parts = [(self.pieces, self.stride), (self.tokens + self.first_piece_holder * self.documents, self.documents)]
        parts += [(steps, self.deep) for steps in self.piece_trails]
        starts = [[(at + one * size, size) for at, size in parts] for one in range(self.room)]
        return [[slice(4 * first, 4 * (first + size)) for first, size in some] for some in starts]

    def rows_of(self, holders: Iterable[int]) -> list[slice]:
        """Return the bytes that count the tokens of some holders."""
        return [slice(4 * cells.start, 4 * cells.stop) for cells in map(self.holder_cells, holders)]

    def sum_of(self, memory: Sequence[int], rows: Iterable[slice], more: Hashable = ()) -> Hashable:
        """Return the sums as one number, in which each document has as many bits as a cell: enough for any sum."""
        kept, number = memory.obj, int.from_bytes  # type: ignore[attr-defined]
        return sum([number(kept[row], "little") for row in rows], more if isinstance(more, int) else 0)


def whole_set(cells: Sequence[int], cell: int, further: int) -> int:
    """Return the set of pieces in a cell of the native machine, as bits; `further` is as in NativeCells."""
    first = cells[cell] & 0xFFFFFFFF
    return first | (cells[cell + further] & 0xFFFFFFFF) << 32 if further else first


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
        end = self.steps + trails.count * self.deep
        self.further = end - LIVE if room.room > 32 else 0
        """The number of cells from that of a set of pieces to that for its further pieces; 0 if there are none."""
        self.cells = room.tokens + self.further if self.further else end
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
        """Return the cells for a memory; raises Unfit if numbers are too large, or trails too long."""
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
            first, further = found[cell] & 0xFFFFFFFF, found[cell] >> 32
            found[cell] = signed(first)
            if further:
                found[cell + self.further] = signed(further)
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
            held[cell] = whole_set(cells, cell, self.further)
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

    def native_cells(self) -> NativeCells:
        """Return the layout for reading cells of the native machine."""
        made: NativeCells = copy(self.room)  # type: ignore[assignment]
        made.__class__, made.further = NativeCells, self.further
        # Tokens have the numbers that they have in the layout of a state.
        made.documents = self.layout.documents
        trails = Trails(self.room)
        made.piece_trails = [self.steps + trails.rows[field] * self.deep for field in trails.of_pieces]
        made.deep = self.deep
        made.steps = {cell: self.steps + row * self.deep for cell, row, _ in self.trails}
        return made

    def places(self, cells: range) -> list[int]:
        """Return the cells of native memory for some cells of the memory of a state."""
        return [self.place(cell) for cell in cells]

    def place(self, cell: int) -> int:
        """Return the cell of native memory for a cell of the memory of a state."""
        return cell + next(shift for end, shift in self._shifts if cell < end)


def _trail(steps: Sequence[int]) -> int:
    """Return the trail of some steps, the earliest first."""
    return sum(step << TRAIL_BITS * at for at, step in enumerate(reversed(steps)))
