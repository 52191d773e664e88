"""The command `wc-lint`. Modules that are slow to import are imported when they are needed."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warchest.diagnostics.diagnostic import Diagnostic
    from warchest.lint.fixing.mending import Mended
    from warchest.lint.jobs import Job, Report

CLEAN, FOUND, FAILED = 0, 1, 2
FORMATS = ("text", "concise", "json", "github")

_ABOUT = """Check card files: their form, their words, and what their sentences mean.

`wc-lint explain CODE` explains a code, with examples; `wc-lint explain` lists all codes.
"""
_CODES = """exit codes: 0 nothing was found; 1 something was; 2 nothing could be read, or the command was wrong"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    from warchest.signals import INTERRUPTED, SIGNALLED, EndedBySignal, told_to_end
    from warchest.source.collecting import uncollected
    from warchest.streams import printing, say

    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        with told_to_end(), uncollected():
            return printing("wc-lint", lambda: _run(arguments), enough=FOUND)
    except KeyboardInterrupt:
        return INTERRUPTED
    except EndedBySignal as ended:
        return SIGNALLED + ended.number
    except Exception as error:
        if os.environ.get("WARCHEST_DEBUG"):
            raise
        say(f"wc-lint: this is a fault of the program itself: {_told(error)}", error=True)
        return FAILED


def _told(error: Exception) -> str:
    from warchest.lint.jobs import Unlinted

    return str(error) if isinstance(error, Unlinted) else f"{type(error).__name__}: {error}"


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["explain"]:
        return _explain(arguments[1:])
    return _lint(_parser().parse_args(arguments))


