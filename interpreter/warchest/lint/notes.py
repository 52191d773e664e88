"""Notes to the linter in files: `# wc-lint: ignore[WC412] because …` ignores findings with the codes that it names.

A note at the end of a line is about that line, and a note on its own line is about the next line that is neither blank
nor a comment. Errors cannot be ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from warchest.diagnostics.codes import BY_NAME, find_code, report
from warchest.diagnostics.diagnostic import Diagnostic, Fix, quoted
from warchest.format.sentence_lines import MARK
from warchest.source.text import Source, Span

HOW = "write `# wc-lint: ignore[WC412] because …`, with the reason"
_NOTE = re.compile(r"#[ \t]*wc-lint:[ \t]*(?P<said>[^\r\n]*)")
_IGNORE = re.compile(r"ignore\[(?P<codes>[^\[\]]*)\](?P<rest>.*)")
_BECAUSE = re.compile(r"\s+because\s+\S")


@dataclass(slots=True)
class _Ignore:
    """A code in a note, with the places of the code and of the note, and the line that the note is about."""

    code: str
    place: Span
    note: Span
    line: int
    used: bool = field(default=False)


def heeded(findings: Iterable[Diagnostic], sources: Iterable[Source]) -> list[Diagnostic]:
    """Return the findings that no note in the sources ignores, and findings on the notes themselves."""
    told = list(findings)
    for source in sources:
        if MARK in source.text:
            told = _heeded(told, source)
    return told


def _heeded(findings: list[Diagnostic], source: Source) -> list[Diagnostic]:
    ignores, wrong = list[_Ignore](), list[Diagnostic]()
    for note in _NOTE.finditer(source.text):
        place = source.span(note.start(), note.start() + len(note[0].rstrip()))
        try:
            ignores += _read(note["said"].rstrip(), note.start("said"), place)
        except _UnclearNote as error:
            wrong.append(error.finding)
    kept = [one for one in findings if one.file != source.path or not _is_ignored(one, ignores)]
    return [*kept, *wrong, *(_unused(one, ignores) for one in ignores if not one.used)]


class _UnclearNote(Exception):
    """An invalid note; the finding gives the reason."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding)
        self.finding = finding


def _unclear(message: str, span: Span, help: str) -> _UnclearNote:
    return _UnclearNote(report("unclear-note", message, span, help=help))


def _read(said: str, start: int, note: Span) -> Iterator[_Ignore]:
    """Yield the codes that a note names; raises _UnclearNote."""
    found = _IGNORE.fullmatch(said)
    if found is None:
        raise _unclear(f"the note {quoted(said)} to the linter is not valid", note, HOW)
    if _BECAUSE.match(found["rest"]) is None:
        raise _unclear("the note gives no reason", note, HOW)
    line = _line_of(note)
    for word in re.finditer(r"[^\s,]+", found["codes"]):
        place = note.source.span(start + found.start("codes") + word.start(), start + found.start("codes") + word.end())
        row, near = find_code(word[0])
        if row is None:
            raise _unclear(f"there is no code {quoted(word[0])}", place, near)
        if row.severity == "error":
            help = "take it out of the note, and put the text right"
            raise _unclear(f"{row.code} is an error that keeps the text from being read", place, help)
        yield _Ignore(row.code, place, note, line)
    if not found["codes"].strip(" ,"):
        raise _unclear("the note names no code", note, HOW)


def _line_of(note: Span) -> int:
    """Return the line that a note is about."""
    source, line = note.source, note.line
    if source.line(line)[: note.column - 1].strip():
        return line
    while line < source.line_count:
        line += 1
        text = source.line(line).strip()
        if text and not text.startswith("#"):
            return line
    return note.line


def _is_ignored(found: Diagnostic, ignores: Iterable[_Ignore]) -> bool:
    """Whether a note ignores a finding; such notes are marked as used."""
    if found.span is None or found.severity == "error":
        return False
    fitting = [one for one in ignores if one.code == found.code and found.span.line <= one.line <= found.span.end_line]
    for one in fitting:
        one.used = True
    return bool(fitting)


def _unused(ignore: _Ignore, ignores: Iterable[_Ignore]) -> Diagnostic:
    """Return the finding on an unused code; its fix removes the note, if no other code in it is used."""
    name = next(row.name for row in BY_NAME.values() if row.code == ignore.code)
    others = [one for one in ignores if one.note == ignore.note and one.used]
    fix = None if others else Fix.put(_with_line(ignore.note), "")
    return report(
        "unused-note",
        f"the note hides nothing: there is no {ignore.code} ({name}) on its line",
        ignore.place,
        help="take it out of the note" if others else "take the note out",
        fix=fix,
    )


def _with_line(note: Span) -> Span:
    """Return the place of a note with the blanks before it, or its whole line if the line holds only the note."""
    text = note.source.text
    start = len(text[: note.start].rstrip(" \t"))
    if start == 0 or text[start - 1] in "\r\n":
        end = text.find("\n", note.end) + 1
        return note.source.span(start, end or len(text))
    return note.source.span(start, note.end)
