"""The parts that rules are put together from, found whatever they are parts of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from warchest.ir.ruleset import AGENT, FIXED, THIS, YOU, Hook
from warchest.ir.steps import Either, ForEach, If, IfAble, Keep, Offer, Order, SetField, Steps, Until
from warchest.ir.values import (
    EVENT_VARIABLES,
    NOTHING,
    SET_VARIABLES,
    Attribute,
    Bearing,
    Compare,
    Condition,
    Const,
    Earliest,
    FieldOf,
    Latest,
    Parameter,
    SheetName,
    Sum,
    Value,
    Var,
)
from warchest.source import records
from warchest.source.text import Span

_RulePart = TypeVar("_RulePart")


def nodes_in(node: Any, left_out: Callable[[Any], bool] | None = None) -> list[Any]:
    """Return a part of the rules and all its parts; without those that are `left_out`, and their parts."""
    found, left = [], [node]
    while left:
        one = left.pop()
        if left_out is not None and left_out(one):
            continue
        found.append(one)
        parts = _parts(type(one))  # type: ignore[arg-type]
        if parts is not None:
            left += parts(one)
    return found


def substituted(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return a part of the rules in which each part, the smallest first, is what `change` makes of it."""
    if isinstance(node, tuple | list):
        return type(node)(substituted(one, change) for one in node)
    names = names_of(type(node))  # type: ignore[arg-type]
    if not names:
        return node
    parts = {name: getattr(node, name) for name in names}
    changed = {name: substituted(part, change) for name, part in parts.items()}
    if any(changed[name] is not part for name, part in parts.items()):
        node = replace(node, **changed)
    return change(node)


@cache
def names_of(kind: type) -> tuple[str, ...]:
    """Return the names of the parts that things of a kind have."""
    return tuple(name for name in records.names_of(kind) if name not in ("span", "spans"))


@cache
def _parts(kind: type) -> Callable[[Any], Iterable[Any]] | None:
    """Return the getter of the parts of things of a kind; None for things without parts."""
    if issubclass(kind, list | tuple):
        return iter
    names = names_of(kind)  # type: ignore[arg-type]
    if not names:
        return None
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda one: (get(one),)


def variables_in(node: Any) -> set[int]:
    """Return the numbers of all variables that a part of the rules mentions."""
    return {part.id for part in nodes_in(node) if isinstance(part, Var)}


def fields_in(node: Any) -> set[int]:
    """Return the numbers of all fields that a part of the rules reads or sets."""
    return {part.field for part in nodes_in(node) if isinstance(part, FieldOf | SetField)}


def may_have_gone(piece: Value) -> bool:
    """Whether a value can name a piece that has left the board: members of sets are on it."""
    return not isinstance(piece, Var) or not SET_VARIABLES <= piece.id < EVENT_VARIABLES


def branches_of(step: Order) -> tuple[Steps, ...]:
    """Return the steps within a step, branch by branch; none for a step that holds none."""
    match step:
        case If(_, then, otherwise):
            return then, otherwise
        case Either(options) | Offer(options):
            return options
        case Until() | ForEach() | IfAble():
            return (step.steps,)
    return ()


def steps_in(steps: Steps) -> Iterator[Order]:
    """Yield steps and all steps within them."""
    for step in steps:
        yield step
        for branch in branches_of(step):
            yield from steps_in(branch)


def with_branches(step: Order, changed: Callable[[Steps], Steps]) -> Order:
    """Return a step with each of its branches changed."""
    match step:
        case If(_, then, otherwise):
            return replace(step, then=changed(then), otherwise=changed(otherwise))
        case Either(options) | Offer(options):
            return replace(step, options=tuple(changed(option) for option in options))
        case Until() | ForEach() | IfAble():
            return replace(step, steps=changed(step.steps))
    return step


def followed(steps: Steps, behind: Callable[[Order], Iterable[Order]]) -> Steps:
    """Return steps, also those in branches, each followed by further ones."""
    return tuple(
        one for step in steps for one in (with_branches(step, lambda inner: followed(inner, behind)), *behind(step))
    )


def changes_of_event(hook: Hook) -> list[Keep]:
    """Return the steps of a hook that change numbers of its event."""
    roles = {var.id for var in hook.code.params if var.base == "number" and var.id >= FIXED}
    return [one for one in nodes_in(hook.code.steps) if isinstance(one, Keep) and one.var.id in roles]


def more_of(place: FieldOf, amount: Value, span: Span) -> SetField:
    """Return the step that adds an amount to a field."""
    more: Value = Sum((1, 1), (place, amount))
    return SetField(place.field, place.of, more, span=span)


def one_more(place: FieldOf, span: Span) -> SetField:
    """Return the step that adds 1 to a field."""
    return more_of(place, Const(1, "number"), span)


def with_values(node: Any, values: dict[int, Value]) -> Any:
    """Return a part of the rules with values in the place of some variables, by the numbers of these."""

    def change(part: Any) -> Any:
        return values.get(part.id, part) if isinstance(part, Var) else part

    return substituted(node, change)


def carried(part: _RulePart, this: Value, piece: Value | None = None) -> _RulePart:
    """Return a part of a rule with its bearer for `this`, and for `you` the player who decides for that.

    Where a piece is given, it takes the place of the agent.
    """
    values: dict[int, Value] = {THIS: this, YOU: Attribute("decider", this, "player")}
    meant: _RulePart = with_values(part, values if piece is None else {**values, AGENT: piece})
    return meant


def next_set_variable(node: Any) -> int:
    """Return the number of a variable for the members of a set around a part of the rules, which it does not have."""
    numbers = [number for number in variables_in(node) if SET_VARIABLES <= number < EVENT_VARIABLES]
    return max(numbers, default=SET_VARIABLES - 1) + 1


def base_of(node: Value) -> str:
    """Return the base of a value."""
    if isinstance(node, Var | Const | Attribute | FieldOf | Latest | Earliest | SheetName | Parameter):
        return node.base
    return "direction" if isinstance(node, Bearing) else "number"


def settles(step: SetField, number: int) -> bool:
    """Whether a step settles a field: it sets the field to a value that does not depend on the earlier one."""
    return step.field == number and not any(
        isinstance(part, FieldOf) and part.field == number for part in nodes_in(step.value)
    )


def way_back_in(condition: Condition) -> FieldOf | None:
    """Return the trail whose latest step a condition asks for, as `goes back` does; None for any other condition."""
    match condition:
        case Compare("!=", Latest(trail), Const(value, "space")) if value == NOTHING:
            return trail
    return None