def _parser() -> argparse.ArgumentParser:
    from warchest import __version__
    from warchest.streams import CommandParser

    parser = CommandParser(
        prog="wc-lint", description=_ABOUT, epilog=_CODES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", type=Path, help="files and folders to check (default: the shipped cards)")
    add("--game", metavar="NAME",
        help="the game of files outside of any game's folder; with a slash, its folder (default: war-chest)")
    known = "further cards that are known but not checked, unless no PATH is given (repeatable)"
    add("--cards", metavar="DIR", type=Path, action="append", default=[], help=known)
    add("--format", choices=FORMATS, default="text", help="how findings are written (default: text)")
    add("--fix", action="store_true", help="put right what can be put right safely, in the files")
    add("--diff", action="store_true", help="show what --fix would change, and write nothing")
    add("--unsafe-fixes", action="store_true",
        help="also carry out fixes that may change what is said; with --fix or --diff")  # fmt: skip
    add("--exit-zero", action="store_true", help="exit with 0 even if something is found")
    add("--no-cache", dest="cache", action="store_false",
        help="check all anew, also where nothing was found last time and no file has changed")  # fmt: skip
    add("--version", action="version", version=f"wc-lint {__version__}")
    return parser


def _lint(arguments: argparse.Namespace) -> int:
    from warchest.diagnostics.render import about_fixes, ordered, summary
    from warchest.lint.jobs import UnknownGame, jobs
    from warchest.lint.output import written
    from warchest.source.folders import TooMuch
    from warchest.streams import flush, say, say_lines, wants_color

    lost = list[Path]()
    try:
        wanted = jobs(arguments.paths, arguments.game, arguments.cards, lost)
    except TooMuch as error:
        say(f"wc-lint: {error.path}: {error}; name less (docs/limits.md)", error=True)
        return FAILED
    except (UnknownGame, FileNotFoundError) as error:
        say(f"wc-lint: {error}", error=True)
        return FAILED
    mending = _mended(wanted, arguments.unsafe_fixes) if arguments.fix or arguments.diff else None
    if mending is not None and arguments.diff:
        say_lines("".join(one.difference() for one in mending))
        return FOUND if any(one.texts for one in mending) and not arguments.exit_zero else CLEAN
    reports = _reports(wanted, arguments.cache) if mending is None else [one.report for one in mending]
    if mending is not None and not _written(mending):
        return FAILED
    findings = ordered(dict.fromkeys(found for report in reports for found in report.findings))
    if not all(one.help for one in findings):
        # The advice is read only where it is needed; reading it takes longer than checking a card.
        from warchest.lint.explanations import with_help

        findings = [with_help(one) for one in findings]
    say_lines(written(findings, arguments.format, wants_color()), painted=True)
    flush()
    fixed = f"{sum(one.fixed for one in mending)} put right" if mending is not None else about_fixes(findings)
    say("; ".join(filter(None, (summary(findings), fixed, *_notes(reports, lost)))), error=True)
    if not any(report.read or report.passed_over for report in reports):
        return FAILED
    return FOUND if findings and not arguments.exit_zero else CLEAN


def _mended(jobs: Sequence[Job], unsafe: bool) -> list[Mended]:
    """Put jobs right in memory, one after the other."""
    from warchest.lint.fixing.mending import mended

    return [mended(job, unsafe) for job in jobs]


def _written(mending: Sequence[Mended]) -> bool:
    """Write the files that were put right; return whether all could be written, with a note on one that could not."""
    from warchest.streams import say

    try:
        for one in mending:
            one.write()
    except OSError as error:
        say(f"wc-lint: {error.filename}: {error.strerror}; it stays as it was", error=True)
        return False
    return True


def _notes(reports: Sequence[Report], lost: Sequence[Path]) -> Iterator[str]:
    """Yield notes on findings that are not shown, on files that were not read as cards, and on links to no file."""
    from warchest.source.folders import about_lost

    elsewhere = sum(report.elsewhere for report in reports)
    if elsewhere:
        yield f"{elsewhere} more in other files of the game"
    match [path for report in reports for path in report.passed_over]:
        case []:
            pass
        case [path]:
            yield f"{path} is no card and was passed over"
        case several:
            yield f"{len(several)} YAML files are no cards and were passed over"
    if lost:
        yield about_lost(lost)


def _reports(jobs: Sequence[Job], cache: bool) -> list[Report]:
    """Return the reports on jobs, without doing those in which nothing was found last time, and nothing has changed."""
    from warchest.lint.clean import is_clean, keep_clean, key_of
    from warchest.lint.jobs import Report, with_neighbours

    folder = _believed() if cache else None
    read: dict[Path, bytes] = {}
    keys = [key_of(job, read) if folder else "" for job in jobs]
    widened = [""] * len(jobs)
    left = []
    for number, job in enumerate(jobs):
        if folder and not is_clean(keys[number], folder) and job.alone:
            widened[number] = key_of(with_neighbours(job), read)
        if not (folder and (is_clean(keys[number], folder) or is_clean(widened[number], folder))):
            left.append(number)
    reports = [Report((), 0, len(job.files)) for job in jobs]
    if left:
        from warchest.lint.parallel import linted

        for number, report in zip(left, linted([jobs[number] for number in left], folder), strict=True):
            reports[number] = report
            told = report.findings or report.elsewhere or report.passed_over
            key = widened[number] if report.widened else keys[number]
            if folder and key and report.read and not told:
                keep_clean(key, folder)
    return reports


def _believed() -> Path | None:
    """Return the folder of records of clean jobs; None for none, with a note where it could be somebody else's."""
    from warchest.lint.clean import folder
    from warchest.source.private import NAMED_BY, doubt_of
    from warchest.streams import say

    kept = folder()
    doubt = doubt_of(kept) if kept is not None else ""
    if doubt:
        say(f"wc-lint: note: nothing is kept from run to run, because {doubt}; "
            f"let {NAMED_BY} name a folder that is yours alone, or be empty", error=True)  # fmt: skip
    return None if doubt else kept


def _explain(arguments: list[str]) -> int:
    from warchest.lint.explanations import explain, listing
    from warchest.streams import CommandParser, say, say_lines

    parser = CommandParser(prog="wc-lint explain", description="Explain a code, with examples.")
    parser.add_argument("code", nargs="?", metavar="CODE", help="a code or its name: WC204 or no-antecedent")
    code: str | None = parser.parse_args(arguments).code
    if code is None:
        say_lines(listing())
        return CLEAN
    try:
        say_lines(explain(code))
    except KeyError as error:
        say(f"wc-lint: {error.args[0]}", error=True)
        return FAILED
    return CLEAN


def findings_in(paths: Sequence[Path], game: str | None = None) -> list[Diagnostic]:
    """Return the findings in files and folders, in the order in which the command would show them."""
    from warchest.diagnostics.render import ordered
    from warchest.lint.jobs import jobs
    from warchest.lint.run import lint

    return ordered(dict.fromkeys(found for job in jobs(paths, game, ()) for found in lint(job).findings))


if __name__ == "__main__":
    sys.exit(main())
