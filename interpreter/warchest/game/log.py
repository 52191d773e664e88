"""The log: every change, with the clause that made it and the decision that led there.

Entries are kept as numbers and turned into words when somebody reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from warchest.engine.history import (
    Acted,
    Answered,
    Became,
    Decided,
    Ended,
    FieldSet,
    Happened,
    Lapsed,
    Moved,
    Owned,
    Performed,
    Placed,
    Raised,
    Removed,
    Replaced,
    Seen,
    TokenMoved,
    Unordered,
)
from warchest.game.ending import ended_by
from warchest.game.labels import HIDDEN, NotedThing, OptionWords, describe, label_of
from warchest.ir.ruleset import AGENT, FIXED, LASTS, Field
from warchest.ir.values import NOTHING, TRAIL_MASK
from warchest.lowering.code import UNSET, Note
from warchest.lowering.layout import NOWHERE, LastKnown
from warchest.source.text import Span

if TYPE_CHECKING:
    from warchest.engine.state import Run
    from warchest.game.decision import Option
    from warchest.game.variant import Variant

Past: TypeAlias = "tuple[Past | None, list[Happened]]"
"""The history that copies of a state share: all before a stretch, and that stretch, which does not change any more."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One thing that happened: in words, with the clause and its place, its source, and the number of the decision.

    `news` tells whether it is worth reading as it happens: a decision, or a change of something that positions tell.
    """

    text: str
    clause: str
    file: str
    line: int
    source: str
    decision: int
    news: bool = False


class Log:
    """The history of a game: the events told since the last copy, and those that copies share before that.

    The entries made so far are kept for each kind of writer and each viewer: `words`.
    """

    __slots__ = ("past", "words")

    def __init__(self, past: Past | None = None) -> None:
        self.past = past
        self.words: dict[tuple[type[LogWriter], int | None], LogWords] = {}

    def settle(self, run: Run) -> None:
        """Keep all that was told so far, so that copies can share it, and the run need not."""
        if run.history:
            self.past = (self.past, run.history)
            run.history = []

    def events(self, run: Run) -> list[Happened]:
        """Return all that has happened, the oldest first."""
        parts, past = [run.history], self.past
        while past is not None:
            parts.append(past[1])
            past = past[0]
        return [one for part in reversed(parts) for one in part]

    def decided(self, player: str | None, option: Option, variant: Variant, run: Run) -> None:
        """Note that an option is taken."""
        if not run.silent:
            run.history.append(Decided(None, None, player, self._kept(option, variant, run), False))

    def forced(self, option: Option, variant: Variant, run: Run) -> None:
        """Note that the only option was taken without asking."""
        if not run.silent:
            run.history.append(Decided(None, None, None, self._kept(option, variant, run), True))

    def ended(self, reason: str, variant: Variant, run: Run) -> None:
        """Note that the game is over, and by what clause."""
        if not run.silent:
            clause = ended_by(variant, run, self.events(run))
            run.history.append(Ended(clause, None, reason))

    def _kept(self, option: Option, variant: Variant, run: Run) -> tuple[Note, ...]:
        """Return the notes of an option with pieces by their places, so that nothing of the moment need be kept."""
        naming, memory = variant.naming, run.memory
        return tuple([
            (note[0], *naming.kept(note[2], memory)) if note[1] == "piece" and note[2] >= 0 else note
            for note in option.path.notes
        ])

    def entries(self, writer: LogWriter, run: Run) -> list[LogEntry]:
        """Return all entries, as a writer puts them."""
        by = type(writer), writer.viewer
        if by not in self.words:
            self.words[by] = LogWords(writer)
        return self.words[by].of(self.events(run))


class LogWords:
    """The words that a writer has made of a history so far: all before the last decision stays as it is."""

    __slots__ = ("entries", "last", "length", "settled", "writer")

    def __init__(self, writer: LogWriter) -> None:
        self.writer = writer
        """The writer as it stands behind the settled part."""
        self.settled: list[LogEntry] = []
        self.length, self.last = 0, 0
        """The number of the events there were, and that of the last decision among them."""
        self.entries: list[LogEntry] = []

    def of(self, events: Sequence[Happened]) -> list[LogEntry]:
        """Return the entries for all events, of which those there were before are still the first."""
        if len(events) != self.length:
            last = next((at for at in range(len(events) - 1, -1, -1) if isinstance(events[at], Decided)), 0)
            self.settled += self.writer.entries(events[self.last : last])
            self.entries = self.settled + copy(self.writer).entries(events[last:])
            self.length, self.last = len(events), last
        return self.entries


class LogWriter:
    """Turns raw events into entries, hiding what a viewer may not see."""

    def __init__(self, variant: Variant, viewer: int | None) -> None:
        self.variant, self.viewer = variant, viewer
        self.layout, self.naming = variant.program.layout, variant.naming
        self.decisions = 0
        self.shown: set[int] = set()
        """The tokens that the viewer has been shown since the last decision."""
        self.drawn: set[int] = set()
        """The tokens that chance has picked for the viewer in the decision that is being told of."""
        self.veiled: set[int] = set()
        """The tokens that chance has picked where the viewer sees them, and that go to where the viewer does not."""
        self.revealed: set[int] = set()
        """The tokens that the decision that is being told of has brought into the open, as they were called before."""

    def entries(self, events: Sequence[Happened]) -> list[LogEntry]:
        """Return the entries for some raw events."""
        found = []
        for index, one in enumerate(events):
            if isinstance(one, Decided):
                self.drawn = self._drawn(one)
                self.veiled = self._veiled(one, events, index + 1)
                self.revealed = self._revealed(events, index + 1) | self.shown
                self.shown = set()
            entry = self.entry(one)
            if entry is not None:
                found.append(entry)
        return found

    def _drawn(self, taken: Decided) -> set[int]:
        """Return the tokens that chance has picked for the viewer."""
        if taken.player is not None or ("player", "player", self.viewer) not in taken.notes:
            return set()
        return {value for _, base, value in taken.notes if base == "token"}

    def _veiled(self, taken: Decided, events: Sequence[Happened], start: int) -> set[int]:
        """Return the tokens that chance has picked out of many that lie open, if it is not seen where they end up."""
        found = set()
        for token in (value for _, base, value in taken.notes if base == "token" and taken.player is None):
            holder, document = divmod(token, self.layout.documents)
            for one in events[start:]:
                if isinstance(one, Decided):
                    break
                if isinstance(one, TokenMoved) and one.token == holder * self.layout.documents + document:
                    holder = one.holder
            if not self._sees(holder) and not (holder == NOWHERE and token in self.drawn):
                found.add(token)
        return found

    def _revealed(self, events: Sequence[Happened], start: int) -> set[int]:
        found = set()
        for one in events[start:]:
            match one:
                case Decided():
                    break
                case TokenMoved(token=token, holder=holder) if self._sees(holder) or self._in_hand(token, holder):
                    found.add(token)
                case Placed(token=token):
                    found.add(token)
        return found

    def _in_hand(self, token: int, holder: int) -> bool:
        """Whether the viewer, for whom chance has picked a token, now has it, as it goes into no zone."""
        return holder == NOWHERE and token in self.drawn

    def entry(self, one: Happened) -> LogEntry | None:
        """Return the entry for something that happened, or None if there is nothing to say."""
        match one:
            case Decided():
                return self._decision(one)
            case Acted():
                return self._act(one)
            case Lapsed():
                return self._made("  it is not possible, and is left out", one.span)
            case Replaced():
                return self._made("  this happens instead", one.span)
            case Answered(whose=whose, carrier=carrier):
                return self._made(f"  {self._whose(whose, carrier)} answers", one.span)
            case Performed(whose=whose):
                return self._made(f"  {self._whose(whose, NOTHING)} does what it says", one.span)
            case Ended(reason=reason):
                return self._made(reason, one.span)
            case Unordered():
                return self._made("  the order makes no difference, and nobody is asked for one", one.span)
        entry = self._made(f"  {self._change(one)}", one.span)
        listed = not isinstance(one, FieldSet) or not (
            one.field in self.variant.format.unlisted.fields or self.layout.ruleset.fields[one.field].per
        )
        return replace(entry, news=listed and HIDDEN not in entry.text)

    def _whose(self, piece: LastKnown | None, carrier: int) -> str:
        """Return whose text it is that something is done by: that of a piece, of a document, or of the rules."""
        if piece is not None:
            return str(self.naming.told("piece", piece))
        return self.naming.documents[carrier] if carrier >= 0 else "a rule"

    def _made(self, text: str, span: Span | None) -> LogEntry:
        clause = span.one_line if span is not None else ""
        source = self.variant.sources.get(span.path, "") if span is not None else ""
        return LogEntry(text, clause, span.path if span else "", span.line if span else 0, source, self.decisions)

    def _decision(self, taken: Decided) -> LogEntry:
        self.decisions += 1
        chance = taken.player is None and not taken.forced
        hidden = self._hidden(taken.notes)
        told = describe(taken.notes, self.variant, [], hidden=hidden)
        who = "chance" if chance else (taken.player or "there is only one way")
        veiled = chance and bool(hidden)
        words = f"{who} — {told.data['act']}: {HIDDEN}" if veiled else self._decision_words(taken, who, told)
        return replace(self._made(words, None), news=not veiled)

    def _decision_words(self, taken: Decided, who: str, told: OptionWords) -> str:
        """Return a decision that nothing hides in words."""
        return f"{who} — {label_of(told.data, told.names)}"

    def _hidden(self, notes: Sequence[Note]) -> set[NotedThing]:
        """Return the things named by an option that the viewer may not see: tokens by where they lie, and types."""
        if self.viewer is None:
            return set()
        hidden = {(base, value) for _, base, value in notes if base == "token" and not self._sees_token(value)}
        return hidden | ({(base, value) for _, base, value in notes if base == "document"} if hidden else set())

    def _sees_token(self, token: int) -> bool:
        return token not in self.veiled and (token in self.revealed or self._sees(token // self.layout.documents))

    def _sees(self, holder: int) -> bool:
        return self.viewer is None or self.variant.sees(self.viewer, holder)

    def _act(self, one: Acted) -> LogEntry:
        act, roles = self.variant.program.acts[one.verb], one.roles
        words = []
        for role, base, value in zip(act.verb.roles, act.bases[FIXED:], roles[FIXED:], strict=False):
            if value not in (NOTHING, UNSET):
                words.append(f"{role.word} {self._value(base, value)}".strip())
        who = self._value(act.bases[AGENT], roles[AGENT]) if roles[AGENT] != NOTHING else ""
        return self._made(f"  {who} {act.verb.name} {' '.join(words)}".rstrip().replace("   ", "  "), one.span)

    def _value(self, base: str, value: Any) -> str:
        return self._token(value) if base == "token" else str(self.naming.told(base, value))

    def _token(self, token: int) -> str:
        return self.naming.documents[token % self.layout.documents] if self._sees_token(token) else HIDDEN

    def _change(self, one: Happened) -> str:
        """Return a change in words."""
        naming = self.naming
        match one:
            case Seen(tokens=tokens, by=by):
                if by == self.viewer:
                    self.shown = self.shown | set(tokens)
                return self._seen(tokens, by)
            case TokenMoved(token=token, holder=target):
                source, document = divmod(token, self.layout.documents)
                hidden = token in self.veiled
                seen = (self._sees(source) and not hidden) or self._sees(target) or self._in_hand(token, target)
                name = naming.documents[document] if seen else HIDDEN
                return f"{name}: {naming.where(source)} to {naming.where(target)}"
            case FieldSet(field=field, of=of, value=value):
                return self._field(field, of, value)
            case Raised(piece=piece, what=what, amount=amount):
                return f"{naming.told('piece', piece)}: {amount:+d} {self.layout.raises[what]}"
            case Became(piece=piece, document=document):
                return f"{naming.told('piece', piece)} becomes {naming.documents[document]}"
            case Owned(piece=piece, player=player):
                return f"{naming.told('piece', piece)} goes over to {naming.players[player]}"
            case Moved(piece=piece, space=space):
                return f"{naming.told('piece', piece)} goes to {naming.spaces[space]}"
            case Placed(piece=piece):
                return f"{naming.told('piece', piece)} is put there"
            case Removed(piece=piece):
                return f"{naming.told('piece', piece)} leaves the board"
        raise TypeError(f"nothing is said of {one!r}")

    def _seen(self, tokens: Sequence[int], by: int) -> str:
        shown = [self.naming.documents[one % self.layout.documents] for one in tokens]
        if self.viewer is not None and self.viewer != by:
            # Nobody else is told of how many kinds they are.
            shown = list(dict.fromkeys(self._token(one) for one in tokens))
        return f"{self.naming.players[by]} sees {', '.join(shown) or 'nothing'}"

    def _field(self, number: int, index: Any, value: int) -> str:
        field = self.layout.ruleset.fields[number]
        whose = self.naming.whose(field, index)
        if field.per == LASTS:
            is_over = value == (0 if field.base == "flag" else NOTHING)
            return f"{field.name}: {'over' if is_over else 'begins'} for {whose}"
        if field.per:
            return f"{whose} has used {field.name}: {value} this {field.per}"
        return f"{field.name}{f' of {whose}' if whose else ''}: {self._field_value(field, value)}"

    def _field_value(self, field: Field, value: int) -> Any:
        """Return the value of a field in words."""
        base = field.steps or field.base
        if field.steps is not None:
            value = (value & TRAIL_MASK) - 1
        new = str(bool(value)).lower() if base == "flag" else self.naming.name(base, value, [])
        return "nobody" if new is None else new


def readable(entries: Sequence[LogEntry]) -> list[str]:
    """Return entries in lines that name the clause and its place."""
    return [f"{entry.text}   [{entry.clause} — {entry.file}:{entry.line}]" if entry.clause else entry.text
            for entry in entries]  # fmt: skip
