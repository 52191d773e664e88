"""The log: every change, with the clause that made it and the decision that led there.

Entries are kept as numbers and turned into words when somebody reads them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from warchest.diagnostics.articles import with_article
from warchest.engine.history import (
    Acted,
    Answered,
    Became,
    Decided,
    Ended,
    FieldSet,
    Happened,
    KindChanged,
    Lapsed,
    Moved,
    NumberChanged,
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
from warchest.game.past import Item, Past, Reader
from warchest.game.sight import Sight, looks
from warchest.ir.ruleset import AGENT, FIXED, LASTS, Field
from warchest.ir.values import CAN_BE_UNSET, NOTHING, TRAIL_BITS, TRAIL_MASK
from warchest.lowering.code import UNSET, Note
from warchest.lowering.layout import LastKnown
from warchest.source.text import Span

if TYPE_CHECKING:
    from warchest.engine.runs import Run
    from warchest.game.decision import Option
    from warchest.game.variant import Variant


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
    """The history of a game: the events since the last reading, and the earlier ones, which copies share."""

    __slots__ = ("past",)

    def __init__(self, past: Past | None = None) -> None:
        self.past = past

    def settle(self, run: Run) -> None:
        """Move all events of the run into the past, which copies share."""
        if run.history:
            self.past = Past(self.past, run.history)
            run.history = []

    def read(self, reader: Reader[Item], run: Run) -> list[Item]:
        """Let a reader that has read nothing yet read all events; return the results."""
        if run.onlooker is not None:
            # Somebody reads while events are under way, and these may yet be taken back.
            return Past(self.past, list(run.history)).read(reader)
        self.settle(run)
        return self.past.read(reader) if self.past is not None else []

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
            clause = ended_by(variant, run, self._backwards(run))
            run.history.append(Ended(clause, None, reason))

    def _kept(self, option: Option, variant: Variant, run: Run) -> tuple[Note, ...]:
        """Return the notes of an option with pieces by their places, so that nothing of the moment need be kept."""
        naming, memory = variant.naming, run.memory
        return tuple(
            [
                (note[0], *naming.kept(note[2], memory)) if note[1] == "piece" and note[2] >= 0 else note
                for note in option.path.notes
            ]
        )

    def _backwards(self, run: Run) -> Iterator[Happened]:
        """Yield all events, the last first."""
        yield from reversed(run.history)
        if self.past is not None:
            yield from self.past.backwards()


class LogWriter:
    """Turns raw events into entries, hiding what a viewer may not see."""

    def __init__(self, variant: Variant, viewer: int | None) -> None:
        self.variant, self.viewer = variant, viewer
        self.layout, self.naming = variant.program.layout, variant.naming
        self.decisions = 0
        """The number of decisions in the entries so far."""
        self.sight = Sight(variant, viewer, ())
        """The sight of the tokens that move now."""
        self.shown: set[int] = set()
        """The tokens that the viewer has been shown since the last decision."""
        self.known: set[int] = set()
        """The tokens that the viewer knows by name in the present decision, because it chose among them."""
        self.together: Sequence[TokenMoved] = ()
        """The moves of tokens that share one line."""

    @property
    def key(self) -> Hashable:
        """The kind of the writer, and its viewer."""
        return type(self), self.viewer

    def entries(self, events: Sequence[Happened]) -> list[LogEntry]:
        """Return the entries for raw events that begin with a decision that was asked for, or with the game."""
        found = list[LogEntry]()
        for part in looks(events):
            self.sight = Sight(self.variant, self.viewer, part)
            for _, alike in groupby(enumerate(part), lambda one: self._kind(*one)):
                same = [one for _, one in alike]
                self.together = [one for one in same if isinstance(one, TokenMoved)]
                entry = self.entry(same[0])
                if entry is not None:
                    found.append(entry)
                for one in same:
                    self.sight.leave_behind(one)
        self.sight = Sight(self.variant, self.viewer, ())
        return found

    def _kind(self, place: int, one: Happened) -> tuple[object, ...]:
        """Return a key; events that follow one another with equal keys share one line."""
        key = self.alike(one) if isinstance(one, TokenMoved) else None
        return (place,) if key is None else (one.span, *key)

    def alike(self, moved: TokenMoved) -> tuple[object, ...] | None:
        """Return a key; tokens that move together with equal keys share one line. None for a token with its own line.

        So the order of tokens does not give away their names, nor the faces that they had.
        """
        source, is_told = moved.token // self.layout.documents, self.sight.tells(moved)
        if is_told and not self.sight.is_mingled(source):
            return None
        return is_told, self.sight.where(source), self.sight.where(moved.holder)

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

    def _decision(self, taken: Decided) -> LogEntry | None:
        """Return the entry for a decision; None for one of chance whose outcome the viewer cannot tell.

        Whether there was more than one outcome would give away hidden things.
        """
        self.known, self.shown = self._chosen_of(taken), set()
        chance = taken.player is None and not taken.forced
        hidden = self._hidden(taken.notes)
        if chance and hidden:
            return None
        self.decisions += 1
        told = describe(taken.notes, self.variant, [], hidden=hidden)
        who = "chance" if chance else (taken.player or "there is only one way")
        return replace(self._made(self._decision_words(taken, who, told), None), news=True)

    def _chosen_of(self, taken: Decided) -> set[int]:
        """Return the tokens in the viewer's own options, or those that it was shown if they are all of one kind."""
        if taken.forced:
            return self.shown if len({one % self.layout.documents for one in self.shown}) == 1 else set()
        is_own = self.viewer is not None and taken.player == self.naming.players[self.viewer]
        return {value for _, base, value in taken.notes if base == "token"} if is_own else set()

    def _decision_words(self, taken: Decided, who: str, told: OptionWords) -> str:
        """Return a decision that nothing hides in words."""
        return f"{who} — {label_of(told.data, told.names)}"

    def _hidden(self, notes: Sequence[Note]) -> set[NotedThing]:
        """Return the things named by an option that the viewer may not see: tokens by where they lie, and types."""
        tokens = [value for _, base, value in notes if base == "token"]
        hidden = {("token", one) for place, one in enumerate(tokens) if not self._knows(one, tokens[:place].count(one))}
        return hidden | ({(base, value) for _, base, value in notes if base == "document"} if hidden else set())

    def _knows(self, token: int, further: int = 0) -> bool:
        return self.viewer is None or token in self.known or self.sight.knows(token, further)

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
        return self.naming.documents[token % self.layout.documents] if self._knows(token) else HIDDEN

    def _change(self, one: Happened) -> str:
        """Return a change in words."""
        naming = self.naming
        match one:
            case Seen(tokens=tokens, by=by):
                if by == self.viewer:
                    self.shown = self.shown | set(tokens)
                return self._seen(tokens, by)
            case TokenMoved(token=token, holder=target):
                source = token // self.layout.documents
                return f"{self._moved(one)}: {self.sight.where(source)} to {self.sight.where(target)}"
            case FieldSet(field=field, of=of, value=value):
                return self._field(field, of, value)
            case NumberChanged(noun=noun, value=value):
                return f"{noun}: {value}"
            case Raised(piece=piece, what=what, amount=amount):
                return f"{naming.told('piece', piece)}: {amount:+d} {self.layout.raises[what]}"
            case Became(piece=piece, document=document):
                return f"{naming.told('piece', piece)} becomes {naming.documents[document]}"
            case KindChanged(piece=piece, kind=kind):
                became = with_article(self.layout.ruleset.kinds[kind].name)
                return f"{naming.told('piece', piece)} becomes {became}"
            case Owned(piece=piece, player=player):
                return f"{naming.told('piece', piece)} goes over to {naming.players[player]}"
            case Moved(piece=piece, space=space):
                return f"{naming.told('piece', piece)} goes to {naming.spaces[space]}"
            case Placed(piece=piece):
                return f"{naming.told('piece', piece)} is put there"
            case Removed(piece=piece):
                return f"{naming.told('piece', piece)} leaves the board"
        raise TypeError(f"nothing is said of {one!r}")

    def _moved(self, one: TokenMoved) -> str:
        """Return the names of the tokens that move together, or just the number of hidden ones."""
        found: Counter[str] = Counter()
        for each in self.together:
            found[self.naming.documents[each.token % self.layout.documents]] += each.count
        if not self.sight.tells(one):
            found = Counter({HIDDEN: found.total()})
        return ", ".join(f"{name} ({count})" if count > 1 else name for name, count in sorted(found.items()))

    def _seen(self, tokens: Sequence[int], by: int) -> str:
        shown = [self.naming.documents[one % self.layout.documents] for one in tokens]
        if self.viewer is not None and self.viewer != by:
            # Nobody else is told how many kinds of tokens there are, nor where they go.
            open_ones = [self.sight.sees(one // self.layout.documents) for one in tokens]
            shown = list(dict.fromkeys(one if seen else HIDDEN for one, seen in zip(shown, open_ones, strict=True)))
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
            value = (value >> TRAIL_BITS * (field.width - 1) & TRAIL_MASK) - 1
        new = str(bool(value)).lower() if base == "flag" else self.naming.name(base, value, [])
        return ("nothing" if base in CAN_BE_UNSET else "nobody") if new is None else new


class WordReader:
    """A reader that returns the words of the entries of a writer."""

    def __init__(self, writer: LogWriter) -> None:
        self.writer = writer

    @property
    def key(self) -> Hashable:
        """The key of the writer, with a mark for words."""
        return "lines", self.writer.key

    def entries(self, events: Sequence[Happened]) -> list[str]:
        """Return the lines for raw events."""
        return [one.text for one in self.writer.entries(events)]

    def __copy__(self) -> WordReader:
        return WordReader(copy(self.writer))


def readable(entries: Sequence[LogEntry]) -> list[str]:
    """Return entries in lines that name the clause and its place."""
    return [
        f"{entry.text}   [{entry.clause} — {entry.file}:{entry.line}]" if entry.clause else entry.text
        for entry in entries
    ]
