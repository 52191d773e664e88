"""Standing changes: the rules of a game in which each step that settles a number is followed by what changes that.

What adds comes before what doubles, each in the order of the documents, so that nobody is asked for an order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from warchest.ir import steps as ir
from warchest.ir.parts import branches_of, next_set_variable, settles, with_branches, with_values
from warchest.ir.ruleset import AGENT, THIS, YOU, Ruleset, StandingChange
from warchest.ir.values import All, Attribute, Bears, Condition, Const, FieldOf, Pieces, Set, Sum, Value, Var

_RulePart = TypeVar("_RulePart", Condition, Value)


def with_standing(ruleset: Ruleset) -> Ruleset:
    """Return the rules in which standing changes follow the steps that settle a number; the same without any."""
    if not ruleset.standing:
        return ruleset
    changes = sorted(ruleset.standing, key=lambda one: one.amount is None)
    return ruleset.with_codes(lambda code: _changed(ruleset, code, changes))


def _changed(ruleset: Ruleset, code: ir.Code, changes: Sequence[StandingChange]) -> ir.Code:
    each = Var(code.size, "piece", "piece")
    steps = _settled(ruleset, code.steps, changes, each)
    return code if steps == code.steps else replace(code, steps=steps, size=code.size + 1)


def _settled(ruleset: Ruleset, steps: ir.Steps, changes: Sequence[StandingChange], each: Var) -> ir.Steps:
    done: list[ir.Order] = []
    for step in steps:
        inner = with_branches(step, lambda branch: _settled(ruleset, branch, changes, each))
        done.append(inner if branches_of(step) else step)
        for one in changes:
            if isinstance(step, ir.SetField) and step.of is not None and settles(step, one.number):
                done.append(_following(ruleset, one, step.of, each))
    return tuple(done)


def _following(ruleset: Ruleset, one: StandingChange, piece: Value, each: Var) -> ir.Order:
    """Return the step that changes the number of a piece, if the rule is about that piece."""
    if one.of_this or one.carrier < 0:
        carried = (Bears(piece, one.carrier, one.span),) if one.carrier >= 0 else ()
        about = _carried(one.condition, piece, piece)
        return ir.If(All((*carried, about), one.span), (_more(one, piece, piece),), (), span=one.span)
    member = Var(next_set_variable(one.condition), "piece")
    filters = Bears(member, one.carrier, one.span), _carried(one.condition, member, piece)
    among = Set(member, Pieces(ruleset.all_kinds), filters, one.span)
    return ir.ForEach(each, among, False, Const(-1, "player"), (_more(one, piece, each),), span=one.span)


def _more(one: StandingChange, piece: Value, this: Value) -> ir.SetField:
    """Return the step that changes the number of a piece because of a bearer, or in the rules of a game of itself."""
    place = FieldOf(one.number, piece, "number")
    amount = place if one.amount is None else _carried(one.amount, this, piece)
    return ir.SetField(place.field, place.of, Sum((1, one.sign), (place, amount)), span=one.span)


def _carried(part: _RulePart, this: Value, piece: Value) -> _RulePart:
    """Return a part of a rule in which `this` is its bearer, `you` who decides for that, and the agent the piece."""
    meant: _RulePart = with_values(part, {THIS: this, YOU: Attribute("decider", this, "player"), AGENT: piece})
    return meant
