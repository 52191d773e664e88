"""A machine with probes: it counts events of the program and can report them; otherwise it works like any other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from warchest.engine.choices import CHOICES, asked_answers
from warchest.engine.evaluation import TEXTS, Evaluator, ExpressionWriter
from warchest.engine.history import Happened
from warchest.engine.machine import HANDLERS
from warchest.engine.permissions import pick_candidates
from warchest.engine.runs import FAIL, Choice, Env, Handler, Machine, Run, Signal, Stop
from warchest.lowering.code import DECLINE, UNSET, Note, Pick, PickAnswer, PickBranch, PickRole
from warchest.lowering.operations import SetSearch
from warchest.lowering.probes import ConditionProbes, ProbedLowering, Probes, RangeProbe
from warchest.lowering.program import Program

Told = Callable[[Run, Sequence[Happened]], None]
"""A function that gets the new events of a run after each change that is not only tried."""


def probed_machine(program: Program, probes: Probes, seen: Counter[int], told: Told | None = None) -> Machine:
    """Return a machine for a program; it adds to the counters of its probes, and reports the events of the game."""
    noting = _Noting(seen)
    handlers: Mapping[type, Handler] = HANDLERS
    if probes.steps or told is not None:
        handlers = {kind: _stepping(one, probes.steps, noting, told) for kind, one in handlers.items()}
    if probes.choices or probes.ranges:
        handlers = {**handlers, **{kind: _choosing(handlers[kind], probes, noting) for kind in (Pick, PickRole)}}
    choices: Mapping[type, Choice] = CHOICES
    if probes.offers or told is not None:
        choices = {kind: _ProbedChoice(one, probes, noting, told) for kind, one in choices.items()}
    return Machine(program, _ProbedEvaluator(program, probes, noting), handlers, choices)


class _Noting:
    """Notes of expressions; each function returns the value that it notes, so that it can replace the expression."""

    def __init__(self, seen: Counter[int]) -> None:
        self.seen = seen

    def add(self, numbers: Sequence[int]) -> None:
        """Add to some counters."""
        for one in numbers:
            self.seen[one] += 1

    def noted(self, run: Run, numbers: ConditionProbes, holds: Any) -> bool:
        """Note whether a condition holds, and return it."""
        self.seen[numbers[2 * (run.lookahead > 0) + (not holds)]] += 1
        return bool(holds)

    def together(
        self, run: Run, usual: bool, numbers: Sequence[ConditionProbes | tuple[()]], *tests: Callable[[], Any]
    ) -> bool:
        """Return whether all conditions hold (`usual`), or any does.

        The first condition that differs from `usual` decides, and is noted alone; if there is none, each is noted.
        """
        for known, test in zip(numbers, tests, strict=True):
            if bool(test()) is not usual:
                if known:
                    self.noted(run, known, not usual)
                return not usual
        for known in numbers:
            if known:
                self.noted(run, known, usual)
        return usual

    def compared(self, numbers: tuple[int, int], off: int, left: int, right: int, holds: bool) -> bool:
        """Note whether two numbers are equal or differ by 1; return the result of the comparison."""
        if left - right in (0, off):
            self.seen[numbers[left != right]] += 1
        return holds

    def sized(self, numbers: tuple[int, int, int], members: Sequence[int]) -> Sequence[int]:
        """Note the size of a set, and return the set."""
        self.seen[numbers[min(len(members), 2)]] += 1
        return members

    def reached(
        self,
        numbers: tuple[int, int],
        ends: tuple[int, int],
        steps: Sequence[Sequence[int]],
        origin: int,
        goals: Sequence[int],
    ) -> Sequence[int]:
        """Note whether any space is at the nearest, and any at the farthest distance of a range."""
        if origin >= 0:
            found = {steps[origin][goal] for goal in goals if goal >= 0}
            self.add([number for number, end in zip(numbers, ends, strict=True) if end in found])
        return goals

    def used(
        self, numbers: Sequence[int], documents: Sequence[int], memory: list[int] | None, of: int, value: int
    ) -> int:
        """Note the case of a value that documents override; `memory` shows the bearers of each document."""
        for number, document in zip(numbers, documents, strict=True):
            if of == document if memory is None else of >= 0 and memory[document] >> of & 1:
                self.seen[number] += 1
                break
        return value


# ---- instructions


def _stepping(handler: Handler, steps: Mapping[int, tuple[int, int]], noting: _Noting, told: Told | None) -> Handler:
    """Return a handler that counts an instruction when it is carried out, and reports the resulting events."""
    seen = noting.seen

    def carry_out(run: Run, env: Env, instruction: Any) -> Stop | None:
        numbers = steps.get(id(instruction))
        if numbers is not None:
            seen[numbers[run.lookahead > 0]] += 1
        known = len(run.history)
        stop = handler(run, env, instruction)
        if told is not None and not run.lookahead:
            told(run, run.history[known:])
        return stop

    return carry_out


def _choosing(handler: Handler, probes: Probes, noting: _Noting) -> Handler:
    """Return a handler of choices that notes the number of candidates, and their distances.

    A role that is already filled is no choice.
    """

    def choose(run: Run, env: Env, point: Any) -> Stop | None:
        if isinstance(point, PickRole) and env[point.place] != UNSET:
            return handler(run, env, point)
        within = probes.ranges.get(id(point))
        if within is not None:
            _note_range(run, env, point, within, noting)
        stop = handler(run, env, point)
        count = len(run.candidates) if stop is point else int(stop is not FAIL or run.failure is not point)
        noting.add([numbers[min(count, 2)] for numbers in probes.choices.get(id(point), ())])
        return stop

    return choose


def _note_range(run: Run, env: Env, point: Pick, within: RangeProbe, noting: _Noting) -> None:
    origin = run.machine.functions.value(within.origin)(run, env)
    steps = run.program.board.distance
    noting.reached(within.numbers, within.ends, steps, origin, pick_candidates(run, env, point))


class _ProbedChoice(Choice):
    """A kind of choice point that notes offers as taken or declined, and reports the events that result from a choice."""

    def __init__(self, choice: Choice, probes: Probes, noting: _Noting, told: Told | None) -> None:
        self.choice, self.offers, self.noting, self.told = choice, probes.offers, noting, told

    def candidates(self, run: Run, env: Env, point: Any) -> Sequence[int]:
        return self.choice.candidates(run, env, point)

    def take(self, run: Run, point: Any, candidate: int) -> Signal | None:
        known = len(run.history)
        if not run.lookahead and isinstance(point, PickBranch | PickAnswer):
            self.noting.add(self._offered(run, point, candidate))
        failed = self.choice.take(run, point, candidate)
        if self.told is not None and not run.lookahead:
            self.told(run, run.history[known:])
        return failed

    def _offered(self, run: Run, point: PickBranch | PickAnswer, candidate: int) -> list[int]:
        declined = candidate == DECLINE
        if isinstance(point, PickBranch):
            return [self.offers[id(point)][declined]] if id(point) in self.offers else []
        asked = asked_answers(run, run.env, point.verb)
        answers = [run.program.hooks[number] for number, _ in (asked if declined else (asked[candidate],))]
        return [self.offers[id(one.hook)][declined] for one in answers if id(one.hook) in self.offers]

    def decider(self, run: Run, point: Any) -> int:
        return self.choice.decider(run, point)

    def context(self, run: Run, point: Any) -> list[Note]:
        return self.choice.context(run, point)

    def said(self, run: Run, point: Any, candidate: int) -> tuple[Note, ...]:
        return self.choice.said(run, point, candidate)


# ---- expressions


class _ProbedEvaluator(Evaluator):
    """Makes functions that note their results."""

    def __init__(self, program: Program, probes: Probes, noting: _Noting) -> None:
        super().__init__(program.layout)
        for name in ("noted", "together", "compared", "sized", "reached", "used"):
            self.names[name] = getattr(noting, name)
        self.names["steps"] = program.layout.board.distance
        self.writer = _ProbedWriter(ProbedLowering(program.layout, "listed", probes), self.names)


class _ProbedWriter(ExpressionWriter):
    """Writes operations whose results are noted."""

    plain: ClassVar = {
        **TEXTS,
        "noted": "noted(run, {}, {})".format,
        "together": lambda how, numbers, *tests: (
            f"together(run, {how == 'every'}, {numbers}, {''.join(f'lambda: {one}, ' for one in tests)})"
        ),
        "compared": "compared({}, {}, {}, {}, {})".format,
        "near": "({5} and bool(reached({0}, ({1}, {2}), steps, {3}, ({4},))))".format,
        "used": lambda numbers, documents, of_piece, of, value: (
            f"used({numbers}, {documents}, {'m' if of_piece else 'None'}, {of}, {value})"
        ),
    }

    def reading(self, instead: Mapping[int, str]) -> ExpressionWriter:
        """Return a writer that writes other texts for some variables of the frame."""
        return _ProbedWriter(self.lowering, self.names, instead)

    def _members(self, search: SetSearch) -> str:
        text = super()._members(search)
        for note in search.notes:
            numbers, *within = note.operands
            if note.code == "reached":
                low, high, origin = within
                assert not isinstance(origin, str | int | tuple | SetSearch)
                text = f"reached({numbers}, ({low}, {high}), steps, {self.text(origin)}, {text})"
            else:
                text = f"sized({numbers}, {text})"
        return text

    def _exists(self, search: SetSearch) -> str:
        return f"bool({self._members(search)})" if search.notes else super()._exists(search)
