"""Counters for each clause: how often it was done or only considered, and how often its conditions held or did not.

Nothing is counted unless a run is given a machine that counts; the usual one knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from warchest.engine.choices import CHOICES
from warchest.engine.evaluation import Evaluator
from warchest.engine.machine import HANDLERS
from warchest.engine.runs import Env, Handler, Machine, Run, Stop
from warchest.lowering.code import Branch
from warchest.lowering.program import Program
from warchest.source.text import Span


@dataclass(slots=True)
class ClauseCount:
    """The counters of a clause.

    `done` counts what it really did, `held` and `failed` how often a condition was true or false on the way: both
    machines count the same. What is only tried counts apart, as `considered`, `tried_held` and `tried_failed`: options
    are listed so, and orders of hooks compared; how much is tried is the business of each machine. `forbade` counts how
    often it forbade an act, tried or not, which is mostly while options are listed.
    """

    done: int = 0
    considered: int = 0
    held: int = 0
    failed: int = 0
    tried_held: int = 0
    tried_failed: int = 0
    forbade: int = 0

    def carried_out(self, tried: bool) -> None:
        """Count that it was carried out."""
        if tried:
            self.considered += 1
        else:
            self.done += 1

    def asked(self, holds: bool, tried: bool) -> None:
        """Count that a condition was true, or false."""
        if tried:
            self.tried_held += holds
            self.tried_failed += not holds
        else:
            self.held += holds
            self.failed += not holds


class Counts:
    """The counters of a machine, by the clause that they are about."""

    def __init__(self) -> None:
        self.by_clause: dict[Span, ClauseCount] = {}

    def of(self, span: Span) -> ClauseCount:
        """Return the counters of a clause; all are 0 where nothing was seen of it."""
        found = self.by_clause.get(span)
        if found is None:
            found = self.by_clause[span] = ClauseCount()
        return found


def counting_machine(program: Program, counts: Counts) -> Machine:
    """Return a machine for a program that counts its work, and is otherwise as every other."""
    handlers = {kind: _counted(handler, counts) for kind, handler in HANDLERS.items()}
    return Machine(program, _CountingEvaluator(program, counts), handlers, CHOICES)


def _counted(handler: Handler, counts: Counts) -> Handler:
    def carry_out(run: Run, env: Env, instruction: Any) -> Stop | None:
        count = counts.of(instruction.span) if instruction.span is not None else ClauseCount()
        tried, behind = run.lookahead > 0, run.pc
        count.carried_out(tried)
        stop = handler(run, env, instruction)
        if isinstance(instruction, Branch) and instruction.condition.span != instruction.span:
            # It goes on right behind where its condition holds. A condition with the same text is counted already.
            count.asked(run.pc == behind, tried)
        return stop

    return carry_out


class _CountingEvaluator(Evaluator):
    """Counts how often conditions hold that are asked by themselves: of branches, hooks, permissions, prohibitions.

    They are counted by their own texts, which may be those of definitions that others use.
    """

    def __init__(self, program: Program, counts: Counts) -> None:
        super().__init__(program.layout)
        self._counts = counts
        self._forbidding = dict(_prohibitions(program))
        """The clauses of prohibitions, by the identity of their conditions."""
        self._tests: dict[int, Callable[[Run, Env], bool]] = {}

    def test(self, node: Any) -> Callable[[Run, Env], bool]:
        """Return the function that tests a condition, and counts the results."""
        known = self._tests.get(id(node))
        if known is None:
            known = self._tests[id(node)] = self._counting(node, super().test(node))
        return known

    def _counting(self, node: Any, test: Callable[[Run, Env], bool]) -> Callable[[Run, Env], bool]:
        count, forbidding = self._counts.of(node.span), self._forbidding.get(id(node))
        rule = self._counts.of(forbidding) if forbidding is not None else None

        def counted(run: Run, env: Env) -> bool:
            holds = bool(test(run, env))
            count.asked(holds, run.lookahead > 0)
            if rule is not None:
                rule.forbade += holds
            return holds

        return counted


def _prohibitions(program: Program) -> Iterator[tuple[int, Span]]:
    for act in program.acts:
        for rule in act.rules:
            yield id(rule.condition), rule.span
