"""Response windows: several players are asked in turn, until all of them have passed in a row.

A window is a loop over rounds of offers. A variable counts the passes in a row, and an act resets the count.
"""

from __future__ import annotations

from collections.abc import Sequence

from warchest.ir import steps as ir
from warchest.ir.parts import changed_by
from warchest.ir.values import Compare, Const, Set, Size, Var
from warchest.source.text import Span


def opened(passes: Var, players: Set, rounds: Sequence[ir.ForEach], span: Span) -> ir.Steps:
    """Return the steps of a window for some players, given the loops of offers in each round."""
    asking = tuple(_asking(one, passes, players, span) for one in rounds)
    over = Compare(">=", passes, Size(players), span)
    return _reset(passes, span), ir.Until(over, asking, span=span)


def window_in(steps: ir.Steps) -> tuple[Set, tuple[ir.ForEach, ...]] | None:
    """Return the players and the loops of offers of a window at the beginning of some steps; None if none is there."""
    match steps[:2]:
        case (ir.Keep(passes, Const(0)), ir.Until(Compare(">=", left, Size(players)), asking)) if left == passes:
            found = [_offering(one) for one in asking]
            rounds = tuple(one for one in found if one is not None)
            return (players, rounds) if rounds and len(rounds) == len(found) else None
    return None


def _asking(one: ir.ForEach, passes: Var, players: Set, span: Span) -> ir.ForEach:
    """Return a loop of offers that counts the passes, and makes no further offer once all have passed."""
    passed = ir.Keep(passes, changed_by(passes, Const(1, "number")), span=span)
    offer = one.steps[0]
    assert isinstance(offer, ir.Offer)
    answered = tuple((*option, _reset(passes, span)) for option in offer.options)
    asked = (passed, ir.Offer(answered, offer.decider, in_window=True, span=offer.span))
    still = Compare("<", passes, Size(players), span)
    return ir.ForEach(one.var, one.among, one.free, one.decider, (ir.If(still, asked, (), span=span),), span=one.span)


def _offering(step: ir.Order) -> ir.ForEach | None:
    """Return the loop of offers that `_asking` was given; None for another step."""
    match step:
        case ir.ForEach(var, among, free, decider, (ir.If(_, (ir.Keep(), ir.Offer(answered, asked) as offer), ()),)):
            plain = ir.Offer(tuple(option[:-1] for option in answered), asked, span=offer.span)
            return ir.ForEach(var, among, free, decider, (plain,), span=step.span)
    return None


def _reset(passes: Var, span: Span) -> ir.Keep:
    return ir.Keep(passes, Const(0, "number"), span=span)
