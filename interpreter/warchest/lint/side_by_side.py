"""Jobs side by side: several large ones are each done by a process of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from warchest.lint.fixing.fix_trial import lint_and_try
from warchest.lint.jobs import Job, Report, Unlinted
from warchest.source.cache import Cache

LARGE = 50
"""The least number of files for which a job is worth a process."""


def linted(jobs: Sequence[Job], cache: Cache | None = None) -> list[Report]:
    """Return the reports on some jobs, in their order; raises Unlinted if the linter fails on one of them.

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
    """Return the reports in the order in which they are finished."""
    large = sum(len(job.files) >= LARGE for job in jobs)
    if large < 2:
        return map(done, jobs)
    # Most runs have one job, and need not wait for the start of processes.
    from warchest.parallel import side_by_side

    return side_by_side(done, jobs, large)
