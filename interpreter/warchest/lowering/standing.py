"""Standing changes: the rules of a game with the changes of a number inserted after each step that settles it.

Additions precede doublings, each in the order of the documents, so that no player is asked for an order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from warchest.ir import steps as ir
from warchest.ir.parts import carried, followed, more_of, next_set_variable, settles
from warchest.ir.ruleset import Ruleset, StandingChange
from warchest.ir.values import (
    EVENT_VARIABLES,
    NO_PIECE,
    All,
    Any,
    Bears,
    Compare,
    Condition,
    Const,
    FieldOf,
    Happening,
    Pieces,
    Set,
    Value,
    Var,
)
from warchest.source.text import Span


def with_standing(ruleset: Ruleset) -> Ruleset:
    """Return the rules with standing changes put after the steps that settle a number; unchanged if there are none."""
    if not ruleset.standing:
        return ruleset
    changes = sorted(ruleset.standing, key=lambda one: one.amount is None)
    return ruleset.with_codes(lambda code: _changed(ruleset, code, changes))


def _changed(ruleset: Ruleset, code: ir.Code, changes: Sequence[StandingChange]) -> ir.Code:
    each = Var(code.size, "piece", "piece")
    steps = followed(code.steps, lambda step: _following(ruleset, step, changes, each))
    return code if steps == code.steps else replace(code, steps=steps, size=code.size + 1)


def _following(ruleset: Ruleset, step: ir.Order, changes: Sequence[StandingChange], each: Var) -> Iterator[ir.Order]:
    """Yield the steps that change the number which a step settles."""
    if not isinstance(step, ir.SetField):
        return
    about = [one for one in changes if settles(step, one.number)]
    if step.of is not None:
        yield from (_change(ruleset, one, step.of, each) for one in about)
    else:
        yield from (_change_of_act(ruleset, one, each) for one in about)


def _change_of_act(ruleset: Ruleset, one: StandingChange, each: Var) -> ir.Order:
    """Return the step that changes a value of an act, if the rule is about that act."""
    if one.carrier < 0:
        return ir.If(one.condition, (_more(one, None, NO_PIECE),), (), span=one.span)
    member = _bearer(one)
    own = (_does(ruleset, ruleset.fields[one.number].act, member, one.condition.span),) if one.of_this else ()
    return _for_bearers(ruleset, one, None, each, own)


def _bearer(one: StandingChange) -> Var:
    """Return the variable for the pieces that bear the document of a standing change."""
    return Var(next_set_variable(one.condition), "piece")


def _for_bearers(
    ruleset: Ruleset, one: StandingChange, piece: Value | None, each: Var, own: Sequence[Condition] = ()
) -> ir.Order:
    """Return the loop that changes a number once for each bearer that fits the rule and meets the conditions `own`."""
    member, around = _bearer(one), one.condition.span
    filters = Bears(member, one.carrier, around), *own, carried(one.condition, member, piece)
    among = Set(member, Pieces(ruleset.all_kinds), filters, around)
    return ir.ForEach(each, among, False, Const(-1, "player"), (_more(one, piece, each),), span=one.span)


def _does(ruleset: Ruleset, act: int, piece: Value, span: Span) -> Condition:
    """Return the condition that a piece does an act, or one of its kinds."""
    agent = Var(EVENT_VARIABLES, "piece")
    does = All((Compare("==", agent, piece, span),), span)
    kinds = tuple(Happening(kind, 0, does, span) for kind in ruleset.verbs[act].kinds)
    return kinds[0] if len(kinds) == 1 else Any(kinds, span)


def _change(ruleset: Ruleset, one: StandingChange, piece: Value, each: Var) -> ir.Order:
    """Return the step that changes the number of a piece, if the rule is about that piece."""
    if not one.of_this and one.carrier >= 0:
        return _for_bearers(ruleset, one, piece, each)
    around = one.condition.span
    bears = (Bears(piece, one.carrier, around),) if one.carrier >= 0 else ()
    about = All((*bears, *carried(one.condition, piece, piece).conditions), around)
    return ir.If(about, (_more(one, piece, piece),), (), span=one.span)


def _more(one: StandingChange, piece: Value | None, this: Value) -> ir.SetField:
    """Return the step that changes the number of a piece or an act; the cause is a bearer, or a rule of the game."""
    place = FieldOf(one.number, piece, "number")
    amount = place if one.amount is None else carried(one.amount, this, piece)
    return more_of(place, amount, one.span, one.sign)
