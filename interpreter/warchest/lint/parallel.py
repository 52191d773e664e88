"""Jobs side by side: where there are several large ones, each is done by a process of its own."""

from __future__ import annotations

from collections.abc import Sequence

from warchest.lint.jobs import Job, Report
from warchest.lint.run import lint
from warchest.parallel import side_by_side

LARGE = 50
"""From how many files on a job is worth a process."""


def linted(jobs: Sequence[Job]) -> list[Report]:
    """Return what comes of some jobs, in their order."""
    return list(side_by_side(lint, jobs, sum(len(job.files) >= LARGE for job in jobs)))
