"""Fresh processes on this machine, by loky: for systems on which a process cannot be copied."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import inf
from pickle import PicklingError
from time import monotonic

from loky import get_reusable_executor

from warchest.parallel import Result, Task, WorkLostError
from warchest.workers.doing import outcomes
from warchest.workers.portions import PortionFuture, Portions
from warchest.workers.sending import SentWork, sent

PATIENCE = 2.0
"""The seconds of work here before fresh processes are begun, which take about as long to start."""


class _FreshCrew:
    """Fresh processes, each of which unpacks the work once."""

    def __init__(self, told: SentWork, count: int) -> None:
        self.told, self.count = told, count
        # Those that have done other work before are used again.
        self._executor = get_reusable_executor(count)

    def submit(self, tasks: Sequence[object]) -> PortionFuture:
        found: PortionFuture = self._executor.submit(outcomes, self.told, tasks)
        return found

    def look(self) -> None:
        """Do nothing: a portion whose process has ended fails."""

    def lost(self, error: BaseException) -> BaseException:
        return WorkLostError(f"a process at work has ended too early ({type(error).__name__})")

    def kill(self) -> None:
        self._executor.shutdown(wait=False, kill_workers=True)


def fresh_results(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    count: int,
    together: int,
    hear: Callable[[Result], object],
    patience: float = PATIENCE,
) -> Iterator[Result]:
    """Yield the results of some work: for some seconds this process does the first tasks, then fresh processes go on.

    Work that cannot be sent to another process is done here to its end.
    """
    begun, done, told = monotonic(), 0, None
    while done < len(tasks):
        if monotonic() - begun >= patience:
            with suppress(TypeError, AttributeError, PicklingError):
                told = sent(work)
                break
            patience = inf
        result = work(tasks[done])
        hear(result)
        yield result
        done += 1
    if told is None:
        return
    crew = _FreshCrew(told, count)
    try:
        yield from Portions[Task, Result](crew, tasks[done:], together, hear).results()
    except BaseException:  # also where the other results are no longer wanted
        crew.kill()
        raise
