"""Nouns of phrases: the kind of thing that each names, nouns for documents, and indefinite phrases."""

from __future__ import annotations

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.diagnostic import quoted
from warchest.ir.values import Base, Set
from warchest.resolve.model import Thing
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Mention, Scope, Typed, flaw
from warchest.syntax import ast

INDEFINITE = ("a", "an", "any", "no", "each", "all", "another", "")


def is_indefinite(node: ast.Expression | ast.ValuePhrase) -> bool:
    """Whether a phrase leaves open which of several things it means."""
    if not isinstance(node, ast.Phrase):
        return False
    if node.determiner == "" and isinstance(node.head, ast.Word) and node.head.text == "number":
        return False
    return node.determiner in INDEFINITE or (isinstance(node.head, ast.Name) and node.determiner == "the")


def document_named(reader: TextReader, name: ast.Name) -> int:
    """Return the number of the document with a name, and record its use."""
    number = reader.model.ruleset.sheet_number(name.text)
    reader.named.add(name.text)
    assert number >= 0, "names are in the vocabulary only because there is such a document"
    return number


def base_of(reader: TextReader, noun: str) -> str:
    """Return the type of the things that a noun is for; empty if it is for none."""
    thing = reader.model.thing(noun)
    return (thing.base or "") if thing else ""


def article(typed: Typed) -> str:
    """Return the sort of a value, for a message: `a space`, `an event`."""
    noun = typed.noun or typed.base
    return with_article(noun)


def noun_of_set(reader: TextReader, phrase: ast.Expression, among: Set) -> str:
    """Return the noun for the members of a set that a phrase describes."""
    is_open = isinstance(phrase, ast.Phrase) and is_indefinite(phrase)
    return thing_of(reader, phrase).name if is_open else among.var.noun  # type: ignore[arg-type]


def mentioned(phrase: ast.Expression, thing: Typed, role: str = "") -> Mention:
    """Return the mention of a thing by a phrase; later words can also refer to it by the noun of its role."""
    if thing.base == "number":
        return Mention(thing, (role,), told=False, span=phrase.span)
    called, adjectives = [role] if role else [], list[str]()
    if isinstance(phrase, ast.Phrase):
        adjectives = [word.text for word in phrase.adjectives]
        called[:0] = [phrase.head.text] if isinstance(phrase.head, ast.Word) else [thing.noun, phrase.head.text]
    return Mention(thing, tuple(dict.fromkeys(called)), tuple(adjectives), span=phrase.span)


def leaves_open(reader: TextReader, node: ast.Expression, scope: Scope) -> bool:
    """Whether a phrase means any thing that fits; `the Footman` does unless one was mentioned."""
    if not isinstance(node, ast.Phrase) or not is_indefinite(node):
        return False
    named = isinstance(node.head, ast.Name) and node.determiner == "the"
    return not named or not scope.mentions_of(node.head.text, reader.model.narrows)


def thing_of(reader: TextReader, phrase: ast.Phrase) -> Thing:
    """Return the noun of a phrase; a printed name means the pieces of that document."""
    if isinstance(phrase.head, ast.Name):
        sheet = reader.model.ruleset.sheets[document_named(reader, phrase.head)]
        in_zone = any(isinstance(mod, ast.Related) and mod.preposition == "in" for mod in phrase.modifiers)
        called = [thing for thing in reader.model.things.values() if sheet.kind in thing.sheets]
        for thing in called:
            if (thing.base == "token") == in_zone:
                return thing
        if called and reader.everywhere:
            return called[0]
        raise flaw("wrong-kind", f"{quoted(phrase.head.text)} cannot be on the board", phrase.head.span)
    known = reader.model.thing(phrase.head.text)
    if known is None or known.base is None:
        is_act = phrase.head.text in reader.model.of_acts.values()
        message = f"{quoted(phrase.head.text)} is not a kind of thing"
        help = f"say `the {phrase.head.text}` of the one that is under way" if is_act else ""
        raise flaw("wrong-kind", message, phrase.head.span, help)
    return known


def widest_noun(reader: TextReader, thing: Thing) -> Thing:
    """Return the widest noun that a noun narrows, which may be itself."""
    while thing.parent:
        parent = reader.model.thing(thing.parent)
        assert parent is not None
        thing = parent
    return thing


def noun_of_document(reader: TextReader, document: int, base: Base) -> str:
    """Return the noun for pieces or tokens of a document; empty if there are none."""
    kind = reader.model.ruleset.sheets[document].kind
    fitting = (one.name for one in reader.model.things.values() if one.base == base and kind in one.sheets)
    return next(fitting, "")


def noun_of(node: ast.Expression) -> str:
    """Return the noun of a phrase; empty for a name or a pronoun."""
    return node.head.text if isinstance(node, ast.Phrase) and isinstance(node.head, ast.Word) else ""
