"""Conditions that hold where others do not."""

from __future__ import annotations

from itertools import product
from math import prod

from warchest.ir.values import All, Any, Condition, Not

MOST_CASES = 16
"""The most cases of an opposite that are spelt out."""


def negated(condition: Condition) -> Condition:
    """Return the condition that holds where this one does not."""
    return condition.condition if isinstance(condition, Not) else Not(condition, condition.span)


def opposite_of(condition: Condition) -> Condition:
    """Return the condition that holds where another does not, in cases as a sentence says them: each part is denied."""
    cases = condition.conditions if isinstance(condition, Any) else (condition,)
    rows = [one.conditions if isinstance(one, All) else (one,) for one in cases]
    if not 0 < prod(map(len, rows)) <= MOST_CASES:
        return negated(condition)
    span = condition.span
    told = [tuple(map(negated, row)) for row in product(*rows)]
    together = [All(row, span) if len(row) > 1 else row[0] for row in told]
    return Any(tuple(together), span) if len(together) > 1 else together[0]
