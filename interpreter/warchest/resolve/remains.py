"""Pieces that change their kind: a piece becomes its remains, or turns back."""

from __future__ import annotations

from dataclasses import replace

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.resolve.antecedents import nothing_more
from warchest.resolve.conditions import having_named
from warchest.resolve.owners import refuse_made_one
from warchest.resolve.phrase_nouns import article
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Flaw, Mention, Scope, Typed, flaw
from warchest.resolve.value_reader import read_value
from warchest.syntax import ast

_ANY = ("a", "an", "the", "any", "")


def change_kind(reader: TextReader, node: ast.Becomes, scope: Scope) -> ir.BecomeKind | None:
    """Read `this becomes a wreck`; None if it names something other than a kind of piece."""
    value = node.value
    if isinstance(value, ast.Phrase) and isinstance(value.head, ast.Word) and value.determiner in _ANY:
        noun = value.head.text
        piece = read_value(reader, node.subject, scope, _is_piece) if reader.model.kinds(noun) else None
        if piece is not None and piece.base == "piece":
            if value.determiner in ("a", "an"):
                return _changed(reader, node, value, noun, piece, scope)
            if reader.model.akin(piece.noun, noun):
                message = f"{quoted(value.span.text)} is not a kind of piece"
                raise flaw("wrong-kind", message, value.span, help=f"say `{_becoming(node, noun)}`")
    refuse_made_one(reader, node, scope)
    return None


def _changed(
    reader: TextReader, node: ast.Becomes, value: ast.Phrase, noun: str, piece: Typed, scope: Scope
) -> ir.BecomeKind:
    if value.adjectives or value.modifiers:
        refuse_made_one(reader, node, scope)
    kinds, possible = reader.model.ruleset.kinds, _made_of(reader, piece)
    kind = next((number for number in possible if kinds[number].name == noun), -1)
    if kind < 0:
        raise _never_becomes(reader, node, noun, piece, possible)
    for word in value.adjectives if not value.modifiers else ():
        if word.text in reader.model.flags:
            message = f"the {noun} can only become {quoted(word.text)} in a step of its own"
            help = f"say `{_becoming(node, noun)}, then that {noun} becomes {word.text}`"
            raise flaw("wrong-kind", message, word.span, help)
    nothing_more(value, value.adjectives, value.modifiers)
    return ir.BecomeKind(piece.value, kind, scope.variables.new("piece", noun), span=node.span)


def _made_of(reader: TextReader, piece: Typed) -> list[int]:
    """Return the kinds that a piece can become."""
    kinds = reader.model.ruleset.kinds
    now = reader.model.kinds(piece.noun) or range(len(kinds))
    return [
        number
        for number, one in enumerate(kinds)
        if any(one.remains_of == other or kinds[other].remains_of == number for other in now)
    ]


def _never_becomes(reader: TextReader, node: ast.Becomes, noun: str, piece: Typed, possible: list[int]) -> Flaw:
    """Return the Flaw for a kind that a piece cannot become: neither is the remains of the other."""
    kinds, subject = reader.model.ruleset.kinds, node.subject.span.text
    said = [f"`{_becoming(node, kinds[kind].name)}`" for kind in possible]
    now, (wanted, *_) = reader.model.kinds(piece.noun), reader.model.kinds(noun)
    help = f"say {' or '.join(said)}"
    if not said and list(now) == [wanted]:
        help = "leave it out"
    elif not said and len(now) == 1:
        one, other = kinds[wanted], kinds[now[0]]
        of = f"`{one.name}: {{piece: {one.sheet}, remains of: {other.name}, …}}`"
        alike = (one.sheet, one.holds) == (other.sheet, other.holds)
        help = (
            f"declare it under `things:` as the remains of {with_article(other.name)}: {of}"
            if alike
            else f"a piece can only become its remains; take it off the board: `remove {subject}`"
        )
    is_so = list(now) == [wanted]
    message = f"{article(piece)} {'is' if is_so else 'never becomes'} {with_article(noun)}"
    return flaw("wrong-kind", message + (" already" if is_so else ""), node.value.span, help=help)


def having_become(made: ir.Order, node: ast.Becomes, scope: Scope) -> Scope:
    """Return the scope after a change; a piece that changed its kind has its new noun there."""
    if not isinstance(made, ir.BecomeKind):
        return having_named(node.subject, scope)
    new = Typed(made.result, "piece", made.result.noun)
    this, origin, ordered = (
        new if one is not None and one.value == made.piece else one for one in (scope.this, scope.origin, scope.ordered)
    )
    scope = replace(scope.before(Typed(made.piece, "piece", "")), this=this, origin=origin, ordered=ordered)
    return scope.mentioning(Mention(new, (new.noun,), span=node.value.span))


def _is_piece(thing: Typed) -> bool:
    return thing.base == "piece"


def _becoming(node: ast.Becomes, noun: str) -> str:
    """Return the words for a change to another kind."""
    subject = node.subject.span.text
    becomes = "becomes" if "becomes" in node.span.text else "become"
    return f"{subject} {becomes} {with_article(noun)}"
