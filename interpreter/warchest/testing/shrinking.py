"""Smaller positions: with less on the board and in hand, and smaller numbers, for which something is still so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from warchest.testing.positions import PositionData

MOST = 2000
"""The most positions that are looked at to find a small one."""


def shrunk(told: PositionData, holds: Callable[[PositionData], bool], most: int = MOST) -> PositionData:
    """Return the smallest position found for which something holds that holds for this one; the same in every run.

    `holds` is asked for positions that the game may refuse; then it is to say no.
    """
    asked = 0
    again = True
    while again:
        again = False
        # What has just been left out is not tried again, so that going on is cheap.
        for smaller in _simpler(told):
            if asked == most:
                return told
            asked += 1
            if holds(smaller):
                told, again = smaller, True
                break
    return told


def size(value: Any) -> int:
    """Return how much a position says: each key, entry and value counts, a number by how large it is."""
    if isinstance(value, Mapping):
        return sum(1 + size(one) for one in value.values())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return sum(1 + size(one) for one in value)
    if isinstance(value, bool):
        return int(value)
    return value if isinstance(value, int) else 0


def _simpler(value: Any) -> Iterator[Any]:
    """Yield simpler values: with an entry less, the largest first, or with a simpler one in its place."""
    if isinstance(value, Mapping):
        for key in sorted(value, key=lambda key: -size(value[key])):
            yield {name: one for name, one in value.items() if name != key}
        for key, one in value.items():
            yield from ({**value, key: simpler} for simpler in _simpler(one))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield [*value[:index], *value[index + 1 :]]
        for index, one in enumerate(value):
            yield from ([*value[:index], simpler, *value[index + 1 :]] for simpler in _simpler(one))
    elif isinstance(value, bool):
        if value:
            yield False
    elif isinstance(value, int):
        yield from dict.fromkeys(one for one in (1, value // 2, value - 1) if 0 < one < value)


__all__ = ["shrunk", "size"]
