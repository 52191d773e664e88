"""Changes of declared fields: a flag or a name is set, a number increases."""

from __future__ import annotations

from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.parts import changed_by
from warchest.ir.values import Attribute, Const, FieldOf, Floored, Latest, Value, Var
from warchest.resolve.antecedents import PronounTest, apart_from_own
from warchest.resolve.budgets import place_of
from warchest.resolve.moments import refuse_part
from warchest.resolve.owners import change_owner, is_owner, made_so, turned_round
from warchest.resolve.phrase_nouns import article, base_of
from warchest.resolve.quantities import kept_number, refuse_budget, refuse_it, set_aside, within_budget
from warchest.resolve.remains import change_kind
from warchest.resolve.text_reader import TextReader
from warchest.resolve.trails import kept_as, longer, shorter, space_of_place, trails_of
from warchest.resolve.types import Scope, Typed, flaw
from warchest.resolve.unset import cleared, is_nothing
from warchest.resolve.value_reader import owner_said, read_number, read_value
from warchest.syntax import ast


def counted_in(reader: TextReader, limit: ast.Limit, scope: Scope) -> FieldOf:
    """Return the field that counts a limit; raises Flaw if no player or piece can have the count."""
    of = None if limit.of_players or scope.this is None or scope.this.base != "piece" else scope.this
    if of is None and scope.you is not None:
        of = Typed(scope.you, "player", "player")
    if of is None:
        message = "there is no player or piece here for whom this could be counted"
        raise flaw("no-antecedent", message, limit.span, help="say it where a player or a piece acts")
    return place_of(reader.model, limit, of)


def flag_test(reader: TextReader, word: ast.Word) -> PronounTest:
    """Return the test of whether texts can set an adjective on a thing."""
    owner = reader.model.flags[word.text][0] if word.text in reader.model.flags else ""
    return lambda one: owner == one.noun or (one.base != "flag" and base_of(reader, owner) == one.base)


def _becomes_so(reader: TextReader, node: ast.Becomes, value: ast.Adjective, scope: Scope) -> ir.Order:
    word = value.word
    if word.text not in reader.model.flags:
        message = f"{quoted(word.text)} is not something a text can make so"
        raise flaw("wrong-kind", message, word.span, help=made_so(reader, node, value, scope))
    owner, number, flag = reader.model.flags[word.text]
    has_flag = flag_test(reader, word)
    thing = read_value(reader, node.subject, scope, has_flag)
    if not has_flag(thing):
        message = f"{article(thing)} never becomes {quoted(word.text)}"
        raise flaw("wrong-kind", message, node.span, help=owner_said(reader, owner))
    of = None if thing.base == "flag" else thing.value
    return ir.SetField(number, of, Const(flag, "flag"), span=node.span)


def read_becomes(reader: TextReader, node: ast.Becomes, scope: Scope) -> ir.Order:
    """Read `becomes`: a thing gets an adjective, another kind or value, or another owner."""
    if isinstance(node.value, ast.Adjective):
        return _becomes_so(reader, node, node.value, scope)
    if (other := change_kind(reader, node, scope)) is not None:
        return other
    if is_nothing(node.value):
        return cleared(node, read_value(reader, node.subject, scope))
    of_place = space_of_place(node.subject)
    others = apart_from_own(reader, node, scope)
    value_of, place = read_value(reader, of_place or node.subject, scope), read_value(reader, node.value, others)
    refuse_part(reader.model, node, place, value_of)
    if place.base == "number" != value_of.base:
        refuse_it(node.subject, scope)
    form = place.value
    if isinstance(form, Attribute) and form.what == "document" and getattr(form.of, "base", "") == "piece":
        if value_of.base != "document":
            raise flaw("wrong-kind", f"{article(value_of)} cannot become {article(place)}", node.span)
        return ir.ChangeForm(form.of, value_of.value, span=node.span)
    if is_owner(place.value):
        return change_owner(reader, node, value_of, place.value, others)
    if value_of.base == "number":
        # For a number, the subject changes; otherwise the subject is the new value of the place.
        value_of, place = place, value_of
    if isinstance(place.value, Var) and place.base == value_of.base == "number":
        return kept_number(place.value, value_of.value, scope, node.span)
    return _set(reader, node, value_of, place, in_place=of_place is not None)


