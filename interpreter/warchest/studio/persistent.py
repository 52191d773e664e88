"""A stand-in for `rpds` in Python alone, for browsers: the three persistent collections that `referencing` uses.

The exported page has it under that name, and nothing else has.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self


class HashTrieMap(dict[Any, Any]):
    """A mapping that is never changed: other contents make another one."""

    @classmethod
    def convert(cls, value: Any) -> Self:
        """Return a mapping as one of these."""
        return value if isinstance(value, cls) else cls(value)

    def insert(self, key: Any, value: Any) -> Self:
        """Return the mapping with a key more, or with another value of it."""
        return type(self)({**self, key: value})

    def update(self, *others: Any, **more: Any) -> Self:  # type: ignore[override]
        """Return the mapping with all that others have."""
        made = dict(self)
        for one in others:
            made.update(one)
        return type(self)({**made, **more})

    def remove(self, key: Any) -> Self:
        """Return the mapping without a key; raises KeyError if it does not have it."""
        if key not in self:
            raise KeyError(key)
        return self.discard(key)

    def discard(self, key: Any) -> Self:
        """Return the mapping without a key."""
        return type(self)({known: value for known, value in self.items() if known != key})

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


class HashTrieSet(frozenset[Any]):
    """A set that is never changed: other contents make another one."""

    def insert(self, value: Any) -> Self:
        """Return the set with a value more."""
        return type(self)(self | {value})

    def update(self, *others: Iterable[Any]) -> Self:
        """Return the set with all that others have."""
        return type(self)(self.union(*others))

    def remove(self, value: Any) -> Self:
        """Return the set without a value; raises KeyError if it does not have it."""
        if value not in self:
            raise KeyError(value)
        return self.discard(value)

    def discard(self, value: Any) -> Self:
        """Return the set without a value."""
        return type(self)(self - {value})


class List(tuple[Any, ...]):
    """A list that is never changed, with another value in front, or without the first."""

    __slots__ = ()

    def __new__(cls, *values: Any) -> Self:
        """Return a list of some values, or of those of a single iterable."""
        alone = len(values) == 1 and not isinstance(values[0], str)
        return super().__new__(cls, values[0] if alone else values)

    @property
    def first(self) -> Any:
        """The first value."""
        return self[0]

    @property
    def rest(self) -> List:
        """All values but the first."""
        return List(self[1:])

    def push_front(self, value: Any) -> List:
        """Return the list with a value in front."""
        return List((value, *self))

    def drop_first(self) -> List:
        """Return the list without the first value."""
        return self.rest
