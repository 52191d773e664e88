"""The one search of the kit: units of work, done in parallel, in order, until one ends it or the time is over.

Each use defines its units (portions of positions, games, rulings, mutants, questions), the work on one, and the part of
its result that is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass
from math import inf
from typing import Generic, TypeAlias, TypeVar

from warchest.signals import held_back
from warchest.testing.budget import UNLIMITED, Budget, OutOfTime, ending, look_at_clock

SearchUnit = TypeVar("SearchUnit")
UnitResult = TypeVar("UnitResult")
T = TypeVar("T")
ShownProgress: TypeAlias = Callable[[Iterable[T], int], Iterator[T]]
"""A function that yields a number of items, and shows how many of them are done."""


def _unshown(items: Iterable[T], total: int) -> Iterator[T]:
    yield from items


@dataclass
class KitSearch(Generic[SearchUnit, UnitResult]):
    """Units of work from the number `begin` on, done within a budget; the result of each depends on the unit alone.

    A process gets some units `together`. A result that `ends` the search is its last one.
    """

    units: Sequence[SearchUnit]
    work: Callable[[SearchUnit], UnitResult]
    budget: Budget = UNLIMITED
    begin: int = 0
    together: int = 1
    ends: Callable[[UnitResult], bool] = lambda _: False
    done: int = 0
    """The number of finished units, without one that has ended the search."""

    @property
    def left(self) -> int:
        """The number of units that are left."""
        return max(len(self.units) - self.further, 0)

    @property
    def further(self) -> int:
        """The number of the unit to continue the search from."""
        return self.begin + self.done

    def run(
        self, add: Callable[[SearchUnit, UnitResult], None], shown: ShownProgress[UnitResult | None] = _unshown
    ) -> None:
        """Do the units that are left; no signal interrupts between adding a result and counting it."""
        with closing(self.parts(shown)) as parts:
            for unit, part in parts:
                with held_back():
                    add(unit, part)
                    self.done += not self.ends(part)

    def parts(
        self, shown: ShownProgress[UnitResult | None] = _unshown
    ) -> Generator[tuple[SearchUnit, UnitResult], None, None]:
        """Yield the units that are left, each with its result; ends at a unit that the end of the time interrupts."""
        numbers = range(self.further, len(self.units))
        # The processes are made before anything shows progress.
        work = _UnitWork(self.units, self.work, self.budget.deadline)
        with closing(self.budget.results(work, numbers, self.together)) as parts:
            for part, number in zip(shown(parts, len(numbers)), numbers, strict=True):
                if part is None:
                    return
                yield self.units[number], part
                if self.ends(part):
                    return


@dataclass(frozen=True)
class _UnitWork(Generic[SearchUnit, UnitResult]):
    """The work on units, by their numbers, until a moment; a unit that is interrupted then has no result."""

    units: Sequence[SearchUnit]
    work: Callable[[SearchUnit], UnitResult]
    deadline: float

    def __call__(self, number: int) -> UnitResult | None:
        # A unit need not come back from where it is done; and without a limit the machine need not be watched.
        limit = ending(self.deadline) if self.deadline < inf else nullcontext()
        with suppress(OutOfTime), limit:
            look_at_clock()
            return self.work(self.units[number])
        return None
