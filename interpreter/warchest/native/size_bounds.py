"""Bounds on memory, candidates and amount of C, checked before a game is compiled for the native machine."""

from __future__ import annotations

from collections.abc import Sequence, Sized

from warchest.ir.parts import nodes_in
from warchest.ir.values import Set
from warchest.native.code_places import Places
from warchest.native.expressions import Expressions
from warchest.native.unfit import Unfit

MOST_CELLS = 250_000
"""The most cells of the memory of a game: one megabyte."""
MOST_CANDIDATES = 8192
"""The most candidates of a choice, and so the most outcomes of chance."""
MOST_OF_UNIT = 1_000_000
"""The most characters of a text that is compiled by itself."""
MOST_OF_CODE = 8_000_000
"""The most characters of C that are compiled for a game."""
FEWEST_CANDIDATES = 512
"""The least room for candidates; only the members of a set can be more."""


def check_memory(cells: int) -> None:
    """Raise Unfit if a memory has too many cells."""
    if cells > MOST_CELLS:
        raise Unfit(f"the memory has {cells:,} cells")


def most_candidates(write: Expressions, places: Places) -> int:
    """Return the most candidates that a choice point can have; raises Unfit if there can be too many.

    After the candidates in use there is always space for this number, so that a search for more needs no check. Lists
    of members, on the stack of C, have the same size.
    """
    layout, program = write.layout, places.program
    most = max(FEWEST_CANDIDATES, layout.room, len(layout.board.spaces), layout.documents, 1 + len(program.acts))
    most = max([most, *(len(act.ways) for act in program.acts)])
    for routine in places.routines:
        sets = (node for one in routine.instructions for node in nodes_in(one) if isinstance(node, Set))
        most = max([most, *(write.most(node) for node in sets)])
    if most > MOST_CANDIDATES:
        raise Unfit(f"one choice can be among {most:,} things")
    return most


class CodeSize:
    """The amount of C that was written for a game; raises Unfit as soon as it is too much."""

    def __init__(self) -> None:
        self._of_all = self._of_unit = 0
        self._counted: dict[int, int] = {}

    def begin_unit(self) -> None:
        """Begin the texts of another unit."""
        self._of_unit = 0
        self._counted.clear()

    def add(self, *texts: Sequence[Sized]) -> None:
        """Count the new texts at the ends of some growing lists."""
        for number, list_ in enumerate(texts):
            new = sum(map(len, list_[self._counted.get(number, 0) :]))
            self._counted[number] = len(list_)
            self._of_unit, self._of_all = self._of_unit + new, self._of_all + new
        if self._of_unit > MOST_OF_UNIT or self._of_all > MOST_OF_CODE:
            raise Unfit("the rules make too much C")
