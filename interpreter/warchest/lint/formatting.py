"""The command `wc-lint fmt`, which formats card files."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from warchest.diagnostics.articles import many
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.diagnostics.edits import difference
from warchest.diagnostics.render import ordered
from warchest.documents.load import declared as declared_in
from warchest.documents.load import may_hold_documents
from warchest.documents.schemas import Schemas, read_schemas
from warchest.format.text_layout import Formatted, laid_out
from warchest.lint.arguments import STANDARD_INPUT
from warchest.lint.files import WrongUse, in_one_line, standard_input, write_back
from warchest.lint.jobs import jobs, with_neighbours
from warchest.lint.output import about_passed_over, written
from warchest.lint.settings import Settings, settings
from warchest.source.file_reading import BYTE_ORDER_MARK, Read, decode, read_source
from warchest.source.folders import about_lost, looked_through, once
from warchest.streams import CommandParser, flush, hand_back, say, say_lines, wants_color

FINE, DIFFERENT, FAILED = 0, 1, 2
_ABOUT = """Format card files: keys in order, each sentence on its own line, one blank between words; comments stay.

The content of a file does not change; this is checked before it is written. YAML files that are no cards are skipped.
"""
_CODES = """exit codes: 0 all files are formatted; 1 with --check or --diff, a file would change;
2 a file could not be read or written, or the arguments are invalid"""


@dataclass(slots=True)
class _LaidOut:
    """The result of laying out some files."""

    changed: list[tuple[str, str, str]] = field(default_factory=list)
    """The paths of files that would change, with their texts before and after."""
    unchanged: int = 0
    findings: list[Diagnostic] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def add(self, path: str, read: Read, done: Formatted) -> None:
        """Add the result for a text that was read."""
        assert read.source is not None
        is_marked = any(found.name == "byte-order-mark" for found in read.diagnostics)
        before = BYTE_ORDER_MARK * is_marked + read.source.text
        self.findings += done.findings
        if done.failure:
            self.failures.append(f"{path} {done.failure}; it stays as it was")
        elif done.text is None and not done.findings:
            self.passed_over.append(path)
        elif done.text == before:
            self.unchanged += 1
        elif done.text is not None:
            self.changed.append((path, before, done.text))

    def code(self, only_looking: bool) -> int:
        """Return the exit code."""
        if self.findings or self.failures:
            return FAILED
        return DIFFERENT if self.changed and only_looking else FINE


def run(arguments: Sequence[str]) -> int:
    """Run the command; return its exit code."""
    parsed = parser().parse_args(arguments)
    return in_one_line("wc-lint fmt", lambda: _run(parsed))


def _run(parsed: argparse.Namespace) -> int:
    """Lay out files or standard input; raises the errors that `in_one_line` prints."""
    paths: list[Path] = parsed.paths or [Path()]
    if Path(STANDARD_INPUT) in paths:
        if len(paths) > 1:
            raise WrongUse(f"`{STANDARD_INPUT}` cannot be combined with other paths")
        return _standard_input(parsed)
    lost = list[Path]()
    outcome = _laid_out(paths, settings(), lost)
    only_looking = parsed.check or parsed.diff
    if not only_looking:
        _write(outcome)
    say_lines(written(ordered(outcome.findings), "text", wants_color()), painted=True)
    if parsed.diff:
        say_lines("".join(difference(*changed) for changed in outcome.changed))
    else:
        for path, _, _ in outcome.changed:
            say(f"{'would change' if only_looking else 'laid out'}: {path}")
    flush()
    for failure in outcome.failures:
        say(f"wc-lint fmt: {failure}", error=True)
    say("; ".join(_summary(outcome, only_looking, lost)), error=True)
    return outcome.code(only_looking)


def parser() -> argparse.ArgumentParser:
    """Return the parser of `wc-lint fmt`."""
    parser = CommandParser(prog="wc-lint fmt", description=_ABOUT, epilog=_CODES)
    add = parser.add_argument
    add(
        "paths",
        nargs="*",
        metavar="PATH",
        type=Path,
        help="files and folders to format, or `-` for standard input (default: the working folder)",
    )
    add("--check", action="store_true", help="write nothing; the exit code is 1 if a file would change")
    add("--diff", action="store_true", help="like --check, and show the changes")
    return parser


def _standard_input(parsed: argparse.Namespace) -> int:
    """Write standard input, laid out, to standard output; a text that cannot be laid out is written unchanged."""
    outcome, data = _LaidOut(), standard_input()
    read = decode(data, "standard input")
    if read.source is None:
        outcome.findings += read.diagnostics
    else:
        outcome.add(STANDARD_INPUT, read, laid_out(read.source, read_schemas()))
    if parsed.diff:
        say_lines("".join(difference(*changed) for changed in outcome.changed))
    elif not parsed.check:
        hand_back(outcome.changed[0][2].encode() if outcome.changed else data)
    flush()
    say_lines(written(ordered(outcome.findings), "text", wants_color(error=True)), painted=True, error=True)
    for note in (*outcome.failures, *(f"{path} is no card and was passed over" for path in outcome.passed_over)):
        say(f"wc-lint fmt: {note}", error=True)
    return outcome.code(parsed.check or parsed.diff)


def _laid_out(paths: Sequence[Path], chosen: Settings, lost: list[Path]) -> _LaidOut:
    """Lay out the files in some paths, without writing them; raises TooMuch and UnknownGame.

    Broken links are added to `lost`.
    """
    outcome, files = _LaidOut(), list[Path]()
    for path in paths:
        looked = looked_through(path)
        files += [file for file in looked.files if file == path or not chosen.is_excluded(file)]
        lost += looked.lost
        if not looked.files:
            outcome.failures.append(f"{path}: the folder holds no YAML file")
    declared: Mapping[str, Schemas] | None = None
    for file in once(files):
        read = read_source(file)
        if read.source is None:
            outcome.findings += read.diagnostics
            continue
        done = laid_out(read.source, read_schemas())
        if done.has_unknown:
            declared = _declared(paths, chosen) if declared is None else declared
            done = laid_out(read.source, declared.get(str(file), read_schemas()))
        if done.findings and not may_hold_documents(read.source.text, read_schemas()):
            done = Formatted()
        outcome.add(str(file), read, done)
    return outcome


def _declared(paths: Sequence[Path], chosen: Settings) -> Mapping[str, Schemas]:
    """Return the schemas for each file in some paths, including the kinds that its game and packs declare.

    Raises UnknownGame.
    """
    found = dict[str, Schemas]()
    for job in jobs(paths, chosen.game, chosen.cards):
        schemas = declared_in(with_neighbours(job).files if job.alone else job.files).schemas
        if schemas is not None:
            found.update(dict.fromkeys(job.shown, schemas))
    return found


def _write(outcome: _LaidOut) -> None:
    """Write the files that change, each as a whole; a file that cannot be written is a failure."""
    failed = {path: why for path, _, after in outcome.changed if (why := write_back(path, after))}
    outcome.failures += failed.values()
    outcome.changed = [one for one in outcome.changed if one[0] not in failed]


def _summary(outcome: _LaidOut, only_looking: bool, lost: Sequence[Path]) -> Iterator[str]:
    """Yield notes on the numbers of files, and on skipped files."""
    count = len(outcome.changed)
    yield f"{many(count, 'file')} {'would change' if only_looking else 'laid out'}"
    yield f"{outcome.unchanged} unchanged"
    yield from about_passed_over(outcome.passed_over)
    if lost:
        yield about_lost(lost)
