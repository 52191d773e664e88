"""Reasoning about conditions by the rules alone: it finds those that never hold together on any board.

Undecided conditions count as possible, so that no sentence is blamed that could ever matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any as Anything

from warchest.ir.opposites import negated
from warchest.ir.parts import nodes_in, substituted
from warchest.ir.ruleset import FIXED, THIS, YOU, Ruleset
from warchest.ir.values import (
    EVENT_VARIABLES,
    SET_VARIABLES,
    All,
    AllSpaces,
    Any,
    Apart,
    Attribute,
    Bears,
    Compare,
    Condition,
    Const,
    Distance,
    Exists,
    InPiece,
    KindIs,
    Not,
    Pieces,
    Ray,
    Ring,
    Set,
    SheetNumber,
    Size,
    Tokens,
    Value,
    Var,
)
from warchest.source.text import Span

_THIS = Var(THIS, "piece")
_OPPOSITE = {"==": "!=", "!=": "==", ">=": "<", "<": ">=", "<=": ">", ">": "<="}
_TURNED = {"==": "==", "!=": "!=", ">=": "<=", "<=": ">=", ">": "<", "<": ">"}
_MOST = 1 << 40
_BUDGET = 400
"""The most conditions that are compared before all are assumed to be possible together."""
_DEEP = 2
"""The greatest depth of nested questions, of the form: is a known thing a member of a set that must be empty?"""
_LEVELS = 3
"""The greatest depth of nested sets at which variables are distinguished."""
MOST_WITNESSES = 4
_FRESH = 1 << 20
"""The first number of the variables for things that a condition requires to exist."""


def among(members: Set, var: Value) -> list[Condition]:
    """Return the conditions that hold for a value because it is a member of a set."""
    known: list[Condition] = []
    match members.members:
        case Pieces(kinds):
            known.append(KindIs(var, kinds, members.span))
        case Ring(low, high, origin):
            known.append(Apart(low, high, origin, var, False, None, members.span))
        case Ray(low, high, origin, direction):
            known.append(Apart(low, high, origin, var, True, direction, members.span))
    return [*known, *(replaced(one, {members.var: var}) for one in members.filters)]


def known_of_bearer(
    ruleset: Ruleset, document: int, span: Span, keeps: bool = True, piece: Value = _THIS
) -> list[Condition]:
    """Return the facts about a piece in a text on its document: its kind, its document, and its owner.

    If it need not `keep` its owner, an earlier step can have given it to a player other than `you`. The result is empty
    for a document that has no pieces.
    """
    kinds = ruleset.kinds_of(document)
    known: list[Condition] = [KindIs(piece, kinds, span), Bears(piece, document, span)] if kinds else []
    if kinds and ruleset.decides < 0 and keeps:
        # If another player can decide for a piece for a time, `you` in its text is not always the owner.
        known.append(Compare("==", Attribute("owner", piece, "player"), Var(YOU, "player"), span))
    return known


def made_of_something(piece: Value, span: Span) -> list[Condition]:
    """Return the conditions that a piece has a token, for the variable of a set at each depth."""
    tokens = Tokens((InPiece(piece),))
    sets = (Set(Var(SET_VARIABLES + depth, "token"), tokens, (), span) for depth in range(_LEVELS))
    return [Compare(">=", Size(one), Const(1, "number"), span) for one in sets]


def never(conditions: Iterable[Condition], deep: int = 0) -> bool:
    """Whether conditions can never hold together; False if unknown."""
    return _Search(deep).never(list(conditions), [])


def always(condition: Condition, given: Iterable[Condition]) -> bool:
    """Whether a condition holds wherever others do; False if unknown."""
    return never([*given, negated(condition)])


class _Search:
    """A search for a way in which conditions hold together: depth first, with a budget."""

    def __init__(self, deep: int) -> None:
        self.deep, self.left = deep, _BUDGET
        self.fresh = count(_FRESH * (deep + 1))

    def never(self, waiting: list[Condition], known: list[Condition]) -> bool:
        """Whether every way to satisfy the waiting conditions, besides the known ones, ends in a contradiction."""
        branches: list[Any] = []
        while waiting:
            self.left -= 1
            if self.left < 0:
                return False
            one = waiting.pop()
            match one:
                case Compare(_, Const(), Const()) | Not(Compare(_, Const(), Const())):
                    pass  # numbers of a board, which differ from board to board
                case All(conditions):
                    waiting += conditions
                case Any():
                    branches.append(one)
                case Not(All(conditions)):
                    branches.append(Any(tuple(map(negated, conditions)), one.span))
                case Not(Any(conditions)):
                    waiting += map(negated, conditions)
                case Not(Not(inner)):
                    waiting.append(inner)
                case Not(Compare(how, left, right)):
                    known.append(Compare(_OPPOSITE[how], left, right, one.span))  # type: ignore[arg-type]
                case Exists(members):
                    known.append(one)
                    waiting += among(members, replace(members.var, id=next(self.fresh)))
                case _:
                    known.append(one)
        if _Conjunction(known).contradict(self.deep):
            return True
        if not branches:
            return False
        first, *rest = branches
        return all(self.never([option, *rest], known[:]) for option in first.conditions)


class _Conjunction:
    """Conditions that are to hold at once, with each value under one name."""

    def __init__(self, known: Sequence[Condition]) -> None:
        self.raw = known
        self.names: dict[Value, Value] = {}
        equal = [one for one in known if isinstance(one, Compare) and one.how == "=="]
        for _ in range(_DEEP):
            before = self.names
            for one in equal:
                self._same(one.left, one.right)
            if self.names is before:
                break
        self.known: list[Condition] = [self.named(one) for one in known] if self.names else list(known)

    def named(self, node: Anything) -> Anything:
        """Return a condition or a value in which every value has its one name."""
        if not self.names:
            return node
        kinds = set(map(type, self.names))
        return substituted(node, lambda one: self.names.get(one, one) if type(one) in kinds else one)

    def _same(self, left: Value, right: Value) -> None:
        first, second = self.named(left), self.named(right)
        if first == second:
            return
        # A plain name is kept, and a fixed value before all others.
        old, new = (first, second) if _weight(second) < _weight(first) else (second, first)
        if isinstance(old, Const):
            return
        renamed = {
            value: substituted(name, lambda one: new if one == old else one) for value, name in self.names.items()
        }
        self.names = {**renamed, old: new}

    def contradict(self, deep: int) -> bool:
        """Whether the conditions cannot all hold."""
        bounds = _Bounds()
        for one in self.known:
            match one:
                case Not(inner) if inner in self.known:
                    return True
                case Compare() if not bounds.compare(one):
                    return True
                case Apart(low, high, left, right):
                    if not bounds.apart(self._place(left), self._place(right), low, high):
                        return True
                case KindIs(piece, kinds) if not bounds.kind(piece, kinds):
                    return True
        if deep >= _DEEP:
            return False
        return any(
            self._has_member(one.condition.members, deep)
            for one in self.known
            if isinstance(one, Not) and isinstance(one.condition, Exists)
        )

    def _place(self, value: Value) -> Value:
        base = getattr(value, "base", "space")
        named: Value = self.named(Attribute("space", value, "space")) if base == "piece" else value
        return named

    def _has_member(self, members: Set, deep: int) -> bool:
        """Whether one of the known things must be in a set."""
        if not isinstance(members.members, Pieces | AllSpaces | Ring | Ray):
            return False
        rest = [
            one
            for one in self.raw
            if not isinstance(one, Exists) and not (isinstance(one, Not) and isinstance(one.condition, Exists))
        ]
        candidates = dict.fromkeys(
            one
            for one in nodes_in(rest)
            if isinstance(one, Var | Attribute) and one.base == members.var.base and _is_free(one)
        )
        return any(
            all(never([*rest, negated(filter_)], deep + 1) for filter_ in among(members, candidate))
            for candidate in list(candidates)[:MOST_WITNESSES]
        )


class _Bounds:
    """The numbers, the distances and the kinds that values can still have."""

    def __init__(self) -> None:
        self.low: dict[Anything, int] = {}
        self.high: dict[Anything, int] = {}
        self.not_at: dict[Anything, set[int]] = {}
        self.kinds: dict[Value, frozenset[int]] = {}

    def compare(self, one: Compare) -> bool:
        """Record a comparison; False if it leaves no possible value."""
        how, left, right = one.how, one.left, one.right
        if left == right:
            return how in ("==", ">=", "<=")
        if isinstance(left, Const):
            how, left, right = _TURNED[how], right, left  # type: ignore[assignment]
        if not isinstance(right, Const):
            return True
        if isinstance(left, Const):
            return _holds(how, left.value, right.value)
        if isinstance(left, Size | SheetNumber | Distance):
            self.low.setdefault(left, 0)
        value = right.value
        if how == "!=":
            self.not_at.setdefault(left, set()).add(value)
            return self._is_possible(left)
        low = {"==": value, ">=": value, ">": value + 1}.get(how, -_MOST)
        high = {"==": value, "<=": value, "<": value - 1}.get(how, _MOST)
        return self.within(left, low, high)

    def within(self, value: Anything, low: int, high: int) -> bool:
        """Record bounds; False if they leave no number."""
        self.low[value] = max(low, self.low.get(value, -_MOST))
        self.high[value] = min(high, self.high.get(value, _MOST))
        return self._is_possible(value)

    def _is_possible(self, value: Anything) -> bool:
        low, high = self.low.get(value, -_MOST), self.high.get(value, _MOST)
        return low < high or (low == high and low not in self.not_at.get(value, ()))

    def apart(self, left: Value, right: Value, low: int, high: int) -> bool:
        """Record the distance between two places; False if it leaves no distance."""
        return low == 0 if left == right else self.within(frozenset({left, right}), low, high)

    def kind(self, piece: Value, kinds: tuple[int, ...]) -> bool:
        """Record the kinds that a piece can have; False if they leave none."""
        self.kinds[piece] = self.kinds.get(piece, frozenset(kinds)) & frozenset(kinds)
        return bool(self.kinds[piece])


def _holds(how: str, left: int, right: int) -> bool:
    return {
        "==": left == right,
        "!=": left != right,
        ">=": left >= right,
        "<=": left <= right,
        ">": left > right,
        "<": left < right,
    }[how]


def _is_free(value: Value) -> bool:
    """Whether a value does not depend on the variable of a set."""
    return not any(SET_VARIABLES <= one.id < EVENT_VARIABLES for one in nodes_in(value) if isinstance(one, Var))


def _weight(value: Value) -> tuple[int, int]:
    """Return the rank of a value among equal ones; the value with the lowest rank represents them."""
    kind = 0 if isinstance(value, Const) else 1 if isinstance(value, Var) else 2
    return kind, len(nodes_in(value))


# ---- parts of conditions


def replaced(condition: Condition, table: Mapping[Value, Value]) -> Condition:
    """Return a condition with some values replaced by others."""
    changed: Condition = substituted(condition, lambda one: table.get(one, one))
    return changed


def with_equal_counts(condition: Condition) -> Condition:
    """Return a condition in which the members of all counted sets have the same variable."""
    counted = {one.of.var for one in nodes_in(condition) if isinstance(one, Size)}
    return replaced(condition, {one: Var(SET_VARIABLES, one.base) for one in counted})


def alike(first: Anything, second: Anything) -> bool:
    """Whether two parts of the rules are the same up to the numbers of their variables."""
    return bool(_numbered(first) == _numbered(second))


def _numbered(node: Anything) -> Anything:
    variables = dict.fromkeys(one.id for one in nodes_in(node) if isinstance(one, Var) and one.id >= FIXED)
    order = {id_: number for number, id_ in enumerate(variables)}
    return substituted(
        node, lambda one: replace(one, id=FIXED + order[one.id]) if isinstance(one, Var) and one.id in order else one
    )


def together(conditions: Sequence[Condition], span: Span) -> Condition:
    """Return the conjunction of some conditions."""
    return conditions[0] if len(conditions) == 1 else All(tuple(conditions), span)
