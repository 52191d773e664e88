"""Jobs side by side: where there are several large ones, each is done by a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from warchest.lint.fixing.fix_trial import lint_and_try
from warchest.lint.jobs import Job, Report, Unlinted
from warchest.source.cache import Cache

LARGE = 50
"""The number of files from which on a job is worth a process."""


def linted(jobs: Sequence[Job], cache: Cache | None = None) -> list[Report]:
    """Return the reports on some jobs, in their order; raises Unlinted where the linter cannot do one of them.

    `cache` has the records of earlier runs.
    """
    reports: list[Report] = []
    try:
        for report in _one_by_one(partial(lint_and_try, cache=cache), jobs):
            reports.append(report)
    except Exception as error:
        folder = jobs[len(reports)].folder
        raise Unlinted(f"{folder} cannot be linted: {type(error).__name__}: {error}") from error
    return reports


def _one_by_one(done: Callable[[Job], Report], jobs: Sequence[Job]) -> Iterable[Report]:
    """Return the reports as they come."""
    large = sum(len(job.files) >= LARGE for job in jobs)
    if large < 2:
        return map(done, jobs)
    # Most runs have one job, and need not wait for all that starting a process takes.
    from warchest.parallel import side_by_side

    return side_by_side(done, jobs, large)
