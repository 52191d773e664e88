"""The opposite of cases holds where none of them does, and is said in cases itself."""

from __future__ import annotations

from math import prod

from hypothesis import given
from hypothesis import strategies as st

from warchest.ir.opposites import MOST_CASES, opposite_of
from warchest.ir.values import All, Any, Compare, Condition, Const, Not
from warchest.source.text import Source, Span

NOWHERE = Span(Source("", "test"), 0, 0)


def met(condition: Condition, facts: int) -> bool:
    """Return whether a condition holds where the atom with a number does if that bit of `facts` is set."""
    match condition:
        case All(conditions):
            return all(met(one, facts) for one in conditions)
        case Any(conditions):
            return any(met(one, facts) for one in conditions)
        case Not(inner):
            return not met(inner, facts)
        case Compare(_, Const(number)):
            return bool(facts >> number & 1)
    raise AssertionError(condition)


atoms = st.integers(0, 5).map(lambda number: Compare("==", Const(number, "number"), Const(0, "number"), NOWHERE))
either = atoms | atoms.map(lambda one: Not(one, NOWHERE))
cases = st.lists(st.lists(either, min_size=1, max_size=4), min_size=1, max_size=4)


@given(cases)
def test_an_opposite_holds_where_no_case_does(said: list[list[Condition]]) -> None:
    opposite = opposite_of(said, NOWHERE)
    for facts in range(1 << 6):
        assert met(opposite, facts) != any(all(met(one, facts) for one in case) for case in said)


@given(cases)
def test_an_opposite_is_said_in_cases(said: list[list[Condition]]) -> None:
    opposite = opposite_of(said, NOWHERE)
    told = opposite.conditions if isinstance(opposite, Any) else (opposite,)
    assert len(told) <= MOST_CASES
    if prod(map(len, said)) <= MOST_CASES:
        parts = [part for one in told for part in (one.conditions if isinstance(one, All) else (one,))]
        assert not any(isinstance(part, All | Any) for part in parts)
