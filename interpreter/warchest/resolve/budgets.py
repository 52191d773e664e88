"""Limits on acts in a turn, a round or a game, each counted in a field of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.parts import causes_in, nodes_in, one_more
from warchest.ir.ruleset import LASTS, CountedActs, Field, Rule, Verb
from warchest.ir.values import Base, Compare, Condition, Const, FieldOf
from warchest.resolve.model import Model
from warchest.resolve.types import Typed, flaw
from warchest.source.limits import MAX_LIMITS
from warchest.source.text import Span
from warchest.syntax import ast


def place_of(model: Model, limit: ast.Limit, of: Typed) -> FieldOf:
    """Return the field that counts a limit, for a piece or a player; raises Flaw."""
    number = limit.field if limit.field >= 0 else model.limits.get(limit.span, -1)
    if number < 0:
        number = _new(model, limit, of)
    return FieldOf(number, of.value, "number", limit.per)


def _new(model: Model, limit: ast.Limit, of: Typed) -> int:
    """Return the number of a new field for a limit; raises Flaw."""
    ruleset = model.ruleset
    if limit.times < 1:
        message = f"{quoted(limit.span.text)} leaves no possible act"
        raise flaw("says-nothing", message, limit.span, help="leave it out, or allow more: `more than once a round`")
    if limit.per != "game" and (limit.per, "starts") not in ruleset.times:
        message = f"this game does not declare when a {limit.per} starts"
        help = f"`game.yaml` names it: `times: {{{limit.per}: {{starts: …, ends: …}}}}`, or say `a game`"
        raise flaw("undeclared-verb", message, limit.span, help)
    return new_field(model, limit.span, of.base, "number", limit.per)


def new_field(model: Model, span: Span, of: str, base: Base, per: str) -> int:
    """Return the number of a new field for a text, of pieces or of players, named after its document; raises Flaw."""
    ruleset, document = model.ruleset, model.reading or model.ruleset.name
    alike = [field.name for field in ruleset.fields if field.per and (field.per == LASTS) == (per == LASTS)]
    if len(alike) >= MAX_LIMITS:
        message = f"there are more than {MAX_LIMITS} texts like {quoted(span.text)}"
        raise flaw("syntax-error", message, span, help="leave some of them out")
    known = sum(name == document or name.startswith(f"{document} (") for name in alike)
    name = f"{document} ({known + 1})" if known else document
    ruleset.fields.append(Field(name, "piece" if of == "piece" else "player", base, None, per))  # type: ignore[arg-type]
    model.limits[span] = len(ruleset.fields) - 1
    return model.limits[span]


def is_left(place: FieldOf, limit: ast.Limit) -> Compare:
    """Return the condition that a limit is not used up yet."""
    return Compare("<", place, Const(limit.times, "number"), limit.span)


def is_used_up(place: FieldOf, limit: ast.Limit) -> Compare:
    """Return the condition that a limit is used up."""
    return Compare(">=", place, Const(limit.times, "number"), limit.span)


def counted(steps: ir.Steps, place: FieldOf, limit: ast.Limit) -> ir.Steps:
    """Return steps that count when they are taken; an offer counts when it is accepted."""
    return _with_first(steps, lambda inner: (one_more(place, limit.span), *inner))


def uncounted(steps: ir.Steps, field: int) -> ir.Steps:
    """Return counted steps without the step that counts them in a field."""
    if steps and isinstance(steps[0], ir.SetField) and steps[0].field == field:
        return steps[1:]
    return _with_first(steps, lambda inner: uncounted(inner, field)) if _may_lapse(steps) else steps


def _may_lapse(steps: ir.Steps) -> bool:
    """Whether the steps are only offers or conditional, so that perhaps none of them is taken."""
    *before, last = steps or (None,)
    return all(isinstance(one, ir.Foresee) for one in before) and (
        isinstance(last, ir.Offer | ir.IfAble) or (isinstance(last, ir.If) and not last.otherwise)
    )


def _with_first(steps: ir.Steps, change: Callable[[ir.Steps], ir.Steps]) -> ir.Steps:
    """Return steps with their first one changed; for an offer or a condition, the first one within it."""
    if not _may_lapse(steps):
        return change(steps)
    *before, last = steps
    match last:
        case ir.Offer(options):
            last = replace(last, options=tuple(_with_first(option, change) for option in options))
        case ir.IfAble(inner):
            last = ir.IfAble(_with_first(inner, change), span=last.span)
        case ir.If(condition, then):
            last = ir.If(condition, _with_first(then, change), (), span=last.span)
    return (*before, last)


def within(steps: ir.Steps, place: FieldOf, limit: ast.Limit, span: Span) -> ir.Steps:
    """Return steps that are carried out as long as a limit is not used up."""
    return (ir.If(is_left(place, limit), counted(steps, place, limit), (), span=span),)


def begins_within(steps: ir.Steps) -> ir.Steps:
    """Return steps that cannot begin once the limit at their beginning is used up."""
    first = steps[0] if steps else None
    if isinstance(first, ir.If) and limit_in(first.condition) is not None:
        return (ir.Must(first.condition, span=first.span), *steps)
    return steps


def limit_in(condition: Condition) -> FieldOf | None:
    """Return the field of the limit that a condition tests; None for any other condition."""
    place = condition.left if isinstance(condition, Compare) else None
    return place if isinstance(place, FieldOf) and place.per not in ("", LASTS) else None


def count_of(verb: Verb, rule: Rule, place: FieldOf, limit: ast.Limit) -> CountedActs:
    """Return the count of the acts of a rule; raises Flaw for acts that cannot be distinguished from others."""
    if verb.by == "game" or (not verb.definitions and verb.built_in):
        message = f"acts of the game are not counted: {quoted(verb.name)}"
        raise flaw("wrong-kind", message, limit.span, help="say it of an act of a player or a piece")
    if causes_in(rule.condition):
        message = "acts with a certain cause are not counted apart from others"
        raise flaw("unknown-role", message, limit.span, help="leave out `by …`, `for …` and `against …` here")
    return CountedActs(rule, place, limit.times)


def without_limit(conditions: Sequence[Condition]) -> list[Condition]:
    """Return conditions except the conditions that test a limit."""
    return [one for one in conditions if limit_in(one) is None]


def refuse_count_in_loop(loop: ast.Iteration) -> None:
    """Raise Flaw for a limit within a loop: it could be counted for each member, or once for all of them."""
    limit = next((one.limit for one in nodes_in(loop.step) if isinstance(one, ast.Limited)), None)
    if limit is not None:
        raise flaw(
            "unclear-reach",
            f"{quoted(limit.span.text)} could be counted for each of them, or once for all",
            limit.span,
            help="put it in front of the loop, `once a round, for each …, …`; to limit each one, "
            "say `a … cannot … more than once a round`",
        )
