"""Conditions that are never so, or always, which a text need not state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warchest.check.types import flaw
from warchest.diagnostics.diagnostic import quoted
from warchest.ir.values import All, Compare, Condition, Const, Not, Value
from warchest.source.text import Span

_OPPOSITE = {"==": "!=", "!=": "==", ">=": "<", "<": ">=", "<=": ">", ">": "<="}
_MOST = 1 << 62


def refuse_same(left: Value, right: Value, span: Span) -> None:
    """Raise Flaw where two values that are compared are one; a number of a board may be the one it is asked for."""
    if left == right and not isinstance(left, Const):
        raise flaw("says-nothing", f"{quoted(span.text)} compares something with itself", span,
                   help="name the other thing, or leave this out")  # fmt: skip


def refuse_never(conditions: Sequence[Condition], span: Span) -> None:
    """Raise Flaw where conditions can never hold together."""
    parts = list(_parts(conditions))
    if _exclude(parts):
        raise flaw("says-nothing", f"{quoted(span.text)} is never so", span, help="its parts exclude each other")


def refuse_always(conditions: Sequence[Condition], span: Span) -> None:
    """Raise Flaw where one of several conditions always holds."""
    if any(Not(one, span) in conditions for one in conditions):
        raise flaw("says-nothing", f"{quoted(span.text)} is always so", span,
                   help="one of its parts is so wherever the other is not")  # fmt: skip


def _parts(conditions: Sequence[Condition]) -> Iterator[Condition]:
    for one in conditions:
        if isinstance(one, All):
            yield from _parts(one.conditions)
        else:
            yield one


def _exclude(parts: Sequence[Condition]) -> bool:
    """Whether two conditions are opposites, or leave no number that a value can be."""
    bounds: list[tuple[Value, int, int]] = []
    for one in parts:
        if isinstance(one, Not) and one.condition in parts:
            return True
        found = _bounds(one)
        if found is not None:
            value, low, high = found
            known = [bound for bound in bounds if bound[0] == value]
            if any(max(low, other[1]) > min(high, other[2]) for other in known):
                return True
            bounds.append(found)
    return False


def _bounds(condition: Condition) -> tuple[Value, int, int] | None:
    """Return a value and the bounds that a condition sets it; None where it sets none."""
    inverted = isinstance(condition, Not)
    inner = condition.condition if isinstance(condition, Not) else condition
    if not isinstance(inner, Compare) or not isinstance(inner.right, Const) or isinstance(inner.left, Const):
        return None
    number = inner.right.value
    match _OPPOSITE[inner.how] if inverted else inner.how:
        case "==":
            return inner.left, number, number
        case ">=":
            return inner.left, number, _MOST
        case ">":
            return inner.left, number + 1, _MOST
        case "<=":
            return inner.left, -_MOST, number
        case "<":
            return inner.left, -_MOST, number - 1
    return None
