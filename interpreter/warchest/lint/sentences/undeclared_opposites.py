"""Pairs of adjectives that exclude each other by the rules, while a card can make both true: undeclared opposites."""

from __future__ import annotations

from collections.abc import Iterator

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.ir.opposites import negated
from warchest.ir.ruleset import FIXED, YOU
from warchest.ir.values import Condition, Var
from warchest.lint.sentences.reasoning import made_of_something, never
from warchest.resolve.model import CarriedDefinition
from warchest.resolve.sets import read_adjective
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Flaw, Scope, Typed, Variables
from warchest.source.text import Span
from warchest.syntax import ast


def opposite_findings(reader: TextReader) -> Iterator[Diagnostic]:
    """Find cards that make an adjective true without making its opposite by the rules of the game false."""
    model = reader.model
    told = model.adjectives
    usual = {word: some for word, all_of in told.items() if (some := [one for one in all_of if one.carrier < 0])}
    by_cards = {
        word: some
        for word, all_of in told.items()
        if word in usual and (some := [one for one in all_of if one.carrier >= 0 and not _negated(one)])
    }
    for word, other in ((word, other) for word in by_cards for other in usual if other != word):
        if other in model.opposites.get(word, ()) or not _belong_together(usual[word][0], usual[other][0]):
            continue
        first, second = _meaning(reader, word, usual), _meaning(reader, other, usual)
        if first is None or second is None or not _are_opposite(first, second, usual[word][0].sentence.span):
            continue
        for one in by_cards[word]:
            if not any(_negated(no) and no.carrier == one.carrier for no in told[other]):
                yield report(
                    "at-odds",
                    f"a thing that is {quoted(word)} by this can be {quoted(other)}, too",
                    one.sentence.span,
                    help=f"declare them where they are declared as words: `opposites: {{{word}: {other}}}`",
                )


def _belong_together(one: CarriedDefinition, other: CarriedDefinition) -> bool:
    """Whether two definitions are about the same kind of thing, and in the same file."""
    return _noun(one) == _noun(other) and one.sentence.span.path == other.sentence.span.path


def _negated(one: CarriedDefinition) -> bool:
    return isinstance(one.sentence, ast.DefineIs) and one.sentence.negated


def _noun(one: CarriedDefinition) -> str:
    subject = one.sentence.subject
    return subject.head.text if isinstance(subject, ast.Phrase) and isinstance(subject.head, ast.Word) else ""


def _meaning(reader: TextReader, word: str, usual: dict[str, list[CarriedDefinition]]) -> Condition | None:
    """Return the meaning that the rules of the game give an adjective; None if its noun has no definite type."""
    noun, known = _noun(usual[word][0]), reader.model.adjectives
    thing = reader.model.thing(noun)
    if thing is None or not thing.base:
        return None
    subject = Typed(Var(FIXED, thing.base, noun), thing.base, noun)
    reader.model.adjectives = {name: usual.get(name, some) for name, some in known.items()}
    try:
        scope = Scope(Variables(FIXED + 2), None, Var(YOU, "player")).about(subject)
        return read_adjective(reader, ast.Word(word, span=usual[word][0].sentence.span), subject, scope)
    except Flaw:
        return None
    finally:
        reader.model.adjectives = known


def _are_opposite(first: Condition, second: Condition, span: Span) -> bool:
    """Whether exactly one of two conditions always holds for a thing that is made of something."""
    there = made_of_something(Var(FIXED, "piece"), span)
    return never([*there, first, second]) and never([*there, negated(first), negated(second)])
