"""The workers that commands can ask for, and those of this machine: this process and others, one for each job."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from warchest import parallel
from warchest.parallel import Result, Results, Task, side_by_side

MOST_TOGETHER = 100
"""The most small tasks that are worth handing out at a time here: an interrupt loses as many."""
SHARES = 4
"""The portions of small tasks that each process gets at least, so that all of them end at about the same time."""


class Workers(Protocol):
    """Workers: all kinds give the same results in the same order."""

    @property
    def count(self) -> int:
        """The number of tasks that they do at the same time."""

    def results(self, work: Callable[[Task], Result], tasks: Sequence[Task], together: int = 1) -> Results[Result]:
        """Return the results of `work` on some tasks, in their order; `together` tasks are handed out at a time.

        An error of a task is raised when its turn comes; WorkLostError if no worker is left.
        """

    def portion_of(self, total: int) -> int:
        """Return the number of small tasks worth handing out at a time, given the total number."""

    def close(self) -> None:
        """Release the workers."""


class Jobs:
    """The workers of this machine: copies of this process if it can be copied, otherwise fresh processes."""

    def __init__(self, count: int) -> None:
        self.count = count

    def results(self, work: Callable[[Task], Result], tasks: Sequence[Task], together: int = 1) -> Results[Result]:
        """Do the work, as the protocol says."""
        count = min(self.count, len(tasks), parallel.processors())
        if count < 2 or sys.platform == "linux":
            return side_by_side(work, tasks, count, together)
        from warchest.workers.processes import fresh_results

        return Results(partial(fresh_results, work, tasks, count, together))

    def portion_of(self, total: int) -> int:
        """Return the number of small tasks that are worth handing out at a time."""
        return max(1, min(MOST_TOGETHER, total // (SHARES * min(self.count, parallel.processors()))))

    def close(self) -> None:
        """Do nothing: processes end with their work."""
