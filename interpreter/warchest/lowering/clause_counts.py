"""Counts for each clause: how often it was carried out or considered, and how often its conditions held or failed.

Only a machine with these probes counts; the usual one has none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from warchest.ir.steps import EndGrants, Must
from warchest.lowering.code import Branch, Instruction, LoopTest, Plain
from warchest.lowering.probes import Probes
from warchest.lowering.program import Program
from warchest.source.text import Span


@dataclass(slots=True)
class ClauseCount:
    """The counters of a clause.

    `done` counts how often it was actually carried out, `held` and `failed` how often a condition was true or false on
    the way: both machines count the same. Trials, which list options and compare orders of hooks, count separately, as
    `considered`, `tried_held` and `tried_failed`; each machine tries as much as it needs. `forbade` counts how often it
    forbade an act, tried or not, which is mostly while options are listed.
    """

    done: int = 0
    considered: int = 0
    held: int = 0
    failed: int = 0
    tried_held: int = 0
    tried_failed: int = 0
    forbade: int = 0


ClauseFate: TypeAlias = Literal["done", "considered", "held", "failed", "tried_held", "tried_failed", "forbade"]
CounterMeaning: TypeAlias = tuple[tuple[Span, ClauseFate], ...]
"""The clauses and fates that one counter counts."""


class Counts:
    """The counters of a machine, by the clause that they are about."""

    def __init__(self) -> None:
        self._seen: dict[FateProbes, Counter[int]] = {}
        """The counters of each program's probes."""

    def seen_by(self, fates: FateProbes) -> Counter[int]:
        """Return the counters of some probes, to be added to."""
        return self._seen.setdefault(fates, Counter())

    @property
    def by_clause(self) -> dict[Span, ClauseCount]:
        """The counts of each clause for which anything was counted."""
        found: dict[Span, ClauseCount] = {}
        for fates, seen in self._seen.items():
            for number, times in seen.items():
                for span, fate in fates.meanings[number]:
                    count = found.setdefault(span, ClauseCount())
                    setattr(count, fate, getattr(count, fate) + times)
        return found


@dataclass(slots=True, eq=False)
class FateProbes:
    """The probes that count the fate of each clause of a program, and the meaning of each of their counters."""

    probes: Probes = field(default_factory=Probes)
    meanings: list[CounterMeaning] = field(default_factory=list)
    _numbers: dict[CounterMeaning, int] = field(default_factory=dict)

    def number(self, *meaning: tuple[Span, ClauseFate]) -> int:
        """Return the number of the counter with a meaning."""
        if meaning not in self._numbers:
            self._numbers[meaning] = len(self.meanings)
            self.meanings.append(meaning)
        return self._numbers[meaning]


@lru_cache(maxsize=8)
def fate_probes(program: Program) -> FateProbes:
    """Return the probes for the clauses of a program; their numbers depend on the program alone."""
    fates = FateProbes()
    for routine in program.routines.values():
        for one in routine.instructions:
            if one.span is not None:
                fates.probes.steps[id(one)] = fates.number((one.span, "done")), fates.number((one.span, "considered"))
    asked: dict[int, dict[tuple[Span, bool], None]] = {}
    for condition, span, forbids in _asked(program):
        if span is not None:
            asked.setdefault(id(condition), {})[span, forbids] = None
    for node, spans in asked.items():
        rules = [span for span, forbids in spans if forbids]
        asking = [span for span, forbids in spans if not forbids]
        fates.probes.conditions[node] = (
            _number(fates, asking, "held", rules),
            _number(fates, asking, "failed"),
            _number(fates, asking, "tried_held", rules),
            _number(fates, asking, "tried_failed"),
        )
    fates.probes.size = len(fates.meanings)
    return fates


def clause_probes(program: Program) -> Probes:
    """Return the probes that count the fate of each clause of a program."""
    return fate_probes(program).probes


def _number(fates: FateProbes, asking: list[Span], fate: ClauseFate, rules: list[Span] | tuple[()] = ()) -> int:
    forbidding: list[tuple[Span, ClauseFate]] = [(span, "forbade") for span in rules]
    return fates.number(*((span, fate) for span in asking), *forbidding)


def _asked(program: Program) -> Iterator[tuple[Any, Span | None, bool]]:
    """Yield the independent conditions, each with a clause that has it, and whether it forbids."""
    for routine in program.routines.values():
        for one in routine.instructions:
            yield from _of_instruction(one)
    for act in program.acts:
        for rule in act.rules:
            yield rule.condition, rule.condition.span, False
            yield rule.condition, rule.span, True
        yield from ((domain.applies, domain.applies.span, False) for domains in act.domains for domain in domains)
        yield from ((one.applies, one.applies.span, False) for one in act.verb.definitions)
    for bound in program.hooks:
        yield bound.hook.condition, bound.hook.condition.span, False
        if bound.causes is not None:
            yield bound.causes, bound.causes.span, False


def _of_instruction(one: Instruction) -> Iterator[tuple[Any, Span | None, bool]]:
    match one:
        case Branch(condition=condition):
            yield condition, condition.span, False
            yield condition, one.span, False
        case LoopTest(condition=condition) | Plain(step=Must(condition=condition) | EndGrants(when=condition)):
            yield condition, condition.span, False
