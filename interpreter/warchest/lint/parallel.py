"""Jobs side by side: where there are several large ones, each is done by a process of its own."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Sequence

from warchest.lint.jobs import Job, Report
from warchest.lint.run import lint

LARGE = 50
"""From how many files on a job is worth a process."""


def linted(jobs: Sequence[Job]) -> list[Report]:
    """Return what comes of some jobs, in their order."""
    workers = min(sum(len(job.files) >= LARGE for job in jobs), os.cpu_count() or 1)
    if workers < 2 or not _can_fork():
        return [lint(job) for job in jobs]
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(workers, get_context("fork"), _be_deaf) as others:
        return list(others.map(lint, jobs))


def _can_fork() -> bool:
    """Whether this process can be doubled: elsewhere than on Linux, or among threads, that is not safe."""
    return sys.platform == "linux" and threading.active_count() == 1


def _be_deaf() -> None:
    # Who interrupts the command means all of it; the first process tells so.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
