"""Events of a game, by name, for callers of a state.

They are made from the records of the log when they are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from warchest.engine.history import Decided, Happened
from warchest.game.telling.occurrences import Filler, occurrence_of
from warchest.source.text import Span

if TYPE_CHECKING:
    from warchest.game.variant import Variant


@dataclass(frozen=True, slots=True)
class Clause:
    """A text of the rules, with its place."""

    text: str
    file: str
    line: int


class Clauses(dict[Span | None, Clause]):
    """The clauses at places in documents, each read once."""

    def __missing__(self, span: Span | None) -> Clause:
        self[span] = Clause(span.one_line, span.path, span.line) if span is not None else Clause("", "", 0)
        return self[span]


@dataclass(frozen=True, slots=True)
class ToldPiece:
    """A piece at the time of an event: the `name` of its document, and its space `at` that time."""

    name: str
    at: str


@dataclass(frozen=True, slots=True)
class Event:
    """An event.

    `kind` is the game's verb for an act, otherwise `decided`, `moved`, `placed`, `removed`, `became`, `owned`, `token`,
    `changed`, `counted` (a hook has changed the number of an act), `raised`, `seen`, `answered`, `performed`,
    `replaced`, `lapsed`, `unordered` or `ended`. `agent` is the piece or player that acted, if any, and `roles` has the
    other things of the act by name. `clause` is the text that did it, and `cause` the text that ordered the act of that
    clause. `decision` counts the decisions before it. `pieces` describes the pieces among the roles, by role; for the
    piece that acted the key is `agent`.
    """

    kind: str
    agent: str | None
    roles: Mapping[str, Any]
    clause: Clause | None
    cause: Clause | None
    decision: int
    pieces: Mapping[str, ToldPiece] = field(default_factory=dict)


def events_of(history: Sequence[Happened], variant: Variant) -> list[Event]:
    """Return the events of a history, the oldest first."""
    return EventReader(variant).entries(history)


class EventReader:
    """Makes events of records: it replaces numbers by names."""

    key = "events"

    def __init__(self, variant: Variant) -> None:
        self.variant, self.naming = variant, variant.naming
        self.decisions, self.clauses = 0, Clauses()

    def entries(self, events: Sequence[Happened]) -> list[Event]:
        """Return an event for each record."""
        return [self._event(one) for one in events]

    def _event(self, one: Happened) -> Event:
        self.decisions += isinstance(one, Decided)
        kind, agent, roles = occurrence_of(one, self.variant.program)
        pieces = {
            key: ToldPiece(self.naming.documents[value[0]], self.naming.spaces[value[1]])
            for key, base, value, _ in (Filler("agent", *agent), *roles)
            if base == "piece" and isinstance(value, tuple) and kind != "changed"
        }
        who, named = self.naming.told(*agent), {key: self.naming.told(base, value) for key, base, value, _ in roles}
        clause, cause = (self.clauses[span] if span is not None else None for span in (one.span, one.cause))
        return Event(kind, who, named, clause, cause, self.decisions, pieces)
