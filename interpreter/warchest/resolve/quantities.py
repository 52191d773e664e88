"""Numbers of acts, with a noun of their own: `to suffer damage`, `this suffers X damage`, `that damage`."""

from __future__ import annotations

from typing import TypeGuard

from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.parts import changes_of_event, more_of, nodes_in
from warchest.ir.ruleset import Hook, Role, Verb
from warchest.ir.values import NO_PIECE, Compare, Condition, Const, FieldOf, Floored, Not, Parameter, Sum, Value, Var
from warchest.resolve.model import Model
from warchest.resolve.phrase_nouns import is_indefinite
from warchest.resolve.types import Flaw, Scope, Typed, flaw
from warchest.source.text import Span
from warchest.syntax import ast
from warchest.syntax.plurals import takes_base_form
from warchest.syntax.words import Vocabulary

# ---- phrases


def is_noun_of_number(model: Model, noun: str) -> bool:
    """Whether a noun names a number, and not a thing."""
    fields = model.ruleset.fields
    kept = any(
        fields[number].base == "number" and fields[number].steps is None for _, number in model.fields.get(noun, ())
    )
    return model.thing(noun) is None and (kept or noun in model.numbers)


def is_from_nobody(phrase: ast.Expression, verb: Verb, role: Role) -> bool:
    """Whether an act has no source: `this suffers 2 damage from nobody`."""
    return verb.is_source(role) and isinstance(phrase, ast.Pronoun) and phrase.word == "nobody"


def source_said(phrase: ast.Expression, verb: Verb, role: Role, typed: Typed) -> list[Condition]:
    """Return the condition on the source of an act in a phrase: that there is a source, or none; otherwise empty."""
    nobody = Compare("==", typed.value, NO_PIECE, phrase.span)
    if is_from_nobody(phrase, verb, role):
        return [nobody]
    return [Not(nobody, phrase.span)] if verb.is_source(role) and is_indefinite(phrase) else []


def names_quantity(model: Model, phrase: ast.Expression | None, noun: str = "") -> TypeGuard[ast.Phrase]:
    """Whether a phrase is only a noun for a number, or this very noun: `damage` in `to suffer damage`."""
    if not isinstance(phrase, ast.Phrase) or not isinstance(phrase.head, ast.Word):
        return False
    more = (phrase.determiner, phrase.count, *phrase.adjectives, *phrase.modifiers)
    return not any(more) and noun in ("", phrase.head.text) and is_noun_of_number(model, phrase.head.text)


def no_quantity(verb: Verb, preposition: str, head: ast.Word | ast.Name) -> Flaw:
    """Return the Flaw for a definition that gives the number of an act by more than a noun alone."""
    noun = "…" if head.text == "number" else head.text
    said = f"{preposition} {head.text}".strip()
    message = f"{quoted(said)} does not say how much an act has"
    help = f"say the bare noun of a number after the verb: `to {verb.name} {noun}: …`"
    return flaw("wrong-kind", message, head.span, help)


def amount_said(phrase: ast.Expression | None, verb: Verb, role: Role, order: Span) -> ast.Expression:
    """Return the expression for the number in an order of an act; raises Flaw if there is none."""
    noun = role.noun
    if isinstance(phrase, ast.Amount) and phrase.noun.text == noun:
        return phrase.value
    if isinstance(phrase, ast.Phrase) and phrase.head.text == noun and not (phrase.adjectives or phrase.modifiers):
        count = phrase.count
        if count is not None and count.low == count.high and not phrase.determiner:
            return ast.Number(count.low, span=count.span)
        if count is None and phrase.determiner in ("the", "that"):
            return phrase
    help = f"say how much: a number, as in `2 {noun}`, or `{noun} equal to …`"
    if phrase is None or (isinstance(phrase, ast.Phrase) and phrase.head.text == noun):
        raise flaw("unknown-role", f"this does not say how much {noun}", phrase.span if phrase else order, help=help)
    said = phrase.span.one_line
    if isinstance(phrase, ast.Phrase) and phrase.determiner in ("its", "the", "that") and not phrase.count:
        help = f"say `{noun} equal to {said}`"
    raise flaw("wrong-kind", f"{quoted(said)} is not {noun}", phrase.span, help=help)


# ---- changes


def never_negative(value: Value, scope: Scope) -> Value:
    """Return a value with a floor of 0, for the number of an act; a value that is never negative is left as it is."""
    match value:
        case Const(number):
            return Const(max(0, number), "number")
        case Var(number) if number < (scope.variables.first or 0):
            return value
        case Parameter() | Floored():
            return value
        case Sum(signs) if -1 not in signs and all(never_negative(one, scope) == one for one in value.terms):
            return value
    return Floored(value, 0)


def kept_number(var: Var, value: Value, scope: Scope, span: Span) -> ir.Keep:
    """Return the step that gives the number of an act, or a number with a name, a new value."""
    first = scope.variables.first
    return ir.Keep(var, never_negative(value, scope) if var.id < first else value, span=span)


def within_budget(amount: Value, most: Value, used: FieldOf) -> Value:
    """Return the part of a number that fits into the unused rest of a budget."""
    left = Floored(Sum((1, -1), (most, used)), 0)
    return Sum((1, -1), (amount, Floored(Sum((1, -1), (amount, left)), 0)))


