"""Budgets of processor time: one clock for all that works, and the end of work whose time is over.

The clock counts processor time, that of the processes that this one is a copy of with its own. So work that is bounded
by it gets equally far on a busy machine as on an idle one, where it is the time that passes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from time import process_time

from warchest.engine.state import watched_by


class OutOfTime(BaseException):
    """The time for some work is over; who has set its end takes what has been found until then.

    It is no Exception: nothing that the rules of a game do raises it, and nobody takes it for a fault of theirs.
    """


class _WorkClock:
    """The processor time of this process, and the moment by which it must end what it does."""

    def __init__(self) -> None:
        self.before = self.told = 0.0
        """The time of the processes that this one is a copy of, and the time when it was copied itself."""
        self.until = inf

    def now(self) -> float:
        """Return the time, in seconds."""
        return self.before + process_time()

    def copied(self) -> None:
        """Note the time before this process is copied; the clock of a copy begins at 0."""
        self.told = self.now()

    def go_on(self) -> None:
        """Go on in a copy where the process that was copied stood."""
        self.before = self.told


_CLOCK = _WorkClock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_CLOCK.copied, after_in_child=_CLOCK.go_on)


def clock() -> float:
    """Return the processor time, in seconds, of this process and of those it is a copy of."""
    return _CLOCK.now()


def look_at_clock() -> None:
    """Raise OutOfTime if the time is over for the work that is being done; where none was set, nothing happens."""
    if _CLOCK.now() >= _CLOCK.until:
        raise OutOfTime


@contextmanager
def ending(until: float) -> Iterator[None]:
    """Let the work of the block end at a moment of `clock`: the reference machine raises OutOfTime wherever it is.

    Other long work calls `look_at_clock`. Blocks can lie within each other; the earliest end counts.
    """
    before = _CLOCK.until
    _CLOCK.until = min(before, until)
    try:
        with watched_by(look_at_clock):
            yield
    finally:
        _CLOCK.until = before


__all__ = ["OutOfTime", "clock", "ending", "look_at_clock"]
