"""Work that is done side by side, by processes that are copies of this one."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

Task = TypeVar("Task")
Result = TypeVar("Result")

AHEAD = 2
"""How many portions of work are handed out for each process. Whoever interrupts waits until these are done."""

_work: list[Callable[[Any], Any]] = []
"""What a copy is there to do."""


def processors() -> int:
    """Return how many processes can really work at the same time; 1 where this one must not be copied.

    That is so elsewhere than on Linux, and among threads.
    """
    if sys.platform != "linux" or threading.active_count() > 1:
        return 1
    return len(os.sched_getaffinity(0))


def side_by_side(
    work: Callable[[Task], Result], tasks: Sequence[Task], workers: int, together: int = 1
) -> Iterator[Result]:
    """Return what `work` makes of each task, in their order, done by so many processes; one by one if that is one.

    Processes know all that is known when this is called. `together` says how many tasks one is given at a time. What
    a task raises is raised when its turn has come.
    """
    workers = min(workers, len(tasks), processors())
    if workers < 2:
        return map(work, tasks)
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(workers, get_context("fork"), _begin, (work,))
    portions = [tasks[first : first + together] for first in range(0, len(tasks), together)]
    # The copies are made here, before anything else is begun that could not be copied.
    begun = deque(pool.submit(_do, portion) for portion in portions[: AHEAD * workers])
    return _in_order(pool, begun, portions[AHEAD * workers :])


def _in_order(pool: Executor, begun: deque[Future[Any]], further: Iterable[Any]) -> Iterator[Any]:
    """Yield results as they are due, and hand out what is still to be done, a little ahead of that."""
    with pool:
        for portion in further:
            done = begun.popleft().result()
            begun.append(pool.submit(_do, portion))
            yield from done
        for future in begun:
            yield from future.result()


def _begin(work: Callable[[Any], Any]) -> None:
    # Who interrupts the command means all of it; the first process tells so.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What the copies share is not searched for what could be thrown away, which would make them all their own.
    gc.freeze()
    _work.append(work)


def _do(portion: Sequence[Any]) -> list[Any]:
    return [_work[-1](task) for task in portion]
