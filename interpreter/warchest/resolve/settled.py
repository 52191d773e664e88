"""Standing changes: rules that increase or decrease a number of a piece or an act wherever a text settles it."""

from __future__ import annotations

from dataclasses import replace

from warchest.diagnostics.diagnostic import quoted
from warchest.ir.ruleset import AGENT, FIXED, THIS, YOU, StandingChange
from warchest.ir.values import All, Condition, FieldOf, Var
from warchest.resolve.announce import Carrier
from warchest.resolve.conditions import having_named
from warchest.resolve.event_patterns import Guard, read_guard, this_of
from warchest.resolve.field_changes import refuse_amount
from warchest.resolve.phrase_nouns import is_indefinite, mentioned, thing_of
from warchest.resolve.quantities import no_standing_change
from warchest.resolve.sets import read_adjective, read_fits
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Scope, Typed, Variables, flaw
from warchest.resolve.value_reader import read_attribute, read_number, read_value
from warchest.source.text import Span
from warchest.syntax import ast

_ONE_OF = "one of "


def standing_change(
    reader: TextReader, change: ast.Changes, guard: Guard | None, carrier: Carrier, span: Span
) -> StandingChange:
    """Return the standing change that a sentence states; raises Flaw."""
    refuse_amount(change)
    if change.how == "goes back":
        message = f"{quoted(span.text)} is an order, and this block holds rules"
        raise flaw("step-among-rules", message, span, help="say when it happens: `after …, …`")
    told, place, scope = number_of(reader, change.subject, standing_scope(carrier))
    field = place.value if isinstance(place.value, FieldOf) and place.base == "number" else None
    is_of_act = field is not None and field.field in reader.model.of_acts
    is_of_piece = field is not None and isinstance(field.of, Var) and field.of.base == "piece"
    if field is None or not (is_of_act or is_of_piece):
        message = f"{quoted(change.subject.span.text)} is not a number that texts settle"
        help = "numbers of pieces and acts that change are declared under `fields:`"
        raise flaw("wrong-kind", message, change.subject.span, help)
    if isinstance(change.amount, ast.FirstPoints) or change.least is not None:
        raise no_standing_change(change)
    amount = read_number(reader, change.amount, scope) if change.amount is not None else None
    condition = All((*told, *read_guard(reader, guard, scope)), change.subject.span)
    of_this = own_act(change.subject) is not None if is_of_act else getattr(field.of, "id", None) == THIS
    return StandingChange(
        carrier.number, of_this, field.field, -1 if change.how == "decreases" else 1, amount, condition, span
    )


def standing_scope(carrier: Carrier) -> Scope:
    """Return the scope of a standing change on a document of `this`, or among the rules of a game."""
    this = this_of(carrier)
    you = Var(YOU, "player", "player") if this is not None else None
    return Scope(Variables(FIXED), this, you, this, carrier.number)


def number_of(reader: TextReader, subject: ast.NounPhrase, scope: Scope) -> tuple[list[Condition], Typed, Scope]:
    """Return the conditions on the pieces whose number changes, the number, and the scope after that."""
    own, so = own_act(subject) or _the_act(subject), list[Condition]()
    if own is not None and own.head.text in reader.model.of_acts.values() and scope.this is not None:
        assert isinstance(subject, ast.Phrase)
        plain = replace(own, determiner="the", modifiers=(), adjectives=())
        subject = replace(subject, modifiers=(ast.Related("of", plain, span=own.span),))
        act = read_value(reader, plain, scope)
        so = [read_adjective(reader, word, act, scope) for word in own.adjectives]
    of = subject.modifiers[0] if isinstance(subject, ast.Phrase) and len(subject.modifiers) == 1 else None
    if not isinstance(of, ast.Related) or not isinstance(of.phrase, ast.Phrase) or not is_indefinite(of.phrase):
        return so, read_value(reader, subject, scope), having_named(_owner_of(subject), scope)
    assert isinstance(subject, ast.Phrase) and isinstance(subject.head, ast.Word)
    if of.phrase.span.text.startswith(_ONE_OF):
        said = of.phrase.span
        message = f"{quoted(said.text)} leaves open which, and a rule holds for each"
        raise flaw("number-of-things", message, said, help=f"say `{said.one_line.replace(_ONE_OF, 'each of ', 1)}`")
    thing = thing_of(reader, of.phrase)
    if thing.base != "piece":
        message = f"{quoted(of.phrase.span.text)} is no piece, and only their numbers change so"
        raise flaw("wrong-kind", message, of.phrase.span, help="say when it changes: `after …, …`")
    piece = Typed(Var(AGENT, "piece", thing.name), "piece", thing.name)
    told = read_fits(reader, of.phrase, piece, scope)
    scope = scope.mentioning(mentioned(of.phrase, piece))
    return told, read_attribute(reader, subject.head.text, piece, subject.span, scope), scope


def own_act(subject: ast.NounPhrase) -> ast.Phrase | None:
    """Return the phrase for an act of `this` that a value belongs to: `its attack` in `the force of its attack`."""
    of = _said_of(subject)
    if not isinstance(of, ast.Phrase) or not isinstance(of.head, ast.Word):
        return None
    match of.modifiers:
        case ():
            return of if of.determiner == "its" else None
        case (ast.Related("of", ast.Pronoun("this")),):
            return of if of.determiner == "the" else None
        case _:
            return None


def _said_of(subject: ast.NounPhrase) -> ast.Expression | None:
    """Return the phrase after `of`, if it is the only modifier of a number."""
    part = subject.modifiers[0] if isinstance(subject, ast.Phrase) and len(subject.modifiers) == 1 else None
    return part.phrase if isinstance(part, ast.Related) and part.preposition == "of" else None


def _the_act(subject: ast.NounPhrase) -> ast.Phrase | None:
    """Return the phrase for an act with adjectives, if one of its values is named: `the dark attack`."""
    of = _said_of(subject)
    return of if isinstance(of, ast.Phrase) and of.determiner == "the" and of.adjectives and not of.modifiers else None


def _owner_of(subject: ast.NounPhrase) -> ast.SyntaxNode:
    """Return the phrase for the owner of a number, or of another attribute in a phrase."""
    of = subject.modifiers[0] if isinstance(subject, ast.Phrase) and subject.modifiers else subject
    return of.phrase if isinstance(of, ast.Related) else subject
