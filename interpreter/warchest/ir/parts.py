"""The parts of rules: functions that find parts anywhere in the rules, make parts, or change them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from operator import attrgetter, is_not
from typing import Any, TypeVar

from warchest.ir.ruleset import AGENT, FIXED, THIS, YOU, Hook, Ruleset, Verb
from warchest.ir.steps import (
    BecomeKind,
    Bound,
    Call,
    Choose,
    ChosenRole,
    Code,
    Either,
    EndGrants,
    Fill,
    ForEach,
    If,
    IfAble,
    Keep,
    Offer,
    Order,
    Perform,
    RaisePiece,
    RemovePiece,
    SetField,
    Steps,
    Until,
    Usual,
)
from warchest.ir.values import (
    EVENT_VARIABLES,
    NOTHING,
    SET_VARIABLES,
    AllSpaces,
    Attribute,
    Base,
    Bearing,
    CausedBy,
    Compare,
    Condition,
    Const,
    Earliest,
    Everyone,
    ExpressionPart,
    FieldOf,
    Happening,
    Holder,
    InPiece,
    Latest,
    Members,
    Parameter,
    Pieces,
    Set,
    SheetName,
    Sum,
    Tokens,
    Value,
    Var,
)
from warchest.source import records
from warchest.source.text import Span

_RulePart = TypeVar("_RulePart")
_PLAIN = (str, int, type(None))
"""The types of values without parts, which stay unchanged."""


def nodes_in(node: Any, left_out: Callable[[Any], bool] | None = None) -> list[Any]:
    """Return a part of the rules and all its parts, except the parts that are `left_out`, and their own parts."""
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
    """Return a part of the rules with `change` applied to each of its parts, bottom-up."""
    if isinstance(node, tuple | list):
        parts = type(node)([one if isinstance(one, _PLAIN) else substituted(one, change) for one in node])
        return parts if any(map(is_not, parts, node)) else node
    names = names_of(type(node))  # type: ignore[arg-type]
    if not names:
        return node
    changed = {}
    for name in names:
        part = getattr(node, name)
        if not isinstance(part, _PLAIN):
            new = substituted(part, change)
            if new is not part:
                changed[name] = new
    return change(replace(node, **changed) if changed else node)


@cache
def names_of(kind: type) -> tuple[str, ...]:
    """Return the names of the parts of a class."""
    return tuple(name for name in records.names_of(kind) if name not in ("span", "spans"))


@cache
def _parts(kind: type) -> Callable[[Any], Iterable[Any]] | None:
    """Return the getter of the parts of a class; None for a class without parts."""
    if issubclass(kind, list | tuple):
        return iter
    names = names_of(kind)  # type: ignore[arg-type]
    if not names:
        return None
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda one: (get(one),)


def reads_in(node: object) -> set[str]:
    """Return everything that values, sets and conditions in a part of the rules read of a position."""
    return {part.reads for part in nodes_in(node) if isinstance(part, ExpressionPart)}


def asks_of_events(node: object) -> bool:
    """Whether a part of the rules depends on acts under way, or on the causes of acts."""
    return not reads_in(node).isdisjoint(("cause", "events"))


def causes_in(node: object) -> list[CausedBy]:
    """Return the conditions on the causes of acts in a part of the rules."""
    return [part for part in nodes_in(node) if isinstance(part, CausedBy)]


def events_in(node: object) -> list[Happening]:
    """Return the conditions on acts under way in a part of the rules."""
    return [part for part in nodes_in(node) if isinstance(part, Happening)]


def verbs_in(node: object) -> Iterator[int]:
    """Yield the verbs that a part of the rules orders, answers or tests."""
    for one in nodes_in(node):
        if isinstance(one, Call | Happening):
            yield one.verb
        elif isinstance(one, CausedBy | Hook):
            yield from one.verbs


def variables_in(node: object) -> set[int]:
    """Return the numbers of all variables that a part of the rules mentions."""
    return {part.id for part in nodes_in(node) if isinstance(part, Var)}


def fields_in(node: object) -> set[int]:
    """Return the numbers of all fields that a part of the rules reads or sets."""
    return {part.field for part in nodes_in(node) if isinstance(part, FieldOf | SetField)}


def may_have_gone(piece: Value) -> bool:
    """Whether a value can name a piece that has left the board; members of sets are still on the board."""
    return not isinstance(piece, Var) or not SET_VARIABLES <= piece.id < EVENT_VARIABLES


def branches_of(step: Order) -> tuple[Steps, ...]:
    """Return the steps within a step, branch by branch; empty if it has no steps within."""
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


def calls_in(steps: Steps) -> list[Call]:
    """Return the acts that steps order, also within other steps."""
    return [step for step in steps_in(steps) if isinstance(step, Call)]


def verbs_ordered(ruleset: Ruleset, codes: Iterable[Code]) -> set[int]:
    """Return the verbs that some code orders, itself or by having texts of documents carried out."""
    left, seen, found = [code.steps for code in codes], set[str](), set[int]()
    while left:
        for one in nodes_in(left.pop()):
            if isinstance(one, Call):
                found.add(one.verb)
            elif isinstance(one, Perform) and one.block not in seen:
                seen.add(one.block)
                left += [sheet.blocks[one.block].steps for sheet in ruleset.sheets if one.block in sheet.blocks]
    return found


def reached(start: Iterable[int], following: Callable[[int], Iterable[int]]) -> set[int]:
    """Return some numbers, the numbers that follow each of these, and so on."""
    found = set(start)
    left = list(found)
    while left:
        new = set(following(left.pop())) - found
        found |= new
        left += new
    return found


def choices_of(step: Order) -> list[tuple[Var, Set]]:
    """Return the variables that a step itself fills from sets, each with its set."""
    return [(one.var, one.among) for one in _filling(step) if hasattr(one, "among") and hasattr(one, "var")]


def chosen_in(steps: Steps) -> dict[Var, Set]:
    """Return the variables that steps fill by choices within the steps themselves, each with its set."""
    return {step.var: step.among for step in nodes_in(steps) if isinstance(step, Choose)}


def set_of(fill: Fill, chosen: Mapping[Var, Set]) -> Set | None:
    """Return the set that fills a role, by its own words or by an earlier choice."""
    if isinstance(fill, Bound):
        return chosen.get(fill.value) if isinstance(fill.value, Var) else None
    return fill.among if isinstance(fill, ChosenRole) else None


def kept_by(step: Order) -> list[Var]:
    """Return the variables that a step itself sets: for its choices, for a kept value, and for its result."""
    found = [getattr(part, name, None) for part in _filling(step) for name in ("var", "result")]
    return [var for var in found if var is not None]


def _filling(step: Order) -> tuple[Order | Fill, ...]:
    """Return the parts of a step that can fill variables: the step itself, and the fillings of an act."""
    return (step, *step.fills) if isinstance(step, Call) else (step,)


def needed_by(step: Order) -> list[Value]:
    """Return the things that must exist for a step to have any effect."""
    return [one for name in step.needs for one in _things_of(getattr(step, name))]


def _things_of(part: object) -> Iterator[Value]:
    if isinstance(part, tuple):
        for one in part:
            yield from _things_of(one)
    elif isinstance(part, Set):
        yield from _things_of(part.members.holders if isinstance(part.members, Tokens) else ())
    elif isinstance(part, Bound):
        yield part.value
    elif isinstance(part, InPiece):
        yield part.piece
    elif isinstance(part, Value):
        yield part


def goal_of(step: Order) -> Holder | None:
    """Return the place that a step puts tokens into."""
    into: Holder | None = getattr(step, "into", None)
    return into


def removed_by(step: Order) -> Value | None:
    """Return the piece that a step takes off the board."""
    return step.piece if isinstance(step, RemovePiece) else None


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
    """Return steps, and the steps in their branches, each followed by further steps."""
    return tuple(
        one for step in steps for one in (with_branches(step, lambda inner: followed(inner, behind)), *behind(step))
    )


def changes_of_event(hook: Hook) -> list[Keep]:
    """Return the steps of a hook that change numbers of its event."""
    roles = {var.id for var in hook.code.params if var.base == "number" and var.id >= FIXED}
    return [one for one in nodes_in(hook.code.steps) if isinstance(one, Keep) and one.var.id in roles]


def changed_by(value: Value, amount: Value, sign: int = 1) -> Value:
    """Return a number increased by an amount, or decreased if the sign is -1."""
    return Sum((1, sign), (value, amount))


def more_of(place: FieldOf, amount: Value, span: Span, sign: int = 1) -> SetField:
    """Return the step that adds an amount to a field, or subtracts it if the sign is -1."""
    return SetField(place.field, place.of, changed_by(place, amount, sign), span=span)


def one_more(place: FieldOf, span: Span) -> SetField:
    """Return the step that adds 1 to a field."""
    return more_of(place, Const(1, "number"), span)


def clauses_ended(steps: Steps) -> frozenset[int]:
    """Return the clauses whose grants are ended by some steps."""
    return frozenset(step.clause for step in steps if isinstance(step, EndGrants))


def kind_changes_in(steps: Steps, deep: bool = True) -> list[BecomeKind]:
    """Return the steps that change the kinds of pieces; with `deep`, also steps within other steps."""
    return [step for step in (steps_in(steps) if deep else steps) if isinstance(step, BecomeKind)]


def kinds_of_nobody(ruleset: Ruleset) -> set[int]:
    """Return the kinds of pieces that never have an owner."""
    steps = [step for code in ruleset.codes() for step in steps_in(code.steps)]
    raised = {(one.kind, one.owner) for one in steps if isinstance(one, RaisePiece)}
    owned = {kind for kind, owner in raised if not isinstance(owner, Const) or owner.value >= 0}
    return {kind for kind, _ in raised} - owned


def asked_roles(call: Call, verb: Verb) -> set[int]:
    """Return the roles of an act that are filled by a choice among permitted things, where rules permit any."""
    permitted = {domain.role for domain in verb.domains}
    return {number for number, fill in enumerate(call.roles) if isinstance(fill, Usual) and number in permitted}


def with_values(node: Any, values: dict[int, Value]) -> Any:
    """Return a part of the rules with values substituted for some variables; `values` has them by number."""

    def change(part: Any) -> Any:
        return values.get(part.id, part) if isinstance(part, Var) else part

    return substituted(node, change)


def carried(part: _RulePart, this: Value, piece: Value | None = None) -> _RulePart:
    """Return a part of a rule with its bearer in place of `this`, and the player who decides for the bearer for `you`.

    A given piece also replaces the agent.
    """
    values: dict[int, Value] = {THIS: this, YOU: Attribute("decider", this, "player")}
    meant: _RulePart = with_values(part, values if piece is None else {**values, AGENT: piece})
    return meant


def all_of(base: Base, kinds: tuple[int, ...]) -> Members:
    """Return all pieces of some kinds, or all spaces, players, teams or directions."""
    if base == "piece":
        return Pieces(kinds)
    return Everyone(base) if base in ("player", "team", "direction") else AllSpaces()


def next_set_variable(node: object) -> int:
    """Return a variable number that a part of the rules does not use, for the members of a set around the part."""
    numbers = [number for number in variables_in(node) if SET_VARIABLES <= number < EVENT_VARIABLES]
    return max(numbers, default=SET_VARIABLES - 1) + 1


def base_of(node: Value) -> str:
    """Return the type of a value."""
    if isinstance(node, Var | Const | Attribute | FieldOf | Latest | Earliest | SheetName | Parameter):
        return node.base
    return "direction" if isinstance(node, Bearing) else "number"


def settles(step: SetField, number: int) -> bool:
    """Whether a step settles a field: it sets the field to a value that does not depend on its earlier value."""
    return step.field == number and not any(
        isinstance(part, FieldOf) and part.field == number for part in nodes_in(step.value)
    )


def way_back_in(condition: Condition) -> FieldOf | None:
    """Return the trail whose latest step a condition tests, as `goes back` does; None for any other condition."""
    match condition:
        case Compare("!=", Latest(trail), Const(value, "space")) if value == NOTHING:
            return trail
    return None
