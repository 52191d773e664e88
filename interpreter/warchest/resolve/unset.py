"""`nothing`: the value of a field for a document or a space that has not been set."""

from __future__ import annotations

from warchest.ir.steps import SetField
from warchest.ir.values import CAN_BE_UNSET, NOTHING, Const, FieldOf, TrailStep
from warchest.resolve.phrase_nouns import article
from warchest.resolve.types import Typed, flaw
from warchest.resolve.value_reader import ONLY_A_FIELD
from warchest.source.text import Span
from warchest.syntax import ast

_INSTEAD = {
    "player": "say `nobody`",
    "team": "say `nobody`",
    "number": "say `0`",
    "direction": "a field for a direction begins with the first one of the board; name the direction that you mean",
}


def is_nothing(node: ast.SyntaxNode) -> bool:
    """Whether a phrase is the word for a field that is not set."""
    return isinstance(node, ast.Pronoun) and node.word == "nothing"


def nothing_of(thing: Typed, word: Span) -> Const:
    """Return the value of a field or a trail that is not set; raises Flaw for other things."""
    if isinstance(thing.value, FieldOf | TrailStep) and thing.base in CAN_BE_UNSET:
        return Const(NOTHING, thing.base)
    help = _INSTEAD.get(thing.base, ONLY_A_FIELD)
    raise flaw("wrong-kind", f"{article(thing)} is never `nothing`", word, help=help)


def cleared(node: ast.Becomes, thing: Typed) -> SetField:
    """Return the step that clears a field; raises Flaw if a text cannot clear it."""
    if isinstance(thing.value, TrailStep):
        message = "a trail never becomes `nothing`: it goes back step by step"
        raise flaw("wrong-kind", message, node.span, help=f"say `{node.subject.span.one_line} goes back`")
    if isinstance(thing.value, FieldOf) and thing.base in ("player", "team"):
        message = f"{article(thing)} is never `nothing`"
        raise flaw("wrong-kind", message, node.span, help=f"say `nobody becomes {node.subject.span.one_line}`")
    value = nothing_of(thing, node.value.span)
    assert isinstance(thing.value, FieldOf)
    return SetField(thing.value.field, thing.value.of, value, span=node.span)