def _set(reader: TextReader, node: ast.Becomes, value_of: Typed, place: Typed, in_place: bool) -> ir.Order:
    """Return the step that sets a field, or that extends a trail by a value; with `in_place`, by a place."""
    if not isinstance(place.value, FieldOf | Latest):
        message = f"{quoted(node.value.span.text)} cannot be set"
        raise flaw("wrong-kind", message, node.value.span, help=_set_otherwise(node, value_of, place))
    if place.base != value_of.base:
        message = f"{article(value_of)} cannot become {article(place)}"
        raise flaw("wrong-kind", message, node.span, help=kept_as(reader.model.ruleset.fields, node, place.value))
    if isinstance(place.value, Latest) or in_place:
        return longer(reader.model.ruleset.fields, node, place.value, value_of.value)
    return ir.SetField(place.value.field, place.value.of, value_of.value, span=node.span)


def read_changes(reader: TextReader, node: ast.Changes, scope: Scope) -> ir.Steps:
    """Read a change of a number or a trail."""
    place = read_value(reader, node.subject, scope)
    field = place.value
    refuse_amount(node)
    if node.how == "goes back":
        if not isinstance(field, Latest):
            message = f"{quoted(node.subject.span.text)} does not keep its former value"
            raise flaw("wrong-kind", message, node.subject.span, help=trails_of(reader.model, node, place))
        return shorter(reader.model.ruleset.fields, field.trail, node.span)
    if not isinstance(field, FieldOf | Var) or place.base != "number":
        refuse_it(node.subject, scope)
        message = f"{quoted(node.subject.span.text)} is not a number that a text can change"
        raise flaw("wrong-kind", message, node.subject.span, help="numbers that change are declared under `fields:`")
    sign = -1 if node.how == "decreases" else 1
    value = changed_by(field, _by_how_much(reader, node, field, scope), sign)
    value = value if node.least is None else Floored(value, node.least.value)
    if isinstance(field, Var):
        return (kept_number(field, value, scope, node.span),)
    return (ir.SetField(field.field, field.of, value, span=node.span),)


def _by_how_much(reader: TextReader, node: ast.Changes, number: FieldOf | Var, scope: Scope) -> Value:
    if node.amount is None:
        return number
    if isinstance(node.amount, ast.FirstPoints):
        return scope.variables.set_aside.pop(node.amount.span)
    return read_number(reader, node.amount, scope)


def steps_aside(reader: TextReader, change: ast.OrderedChange, scope: Scope) -> ir.Steps:
    """Return the steps that keep the part of an act's number within a budget; no steps without a budget."""
    budget = change.amount if isinstance(change, ast.Changes) else None
    if not isinstance(change, ast.Changes) or not isinstance(budget, ast.FirstPoints):
        return ()
    if budget.span in scope.variables.set_aside:
        # An offer has set it aside already.
        return ()
    number = read_value(reader, change.subject, scope)
    refuse_budget(change, budget, number, scope)
    most, used = read_number(reader, budget.amount, scope), counted_in(reader, budget.limit, scope)
    part = scope.variables.new("number", "number")
    scope.variables.set_aside[budget.span] = part
    return set_aside(part, within_budget(number.value, most, used), used, budget.span)


def refuse_amount(node: ast.Changes) -> None:
    """Raise Flaw for a change of a number whose amount is missing, or superfluous."""
    if node.least is not None and node.how != "decreases":
        message = f"a number that {node.how} has no minimum"
        raise flaw("says-nothing", message, node.least.span, help=f"leave out `to a minimum of {node.least.value}`")
    if (node.amount is None) != (node.how in ("doubles", "goes back")):
        said = "by how much" if node.amount is None else "no amount"
        raise flaw("syntax-error", f"{quoted(node.how)} takes {said}", node.span)


def _set_otherwise(node: ast.Becomes, subject: Typed, place: Typed) -> str:
    """Return help for `X becomes Y` if texts cannot set Y, but perhaps X."""
    is_form = isinstance(subject.value, Attribute) and subject.value.what == "document"
    if is_form and place.base == "document":
        return turned_round(node)
    if (isinstance(subject.value, FieldOf | Latest) or is_owner(subject.value)) and subject.base == place.base:
        return turned_round(node)
    if place.base == "document" and subject.base == "piece":
        return f"say `swap {node.subject.span.text} for {node.value.span.text}`"
    return "only fields that a document declares under `fields:` can be set; the rest follows from the position"
