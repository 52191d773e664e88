"""Occurrences: the records of a game's history by their agents and roles. Log, news, events and motions use them."""

from __future__ import annotations

from typing import Any, NamedTuple

from warchest.engine import history
from warchest.engine.history import Acted, FieldSet, Happened
from warchest.game.telling.naming import NotedThing
from warchest.ir.ruleset import AGENT, FIXED
from warchest.ir.values import NOTHING
from warchest.lowering.act_orders import role_key
from warchest.lowering.code import UNSET
from warchest.lowering.program import Program

NOBODY: NotedThing = ("", None)
"""The agent of an occurrence without an agent."""


class Filler(NamedTuple):
    """A thing in a role of an occurrence, with the key and, in an act, the preposition of the role."""

    key: str
    base: str
    value: Any
    word: str = ""


class Occurrence(NamedTuple):
    """An event: its kind, as in `Event`, the piece or the player that acted, and the other things."""

    kind: str
    agent: NotedThing
    roles: tuple[Filler, ...] = ()


def occurrence_of(one: Happened, program: Program) -> Occurrence:
    """Return the occurrence that a record is about."""
    match one:
        case Acted():
            return _act(one, program)
        case history.TokenMoved(token=token, holder=holder, count=count):
            way = Filler("from", "holder", token // program.layout.documents), Filler("to", "holder", holder)
            number = (Filler("number", "number", count),) if count > 1 else ()
            return Occurrence("token", NOBODY, (Filler("token", "token", token), *way, *number))
        case FieldSet():
            return _field(one, program)
        case history.Decided(player=player, notes=notes, forced=forced):
            act = next((base for key, base, _ in reversed(notes) if key in ("act", "kind")), "")
            return Occurrence(
                "decided", ("word", player), (Filler("act", "word", act), Filler("forced", "word", forced))
            )
        case history.NumberChanged(noun=noun, value=value):
            return Occurrence("counted", NOBODY, (Filler("number", "word", noun), Filler("value", "number", value)))
        case history.Seen(tokens=tokens, by=by):
            return Occurrence("seen", ("player", by), (Filler("tokens", "tokens", tokens),))
        case history.Answered(whose=whose, carrier=carrier):
            document: NotedThing = ("document", carrier) if carrier >= 0 else NOBODY
            return Occurrence("answered", ("piece", whose) if whose is not None else document)
        case history.Performed(whose=whose):
            return Occurrence("performed", ("piece", whose))
        case history.Ended(reason=reason):
            return Occurrence("ended", NOBODY, (Filler("reason", "word", reason),))
        case history.Raised(piece=piece, what=what, amount=amount):
            raised = Filler("what", "word", program.layout.raises[what]), Filler("by", "amount", amount)
            return Occurrence("raised", ("piece", piece), raised)
    return _piece(one)


def _piece(one: Happened) -> Occurrence:
    """Return the occurrence of a record about a piece on the board; for any other record, only its kind."""
    match one:
        case history.Moved(piece=piece, space=space):
            way = Filler("from", "space", piece[1]), Filler("to", "space", space)
            return Occurrence("moved", ("piece", piece), way)
        case history.Placed(piece=piece):
            return Occurrence("placed", ("piece", piece), (Filler("to", "space", piece[1]),))
        case history.Removed(piece=piece):
            return Occurrence("removed", ("piece", piece), (Filler("from", "space", piece[1]),))
        case history.Became(piece=piece, document=document):
            return Occurrence("became", ("piece", piece), (Filler("to", "document", document),))
        case history.KindChanged(piece=piece, kind=kind):
            return Occurrence("became", ("piece", piece), (Filler("to", "kind", kind),))
        case history.Owned(piece=piece, player=player):
            return Occurrence("owned", ("piece", piece), (Filler("by", "player", player),))
    return Occurrence(type(one).__name__.lower(), NOBODY)


def _act(one: Acted, program: Program) -> Occurrence:
    act, agent = program.acts[one.verb], one.roles[AGENT]
    roles = tuple(
        Filler(role_key(role.word, role.noun), role.base, value, role.word)
        for role, value in zip(act.verb.roles, one.roles[FIXED:], strict=False)
        if value not in (NOTHING, UNSET)
    )
    return Occurrence(act.verb.act, (act.bases[AGENT], agent) if agent != NOTHING else NOBODY, roles)


def _field(one: FieldSet, program: Program) -> Occurrence:
    """Return the occurrence of a field that gets a value; of a trail, it has all steps."""
    field = program.layout.ruleset.fields[one.field]
    value: Any = bool(one.value) if field.base == "flag" else one.value
    new = Filler("to", "trail" if field.steps and field.base != "flag" else field.base, value)
    whose = Filler("of", field.of, one.of) if field.of else Filler("of", *NOBODY)
    return Occurrence("changed", NOBODY, (Filler("field", "word", field.name), whose, new))
