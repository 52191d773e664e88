"""The past of a game: records that do not change any more, and the results of readers so far.

Copies of a state share their common past. A reader reads each record once, so that reading again takes time only for
the new records, not for the whole game.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from copy import copy
from typing import Any, Protocol, TypeVar

from warchest.engine.history import Happened

Item = TypeVar("Item")
_Item_co = TypeVar("_Item_co", covariant=True)


class Reader(Protocol[_Item_co]):
    """A reader of records, one part of the past after the other; a copy of it can continue in another branch."""

    @property
    def key(self) -> Hashable:
        """The key, the same for all readers that return the same results for the same records."""

    def entries(self, events: Sequence[Happened]) -> Sequence[_Item_co]:
        """Read the next records; return the results."""


class ReadAsIs:
    """A reader that hands out the records themselves."""

    key = "records"

    def entries(self, events: Sequence[Happened]) -> Sequence[Happened]:
        """Return the records."""
        return events


class Past:
    """A stretch of the past, linked to everything before it."""

    __slots__ = ("before", "made", "records")

    def __init__(self, before: Past | None, records: Sequence[Happened]) -> None:
        self.before, self.records = before, records
        self.made: dict[Hashable, _ReadSoFar] = {}
        """The results of readers for all records up to here, by the keys of the readers."""

    def backwards(self) -> Iterator[Happened]:
        """Yield all records, the last one first."""
        here: Past | None = self
        while here is not None:
            yield from reversed(here.records)
            here = here.before

    def read(self, reader: Reader[Item]) -> list[Item]:
        """Read all records up to here with a new reader; return the results."""
        unread, here, key = list[Past](), self, reader.key
        while key not in here.made:
            unread.append(here)
            if here.before is None:
                break
            here = here.before
        made: _ReadSoFar = here.made[key] if key in here.made else _ReadSoFar([], 0, reader)
        for one in reversed(unread):
            made = one.made[key] = made.further(one.records)
        return made.items[: made.count]


class _ReadSoFar:
    """The results of a reader up to one part: the first items of a list; one later part can add items to this list."""

    __slots__ = ("count", "free", "items", "reader")

    def __init__(self, items: list[Any], count: int, reader: Reader[Any]) -> None:
        self.items, self.count, self.reader = items, count, reader
        self.free = [items]
        """The list, until a later part takes it over to append to it."""

    def further(self, records: Sequence[Happened]) -> _ReadSoFar:
        """Read further records with a copy of the reader; return the results with these."""
        reader = copy(self.reader)
        new = reader.entries(records)
        try:
            # Only one caller gets it, even if several threads call at once.
            items = self.free.pop()
        except IndexError:
            items = self.items[: self.count]
        items.extend(new)
        return _ReadSoFar(items, self.count + len(new), reader)
