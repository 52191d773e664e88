"""Events of a game, by name, for callers of a state.

They are made of the same records as the log, when somebody reads them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from warchest.engine.history import (
    Acted,
    Answered,
    Became,
    Decided,
    Ended,
    FieldSet,
    Happened,
    KindChanged,
    Moved,
    NumberChanged,
    Owned,
    Performed,
    Placed,
    Raised,
    Removed,
    Seen,
    TokenMoved,
)
from warchest.ir.ruleset import AGENT, FIXED
from warchest.ir.values import NOTHING
from warchest.lowering.act_orders import role_key
from warchest.source.text import Span

if TYPE_CHECKING:
    from warchest.game.variant import Variant

_UNSET = (NOTHING, -2)


@dataclass(frozen=True, slots=True)
class Clause:
    """A text of the rules, with its place."""

    text: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class ToldPiece:
    """A piece at the time of an event: the `name` of its document, and the space `at` which it was."""

    name: str
    at: str


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened.

    `kind` is the game's verb for an act, else `decided`, `moved`, `placed`, `removed`, `became`, `owned`, `token`,
    `changed`, `counted` (a hook has changed the number of an act), `raised`, `seen`, `answered`, `performed`,
    `replaced`, `lapsed`, `unordered` or `ended`. `agent` is the piece or player that acted, if any, and `roles` has the
    other things of the act by name. `clause` is the text that did it, and `cause` the text that ordered the act of that
    clause. `decision` counts the decisions before it. `pieces` are those among them in parts, by their roles; the piece
    that acted is the `agent`.
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
    """Makes events of records: names for their numbers."""

    key = "events"

    def __init__(self, variant: Variant) -> None:
        self.variant, self.naming, self.layout = variant, variant.naming, variant.program.layout
        self.decisions = 0

    def entries(self, events: Sequence[Happened]) -> list[Event]:
        """Return an event for each record."""
        return [self._event(one) for one in events]

    def _event(self, one: Happened) -> Event:
        self.decisions += isinstance(one, Decided)
        kind, agent, roles = self._told(one)
        return Event(kind, agent, roles, _clause(one.span), _clause(one.cause), self.decisions, self._pieces(one))

    def _pieces(self, one: Happened) -> dict[str, ToldPiece]:
        """Return the pieces of a record by their roles."""
        match one:
            case Acted():
                act = self.variant.program.acts[one.verb]
                named = zip(act.verb.roles, one.roles[FIXED:], strict=False)
                found = [
                    ("agent", act.bases[AGENT], one.roles[AGENT]),
                    *((role_key(role.word, role.noun), role.base, value) for role, value in named),
                ]
                pieces = {key: value for key, base, value in found if base == "piece"}
            case Moved(piece=piece) | Placed(piece=piece) | Removed(piece=piece) | Became(piece=piece):
                pieces = {"agent": piece}
            case (
                Owned(piece=piece)
                | KindChanged(piece=piece)
                | Raised(piece=piece)
                | Answered(whose=piece)
                | Performed(whose=piece)
            ):
                pieces = {"agent": piece}
            case _:
                pieces = {}
        naming = self.naming
        return {
            key: ToldPiece(naming.documents[value[0]], naming.spaces[value[1]])
            for key, value in pieces.items()
            if isinstance(value, tuple)
        }

    def _told(self, one: Happened) -> tuple[str, str | None, dict[str, Any]]:
        naming, spaces = self.naming, self.naming.spaces
        match one:
            case Acted():
                return self._act(one)
            case Decided(player=player, notes=notes, forced=forced):
                act = next((base for key, base, _ in reversed(notes) if key in ("act", "kind")), "")
                return "decided", player, {"act": act, "forced": forced}
            case Moved(piece=piece, space=space):
                return "moved", naming.told("piece", piece), {"from": spaces[piece[1]], "to": spaces[space]}
            case Placed(piece=piece):
                return "placed", naming.told("piece", piece), {"to": spaces[piece[1]]}
            case Removed(piece=piece):
                return "removed", naming.told("piece", piece), {"from": spaces[piece[1]]}
            case Became(piece=piece) | KindChanged(piece=piece):
                return "became", naming.told("piece", piece), {"to": self._became(one)}
            case Owned(piece=piece, player=player):
                return "owned", naming.told("piece", piece), {"by": naming.players[player]}
            case TokenMoved(token=token, holder=holder, count=count):
                source, document = divmod(token, self.layout.documents)
                moved = {"token": naming.documents[document], "from": naming.where(source), "to": naming.where(holder)}
                return "token", None, moved | ({"number": count} if count > 1 else {})
            case FieldSet(field=field, of=of, value=value):
                return "changed", None, self._field(field, of, value)
            case NumberChanged(noun=noun, value=value):
                return "counted", None, {"number": noun, "value": value}
            case Raised(piece=piece, what=what, amount=amount):
                raised = self.layout.raises[what]
                return "raised", naming.told("piece", piece), {"what": raised, "by": amount}
            case Seen(tokens=tokens, by=by):
                named = tuple(naming.documents[token % self.layout.documents] for token in tokens)
                return "seen", naming.players[by], {"tokens": named}
            case Answered(whose=whose, carrier=carrier):
                who = naming.documents[carrier] if carrier >= 0 else None
                return "answered", naming.told("piece", whose) if whose is not None else who, {}
            case Performed(whose=whose):
                return "performed", naming.told("piece", whose), {}
            case Ended(reason=reason):
                return "ended", None, {"reason": reason}
        return type(one).__name__.lower(), None, {}

    def _became(self, one: Became | KindChanged) -> str:
        """Return the name of the document or the kind that a piece changed to."""
        if isinstance(one, KindChanged):
            return self.layout.ruleset.kinds[one.kind].name
        return self.naming.documents[one.document]

    def _act(self, one: Acted) -> tuple[str, str | None, dict[str, Any]]:
        act = self.variant.program.acts[one.verb]
        roles = {
            role_key(role.word, role.noun): self.naming.told(role.base, value)
            for role, value in zip(act.verb.roles, one.roles[FIXED:], strict=False)
            if value not in _UNSET
        }
        agent = one.roles[AGENT]
        return act.verb.act, self.naming.told(act.bases[AGENT], agent) if agent != NOTHING else None, roles

    def _field(self, number: int, of: Any, value: int) -> dict[str, Any]:
        field = self.layout.ruleset.fields[number]
        new = bool(value) if field.base == "flag" else value if field.steps else self.naming.name(field.base, value, [])
        return {"field": field.name, "of": self.naming.whose(field, of), "to": new}


def _clause(span: Span | None) -> Clause | None:
    return Clause(span.one_line, span.path, span.line) if span is not None else None
