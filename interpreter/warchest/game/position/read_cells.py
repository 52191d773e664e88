"""A cache of values that were read from the cells of memories, by the contents of the cells."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from itertools import compress
from typing import Any, TypeAlias, TypeVar

from warchest.engine.evaluation import members_of
from warchest.lowering.layout import LIVE, Layout

Memory: TypeAlias = Sequence[int]
"""The cells of a state, in the layout of the format that reads them."""
PositionMapping: TypeAlias = dict[str, Any]
"""A position, or a part of one, as it is written."""
ToldOfPieces: TypeAlias = dict[Hashable, Any]
"""Facts about all pieces, by any keys."""
MOST_KNOWN, MOST_BOARDS = 4096, 512
"""The most values of one type, and the most sets of facts about all pieces, that the cache holds."""
Known = TypeVar("Known")


def copied(value: Any) -> Any:
    """Return a copy of a part of a position, with all lists and mappings in it."""
    kind = type(value)
    if kind is list:
        return value[:] if not value or type(value[0]) is str else [copied(one) for one in value]
    if kind is dict:
        return {key: copied(one) for key, one in value.items()}
    return tuple(map(copied, value)) if kind is tuple else value


def remember(known: dict[Hashable, Known], cells: Hashable, value: Known, most: int = MOST_KNOWN) -> Known:
    """Add a value that was read from some cells to a cache, and return it; a full cache is emptied first."""
    if len(known) >= most:
        known.clear()
    known[cells] = value
    return value


def tokens_at(layout: Layout, memory: Memory, holder: int) -> dict[int, int]:
    """Return the number of tokens of each document that a holder has."""
    first = layout.tokens + holder * layout.documents
    held = memory[first : first + layout.documents]
    return {document: held[document] for document in compress(range(len(held)), held)} if any(held) else {}


class ReadCells:
    """The values that were read from the cells of memories of one layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._part_of, self._tokens, self._width = layout.part_of, layout.tokens, layout.documents
        self._lists: dict[Hashable, list[str]] = {}
        """The names of tokens by the cells of a holder that has them."""
        self._heaps: dict[Hashable, Mapping[int, int]] = {}
        """The numbers of tokens by document, by the cells of a holder that has them."""
        self._usual: dict[int, Hashable] = {}
        """The initial contents of cells, by the first of the cells."""
        self._boards: dict[Hashable, ToldOfPieces] = {}
        """The facts about all pieces, by the cells of the pieces."""
        self._asked: tuple[Memory, ToldOfPieces] = (), {}
        """The memory that was read last, and its facts."""

    @cached_property
    def blank(self) -> Memory:
        """The memory of a state in which nothing has happened."""
        return self.layout.kept(self.layout.blank())

    def of_pieces_in(self, memory: Memory) -> ToldOfPieces:
        """Return the known facts about all pieces of a memory; callers can add further facts, by any keys.

        Memories with equal pieces share them. A memory that can change has facts of its own.
        """
        if not self.layout.is_kept_as_it_was:
            return {}
        here, found = self._asked
        if here is not memory:
            layout = self.layout
            there = layout.set_in(memory, LIVE)
            cells = (there, *[layout.piece_in(memory, one) for one in members_of(there)])
            known = self._boards.get(cells)
            found = remember(self._boards, cells, {}, MOST_BOARDS) if known is None else known
            self._asked = memory, found
        return found

    def cells_of(self, memory: Memory, holder: int) -> Hashable:
        """Return the contents of the cells that count the tokens of a holder."""
        return self._part_of(memory, self._tokens + holder * self._width, self._tokens + (holder + 1) * self._width)

    def tokens_of(self, memory: Memory, holder: int) -> Mapping[int, int]:
        """Return the number of tokens of each document that a holder has."""
        cells = self.cells_of(memory, holder)
        known = self._heaps.get(cells)
        return remember(self._heaps, cells, tokens_at(self.layout, memory, holder)) if known is None else known

    def is_blank(self, memory: Memory, first: int, end: int) -> bool:
        """Whether some cells, which a state keeps for one thing, are still as in a memory at the very beginning."""
        usual = self._usual.get(first)
        if usual is None:
            usual = self._usual[first] = self.layout.part_of(self.blank, first, end)
        return self.layout.part_of(memory, first, end) == usual
