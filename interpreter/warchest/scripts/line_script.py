"""Scripts: positions and plays in lines, run from the first line to the first one that does not hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.game.decision import Option
from warchest.game.errors import OptionError
from warchest.game.game import Game
from warchest.game.spectator import Spectator
from warchest.game.state import State
from warchest.scripts.assertions import Assertions
from warchest.scripts.fault import Fault, fault
from warchest.scripts.gaps import kinds_of, sheets_in
from warchest.scripts.line_play import ITSELF, REFUSED, LineTask, Player, task_of
from warchest.scripts.lines import ASSERT, REFUSE, TOO_MUCH, Line, LineReader, Play, lines_of, plays_of
from warchest.scripts.notation import ANSWERS, LinePhrase, Notation, notation_of
from warchest.scripts.setting import Setting
from warchest.source.limits import MAX_TRIES
from warchest.source.text import Span

NOT_REFUSED = "not-refused"
MOST_LATE = 3
"""The most times that something on offer is skipped, to be taken later."""
Late: TypeAlias = Mapping[tuple[int, int], int]
"""The number of times that a wish of the line (0) or of an answer, or an answer itself, is skipped."""


@dataclass(slots=True)
class ScriptResult:
    """The outcome of a script: the finding that stopped it (None: every line holds), the lines that held, the state."""

    finding: Diagnostic | None = None
    lines: int = 0
    state: State | None = None


def run_script(game: Game, span: Span, spectator: Spectator | None = None) -> ScriptResult:
    """Run a script; never raises for its contents. A line of a position after others begins a new play.

    A spectator sees the states after the lines, but no trials.
    """
    notation = notation_of(game.library)
    assert notation is not None, "scripts are only run with a notation"
    result = ScriptResult()
    try:
        runner = _Runner(game, notation, result, spectator)
        for play in plays_of(lines_of(span)):
            runner.run(play)
    except Fault as wrong:
        result.finding = wrong.finding
    return result


def _later(phrase: LinePhrase, answers: Sequence[LinePhrase]) -> Iterator[Late]:
    """Yield the parts of a line that may be skipped a few times before they are taken: one wish, or one answer."""
    for times in range(1, MOST_LATE + 1):
        for place, one in enumerate((phrase, *answers)):
            for number in range(ITSELF if place else 0, len(one.more)):
                yield {(place, number): times}


class _Runner:
    """Runs plays, one after the other."""

    def __init__(
        self, game: Game, notation: Notation, result: ScriptResult, spectator: Spectator | None = None
    ) -> None:
        self.game, self.notation, self.result, self.spectator = game, notation, result, spectator
        self.tries = 0
        self.trying = False
        """Whether a line is only tried, to check that it is impossible."""

    def run(self, play: Play) -> None:
        """Run the script; raises Fault at the first line that does not hold."""
        setting = Setting(self.notation)
        kinds = kinds_of(self.notation, self.game.library, self.game.variant().board, sheets_in(self.game.library))
        reading = LineReader(self.notation, kinds)
        for line in play.setting:
            setting.add(reading.position(line))
            self.result.lines += 1
        self.result.state = setting.state(self.game, play.first.span)
        if self.spectator is not None:
            self.spectator.begin(self.result.state)
        reading = self._reader()
        for line, answers in play.lines:
            self._line(reading, line, answers)
            self.result.lines += 1 + len(answers)

    def _reader(self) -> LineReader:
        """Return the reader of the lines of a play, which can name the things of the position."""
        sheets = [(sheet.kind, sheet.name) for sheet in self.state.variant.program.ruleset.sheets]
        names = [name for _, name in sheets]
        kinds = kinds_of(self.notation, self.game.library, self.game.variant().board, sheets, names)
        return LineReader(self.notation, kinds)

    @property
    def state(self) -> State:
        """The state that the lines have led to."""
        assert self.result.state is not None
        return self.result.state

    def _line(self, reading: LineReader, line: Line, answers: list[Line]) -> None:
        phrases, answering = reading.line(line, answers)
        if line.mark == ASSERT:
            settled = Assertions(self._settled(), self.notation)
            for phrase in phrases:
                settled.check(phrase)
        elif line.mark == REFUSE:
            self._refused(phrases[0], answering)
        else:
            self.result.state = self._carried_out(phrases[0], answering)

    def _settled(self) -> State:
        """Return the state without the choices still open from the line before."""
        copy = self.state.clone()
        Player(copy, self.notation, LineTask(Span(self.notation.document.span.source, 0, 0), [], [])).play()
        return copy

    def _carried_out(self, phrase: LinePhrase, answers: list[LinePhrase]) -> State:
        """Return the state after a line; raises Fault.

        A wish or an answer may be meant for a later time than the first at which it is on offer.
        """
        if "gives up" in phrase.form.says:
            return self._given_up(phrase)
        try:
            return self._played(phrase, answers, {})
        except Fault:
            for late in _later(phrase, answers):
                self._count(phrase)
                with suppress(Fault):
                    return self._played(phrase, answers, late)
            raise

    def _count(self, phrase: LinePhrase) -> None:
        """Count a repeated trial of a line; raises Fault at the limit."""
        self.tries += 1
        if self.tries > MAX_TRIES:
            message = f"the lines up to here could be meant in more than {MAX_TRIES} ways"
            raise fault(TOO_MUCH, message, phrase.span, help="cut the script, or the wishes of a line, into several")

    def _played(self, phrase: LinePhrase, answers: list[LinePhrase], late: Late) -> State:
        tasks = [task_of(one, self.notation) for one in (phrase, *answers)]
        for (place, number), times in late.items():
            tasks[place].late[number] = times
        copy = self.state.clone()
        # A line may mention forced steps.
        copy.thorough = True
        # With something let pass the line is tried once more, after it has failed with a fault that is kept.
        player = Player(copy, self.notation, tasks[0], tasks[1:], tried=self.trying or bool(late))
        player.play()
        if self.spectator is not None and not self.trying:
            copy = self._shown(player.taken, self.spectator)
        copy.thorough = False
        return copy

    def _shown(self, taken: Sequence[Option], spectator: Spectator) -> State:
        """Return the state after some options, which are taken once more for the spectator."""
        state = self.state.clone()
        state.thorough = True
        for option in taken:
            spectator.take(state, option)
        return state

    def _refused(self, phrase: LinePhrase, answers: list[LinePhrase]) -> None:
        if any(phrase.form is form for form in self.notation.forms[ANSWERS]):
            # No answer is on offer by itself: it is part of another line.
            return
        self.trying = True
        try:
            self._carried_out(phrase, answers)
        except Fault as wrong:
            if wrong.finding.name == TOO_MUCH:
                raise
            return
        finally:
            self.trying = False
        raise fault(
            NOT_REFUSED,
            f"{quoted(phrase.span.text)} can be done",
            phrase.span,
            help=f"the line begins with `{REFUSE}`, so it must not be possible here",
        )

    def _given_up(self, phrase: LinePhrase) -> State:
        """Return the state after a player has given the game up, which is no decision; raises Fault."""
        try:
            return self.state.clone().give_up(phrase.form.says["gives up"])
        except OptionError as error:
            raise fault(REFUSED, f"{quoted(phrase.span.text)} cannot be done: {error}", phrase.span) from None
