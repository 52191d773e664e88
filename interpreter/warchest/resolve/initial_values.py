"""Initial values of acts: `the outset of a movement is the facing of its mover`."""

from __future__ import annotations

from collections.abc import Iterator

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.ir.parts import nodes_in, variables_in
from warchest.ir.ruleset import FIXED, InitialValue
from warchest.ir.values import NOTHING, Const, FieldOf, Value
from warchest.resolve.model import Model
from warchest.resolve.phrase_nouns import article
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Mention, Scope, Typed, Variables, flaw
from warchest.resolve.value_reader import read_number, read_value
from warchest.source.text import Span
from warchest.syntax import ast


def value_of_act(model: Model, subject: ast.NounPhrase) -> int:
    """Return the field that `the outset of a movement` names for all acts of a kind; -1 for any other phrase."""
    if not isinstance(subject, ast.Phrase) or subject.determiner != "the" or len(subject.modifiers) != 1:
        return -1
    of = subject.modifiers[0]
    if not isinstance(of, ast.Related) or of.preposition != "of" or not isinstance(of.phrase, ast.Phrase):
        return -1
    act, is_any = of.phrase.head.text, of.phrase.determiner in ("a", "an")
    owners = model.fields.get(subject.head.text, ())
    return next((number for owner, number in owners if is_any and owner == act and number in model.of_acts), -1)


def key_of(model: Model, number: int) -> str:
    """Return the key of an initial value among the definitions of a model."""
    return f"{model.ruleset.fields[number].name} of {with_article(model.of_acts[number])}"


def beginning_scope(model: Model, number: int, span: Span | None = None) -> Scope:
    """Return the scope of an initial value: `it` is the act."""
    noun = model.of_acts[number]
    act = Typed(Const(NOTHING, "flag"), "flag", noun)
    return Scope(Variables(FIXED), mentions=(Mention(act, (noun,), span=span),))


def beginning(reader: TextReader, sentence: ast.DefineIs, number: int, carrier: int) -> InitialValue:
    """Return the initial value that a sentence defines; raises Flaw if it defines none."""
    model, value, noun = reader.model, sentence.value, sentence.subject.span.one_line
    if carrier >= 0:
        message = "a game says what its acts begin with, and a card can only change it later"
        help = f"say `before its …, … becomes {noun.replace(' a ', ' the ', 1)}`"
        raise flaw("not-a-definition", message, sentence.span, help)
    if sentence.negated or sentence.condition is not None:
        part = sentence.condition.span if sentence.condition is not None else sentence.span
        message = "an act begins with one value, in all cases"
        raise flaw("not-a-definition", message, part, help="let a text of the act change it: `… becomes …`")
    if isinstance(value, ast.Adjective | ast.Comparison | ast.Related | ast.Away | ast.Somewhere):
        raise flaw("wrong-kind", f"{quoted(value.span.text)} is no value", value.span, help="say which value it is")
    field, scope = model.ruleset.fields[number], beginning_scope(model, number, sentence.subject.span)
    if field.base == "number":
        read: Value = read_number(reader, value, scope)
    else:
        typed = read_value(reader, value, scope)
        if typed.base != field.base:
            raise flaw("wrong-kind", f"{article(typed)} cannot be {noun}", value.span)
        read = typed.value
    _refuse_later(model, number, read, value.span)
    return InitialValue(number, read, sentence.span)


def _refuse_later(model: Model, number: int, value: Value, span: Span) -> None:
    """Raise Flaw for a value that depends on another initial value of the act."""
    act, fields = model.ruleset.fields[number].act, model.ruleset.fields
    asked = (one for one in nodes_in(value) if isinstance(one, FieldOf) and fields[one.field].act == act)
    other = next((one for one in asked if fields[one.field].part is None), None)
    if other is not None or variables_in(value):
        said = f"the {fields[other.field].name}" if other is not None else quoted(span.text)
        message = f"{said} is not settled yet when the act begins"
        help = "say it by the parts of the act, which are declared as `parts: {… : by}`"
        raise flaw("not-definite", message, span, help)


def vain_changes(model: Model) -> Iterator[Diagnostic]:
    """Find standing changes of values that are settled when their act begins, before any change applies."""
    begun = {one.number for one in model.ruleset.beginnings}
    for change in model.ruleset.standing:
        if change.number in begun:
            name = model.ruleset.fields[change.number].name
            yield report(
                "says-nothing",
                f"the {name} is settled when the act begins, and this changes nothing",
                change.span,
                help=f"let a text of the act settle it: `… becomes the {name} of …`",
            )
