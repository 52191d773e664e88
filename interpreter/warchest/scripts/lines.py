"""The lines of a script: the purpose of each line, the place of its text, and the play that it belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.documents.library import Document, Library
from warchest.game.errors import PositionError
from warchest.game.position.own_sheets import told
from warchest.lowering.board import Board
from warchest.scripts.fault import Fault, fault
from warchest.scripts.forms import UNREADABLE, FormReader, GapKind, some_of
from warchest.scripts.gaps import kinds_of, sheets_in
from warchest.scripts.notation import ANSWERS, ASSERTIONS, ORDERS, POSITION, LinePhrase, Notation
from warchest.scripts.setting import Setting
from warchest.source.limits import MAX_LINE, MAX_LINES
from warchest.source.records import record
from warchest.source.text import Span

# ---- the lines of a script

DO, ANSWER, REFUSE, ASSERT = ">", "|", "!", "="
MISPLACED = "misplaced-line"
TOO_MUCH = "too-much"
MARKS = (DO, ANSWER, REFUSE, ASSERT)
_LINE = re.compile(r"[^\r\n]+")
_NOTE = re.compile(r"(?:^|(?<=\s))#.*")


@record()
class Line:
    """A line with its mark (empty for a line of the position) and its text, without notes and outer blanks."""

    mark: str
    span: Span

    @property
    def text(self) -> str:
        """The text itself."""
        return self.span.text


@dataclass(slots=True)
class Play:
    """A position with the lines that play it, and the answers that belong to each."""

    setting: list[Line] = field(default_factory=list)
    lines: list[tuple[Line, list[Line]]] = field(default_factory=list)

    @property
    def first(self) -> Line:
        """The first line; raises Fault where no line is one of the position."""
        if not self.setting:
            raise fault(
                MISPLACED,
                "the position of the board is not given",
                self.lines[0][0].span,
                help="begin with lines of the position",
            )
        return self.setting[0]


def lines_of(span: Span) -> list[Line]:
    """Return the lines of a script, or of the block of a document that holds one; blank ones and notes are left out.

    Raises Fault where there are too many of them, or one is too long.
    """
    found: list[Line] = []
    text = span.source.text
    for match in _LINE.finditer(text, span.start, span.end):
        start = match.start()
        end = start + len(_NOTE.sub("", match.group()).rstrip())
        while start < end and text[start].isspace():
            start += 1
        if start == end:
            continue
        mark = text[start] if text[start] in MARKS else ""
        start += len(mark)
        while start < end and text[start].isspace():
            start += 1
        line = Line(mark, Span(span.source, start, end))
        if end - start > MAX_LINE:
            raise fault(
                TOO_MUCH, f"the line has more than {MAX_LINE:,} characters", line.span, help="write it as several lines"
            )
        if len(found) == MAX_LINES:
            raise fault(
                TOO_MUCH, f"the script has more than {MAX_LINES:,} lines", line.span, help="cut it into several scripts"
            )
        found.append(line)
    return found


def plays_of(lines: list[Line]) -> Iterator[Play]:
    """Yield the plays of a script; a line of a position after others begins a new one. Raises Fault."""
    play = Play()
    for line in lines:
        if not line.mark:
            if play.lines:
                yield play
                play = Play()
            play.setting.append(line)
        elif line.mark == ANSWER:
            if not play.lines or play.lines[-1][0].mark not in (DO, REFUSE):
                raise fault(
                    MISPLACED,
                    "an answer belongs to a line before it",
                    line.span,
                    help=f"write it after a line with `{DO}` or `{REFUSE}`",
                )
            play.lines[-1][1].append(line)
        else:
            play.lines.append((line, []))
    if play.setting or play.lines:
        yield play


# ---- reading the lines of scripts by the notation


class LineReader:
    """Reads lines; the gaps of their forms can hold certain kinds of things."""

    def __init__(self, notation: Notation, kinds: Mapping[str, GapKind]) -> None:
        self.notation, self.reader = notation, FormReader(kinds)

    def position(self, line: Line) -> LinePhrase:
        """Return the phrase of a line of a position; raises Fault."""
        return self.notation.phrase(POSITION, line.span, self.reader)

    def line(self, line: Line, answers: list[Line]) -> tuple[list[LinePhrase], list[LinePhrase]]:
        """Return the phrases of a line of a play, and those of its answers; raises Fault."""
        if not line.text:
            raise fault(MISPLACED, "the line says nothing", line.span)
        if line.mark == ASSERT:
            phrases = self.notation.phrases(ASSERTIONS, line.span, self.reader)
            for phrase in phrases:
                self._check_says_something(phrase)
            return phrases, []
        phrase = self._done(line)
        return [phrase], [self.notation.phrase(ANSWERS, one.span, self.reader) for one in answers]

    def _check_says_something(self, phrase: LinePhrase) -> None:
        """Raise Fault if a phrase names a thing without an assertion about it."""
        form = phrase.form
        if form.more and not phrase.more and not form.says.keys() - {"form", "of", "more"}:
            listed = some_of([quoted(one.written) for one in self.notation.forms[form.more]])
            raise fault(
                UNREADABLE,
                f"there is no statement about {quoted(phrase.span.text)}",
                phrase.span,
                help=f"it can be followed by {listed}",
            )

    def _done(self, line: Line) -> LinePhrase:
        """Return the phrase of a line with an act; one that must be impossible can be an answer, too."""
        try:
            return self.notation.phrase(ORDERS, line.span, self.reader)
        except Fault:
            if line.mark != REFUSE:
                raise
            with suppress(Fault):
                return self.notation.phrase(ANSWERS, line.span, self.reader)
            raise


class ScriptReader:
    """Reads complete scripts of a game."""

    def __init__(self, notation: Notation, library: Library, game: Document, board: Board) -> None:
        self.notation, self.library, self.game, self.board = notation, library, game, board
        self.sheets = sheets_in(library)
        self.before = LineReader(notation, kinds_of(notation, library, board, self.sheets))

    def unreadable(self, span: Span) -> Iterator[Diagnostic]:
        """Find the lines of a script that cannot be read; once a position cannot, the lines after it are left
        unread."""
        try:
            for play in plays_of(lines_of(span)):
                yield from self._play(play)
        except Fault as wrong:
            yield wrong.finding

    def _play(self, play: Play) -> Iterator[Diagnostic]:
        setting = Setting(self.notation)
        first = play.first
        for line in play.setting:
            setting.add(self.before.position(line))
        setting.settle()
        try:
            further = [(one.kind, one.name) for one in told(setting.mapping, self.game, self.library)]
        except PositionError as error:
            raise setting.fault(error, first.span) from None
        sheets = [*self.sheets, *further]
        names = [name for _, name in sheets]
        reading = LineReader(self.notation, kinds_of(self.notation, self.library, self.board, sheets, names))
        for line, answers in play.lines:
            try:
                reading.line(line, answers)
            except Fault as wrong:
                yield wrong.finding
