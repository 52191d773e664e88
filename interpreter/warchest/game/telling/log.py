"""The log: every change, with the clause that made it and the decision that led there.

Entries are kept as numbers and turned into words when they are read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from warchest.diagnostics.articles import with_article
from warchest.engine.history import Acted, Decided, Ended, FieldSet, Happened, Moved, Placed, Seen, TokenMoved
from warchest.game.ending import ended_by
from warchest.game.telling.labels import describe, label_of
from warchest.game.telling.naming import NotedThing
from warchest.game.telling.occurrences import NOBODY, Occurrence, occurrence_of
from warchest.game.telling.past import Item, Past, Reader
from warchest.game.telling.phrases import GAP, GAPS, HIDDEN, TablePhrases, filled
from warchest.game.telling.public_events import Clauses
from warchest.game.telling.sight import Sight, looks
from warchest.game.telling.wording import listed
from warchest.ir.ruleset import LASTS
from warchest.ir.values import NOTHING, TRAIL_BITS, TRAIL_MASK
from warchest.lowering.code import Note
from warchest.lowering.layout import NOWHERE
from warchest.source.text import Span

if TYPE_CHECKING:
    from warchest.engine.runs import Run
    from warchest.game.decision import Option
    from warchest.game.variant import Variant


ASIDES: Mapping[str, str] = {
    "lapsed": "it is not possible, and is left out",
    "replaced": "this happens instead",
    "answered": "{agent} answers",
    "performed": "{agent} follows its text",
    "unordered": "the order makes no difference, and nobody is asked for one",
    "counted": "the {number} is {value} now",
}
"""The lines for occurrences that concern only the rules, by kind."""
CHANGES: Mapping[str, str] = {
    "seen": "{agent} sees {tokens}",
    "raised": "{agent} gets {by} {what}",
    "became": "{agent} becomes {to}",
    "owned": "{agent} goes over to {by}",
    "moved": "{agent} goes to {to}",
    "placed": "{agent} comes onto the board",
    "removed": "{agent} leaves the board",
}
"""The lines for changes where the game has no phrases, by kind; those of tokens and of fields have several."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One event: in words, with the clause and its place, its source, and the number of the decision.

    `inner` marks an internal matter, a change without a phrase or one that another line reports: the log leaves it out.
    `news` marks an event worth reading as it happens.
    """

    text: str
    clause: str
    file: str
    line: int
    source: str
    decision: int
    news: bool = False
    inner: bool = False


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
        """Read all events with a new reader; return the results."""
        if run.onlooker is not None:
            # The log is read while events are under way, and these may yet be taken back.
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
        """Return the notes of an option with pieces named by their spaces, so that the memory need not be kept."""
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
    """Turns raw events into entries, hiding the parts that a viewer may not see: in some phrases, or in plain words."""

    def __init__(self, variant: Variant, viewer: int | None, phrases: TablePhrases | None = None) -> None:
        self.variant, self.viewer, self.phrases = variant, viewer, phrases or TablePhrases()
        self.is_plain = phrases is None
        self.program, self.naming, self.wording = variant.program, variant.naming, variant.wording
        self.clauses, self.decisions = Clauses(), 0
        """The number of decisions in the entries so far."""
        self.sight = Sight(variant, viewer, ())
        """The viewer's sight of the tokens that are moving now."""
        self.shown: set[int] = set()
        """The tokens that the viewer has been shown since the last decision."""
        self.known: set[int] = set()
        """The tokens that the viewer knows by name in the present decision, because it chose among them."""
        self.together: Sequence[TokenMoved] = ()
        """The moves of tokens that share one line."""
        self.decided, self.named = "", frozenset[str]()
        """The act that the last decision's line has reported, until it begins; and the things named in the line."""
        self.who, self.come = "", frozenset[str]()
        """The words for the last decider, and the sets of words that also name the piece that has come since."""

    @property
    def key(self) -> Hashable:
        """The viewer, and whether the words are plain."""
        return self.viewer, self.is_plain

    def entries(self, events: Sequence[Happened]) -> list[LogEntry]:
        """Return the entries for records that begin with a decision that was asked, or with the game."""
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
        return found

    def _key(self, one: Happened) -> object:
        """Return a key; consecutive events with equal keys share one line."""
        key = self.alike(one) if isinstance(one, TokenMoved) else None
        return id(one) if key is None else (one.span, *key)

    def alike(self, moved: TokenMoved) -> tuple[object, ...] | None:
        """Return a key; tokens that move together with equal keys share one line. None if a token has its own line.

        So the order of tokens reveals neither their names nor the faces that they had. A phrase that names no token is
        the key itself, so that many tokens share it.
        """
        phrase = self._phrase(moved, "token")
        if phrase and "token" not in GAP.findall(phrase):
            return (filled(phrase, self._gaps_of(moved)),)
        source, is_told = moved.token // self.program.layout.documents, self.sight.tells(moved)
        if is_told and not self.sight.is_mingled(source):
            return None
        return is_told, self.sight.where(source), self.sight.where(moved.holder)

    def entry(self, one: Happened) -> LogEntry | None:
        """Return the entry for a record, or None if it is not worth a line."""
        if isinstance(one, Decided):
            return self._decision(one)
        told = occurrence_of(one, self.program)
        if isinstance(one, Acted):
            return self._act(one, told)
        if isinstance(one, Ended):
            return self._made(one.reason, one.span)
        words = self._words(one, told)
        if told.kind in ASIDES:
            # The owner of an answering text does not concern only the rules.
            inner = told.kind != "answered" or told.agent == NOBODY
            return self._made(f"  {ASIDES[told.kind].format_map(words)}", one.span, inner=inner)
        return self._change(one, told.kind, words)

    def _change(self, one: Happened, kind: str, words: Mapping[str, str]) -> LogEntry:
        """Return the entry for a change. It is an inner matter if its phrase is empty, or the decision has reported it.

        Without a phrase, fields are inner matters, and so are tokens that move to or from a text alone.
        """
        phrase, is_nameless = self._phrase(one, kind), False
        if phrase:
            text = filled(phrase, {gap: words[role] for gap, role in GAPS[kind].items()})
            is_nameless = kind == "token" and "token" not in GAP.findall(phrase)
        elif isinstance(one, FieldSet):
            text = self._field_line(one).format_map(words)
        else:
            text = words["line"] if isinstance(one, TokenMoved) else CHANGES[kind].format_map(words)
        is_spoken = not isinstance(one, FieldSet) and not (isinstance(one, TokenMoved) and self._is_held(one))
        self.come = frozenset({self.who, words["agent"]}) if isinstance(one, Placed) else self.come
        said = {words.get("of" if isinstance(one, FieldSet) else "agent", HIDDEN), words.get("to", HIDDEN)}
        is_told = isinstance(one, Moved | FieldSet) and (said <= self.named or said <= self.come)
        is_held = isinstance(one, TokenMoved) and one.token < self.program.layout.documents
        if is_held and {words["token"], words["whose"]} <= self.named:
            # The outcome of chance has reported this token, and no further one like it.
            is_told, self.named = True, frozenset()
        inner = is_told or not (is_spoken if phrase is None else phrase)
        news = not inner and (is_nameless or words.get("hidden") != HIDDEN)
        return self._made(f"  {text}", one.span, news, inner)

    def _is_held(self, moved: TokenMoved) -> bool:
        """Whether a token comes from, or goes to, a place where only a text holds it."""
        return NOWHERE in (moved.token // self.program.layout.documents, moved.holder)

    def _phrase(self, one: Happened, kind: str) -> str | None:
        """Return the phrase for a change, if there is one."""
        if isinstance(one, FieldSet):
            return self.phrases.of_field(self.program.layout.ruleset.fields[one.field].name, one.value)
        if isinstance(one, TokenMoved):
            source = one.token // self.program.layout.documents
            owned = bool(self._whose(one))
            return self.phrases.of_tokens(self.naming.place(source)[0], self.naming.place(one.holder)[0], owned)
        return self.phrases.pieces.get(kind)

    def _whose(self, moved: TokenMoved) -> str:
        """Return the name of the owner of a place that a token leaves or enters; empty where there is none."""
        source = moved.token // self.program.layout.documents
        return self.naming.place(source)[1] or self.naming.place(moved.holder)[1]

    def _gaps_of(self, moved: TokenMoved) -> dict[str, str]:
        """Return the words for the two places of a token that moves, without faces."""
        source = moved.token // self.program.layout.documents
        way = {"from": self.wording.place(source, False), "to": self.wording.place(moved.holder, False)}
        return {**way, "whose": self._whose(moved)}

    def _made(self, text: str, span: Span | None, news: bool = False, inner: bool = False) -> LogEntry:
        clause = self.clauses[span]
        source = self.variant.sources.get(clause.file, "")
        return LogEntry(text, clause.text, clause.file, clause.line, source, self.decisions, news, inner)

    def _decision(self, taken: Decided) -> LogEntry | None:
        """Return the entry for a decision; None for one of chance whose outcome the viewer does not know.

        Otherwise the line would reveal hidden things: whether there was more than one outcome.
        """
        self.known, self.shown = self._chosen_of(taken), set()
        chance = taken.player is None and not taken.forced
        hidden = self._hidden(taken.notes)
        if chance and hidden:
            self.decided, self.named = "", frozenset()
            return None
        self.decisions += 1
        told = describe(taken.notes, self.variant, [], hidden=hidden)
        acts = [str(told.data[key]) for key in ("act", "as") if key in told.data]
        things = {key: self._noted(thing, hidden) for key, thing in told.things.items()}
        if not taken.forced:
            self.who, self.come = taken.player or "chance", frozenset()
            things["who"] = self.who
        self.decided, self.named = "" if chance else acts[0], frozenset(things.values()) - {HIDDEN}
        # The phrase of the act, or of the act that it is a part of.
        phrases = [self.phrases.of_choice(act, things) for act in acts]
        phrase, label = next(filter(None, phrases), None), label_of(told.data, told.names)
        text = filled(phrase, things) if phrase else self._plain_decision(acts[-1], label, things)
        # Players' decisions are left out only if they had one option.
        silent = acts[0] in self.phrases.forced if taken.forced else chance and "" in phrases
        return self._made(text, None, not silent, silent)

    def _plain_decision(self, act: str, label: str, things: Mapping[str, str]) -> str:
        """Return the line for a decision without a phrase: the player, and the label of the option."""
        if "who" not in things:
            return f"nothing else can be done: {label}"
        _, colon, rest = label.partition(": ")
        return f"{things['who']} {self.wording.verb(act)}{colon}{rest}"

    def _noted(self, thing: NotedThing, hidden: Container[NotedThing]) -> str:
        return HIDDEN if thing in hidden else self.wording.thing(*thing)

    def _chosen_of(self, taken: Decided) -> set[int]:
        """Return the tokens named in the viewer's own option; if it was forced, shown tokens if all are of one kind."""
        if taken.forced:
            return self.shown if len({one % self.program.layout.documents for one in self.shown}) == 1 else set()
        is_own = self.viewer is not None and taken.player == self.naming.players[self.viewer]
        return {value for _, base, value in taken.notes if base == "token"} if is_own else set()

    def _hidden(self, notes: Sequence[Note]) -> set[NotedThing]:
        """Return the things named by an option that the viewer may not see: tokens by their places, and types."""
        tokens = [value for _, base, value in notes if base == "token"]
        hidden = {("token", one) for place, one in enumerate(tokens) if not self._knows(one, tokens[:place].count(one))}
        return hidden | ({(base, value) for _, base, value in notes if base == "document"} if hidden else set())

    def _knows(self, token: int, further: int = 0) -> bool:
        return self.viewer is None or token in self.known or self.sight.knows(token, further)

    def _act(self, one: Acted, told: Occurrence) -> LogEntry:
        """Return the entry for an act: its phrase, or the agent, the verb, and each thing with its preposition."""
        verb = self.program.acts[one.verb].verb
        is_told = verb.act == self.decided
        self.decided = "" if is_told else self.decided
        who = self._word(*told.agent) if told.agent != NOBODY else ""
        things = {each.key: self._word(each.base, each.value) for each in told.roles}
        phrase = self.phrases.of_act(verb.act, things | ({"who": who} if who else {}))
        if phrase:
            text = filled(phrase, things | {"who": who})
        else:
            roles = (f"{each.word} {self._role(each.base, each.value)}".strip() for each in told.roles)
            text = " ".join((*((who, self.wording.verb(verb.act)) if who else (verb.name,)), *roles))
        inner = is_told or not (who if phrase is None else phrase)
        return self._made(f"  {text}", one.span, not inner, inner)

    def _role(self, base: str, value: Any) -> str:
        return self.wording.role((base, value), base != "token" or self._knows(value))

    def _words(self, one: Happened, told: Occurrence) -> dict[str, str]:
        """Return the words for an occurrence, by its roles."""
        if isinstance(one, TokenMoved):
            return self._moved(one)
        words = {key: self._word(base, value) for key, base, value, _ in told.roles}
        if told.kind == "became":
            words["to"] = with_article(words["to"])
        match one:
            case Seen(tokens=tokens, by=by):
                words["tokens"] = self._seen(tokens, by)
            case FieldSet(field=number, value=value) if (field := self.program.layout.ruleset.fields[number]).steps:
                last = (value >> TRAIL_BITS * (field.width - 1) & TRAIL_MASK) - 1
                words["to"] = self._word(field.steps, last)
        return words | {"agent": self._word(*told.agent) if told.agent != NOBODY else "a rule"}

    def _word(self, base: str, value: Any) -> str:
        """Return the words for a thing, as far as the viewer knows it."""
        return HIDDEN if base == "token" and not self._knows(value) else self.wording.thing(base, value)

    def _moved(self, one: TokenMoved) -> dict[str, str]:
        """Return the words for tokens that move together, and for their way; for hidden tokens only their number."""
        found: Counter[int] = Counter()
        for each in self.together:
            found[each.token] += each.count
        is_told, source = self.sight.tells(one), one.token // self.program.layout.documents
        tokens, is_single = self.wording.tokens(found, is_told), found.total() == 1
        way = self.wording.way(source, one.holder, not self.sight.is_mingled(source), is_single)
        names = listed(sorted({str(self.naming.told("token", each)) for each in found})) if is_told else HIDDEN
        return {"token": names, "line": f"{tokens} {way}", "hidden": "" if is_told else HIDDEN, **self._gaps_of(one)}

    def _seen(self, tokens: Sequence[int], by: int) -> str:
        """Return the names of tokens that a player is shown."""
        shown: Sequence[str] = self.naming.told("tokens", tokens)
        if by == self.viewer:
            self.shown = self.shown | set(tokens)
        elif self.viewer is not None:
            # Other viewers do not learn the number of kinds of tokens, nor their destinations.
            open_ones = [self.sight.sees(one // self.program.layout.documents) for one in tokens]
            shown = list(dict.fromkeys(one if seen else HIDDEN for one, seen in zip(shown, open_ones, strict=True)))
        return ", ".join(shown) or "nothing"

    def _field_line(self, one: FieldSet) -> str:
        """Return the line for a field that gets a value, where the game has no phrase."""
        field = self.program.layout.ruleset.fields[one.field]
        if field.per == LASTS:
            is_over = one.value == (0 if field.base == "flag" else NOTHING)
            return "{field} is over for {of}" if is_over else "{field} begins for {of}"
        if field.per:
            return f"{{of}} has used {{field}} this {field.per}: {{to}}"
        if field.base == "flag" and not field.steps:
            whose = "{of}" if field.of else "it"
            return whose + (" is {field} now" if one.value else " is not {field} any more")
        return "the {field} of {of} is {to} now" if field.of else "the {field} is {to} now"


def readable(entries: Sequence[LogEntry]) -> list[str]:
    """Return entries as lines that name the clause and its place."""
    return [
        f"{entry.text}   [{entry.clause} — {entry.file}:{entry.line}]" if entry.clause else entry.text
        for entry in entries
    ]
