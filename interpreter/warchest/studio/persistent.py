"""A stand-in for `rpds` in Python alone, for browsers: the three persistent collections that `referencing` uses.

The exported page has it under that name, and nothing else has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self, TypeVar

HeldValue = TypeVar("HeldValue")


class HashTrieMap(dict[object, HeldValue]):
    """A mapping that is never changed: a change makes another one."""

    @classmethod
    def convert(cls, value: Mapping[object, HeldValue]) -> Self:
        """Return a mapping as one of this class."""
        return value if isinstance(value, cls) else cls(value)

    def insert(self, key: object, value: HeldValue) -> Self:
        """Return the mapping with a further key, or with another value of it."""
        return type(self)({**self, key: value})

    def update(self, *others: Mapping[Any, HeldValue], **more: HeldValue) -> Self:  # type: ignore[override]
        """Return the mapping with the keys and values of others added."""
        made: dict[object, HeldValue] = dict(self)
        for one in (*others, more):
            made.update(one)
        return type(self)(made)

    def remove(self, key: object) -> Self:
        """Return the mapping without a key; raises KeyError if it does not have it."""
        if key not in self:
            raise KeyError(key)
        return self.discard(key)

    def discard(self, key: object) -> Self:
        """Return the mapping without a key."""
        return type(self)({known: value for known, value in self.items() if known != key})

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


class HashTrieSet(frozenset[HeldValue]):
    """A set that is never changed: a change makes another one."""

    def insert(self, value: HeldValue) -> Self:
        """Return the set with a further value."""
        return type(self)(self | {value})

    def update(self, *others: Iterable[HeldValue]) -> Self:
        """Return the set with the values of others added."""
        return type(self)(self.union(*others))

    def remove(self, value: object) -> Self:
        """Return the set without a value; raises KeyError if it does not have it."""
        if value not in self:
            raise KeyError(value)
        return self.discard(value)

    def discard(self, value: object) -> Self:
        """Return the set without a value, which it may lack."""
        return type(self)(self - {value})


class List(tuple[HeldValue, ...]):
    """A list that is never changed: adding or removing the first value makes another one."""

    __slots__ = ()

    def __new__(cls, *values: Any) -> Self:
        """Return a list of some values, or of the values in a single iterable."""
        alone = len(values) == 1 and not isinstance(values[0], str)
        return super().__new__(cls, values[0] if alone else values)

    @property
    def first(self) -> HeldValue:
        """The first value."""
        return self[0]

    @property
    def rest(self) -> List[HeldValue]:
        """All values except the first."""
        return List(self[1:])

    def push_front(self, value: HeldValue) -> List[HeldValue]:
        """Return the list with a value in front."""
        return List((value, *self))

    def drop_first(self) -> List[HeldValue]:
        """Return the list without the first value."""
        return self.rest
