"""The log: every change, with the clause that made it and the decision that led there.

Entries are kept as numbers and turned into words when somebody reads them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from warchest.diagnostics.articles import with_article
from warchest.engine.history import Acted, Decided, Ended, FieldSet, Happened, Seen, TokenMoved
from warchest.game.ending import ended_by
from warchest.game.telling.labels import HIDDEN, describe, label_of
from warchest.game.telling.naming import NotedThing
from warchest.game.telling.occurrences import NOBODY, Occurrence, occurrence_of
from warchest.game.telling.past import Item, Past, Reader
from warchest.game.telling.phrases import GAP, GAPS, TablePhrases, filled
from warchest.game.telling.public_events import Clauses
from warchest.game.telling.sight import Sight, looks
from warchest.ir.ruleset import LASTS
from warchest.ir.values import CAN_BE_UNSET, NOTHING, TRAIL_BITS, TRAIL_MASK
from warchest.lowering.code import Note
from warchest.source.text import Span

if TYPE_CHECKING:
    from warchest.engine.runs import Run
    from warchest.game.decision import Option
    from warchest.game.variant import Variant


ASIDES: Mapping[str, str] = {
    "lapsed": "  it is not possible, and is left out",
    "replaced": "  this happens instead",
    "answered": "  {agent} answers",
    "performed": "  {agent} does what it says",
    "ended": "{reason}",
    "unordered": "  the order makes no difference, and nobody is asked for one",
}
"""The lines for occurrences that are no news, by kind."""
CHANGES: Mapping[str, str] = {
    "seen": "{agent} sees {tokens}",
    "token": "{token}: {from} to {to}",
    "counted": "{number}: {value}",
    "raised": "{agent}: {by} {what}",
    "became": "{agent} becomes {to}",
    "owned": "{agent} goes over to {by}",
    "moved": "{agent} goes to {to}",
    "placed": "{agent} is put there",
    "removed": "{agent} leaves the board",
}
"""The lines for changes where the game has no phrases, by kind; those of fields have several."""


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
        """Note that the game is over, with the clause that ended it."""
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
    """Turns raw events into entries, hiding the parts that a viewer may not see.

    With `phrases` these are the news: decisions, and changes of things that positions have, in the game's phrases for
    them; entries whose phrase is empty are left out.
    """

    def __init__(self, variant: Variant, viewer: int | None, phrases: TablePhrases | None = None) -> None:
        self.variant, self.viewer = variant, viewer
        self.is_news, self.phrases = phrases is not None, phrases or TablePhrases()
        self.program, self.naming = variant.program, variant.naming
        self.clauses, self.decisions = Clauses(), 0
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
        """The viewer, and whether the entries are the news."""
        return self.viewer, self.is_news

    def entries(self, events: Sequence[Happened]) -> list[LogEntry]:
        """Return the entries for raw events that begin with a decision that was asked for, or with the game."""
        found = list[LogEntry]()
        for part in looks(events):
            self.sight = Sight(self.variant, self.viewer, part)
            for _, alike in groupby(part, self._key):
                same = list(alike)
                self.together = [one for one in same if isinstance(one, TokenMoved)]
                entry = self.entry(same[0])
                if entry is not None:
                    found.append(entry)
                for one in same:
                    self.sight.leave_behind(one)
        self.sight = Sight(self.variant, self.viewer, ())
        return [one for one in found if one.news and one.text.strip()] if self.is_news else found

    def _key(self, one: Happened) -> object:
        """Return a key; events that follow one another with equal keys share one line."""
        key = self.alike(one) if isinstance(one, TokenMoved) else None
        return id(one) if key is None else (one.span, *key)

    def alike(self, moved: TokenMoved) -> tuple[object, ...] | None:
        """Return a key; tokens that move together with equal keys share one line. None for a token with its own line.

        So the order of tokens does not give away their names, nor the faces that they had. A phrase that names no
        token is the key itself, so that many tokens share it.
        """
        phrase = self._phrase(moved, "token")
        if phrase is not None and "token" not in GAP.findall(phrase):
            return (filled(phrase, {"whose": self._whose(moved)}),)
        source, is_told = moved.token // self.program.layout.documents, self.sight.tells(moved)
        if is_told and not self.sight.is_mingled(source):
            return None
        return is_told, self.sight.where(source), self.sight.where(moved.holder)

    def entry(self, one: Happened) -> LogEntry | None:
        """Return the entry for something that happened, or None if there is nothing to say."""
        if isinstance(one, Decided):
            return self._decision(one)
        told = occurrence_of(one, self.program)
        if isinstance(one, Acted):
            return self._made(self._act(self.program.acts[one.verb].verb.name, told), one.span)
        words = self._words(one, told)
        if told.kind in ASIDES:
            return self._made(ASIDES[told.kind].format_map(words), one.span)
        line = self._field_line(one) if isinstance(one, FieldSet) else CHANGES[told.kind]
        text, phrase = line.format_map(words), self._phrase(one, told.kind)
        news = HIDDEN not in text and not (isinstance(one, FieldSet) and self._is_unlisted(one.field))
        if phrase is not None and (news or (told.kind == "token" and "token" not in GAP.findall(phrase))):
            gaps = {gap: words[role] for gap, role in GAPS[told.kind].items()}
            return self._made(f"  {filled(phrase, gaps)}".rstrip(), one.span, True)
        return self._made(f"  {text}", one.span, news)

    def _phrase(self, one: Happened, kind: str) -> str | None:
        """Return the phrase for a change, if there is one."""
        if isinstance(one, FieldSet):
            return self.phrases.of_field(self.program.layout.ruleset.fields[one.field].name, one.value)
        if isinstance(one, TokenMoved):
            source = one.token // self.program.layout.documents
            return self.phrases.of_tokens(self.naming.place(source)[0], self.naming.place(one.holder)[0])
        return self.phrases.pieces.get(kind)

    def _whose(self, moved: TokenMoved) -> str:
        """Return the name of the owner of a place that a token leaves or enters; empty where there is none."""
        source = moved.token // self.program.layout.documents
        return self.naming.place(source)[1] or self.naming.place(moved.holder)[1]

    def _is_unlisted(self, field: int) -> bool:
        return field in self.variant.format.unlisted.fields or bool(self.program.layout.ruleset.fields[field].per)

    def _made(self, text: str, span: Span | None, news: bool = False) -> LogEntry:
        clause = self.clauses[span]
        source = self.variant.sources.get(clause.file, "")
        return LogEntry(text, clause.text, clause.file, clause.line, source, self.decisions, news)

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
        phrase = self._act_phrase(taken, told.data)
        text = (
            f"{who} — {label_of(told.data, told.names)}"
            if phrase is None
            else filled(phrase, {**told.data, "who": who})
        )
        return self._made(text, None, True)

    def _act_phrase(self, taken: Decided, data: Mapping[str, Any]) -> str | None:
        """Return the phrase for a decision, if one has a gap for each role, so that it says as much as the label."""
        act = str(data["act"])
        if taken.forced and act in self.phrases.forced:
            return ""
        phrase, roles = self.phrases.acts.get(act), data.keys() - {"act"}
        return phrase if phrase is not None and roles <= set(GAP.findall(phrase)) <= {*roles, "who"} else None

    def _chosen_of(self, taken: Decided) -> set[int]:
        """Return the tokens in the viewer's own options, or those that it was shown if they are all of one kind."""
        if taken.forced:
            return self.shown if len({one % self.program.layout.documents for one in self.shown}) == 1 else set()
        is_own = self.viewer is not None and taken.player == self.naming.players[self.viewer]
        return {value for _, base, value in taken.notes if base == "token"} if is_own else set()

    def _hidden(self, notes: Sequence[Note]) -> set[NotedThing]:
        """Return the things named by an option that the viewer may not see: tokens by where they lie, and types."""
        tokens = [value for _, base, value in notes if base == "token"]
        hidden = {("token", one) for place, one in enumerate(tokens) if not self._knows(one, tokens[:place].count(one))}
        return hidden | ({(base, value) for _, base, value in notes if base == "document"} if hidden else set())

    def _knows(self, token: int, further: int = 0) -> bool:
        return self.viewer is None or token in self.known or self.sight.knows(token, further)

    def _act(self, verb: str, told: Occurrence) -> str:
        """Return an act in words: the agent, the verb, and each thing behind its preposition."""
        who = (self._word(*told.agent),) if told.agent != NOBODY else ()
        return "  " + " ".join(
            (*who, verb, *(f"{one.word} {self._word(one.base, one.value)}".strip() for one in told.roles))
        )

    def _words(self, one: Happened, told: Occurrence) -> dict[str, str]:
        """Return the words for an occurrence, by its roles."""
        words = {key: self._word(base, value) for key, base, value, _ in told.roles}
        match one:
            case Seen(tokens=tokens, by=by):
                words["tokens"] = self._seen(tokens, by)
            case TokenMoved():
                words |= {"token": self._moved(one), "whose": self._whose(one)}
            case FieldSet(field=number, value=value) if (field := self.program.layout.ruleset.fields[number]).steps:
                last = (value >> TRAIL_BITS * (field.width - 1) & TRAIL_MASK) - 1
                words["to"] = self._word(field.steps, last)
        return words | {"agent": self._word(*told.agent) if told.agent != NOBODY else "a rule"}

    def _word(self, base: str, value: Any) -> str:
        """Return the words for a thing, as far as the viewer knows it."""
        if base == "token" and not self._knows(value):
            return HIDDEN
        if base == "holder":
            return self.sight.where(value)
        told = self.naming.told(base, value)
        if base == "kind":
            return with_article(told)
        if base == "amount":
            return f"{told:+d}"
        if told is None and base:
            return "nothing" if base in CAN_BE_UNSET else "nobody"
        return str(told).lower() if isinstance(told, bool) else str(told)

    def _moved(self, one: TokenMoved) -> str:
        """Return the names of the tokens that move together, or just the number of hidden ones."""
        found: Counter[str] = Counter()
        for each in self.together:
            found[self.naming.told("token", each.token)] += each.count
        if not self.sight.tells(one):
            found = Counter({HIDDEN: found.total()})
        return ", ".join(f"{name} ({count})" if count > 1 else name for name, count in sorted(found.items()))

    def _seen(self, tokens: Sequence[int], by: int) -> str:
        """Return the names of tokens that a player is shown."""
        shown: Sequence[str] = self.naming.told("tokens", tokens)
        if by == self.viewer:
            self.shown = self.shown | set(tokens)
        elif self.viewer is not None:
            # Nobody else is told how many kinds of tokens there are, nor where they go.
            open_ones = [self.sight.sees(one // self.program.layout.documents) for one in tokens]
            shown = list(dict.fromkeys(one if seen else HIDDEN for one, seen in zip(shown, open_ones, strict=True)))
        return ", ".join(shown) or "nothing"

    def _field_line(self, one: FieldSet) -> str:
        """Return the line for a field that gets a value."""
        field = self.program.layout.ruleset.fields[one.field]
        if field.per == LASTS:
            is_over = one.value == (0 if field.base == "flag" else NOTHING)
            return "{field}: over for {of}" if is_over else "{field}: begins for {of}"
        if field.per:
            return f"{{of}} has used {{field}}: {{to}} this {field.per}"
        return "{field} of {of}: {to}" if field.of else "{field}: {to}"


def readable(entries: Sequence[LogEntry]) -> list[str]:
    """Return entries in lines that name the clause and its place."""
    return [
        f"{entry.text}   [{entry.clause} — {entry.file}:{entry.line}]" if entry.clause else entry.text
        for entry in entries
    ]
