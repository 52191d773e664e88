"""Negations of conditions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from warchest.ir.values import All, Any, Condition, Not
from warchest.source.text import Span

MOST_CASES = 16
"""The most conjunctions in a negation; a longer one stays a negation of the whole."""


def negated(condition: Condition) -> Condition:
    """Return the condition that holds exactly if this one does not."""
    return condition.condition if isinstance(condition, Not) else Not(condition, condition.span)


def opposite_of(cases: Sequence[Sequence[Condition]], span: Span) -> Condition:
    """Return the negation of a disjunction of conjunctions, in the same form: each condition is negated by itself."""
    if prod(map(len, cases)) > MOST_CASES:
        return Not(_any_of([_all_of(one, span) for one in cases], span), span)
    return _any_of([_all_of(list(map(negated, row)), span) for row in product(*cases)], span)


def _all_of(conditions: Sequence[Condition], span: Span) -> Condition:
    return All(tuple(conditions), span) if len(conditions) > 1 else conditions[0]


def _any_of(conditions: Sequence[Condition], span: Span) -> Condition:
    return Any(tuple(conditions), span) if len(conditions) > 1 else conditions[0]
