"""Sources of arbitrary choices: their protocol, and the one that draws random numbers."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

Drawn = TypeVar("Drawn")


class Draws(Protocol):
    """A source of arbitrary choices; the value mentioned first is the simplest, for sources that prefer simple ones."""

    def number(self, least: int, most: int) -> int:
        """Return a number from `least` to `most`, both included."""


class RandomDraws:
    """Draws of a generator of random numbers: the same generator draws the same."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def number(self, least: int, most: int) -> int:
        """Return a number from `least` to `most`, each as likely as any other."""
        return self.rng.randrange(least, most + 1)


def one_of(draws: Draws, among: Sequence[Drawn]) -> Drawn:
    """Return one of some things, at least one; the first is the simplest."""
    return among[draws.number(0, len(among) - 1)]


def some_of(draws: Draws, among: Sequence[Drawn], most: int) -> list[Drawn]:
    """Return up to `most` different things, in the order of drawing."""
    left, found = list(among), list[Drawn]()
    # Each number is as likely as any other. To stop comes first, so that one of them can be left out by itself.
    for further in range(min(most, len(left)), 0, -1):
        if not draws.number(0, further):
            break
        found.append(left.pop(draws.number(0, len(left) - 1)))
    return found


def seldom(draws: Draws, times: int) -> bool:
    """Return True with probability 1/`times`."""
    return draws.number(0, times - 1) == times - 1
