"""Budgets of processor time: one clock for all work, and the interruption of work whose time is over.

The clock counts the processor time of this process, of the processes it waited for and, up to the fork, of its
ancestors. So work with a limit gets as far on a busy machine as on an idle one, where this time equals the real
time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import inf
from time import process_time
from typing import Generic

from warchest.engine.runs import watched_by
from warchest.parallel import Result, Results, Task, waited
from warchest.workers.here import Jobs, Workers


class OutOfTime(BaseException):
    """The time for some work is over; the caller that set the limit handles this and keeps the results so far.

    It is not an Exception, so that code that catches faults in the rules of a game does not catch it.
    """


class _WorkClock:
    """The processor time of this process and those it waited for, and the moment at which its current work must end."""

    def __init__(self) -> None:
        self.before = self.told = 0.0
        """The time that the ancestors of this process used, and the time at the last fork."""
        self.until = inf

    def now(self) -> float:
        """Return the time, in seconds."""
        return self.before + process_time() + waited()

    def copied(self) -> None:
        """Note the time before a fork, because the process time of a child begins at 0."""
        self.told = self.now() - waited()

    def go_on(self) -> None:
        """Continue in a child process from the time of its parent."""
        self.before = self.told

    def go_on_from(self, told: float) -> None:
        """Continue in a process that is not a child from the time of the process that has sent work to it."""
        self.before = told - process_time() - waited()


_CLOCK = _WorkClock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_CLOCK.copied, after_in_child=_CLOCK.go_on)


def clock() -> float:
    """Return the processor time, in seconds, of this process, those it waited for, and its ancestors until the fork."""
    return _CLOCK.now()


class OnClock(Generic[Task, Result]):
    """Work that reads the clock: in a process that it is sent to, the clock continues from the time of sending."""

    def __init__(self, work: Callable[[Task], Result]) -> None:
        self.work = work

    def __call__(self, task: Task) -> Result:
        """Do the work."""
        return self.work(task)

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, float]]:
        return _arrived, (self.work, clock())


def _arrived(work: Callable[[Task], Result], told: float) -> OnClock[Task, Result]:
    """Return work that has arrived; the time of unpacking does not count."""
    _CLOCK.go_on_from(told)
    return OnClock(work)


def look_at_clock() -> None:
    """Raise OutOfTime if the time for the current work is over; without a limit, do nothing."""
    if _CLOCK.now() >= _CLOCK.until:
        raise OutOfTime


@contextmanager
def ending(until: float) -> Iterator[None]:
    """Limit the work in a block to a time of `clock`; at this time the reference machine raises OutOfTime.

    Other long work calls `look_at_clock`. Blocks can be nested; the earliest limit counts.
    """
    before = _CLOCK.until
    _CLOCK.until = min(before, until)
    try:
        with watched_by(look_at_clock):
            yield
    finally:
        _CLOCK.until = before


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of some work: a time for each process, the number of processes, and a seed; and the workers.

    The time is processor time, by `clock`, from the moment the budget is made. A command makes it first, so that
    loading the game counts, too.
    """

    seconds: float
    jobs: int = 1
    seed: int = 0
    workers: Workers | None = field(default=None, compare=False)
    """The workers; None for processes of this machine. They are not sent with the work."""
    begun: float = field(default_factory=clock, compare=False)

    def __reduce__(self) -> tuple[type[Budget], tuple[float, int, int, None, float]]:
        return Budget, (self.seconds, self.jobs, self.seed, None, self.begun)

    def results(self, work: Callable[[Task], Result], tasks: Sequence[Task], together: int = 1) -> Results[Result]:
        """Return the results of some work on tasks, in their order, from the workers, in portions of `together`."""
        return self._workers.results(OnClock(work), tasks, together)

    def portion_of(self, total: int) -> int:
        """Return the number of small tasks worth handing out at a time, given the total number."""
        return self._workers.portion_of(total)

    @property
    def _workers(self) -> Workers:
        return self.workers if self.workers is not None else Jobs(self.jobs)

    @property
    def deadline(self) -> float:
        """The moment at which the time is over, by `clock`."""
        return self.begun + self.seconds

    def share(self, share: float) -> Budget:
        """Return the budget that ends when a share of the whole time is over."""
        return replace(self, seconds=share * self.seconds)

    @property
    def half(self) -> Budget:
        """The budget that ends when half of the time that is left is over."""
        return replace(self, seconds=(clock() + self.deadline) / 2 - self.begun)

    @property
    def left(self) -> float:
        """The seconds that are left; 0 when the time is over."""
        return max(self.deadline - clock(), 0.0)

    @property
    def spent(self) -> bool:
        """Whether the time is over."""
        return not self.left


UNLIMITED = Budget(inf)
"""The budget of work without a limit of time, in this process."""
