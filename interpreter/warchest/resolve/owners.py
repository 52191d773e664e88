"""Owners that change: a piece goes over to another player."""

from __future__ import annotations

from typing import TypeGuard

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.parts import nodes_in
from warchest.ir.values import Attribute, Const
from warchest.resolve.antecedents import understood
from warchest.resolve.conditions import read_is_so
from warchest.resolve.phrase_nouns import article, is_indefinite, noun_of
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Flaw, Scope, Typed, flaw
from warchest.resolve.value_reader import read_value
from warchest.syntax import ast


def change_owner(reader: TextReader, node: ast.Becomes, who: Typed, place: Attribute, scope: Scope) -> ir.ChangeOwner:
    """Read `you become the owner of that unit`; raises Flaw if it could also be meant the other way round."""
    piece = place.of
    if is_owner(who.value):
        raise _of_two(node, who.value, place)
    if isinstance(who.value, Const):
        message = "a piece always has an owner"
        help = "say which player gets it, or take it off the board: `remove …`"
        raise flaw("wrong-kind", message, node.subject.span, help)
    if who.base != "player":
        message = f"{article(who)} cannot own anything"
        help = f"an owner is a player: `you become {node.value.span.text}`"
        raise flaw("wrong-kind", message, node.subject.span, help)
    kinds = _kinds_of(reader, node.value, scope)
    free = [name for name in kinds if not _is_owned(reader, name)]
    if free:
        owned = [with_article(name) for name in kinds if name not in free]
        message = f"{with_article(free[0])} has no owner, and never gets one"
        raise flaw(
            "wrong-kind", message, node.value.span, help=f"say it of {' or '.join(owned)}" if owned else "leave it out"
        )
    return ir.ChangeOwner(piece, who.value, span=node.span)


def made_so(reader: TextReader, node: ast.Becomes, value: ast.ValuePhrase, scope: Scope) -> str:
    """Return help on words that no order can make true of a piece, except by a change of its owner."""
    if not understood(lambda: read_value(reader, node.subject, scope)):
        return ""
    thing = read_value(reader, node.subject, scope)
    if thing.base != "piece" or not understood(lambda: read_is_so(reader, thing, value, scope, node.span)):
        return ""
    asked = nodes_in(read_is_so(reader, thing, value, scope, node.span))
    if not any(is_owner(one) and one.of == thing.value for one in asked):
        return ""
    return f"that hangs on its owner: `you become the owner of {node.subject.span.text}`"


def refuse_made_one(reader: TextReader, node: ast.Becomes, scope: Scope) -> None:
    """Raise Flaw for an order that a piece becomes a thing that depends on its owner: `it becomes a unit of you`."""
    value = node.value
    if isinstance(value, ast.Phrase) and is_indefinite(value) and (help := made_so(reader, node, value, scope)):
        message = f"{quoted(value.span.text)} is not something a text can make of it"
        raise flaw("wrong-kind", message, value.span, help)


def _kinds_of(reader: TextReader, owner: ast.Expression | ast.Adjective, scope: Scope) -> list[str]:
    """Return the kinds of the piece whose owner is named, if a noun restricts them."""
    assert isinstance(owner, ast.Phrase)
    of = owner.modifiers[0] if owner.modifiers else None
    phrase = of.phrase if isinstance(of, ast.Related) else ast.Pronoun("it", span=owner.span)
    piece = read_value(reader, phrase, scope, lambda one: one.base == "piece")
    said = next((one.called[0] for one in scope.mentions if one.thing == piece and one.called), "")
    if isinstance(phrase, ast.Phrase):
        said = noun_of(phrase)
    kinds = reader.model.kinds(said) or reader.model.kinds(piece.noun)
    return [reader.model.ruleset.kinds[kind].name for kind in kinds]


def _is_owned(reader: TextReader, kind: str) -> bool:
    thing = reader.model.thing(kind)
    return thing is None or thing.owned


def _of_two(node: ast.Becomes, who: Attribute, place: Attribute) -> Flaw:
    """Return the Flaw for a sentence that could give either of two pieces to the owner of the other."""
    first, second = node.subject.span.text, node.value.span.text
    if who.of == place.of:
        return flaw("says-nothing", f"{quoted(node.span.text)} changes nothing", node.span, help="leave it out")
    ways = (
        f"`let player be {one}, then that player becomes {other}`" for one, other in ((second, first), (first, second))
    )
    message = f"{quoted(node.span.text)} could change either of the two owners"
    help = f"name the new owner of a piece: {', or '.join(ways)}; for yourself, say `you become the owner of …`"
    return flaw("not-definite", message, node.span, help)


def is_owner(value: object) -> TypeGuard[Attribute]:
    """Whether a value is the owner of a piece."""
    return isinstance(value, Attribute) and value.what == "owner"


def turned_round(node: ast.Becomes) -> str:
    """Return help to say `X becomes Y` the other way round."""
    who = node.value.span.text
    becomes = "become" if who == "you" else "becomes"
    return f"turn it round: `{who} {becomes} {node.subject.span.text}`"
