"""The work of `wc-lint`: it reads and checks files, fixes them on request, reports, and watches for changes."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from warchest.diagnostics.articles import many
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.diagnostics.render import about_fixes, ordered, summary
from warchest.diagnostics.visible import visible
from warchest.lint.arguments import STANDARD_INPUT, settings_of
from warchest.lint.clean_jobs import FOLDER, is_clean, key_of
from warchest.lint.files import ERRORS, FAILED, WrongUse, in_one_line, standard_input, told
from warchest.lint.jobs import Job, Report, jobs, with_neighbours
from warchest.lint.output import STANDARD_OUTPUT, about_passed_over, keep_report, statistics, written
from warchest.lint.settings import Settings
from warchest.source.cache import NAMED_BY, Cache, own_cache
from warchest.source.folders import about_lost
from warchest.streams import flush, hand_back, say, say_lines, wants_color

CLEAN, FOUND = 0, 1
PAUSE = 0.5
"""The seconds between two checks of watched files for changes."""


def run(arguments: argparse.Namespace) -> int:
    """Carry out the command; return its exit code."""
    return in_one_line("wc-lint", lambda: _watch(arguments) if arguments.watch else _LintRun.begun(arguments).done())


@dataclass(slots=True)
class _LintRun:
    """One run of the command: its arguments and settings, and its jobs."""

    arguments: argparse.Namespace
    settings: Settings
    jobs: list[Job]
    lost: list[Path]
    given: bytes | None = None
    """The text of standard input, if it is checked."""

    @classmethod
    def begun(cls, arguments: argparse.Namespace) -> _LintRun:
        """Return a run for some arguments.

        Raises the errors that `in_one_line` prints.
        """
        chosen, lost, paths = settings_of(arguments), list[Path](), list(arguments.paths)
        if missing := [one for one in arguments.cards if not one.exists()]:
            raise WrongUse(f"--cards: there is no file or folder {visible(str(missing[0]))!r}")
        given = None
        if Path(STANDARD_INPUT) in paths:
            if len(paths) > 1 or arguments.watch:
                raise WrongUse("standard input, `-`, cannot be combined with other paths or --watch")
            given, paths = standard_input(), [arguments.stdin_filename]
        wanted = jobs(paths, arguments.game or chosen.game, [*arguments.cards, *chosen.cards], lost, chosen.is_excluded)
        if given is not None:
            wanted = [replace(one, contents=one.contents.with_texts({str(paths[0]): given})) for one in wanted]
        return cls(arguments, chosen, wanted, lost, given)

    def done(self) -> int:
        """Check the files, and fix them on request; write the findings, and return the exit code."""
        if self.arguments.fix or self.arguments.diff:
            return self._put_right()
        reports = _reports(self.jobs, _believed() if self.arguments.cache and self.given is None else None)
        return self._report(reports, about_fixes)

    def _put_right(self) -> int:
        """Fix the files in memory; show the difference, or write them."""
        from warchest.lint.fixing.mending import mended

        done = [mended(job, self.arguments.unsafe_fixes, self.settings.applied) for job in self.jobs]
        if self.arguments.diff:
            self._write("".join(one.difference() for one in done))
            return FOUND if any(one.texts for one in done) and not self.arguments.exit_zero else CLEAN
        fixed = f"{sum(one.fixed for one in done)} fixed"
        if self.given is not None:
            texts = [after for one in done for _, after in one.texts.values()]
            hand_back(texts[0].encode() if texts else self.given)
            return self._report([one.report for one in done], lambda _: fixed, to_errors=True)
        failures = [failure for one in done for failure in one.write()]
        for failure in failures:
            say(f"wc-lint: {failure}", error=True)
        return FAILED if failures else self._report([one.report for one in done], lambda _: fixed)

    def _report(
        self, reports: Sequence[Report], about: Callable[[Sequence[Diagnostic]], str], to_errors: bool = False
    ) -> int:
        """Write the findings and a summary; return the exit code."""
        found = dict.fromkeys(found for report in reports for found in report.findings)
        findings = ordered(self.settings.applied(found))
        if not all(one.help for one in findings):
            # The advice is loaded only where it is needed; loading it takes longer than checking a card.
            from warchest.lint.explanations import with_help

            findings = [with_help(one) for one in findings]
        form = self.arguments.format
        is_colored = self.arguments.output_file is None and wants_color()
        self._write(
            statistics(findings, form)
            if self.arguments.statistics
            else written(findings, form, is_colored, self.settings.pages),
            to_errors,
        )
        flush()
        told = (summary(findings), about(findings), *_notes(reports, self.lost))
        say("; ".join(one for one in told if one), error=True)
        if not any(report.read or report.passed_over for report in reports):
            return FAILED
        return FOUND if findings and not self.arguments.exit_zero else CLEAN

    def _write(self, text: str, to_errors: bool = False) -> None:
        """Write a text to the chosen file or stream; raises WrongUse if the file cannot be written."""
        file: Path | None = self.arguments.output_file
        if file is None or file == Path(STANDARD_OUTPUT):
            say_lines(text, painted=True, error=to_errors)
        else:
            keep_report(file, text)


def _watch(arguments: argparse.Namespace) -> int:
    """Run the command again whenever a file or the settings have changed; only a signal ends it.

    Raises the errors that `in_one_line` prints if the first run cannot begin; later errors are printed, and it goes on.
    """
    last: object = None
    while True:
        try:
            now = _LintRun.begun(arguments)
        except ERRORS as error:
            if last is None:
                raise
            if last != told(error):
                say(f"wc-lint: {told(error)}", error=True)
            last = told(error)
        else:
            if last != (now.settings, _seen(now.jobs)):
                now.done()
                count = sum(len(job.shown) for job in now.jobs)
                say(f"wc-lint: watching {many(count, 'file')}; Ctrl+C ends it", error=True)
                flush()
            last = now.settings, _seen(now.jobs)
        time.sleep(PAUSE)


def _seen(wanted: Sequence[Job]) -> dict[str, tuple[int, int]]:
    """Return the time of the last change of each file, and its size."""
    found = dict[str, tuple[int, int]]()
    for job in wanted:
        for file in job.files:
            try:
                told = os.stat(file)
            except OSError:
                continue
            found[str(file)] = told.st_mtime_ns, told.st_size
    return found


def _notes(reports: Sequence[Report], lost: Sequence[Path]) -> Iterator[str]:
    """Yield notes on findings that are not shown, on files that were not read as cards, and on broken links."""
    elsewhere = sum(report.elsewhere for report in reports)
    if elsewhere:
        yield f"{elsewhere} more in other files of the game"
    yield from about_passed_over([path for report in reports for path in report.passed_over])
    if lost:
        yield about_lost(lost)


def _reports(wanted: Sequence[Job], cache: Cache | None) -> list[Report]:
    """Return the reports on jobs; unchanged jobs that had no findings last time are not run again."""
    read: dict[Path, bytes] = {}
    keys = [key_of(job, read) if cache else "" for job in wanted]
    widened = [""] * len(wanted)
    left = []
    for number, job in enumerate(wanted):
        if cache and not is_clean(keys[number], cache) and job.alone:
            widened[number] = key_of(with_neighbours(job), read)
        if not (cache and (is_clean(keys[number], cache) or is_clean(widened[number], cache))):
            left.append(number)
    reports = [Report((), 0, len(job.files)) for job in wanted]
    if left:
        from warchest.lint.side_by_side import linted

        for number, report in zip(left, linted([wanted[number] for number in left], cache), strict=True):
            reports[number] = report
            told = report.findings or report.elsewhere or report.passed_over
            key = widened[number] if report.widened else keys[number]
            if cache and key and report.read and not told:
                cache.write(key, b"")
    return reports


def _believed() -> Cache | None:
    """Return the cache of the linter, or None; print a note if a cache is not used since it could be another user's."""
    cache, doubt = own_cache(FOLDER)
    if doubt:
        say(
            f"wc-lint: note: no records are kept, because {doubt}; "
            f"set {NAMED_BY} to a folder that only you can use, or to nothing",
            error=True,
        )
    return cache