def refuse_it(subject: ast.NounPhrase, scope: Scope) -> None:
    """Raise Flaw for `it` where the number of an act, or a named number, is meant."""
    numbers = [one.called[0] for one in scope.mentions if one.thing.base == "number" and one.called]
    if isinstance(subject, ast.Pronoun) and subject.word == "it" and len(numbers) == 1:
        raise flaw("wrong-kind", f"`it` is not the {numbers[0]}", subject.span, help=f"say `that {numbers[0]}`")


def refuse_late_change(hook: Hook) -> None:
    """Raise Flaw where a hook changes a number of its event too late for anything to use the new value."""
    kept = changes_of_event(hook)
    others = nodes_in(hook.code.steps, lambda one: one in kept) if kept else []
    elsewhere = {one.id for one in others if isinstance(one, Var)}
    for step in kept if hook.stage != "before" else ():
        if step.var.id in elsewhere:
            # Later steps of the hook itself use it.
            continue
        noun = step.var.noun
        done = "takes place no more" if hook.stage == "instead" else "has taken place"
        message = f"the act that has this {noun} {done}, so that nothing uses the change"
        raise flaw("says-nothing", message, step.span, help=f"say it before: `before … {noun}, that {noun} …`")


def no_standing_change(change: ast.Changes) -> Flaw:
    """Return the Flaw for a standing change that has a minimum or a budget."""
    what, span = "no minimum", change.least.span if change.least is not None else change.span
    if isinstance(change.amount, ast.FirstPoints):
        what, span = "no first points", change.amount.span
    message = f"a standing change of a number has {what}"
    return flaw("wrong-kind", message, span, help="say only by how much it is less: `… decreases by 2`")


# ---- changes


def unclear_who(change: ast.OrderedChange, vocabulary: Vocabulary) -> Flaw:
    """Return the Flaw for an offer to change another player's number, which `you` could decide as well."""
    base, word = "become", "becomes"
    if isinstance(change, ast.Changes):
        base, word = ast.OFFERED_CHANGES[change.how], change.how
    word = base if takes_base_form(change.subject, vocabulary) else word
    said = change.span.one_line.replace(f"may {base}", word, 1)
    whose = quoted(change.subject.span.one_line)
    return flaw(
        "unclear-reach",
        f"both you and the owner of {whose} could decide on this",
        change.span,
        help=f"say `either {said}, or do nothing` to decide on it yourself; to have the other one "
        "asked, let it do an act: `that … may …`",
    )


# ---- budgets: the first points of a number, each turn or round


def refuse_budget(change: ast.Changes, budget: ast.FirstPoints, number: Typed, scope: Scope) -> None:
    """Raise Flaw for a budget of anything but the number of a coming act, and for one that does not decrease it."""
    said = quoted(budget.span.text)
    if not isinstance(number.value, Var) or number.base != "number" or number.value.id >= scope.variables.first:
        said_of = f"that … may decrease {budget.span.one_line}"
        message = f"{said} is only for the number of an act, and this is not one"
        help = f"say it before the act, of its number: `before this …, {said_of}`"
        raise flaw("wrong-kind", message, change.subject.span, help)
    if change.how != "decreases":
        message = f"{said} is part of that {number.value.noun}, and can only decrease it"
        raise flaw("wrong-kind", message, budget.span, help=f"say by how much it {change.how}: `by 2`, `by X`")


def set_aside(part: Var, value: Value, used: FieldOf, span: Span) -> ir.Steps:
    """Return the steps that keep the part of a number within a budget, and count it."""
    return ir.Keep(part, value, span=span), more_of(used, part, span)


def some_left(aside: ir.Steps, offer: ir.Offer) -> ir.If:
    """Return an offer that is only made while some of its budget is left."""
    kept = aside[0]
    assert isinstance(kept, ir.Keep)
    return ir.If(Compare(">=", kept.var, Const(1, "number"), offer.span), (offer,), (), span=offer.span)


def without_vain(offer: ir.Offer) -> ir.Offer | ir.If:
    """Return the offer of a flag, made only if this would change the flag; return any other offer as it is."""
    match offer.options:
        case ((ir.SetField(number, of, Const(_, "flag") as flag),),) if offer.called:
            place = FieldOf(number, of, "flag")
            return ir.If(Compare("!=", place, flag, offer.span), (offer,), (), span=offer.span)
    return offer


def offered_in(step: ir.If) -> ir.Offer | None:
    """Return the offer in a step that is made only if taking it would change a flag; None for any other step."""
    match step.then:
        case (ir.Offer() as offer,) if without_vain(offer) == step:
            return offer
    return None


def budget_in(steps: ir.Steps) -> tuple[Var, Value, FieldOf] | None:
    """Return the number, the bound and the count of a budget at the beginning of some steps; None without a budget."""
    match steps[:3]:
        case (
            ir.Keep(
                part, Sum(_, (Var() as amount, Floored(Sum(_, (_, Floored(Sum(_, (most, FieldOf() as used))))))))
            ) as kept,
            ir.SetField(),
            _,
        ):
            is_so = kept == ir.Keep(part, within_budget(amount, most, used), span=kept.span)
            return (amount, most, used) if is_so else None
    return None
