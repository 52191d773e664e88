"""Reading the lines of scripts by the notation, without playing them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.documents.library import Document, Library
from warchest.game.errors import PositionError
from warchest.game.position.sheets import told
from warchest.lowering.board import Board
from warchest.scripts.fault import Fault, fault
from warchest.scripts.forms import UNREADABLE, FormReader, GapKind, some_of
from warchest.scripts.gaps import kinds_of, sheets_in
from warchest.scripts.lines import ASSERT, MISPLACED, REFUSE, Line, Play, lines_of, plays_of
from warchest.scripts.notation import ANSWERS, ASSERTIONS, ORDERS, POSITION, LinePhrase, Notation
from warchest.scripts.setting import Setting
from warchest.source.text import Span


class LineReader:
    """Reads lines where the gaps of forms can hold these kinds of things."""

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
        """Raise Fault where a phrase names something and then says nothing of it."""
        form = phrase.form
        if form.more and not phrase.more and not form.says.keys() - {"form", "of", "more"}:
            listed = some_of([quoted(one.written) for one in self.notation.forms[form.more]])
            raise fault(UNREADABLE, f"nothing is said of {quoted(phrase.span.text)}", phrase.span,
                        help=f"behind it can stand {listed}")

    def _done(self, line: Line) -> LinePhrase:
        """Return the phrase of a line that does something; one that must not be possible can be an answer, too."""
        try:
            return self.notation.phrase(ORDERS, line.span, self.reader)
        except Fault:
            if line.mark != REFUSE:
                raise
            with suppress(Fault):
                return self.notation.phrase(ANSWERS, line.span, self.reader)
            raise


class ScriptReader:
    """Reads the scripts of a game whole."""

    def __init__(self, notation: Notation, library: Library, game: Document, board: Board) -> None:
        self.notation, self.library, self.game, self.board = notation, library, game, board
        self.sheets = sheets_in(library)
        self.before = LineReader(notation, kinds_of(notation, library, board, self.sheets))

    def unreadable(self, span: Span) -> Iterator[Diagnostic]:
        """Find the lines of a script that cannot be read; once a position cannot, those behind it are left unread."""
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
