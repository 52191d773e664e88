"""Hashes of states: equal states have equal hashes, on both machines."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from warchest.engine.evaluation import members_of
from warchest.engine.runs import Run
from warchest.lowering.layout import ENDED, LIVE, Layout

if TYPE_CHECKING:
    from warchest.native.shared_game import Moment

Part: TypeAlias = tuple[int, int]
"""A range of cells: its first cell, and its end."""


class Digest:
    """Makes hashes of the states of a variant: of pieces, tokens and fields, and of the point that the run has reached.

    Trails are left out, because the machines keep them differently. Frames below the innermost one, and the pieces that
    take part in acts under way, are left out, too.
    """

    def __init__(self, layout: Layout, write: Callable[[list[int]], dict[str, Any]]) -> None:
        self.layout, self.write = layout, write
        fields = layout.ruleset.fields
        steps = [number for number, field in enumerate(fields) if field.steps is not None]
        trails = [layout.piece_field[number] for number in steps if number in layout.piece_field]
        self.of_piece = list(_without(trails, 0, layout.stride))
        """The cells of a piece that are hashed."""
        wide = [cell for number in steps if number in layout.fields for cell in layout.field_cells(number)]
        self.others = [
            *_without([*wide, *layout.parts], layout.pieces + layout.room * layout.stride, layout.granted),
            (layout.tokens, layout.holder_cells(layout.first_piece_holder)[0]),
        ]
        """The cells of fields and of zones that are hashed."""

    def of_run(self, run: Run) -> int:
        """Return the hash of the state of a run."""
        memory = run.memory
        if memory[ENDED]:
            return self._of_ended(memory)
        try:
            return self._hash(
                lambda first, end: array("i", memory[first:end]).tobytes(), memory[LIVE], run.code.name, run.pc
            )
        except OverflowError:
            # Natively there is no room for such numbers.
            return hash(tuple(cell for part in self.others for cell in memory[slice(*part)]))

    def of_moment(self, moment: Moment) -> int:
        """Return the hash of the state at a moment."""
        if moment.is_over:
            return self._of_ended(moment.memory)
        code, pc = moment.code
        return self._hash(moment.part, moment.live, code.name, pc)

    def _of_ended(self, memory: list[int]) -> int:
        return hash(json.dumps(self.write(memory), sort_keys=True))

    def _hash(self, part: Callable[[int, int], bytes], live: int, name: str, pc: int) -> int:
        pieces, layout = 0, self.layout
        for piece in members_of(live):
            at = layout.piece(piece)
            pieces += hash(b"".join([part(at + first, at + end) for first, end in self.of_piece]))
        return hash((pieces, name, pc, *[part(first, end) for first, end in self.others]))


def _without(left_out: Sequence[int], first: int, end: int) -> Iterator[Part]:
    """Yield the ranges of cells between two cells, leaving out the given cells."""
    for cell in sorted(left_out):
        if first < cell:
            yield first, cell
        first = cell + 1
    if first < end:
        yield first, end
