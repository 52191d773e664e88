"""Obligations: all facts that should be observed for each clause of a game, derived from the lowered program.

A clause of a definition occurs wherever the defined word is used. An obligation is met if it is met at any such place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Literal, TypeAlias, get_args

from warchest.ir.parts import base_of, names_of
from warchest.ir.ruleset import Domain
from warchest.ir.values import (
    All,
    Apart,
    Attribute,
    Compare,
    Condition,
    Everyone,
    KindIs,
    Members,
    PerDocument,
    Ranged,
    Set,
    Tagged,
    Tokens,
    asks_nothing,
)
from warchest.ir.values import Any as AnyOf
from warchest.lowering.code import (
    Attempt,
    BoundHook,
    Branch,
    CallAct,
    Instruction,
    KeepMembers,
    LoopTest,
    PerformBlock,
    Pick,
    PickBranch,
    PickMember,
    PickRole,
    Plain,
    RoutineOrigin,
)
from warchest.lowering.probes import OFF, Probes, RangeProbe
from warchest.lowering.program import Program
from warchest.source.limits import MAX_SPACES
from warchest.source.records import record
from warchest.source.text import Span

What: TypeAlias = Literal[
    "done",
    "considered",
    "used",
    "forbade",
    "allowed",
    "answered",
    "ignored",
    "true",
    "false",
    "taken",
    "declined",
    "least",
    "most",
    "just",
    "beside",
    "none",
    "one",
    "many",
]
"""The facts that can be observed for a clause. `considered` is reported only if there are no others."""
ORDER = {what: place for place, what in enumerate(get_args(What))}
STEPS = (CallAct, PerformBlock, Pick, PickMember, Plain, KeepMembers)
"""The instructions that carry out their clauses; others only lead from one to the next."""
TEXTS: tuple[RoutineOrigin, ...] = ("verb", "hook", "block", "state", "game")
"""The origins of routines that are made from texts."""
CONDITIONS = get_args(Condition)
"""The parts of the rules that are true or false."""


@record()
class Obligation:
    """One fact that should be observed for a clause; `number` is the number it names, if any."""

    span: Span
    what: What
    number: int = -1

    @property
    def key(self) -> tuple[str, int, int, str]:
        """The key of an obligation: the clause and the fact."""
        return self.span.path, self.span.start, self.span.end, self.what

    @property
    def clause(self) -> str:
        """The text of the clause, on one line."""
        return self.span.one_line

    @property
    def place(self) -> tuple[Any, ...]:
        """The place in the order of the texts: clauses by their first words, longer ones before their parts."""
        return self.span.path, self.span.start, -self.span.end, ORDER[self.what]


class ObligationTable:
    """The obligations of one or several programs, each with the number of its mark."""

    def __init__(self) -> None:
        self.all: list[Obligation] = []
        self._numbers: dict[tuple[str, int, int, str], int] = {}
        self._probes: dict[int, tuple[Program, Probes]] = {}

    def mark(self, span: Span, what: What, number: int = -1) -> int:
        """Return the mark for a fact of a clause, which becomes an obligation."""
        made = Obligation(span, what, number)
        if made.key not in self._numbers:
            self._numbers[made.key] = len(self.all)
            self.all.append(made)
        return self._numbers[made.key]

    def number(self, key: tuple[str, int, int, str]) -> int | None:
        """Return the mark of an obligation by its key; None if there is none."""
        return self._numbers.get(key)

    def probes(self, program: Program) -> Probes:
        """Return the probes for the parts of a program, whose obligations are added to the table."""
        # Programs with other sheets share their code.
        key = id(program.acts)
        if key not in self._probes:
            self._probes[key] = program, _ObligationProbing(self).of(program)
        return self._probes[key][1]

    def in_order(self) -> list[Obligation]:
        """Return the obligations in the order of the texts, without the fact that a clause was considered."""
        return sorted((one for one in self.all if one.what != "considered"), key=lambda one: one.place)


@lru_cache(maxsize=8)
def obligations_of(program: Program) -> ObligationTable:
    """Return the obligations of one program; their numbers depend on the program alone."""
    table = ObligationTable()
    table.probes(program)
    return table


def obligation_probes(program: Program) -> Probes:
    """Return the probes for all obligations of a program."""
    return obligations_of(program).probes(program)


class _ObligationProbing:
    """Goes through a program and numbers the probed parts."""

    def __init__(self, table: ObligationTable) -> None:
        self.table, self.probes = table, Probes()
        self._mark = table.mark

    def of(self, program: Program) -> Probes:
        """Mark all texts of a program."""
        for routine in program.routines.values():
            if routine.origin in TEXTS and not routine.stages:
                for one in routine.instructions:
                    self._instruction(one)
        for act in program.acts:
            for rule in act.rules:
                self._asked(rule.condition, rule.span, ("forbade", "allowed"))
                self._parts(rule.condition, rule.span, known=True)
            for domain in (one for domains in act.domains for one in domains):
                self._parts(domain.applies, domain.span)
                self._parts(domain.among, domain.span)
                if domain.carrier >= 0:
                    self._set(domain.among, domain.span)
            for point in act.routine.instructions:
                if isinstance(point, PickRole):
                    self._choice(point, [one for one in act.domains[point.role] if one.carrier < 0])
            for definition in act.verb.definitions:
                self._parts(definition.applies, definition.code.span)
        for hook in program.hooks:
            self._hook(hook)
        for bound in program.state_rules:
            self._parts(bound.rule.among, bound.rule.code.span)
        for value in program.ruleset.limits.values():
            self._parts(value, None)
        self.probes.size = len(self.table.all)
        return self.probes

    def _hook(self, bound: BoundHook) -> None:
        hook = bound.hook
        if not asks_nothing(hook.condition):
            self._asked(hook.condition, hook.span, ("answered", "ignored"))
            self._parts(hook.condition, hook.span, known=True)
        if hook.optional:
            self._pair(self.probes.offers, hook, hook.span, ("taken", "declined"))

    def _instruction(self, one: Instruction) -> None:
        span = one.span
        if span is None:
            return
        if isinstance(one, STEPS):
            self._pair(self.probes.steps, one, span, ("done", "considered"))
        match one:
            case PickBranch(declined=declined) if declined >= 0:
                self._pair(self.probes.offers, one, span, ("taken", "declined"))
            case Branch(condition=condition) | LoopTest(condition=condition):
                self._condition(condition, span)
                return
            case Pick(among=among) if not one.by_chance:
                self._choice(one, [one])
                self._parts(one, span)
                self._range(one, among.members)
                return
            case KeepMembers(among=among) | Attempt(certain=Set() as among):
                self._set(among, span)
            case CallAct(variables=variables):
                # Its order has been marked with the choices before it.
                self._parts(variables, span)
                return
        self._parts(one, span)

    # ---- conditions

    def _condition(self, node: Any, outer: Span) -> None:
        """Mark a condition that decides about a step, and its parts."""
        if isinstance(node, All | AnyOf) and len(node.conditions) != 1 and node.span == outer:
            self._parts(node, outer)
            return
        self._asked(node, node.span, ("true", "false"))
        self._parts(node, node.span, known=True)

    def _parts(self, node: object, within: Span | None, known: bool = False) -> None:
        """Mark the conditions, ranges and cases within a part of the rules that have texts of their own.

        `known`: the part itself has its marks already.
        """
        if isinstance(node, list | tuple):
            for one in node:
                self._parts(one, within)
            return
        span = getattr(node, "span", None)
        if isinstance(node, CONDITIONS) and not isinstance(node, All | AnyOf):
            if not known and span != within:
                self._asked(node, node.span, ("true", "false"))
            # A compound part passes its text on; its parts can have the same text.
            within = span
        self._numbers(node, span or within)
        if isinstance(node, Set):
            # Its noun only names the kind of its members.
            self._parts([one for one in node.filters if not isinstance(one, KindIs | Tagged)], span)
            self._parts(node.members, span)
            return
        for name in names_of(type(node)):  # type: ignore[arg-type]
            self._parts(getattr(node, name), within)

    def _numbers(self, node: object, span: Span | None) -> None:
        """Mark the edges of a range, or of numbers that are compared, and the cases of a value."""
        if isinstance(node, PerDocument):
            self.probes.cases[id(node)] = tuple(self._mark(one, "used") for one in node.spans)
        elif isinstance(node, Compare) and node.how in OFF:
            self._pair(self.probes.edges, node, node.span, ("just", "beside"))
        elif isinstance(node, Ranged | Apart) and span is not None and 0 < node.low < node.high < MAX_SPACES:
            self.probes.edges[id(node)] = (self._mark(span, "least", node.low), self._mark(span, "most", node.high))

    # ---- sets

    def _set(self, among: Set, span: Span) -> None:
        """Mark a set whose members are all used, unless it has no condition and so is always the same."""
        if among.filters or not isinstance(among.members, Everyone):
            self.probes.sizes[id(among)] = self._sizes(among, span)

    def _choice(self, point: Pick | PickRole, said: Sequence[Domain | Pick]) -> None:
        """Mark a choice, with the clauses that describe its candidates."""
        marks = [
            self._sizes(one.among, one.span)
            for one in said
            if one.span is not None and (one.among.filters or not isinstance(one.among.members, Everyone))
        ]
        self.probes.choices[id(point)] = marks

    def _range(self, point: Pick, members: Members) -> None:
        """Mark a range as part of a choice, so that only candidates count for its nearest and farthest distance."""
        edges = self.probes.edges.pop(id(members), None)
        if edges is not None and isinstance(members, Ranged):
            origin = members.origin
            of = Attribute("space", origin, "space") if base_of(origin) == "piece" else origin
            self.probes.ranges[id(point)] = RangeProbe(edges, (members.low, members.high), of)

    def _sizes(self, among: Set, span: Span) -> tuple[int, int, int]:
        # Tokens of one document are all the same, so that there are never many to choose from.
        many = self._mark(span, "many") if not _are_alike(among) else self._mark(span, "considered")
        return self._mark(span, "none"), self._mark(span, "one"), many

    def _pair(self, known: dict[int, tuple[int, int]], node: object, span: Span, what: tuple[What, What]) -> None:
        known[id(node)] = self._mark(span, what[0]), self._mark(span, what[1])

    def _asked(self, node: object, span: Span, what: tuple[What, What]) -> None:
        """Probe a condition, whether or not it is only tried."""
        holds, fails = self._mark(span, what[0]), self._mark(span, what[1])
        self.probes.conditions[id(node)] = holds, fails, holds, fails


def _are_alike(among: Set) -> bool:
    """Whether a set has only tokens of a single document."""
    return isinstance(among.members, Tokens) and any(
        isinstance(one, Compare) and one.how == "==" and one.left == Attribute("document", among.var, "document")
        for one in among.filters
    )


def by_file(obligations: list[Obligation]) -> Iterator[tuple[str, list[Obligation]]]:
    """Yield the files with their obligations, in order."""
    files: dict[str, list[Obligation]] = {}
    for one in obligations:
        files.setdefault(one.span.path, []).append(one)
    yield from files.items()
