"""Applying of fixes: the fixes of a job are applied repeatedly, until none is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.diagnostics.edits import difference
from warchest.lint.files import write_back
from warchest.lint.fixing.fix_trial import lint_and_try, together, with_fixes
from warchest.lint.jobs import Job, Report

ROUNDS = 20
"""The most rounds of fixes for a job; fixing one finding can reveal others."""


@dataclass(slots=True)
class Mended:
    """The result of fixing a job: the old and new texts of changed files, and a report on the remaining findings."""

    job: Job
    report: Report
    texts: dict[str, tuple[str, str]] = field(default_factory=dict)
    fixed: int = 0
    """The number of findings that were fixed."""

    def difference(self) -> str:
        """Return the changes of the files, as a unified diff."""
        return "".join(difference(path, *texts) for path, texts in sorted(self.texts.items()))

    def write(self) -> list[str]:
        """Write the changed files; return the reasons for those that could not be written."""
        told = (write_back(path, after) for path, (_, after) in sorted(self.texts.items()))
        return [one for one in told if one]


def mended(
    job: Job, unsafe: bool = False, reported: Callable[[Iterable[Diagnostic]], list[Diagnostic]] = list
) -> Mended:
    """Apply the safe fixes of a job in memory, or also `unsafe` ones; only `reported` findings are fixed."""
    found = Mended(job, lint_and_try(job))
    for _ in range(ROUNDS):
        chosen, _ = together(list(_fixable(reported(found.report.findings), unsafe)))
        if not chosen:
            break
        after = with_fixes(found.job, chosen)
        for path in {one.file for one in chosen}:
            first = found.texts.get(path, (_text(found.job, path), ""))[0]
            found.texts[path] = first, _text(after, path)
        found.job, found.fixed = after, found.fixed + len(chosen)
        found.report = lint_and_try(after)
    return found


def _fixable(findings: Iterable[Diagnostic], unsafe: bool) -> Iterable[Diagnostic]:
    return (one for one in findings if one.fix is not None and (unsafe or one.fix.is_safe))


def _text(job: Job, path: str) -> str:
    source = job.contents.source(Path(path)).source
    return source.text if source is not None else ""
