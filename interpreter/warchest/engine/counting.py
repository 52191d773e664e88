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
from warchest.engine.state import Env, Handler, Machine, Run, Stop
from warchest.lowering.code import Branch
from warchest.lowering.program import Program
from warchest.source.text import Span


@dataclass(slots=True)
class ClauseCount:
    """The counters of a clause.

    `done` counts what it really did, `considered` what it did in looking ahead; `held` and `failed` how often a
    condition was true or false; `forbade` how often it forbade an act.
    """

    done: int = 0
    considered: int = 0
    held: int = 0
    failed: int = 0
    forbade: int = 0


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
        if run.lookahead:
            count.considered += 1
        else:
            count.done += 1
        behind = run.pc
        stop = handler(run, env, instruction)
        if isinstance(instruction, Branch):
            # It goes on right behind where its condition holds.
            if run.pc == behind:
                count.held += 1
            else:
                count.failed += 1
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
            holds = test(run, env)
            if holds:
                count.held += 1
                if rule is not None:
                    rule.forbade += 1
            else:
                count.failed += 1
            return holds

        return counted


def _prohibitions(program: Program) -> Iterator[tuple[int, Span]]:
    for act in program.acts:
        for rule in act.rules:
            yield id(rule.condition), rule.span
