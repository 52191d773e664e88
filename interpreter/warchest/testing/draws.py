"""Sources of arbitrary choices: random numbers, or a library that makes examples and then smaller ones."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

Drawn = TypeVar("Drawn")


class Draws(Protocol):
    """A source of arbitrary choices; what is asked for first is the simplest, for sources that look for that."""

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
    """Return one of some things, of which there is one at least; the first is the simplest."""
    return among[draws.number(0, len(among) - 1)]


def some_of(draws: Draws, among: Sequence[Drawn], most: int) -> list[Drawn]:
    """Return up to so many different things of some, in the order in which they were drawn."""
    left = list(among)
    return [left.pop(draws.number(0, len(left) - 1)) for _ in range(draws.number(0, min(most, len(left))))]


def seldom(draws: Draws, times: int) -> bool:
    """Whether something is to be that is so once in so many times."""
    return draws.number(0, times - 1) == times - 1
