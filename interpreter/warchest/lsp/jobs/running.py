"""The kinds of jobs, and the running of one within its budget."""

from __future__ import annotations

from collections.abc import Callable

from warchest.lsp.jobs.balancing import balance
from warchest.lsp.jobs.checking import check
from warchest.lsp.jobs.covering import cover
from warchest.lsp.jobs.meaning import means
from warchest.lsp.jobs.mutating import mutate
from warchest.lsp.jobs.simulating import simulate
from warchest.lsp.jobs.task import JobTask

JOBS: dict[str, Callable[[JobTask], dict[str, object]]] = {
    "sim": simulate,
    "check": check,
    "means": means,
    "cover": cover,
    "mutants": mutate,
    "balance": balance,
}
"""The functions that do the jobs, by their kinds."""
SECONDS, MOST_SECONDS = 20, 3600
"""The usual budget of a job, and the largest."""


def run(task: JobTask) -> dict[str, object]:
    """Do a job; return its result. Raises RequestError."""
    return JOBS[task.params["kind"]](task)
