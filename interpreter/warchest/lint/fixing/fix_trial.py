"""Trial of fixes before they are offered: the files are linted with them, in memory.

A fix is kept if its finding disappears, and there is no new finding on the words that it inserts or on the sentence
around them. New findings elsewhere are allowed, because an error can hide others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from warchest.diagnostics.diagnostic import Diagnostic, Fix
from warchest.diagnostics.edits import apart, edited, moved
from warchest.lint.fixing.advised import proposed
from warchest.lint.jobs import Job, Report
from warchest.lint.run import lint
from warchest.source.cache import Cache

MOST = 100
"""The budget of a job: the most times that it is linted to try fixes."""
CHAIN = 3
"""The most successive fixes in a trial: one fix can need another in the same sentence."""
_FORM = ("WC00", "WC01", "WC020", "WC1")
"""The codes of findings on the form of a text, whose fixes leave the words of sentences as they are."""


def lint_and_try(job: Job, cache: Cache | None = None) -> Report:
    """Lint a job as `lint` does, and add those fixes that have passed a trial to its findings."""
    return tried(job, lint(job, cache))


def tried(job: Job, report: Report) -> Report:
    """Return a report in which findings have only those fixes that have passed a trial."""
    found = [proposed(one) for one in report.findings]
    if all(one.fix is None for one in found):
        return report
    trial = _FixTrial(job, [replace(one, fix=None) for one in found])
    wanted = [one for one in found if one.fix is not None and one.file in job.shown]
    good = set(map(id, trial.good(wanted)))
    return replace(report, findings=tuple(one if id(one) in good else replace(one, fix=None) for one in found))


@dataclass(slots=True)
class _FixTrial:
    """A trial of fixes in the files of a job, which had some findings before."""

    job: Job
    before: Sequence[Diagnostic]
    left: int = MOST

    def good(self, wanted: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Return the findings whose fixes pass: all at once if possible, otherwise by bisection."""
        chosen, others = together(wanted)
        if not chosen or self.left <= 0:
            return []
        if self._holds(chosen):
            return [*chosen, *self.good(others)]
        if len(chosen) == 1:
            return self.good(others)
        half = len(chosen) // 2
        return [*self.good(chosen[:half]), *self.good(chosen[half:]), *self.good(others)]

    def _holds(self, fixed: Sequence[Diagnostic]) -> bool:
        """Whether the fixes of some findings pass, with the further fixes that they need."""
        job, before = self.job, list(self.before)
        for _ in range(CHAIN):
            self.left -= 1
            job = with_fixes(job, fixed)
            after = [proposed(one) for one in lint(job).findings]
            expected = Counter(map(_key, before)) - Counter(map(_key, fixed))
            new = [one for one in after if not _take(expected, _key(one))]
            if _stay(fixed, new):
                return False
            spoilt = [one for one in new if any(_spoils(one, cause) for cause in fixed)]
            if not spoilt:
                return True
            fixed, others = together(spoilt)
            if others or any(one.fix is None for one in spoilt):
                return False
            before = [replace(one, fix=None) for one in after]
        return False


def with_fixes(job: Job, fixed: Iterable[Diagnostic]) -> Job:
    """Return a job after the fixes of some findings, which must not overlap."""
    by_file: dict[str, list[Fix]] = {}
    sources = {}
    for one in fixed:
        if one.fix is not None and one.span is not None:
            by_file.setdefault(one.file, []).append(one.fix)
            sources[one.file] = one.span.source.text
    contents = job.contents
    for path, fixes in by_file.items():
        text = edited(sources[path], (edit for fix in fixes for edit in fix.edits))
        contents = contents.with_texts({path: text})
    return replace(job, contents=contents)


def together(wanted: Sequence[Diagnostic]) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Return the findings whose fixes can be applied together, and the others."""
    chosen: set[int] = set()
    for path in {one.file for one in wanted}:
        here = [one.fix for one in wanted if one.file == path and one.fix is not None]
        chosen |= set(map(id, apart(here)))
    return (
        [one for one in wanted if id(one.fix) in chosen],
        [one for one in wanted if one.fix is not None and id(one.fix) not in chosen],
    )


def _key(found: Diagnostic) -> tuple[str, str, str]:
    return found.name, found.message, found.file


def _take(counted: Counter[tuple[str, str, str]], key: tuple[str, str, str]) -> bool:
    """Decrease the count of a key, and return whether it was above 0."""
    there = counted[key] > 0
    counted[key] -= there
    return there


def _stay(fixed: Iterable[Diagnostic], new: Iterable[Diagnostic]) -> bool:
    """Whether one of the findings still exists after its fix; a finding with edits counts at the place of these."""
    by_key: dict[tuple[str, str, str], list[Diagnostic]] = {}
    for one in new:
        by_key.setdefault(_key(one), []).append(one)
    return any(_touches(other, one) for one in fixed for other in by_key.get(_key(one), ()))


def _touches(new: Diagnostic, cause: Diagnostic) -> bool:
    """Whether a finding is about the words that the fix of another one inserted."""
    if cause.fix is None or not cause.fix.edits or new.span is None:
        return True
    return any(new.span.start <= end and new.span.end >= start for start, end in moved(cause.fix.edits))


def _spoils(new: Diagnostic, cause: Diagnostic) -> bool:
    """Whether a new finding is about the words that the fix of another one inserts, or about their sentence.

    The fix of a warning must not cause any new finding.
    """
    if cause.severity != "error":
        return True
    if cause.fix is None or new.span is None or new.file != cause.file:
        return False
    if cause.code.startswith(_FORM):
        # Sentences that became readable can have faults of their own.
        return new.code.startswith(_FORM) and _touches(new, cause)
    text, places = new.span.source.text, moved(cause.fix.edits)
    return any(new.span.start <= _end(text, end) and new.span.end >= _start(text, start) for start, end in places)


def _start(text: str, place: int) -> int:
    """Return the offset of the beginning of the sentence around a place, or of its line."""
    return max(text.rfind(". ", 0, place), text.rfind("\n", 0, text.rfind(".\n", 0, place) + 2), 0)


def _end(text: str, place: int) -> int:
    stop = text.find(".", place)
    return stop if stop >= 0 else len(text)
