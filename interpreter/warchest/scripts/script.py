"""Scripts: positions and plays in lines, run from the first line to the first that does not hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.game.errors import PositionError
from warchest.game.game import Game
from warchest.game.state import State
from warchest.scripts.assertions import Assertions
from warchest.scripts.borne import Bearing
from warchest.scripts.fault import Fault, fault
from warchest.scripts.filling import bare, filled
from warchest.scripts.forms import FormReader, Kind
from warchest.scripts.kinds import Listed, Named, Number, Path, Pattern, squeezed
from warchest.scripts.lines import ANSWER, ASSERT, DO, REFUSE, Line, lines_of
from warchest.scripts.notation import (
    ANSWERS,
    ASSERTIONS,
    ORDERS,
    POSITION,
    Notation,
    Phrase,
    notation_of,
)
from warchest.scripts.playing import REFUSED, Player, Task, task_of
from warchest.scripts.setting import Setting
from warchest.source.text import Span

NOT_REFUSED = "not-refused"
MISPLACED = "misplaced-line"


@dataclass(slots=True)
class Result:
    """What came of a script: the finding that stopped it (None: every line holds), how many lines held, the state."""

    finding: Diagnostic | None = None
    lines: int = 0
    state: State | None = None


@dataclass(slots=True)
class _Play:
    """A position with the lines that play it, and the answers that belong to each."""

    setting: list[Line] = field(default_factory=list)
    lines: list[tuple[Line, list[Line]]] = field(default_factory=list)


def run_script(game: Game, span: Span) -> Result:
    """Run a script; never raises for what it says. A line of a position behind others begins a new play."""
    notation = notation_of(game.library)
    assert notation is not None, "whoever runs a script has looked for the notation"
    result = Result()
    try:
        for play in _plays(lines_of(span)):
            _Runner(game, notation, result).run(play)
    except Fault as wrong:
        result.finding = wrong.finding
    return result


def _plays(lines: list[Line]) -> Iterator[_Play]:
    play = _Play()
    for line in lines:
        if not line.mark:
            if play.lines:
                yield play
                play = _Play()
            play.setting.append(line)
        elif line.mark == ANSWER:
            if not play.lines or play.lines[-1][0].mark not in (DO, REFUSE):
                raise fault(MISPLACED, "an answer belongs to a line before it", line.span,
                            help=f"write it behind a line with `{DO}` or `{REFUSE}`")
            play.lines[-1][1].append(line)
        else:
            play.lines.append((line, []))
    if play.setting or play.lines:
        yield play


class _Runner:
    """Runs one play."""

    def __init__(self, game: Game, notation: Notation, result: Result) -> None:
        self.game, self.notation, self.result = game, notation, result

    def run(self, play: _Play) -> None:
        """Run it; raises Fault at the first line that does not hold."""
        first = play.setting[0] if play.setting else play.lines[0][0]
        if not play.setting:
            raise fault(MISPLACED, "nothing tells what stands on the board", first.span,
                        help="begin with lines that tell of the position")
        setting = Setting(self.notation)
        reader = FormReader(kinds_of(self.game, self.notation))
        for line in play.setting:
            setting.add(self.notation.phrase(POSITION, line.span, reader))
            self.result.lines += 1
        self.result.state = setting.state(self.game, first.span)
        for line, answers in play.lines:
            self._line(line, answers)
            self.result.lines += 1 + len(answers)

    @property
    def state(self) -> State:
        """The state that the lines have led to."""
        assert self.result.state is not None
        return self.result.state

    def _line(self, line: Line, answers: list[Line]) -> None:
        reader = FormReader(kinds_of(self.game, self.notation, self.state))
        if not line.text:
            raise fault(MISPLACED, "the line says nothing", line.span)
        if line.mark == ASSERT:
            settled = self._settled()
            for phrase in self.notation.phrases(ASSERTIONS, line.span, reader):
                Assertions(settled, self.notation).check(phrase)
            return
        phrase = self.notation.phrase(ORDERS, line.span, reader)
        tasks = [task_of(self.notation.phrase(ANSWERS, one.span, reader), self.notation) for one in answers]
        if line.mark == REFUSE:
            self._refused(phrase, tasks)
        else:
            self.result.state = self._carried_out(phrase, tasks)

    def _settled(self) -> State:
        """Return the state without what is still open from the line before."""
        copy = self.state.clone()
        Player(copy, self.notation, Task(Span(self.notation.document.span.source, 0, 0), [], [])).play()
        return copy

    def _carried_out(self, phrase: Phrase, answers: list[Task]) -> State:
        if "becomes" in phrase.form.says:
            return self._changed(phrase)
        copy = self.state.clone()
        # A line may tell of steps that could be no others.
        copy.thorough = True
        Player(copy, self.notation, task_of(phrase, self.notation), answers).play()
        copy.thorough = False
        return copy

    def _refused(self, phrase: Phrase, answers: list[Task]) -> None:
        try:
            self._carried_out(phrase, answers)
        except Fault:
            return
        raise fault(NOT_REFUSED, f"{quoted(phrase.span.text)} can be done", phrase.span,
                    help=f"the line begins with `{REFUSE}`, so it must not be possible here")

    def _changed(self, phrase: Phrase) -> State:
        """Return the state with some keys of its position otherwise: what players may do outside all turns."""
        if self.state.outcome is not None:
            raise fault(REFUSED, f"{quoted(phrase.span.text)} cannot be done: the game is over", phrase.span)
        position: dict[str, Any] = {**self.state.position(), **bare(filled(phrase.form.says["becomes"], phrase.known))}
        position.pop("pending", None)
        gone = [key for key, value in phrase.form.says["becomes"].items() if value is None]
        try:
            return self.game.position({key: value for key, value in position.items() if key not in gone})
        except PositionError as error:
            raise fault(REFUSED, f"{quoted(phrase.span.text)} cannot be done: {error}", phrase.span) from None


def kinds_of(game: Game, notation: Notation, state: State | None = None) -> Mapping[str, Kind]:
    """Return what the gaps of forms can hold in a game; with a state also what its position has brought."""
    board = game.board
    spaces = [space.name for space in board.spaces]
    kinds: dict[str, Kind] = {
        "number": Number(),
        "player": Listed("a player", [seat.name for seat in board.seats]),
        "space": Listed("a space", spaces),
        "direction": Listed("a direction", board.directions),
        "piece": Named(state.variant.naming.documents if state is not None else (), spaces),
        "path": Path(notation.steps),
    }
    for name, says in notation.values.get("kinds", {}).items():
        said = str(says["said"])
        if "documents" in says:
            kinds[name] = _Printed(said, _names(game, state, str(says["documents"])))
        else:
            kinds[name] = Pattern(said, str(says["pattern"]))
    borne = notation.values.get("borne")
    if borne:
        documents = game.library.of_kind(borne["documents"])
        kinds["borne"] = Bearing(documents, notation.arguments, FormReader(dict(kinds)), str(borne["said"]))
    return kinds


def _names(game: Game, state: State | None, kind: str) -> list[str]:
    """Return the names of the documents of a kind; a state can have more of them than its game."""
    if state is None:
        return [one.name for one in game.library.of_kind(kind)]
    return [sheet.name for sheet in state.variant.program.ruleset.sheets if sheet.kind == kind]


class _Printed(Listed):
    """Names of documents, written as one word."""

    def __init__(self, said: str, names: Iterable[str]) -> None:
        self.printed = {squeezed(name): name for name in names}
        super().__init__(said, self.printed)

    def read(self, span: Span) -> tuple[Any, int] | None:
        """As for every kind; the printed name is what is caught."""
        found = super().read(span)
        return (self.printed[found[0]], found[1]) if found else None
