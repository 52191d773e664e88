"""The board for two players: six-sided spaces in columns c to i, and the locations among them."""

from __future__ import annotations

from functools import cache

ROWS = {"c": (4, 7), "d": (3, 7), "e": (2, 7), "f": (1, 7), "g": (1, 6), "h": (1, 5), "i": (1, 4)}
SPACES = tuple(f"{column}{row}" for column, (low, high) in ROWS.items() for row in range(low, high + 1))
LOCATIONS = frozenset(["e2", "h1", "g6", "d7", "d4", "g3", "i2", "e5", "h4", "c6"])


@cache
def distance(one: str, other: str) -> int:
    """The number of steps from one space to another."""
    across, along = ord(other[0]) - ord(one[0]), int(other[1:]) - int(one[1:])
    return max(abs(across), abs(along), abs(across + along))


@cache
def within(space: str, low: int, high: int) -> tuple[str, ...]:
    """All spaces at some distance from one."""
    return tuple(one for one in SPACES if low <= distance(space, one) <= high)
