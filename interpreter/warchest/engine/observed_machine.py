"""A machine that shows its work: the steps it carries out, and what it finds of conditions, sets and numbers.

Nothing is shown unless somebody has a machine made that is watched; the usual one knows nothing of it. A watched one
asks what the usual one asks, but part by part, and finds the members of sets without its short cuts; so it is slower.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from warchest.engine.choices import CHOICES, asked_answers
from warchest.engine.evaluation import TEXTS, Evaluator, ExpressionWriter
from warchest.engine.history import Happened
from warchest.engine.machine import HANDLERS
from warchest.engine.permissions import pick_candidates
from warchest.engine.runs import FAIL, Choice, Env, Handler, Machine, Run, Signal, Stop
from warchest.ir import values as ir
from warchest.ir.parts import base_of
from warchest.lowering.code import DECLINE, UNSET, Note, Pick, PickAnswer, PickBranch, PickRole
from warchest.lowering.expression_lowering import ExpressionLowering
from warchest.lowering.layout import Layout
from warchest.lowering.operations import Operation, SetSearch
from warchest.lowering.program import Program

OFF = {">=": -1, "<": -1, ">": 1, "<=": 1}
"""The difference of two numbers, for each way to compare them, that is just on the other side than none."""


@dataclass(frozen=True, slots=True)
class RangeMark:
    """The marks for a candidate as near, and one as far, as a range allows; these numbers, and the space it is of."""

    marks: tuple[int, int]
    ends: tuple[int, int]
    origin: ir.Value


@dataclass(slots=True)
class Marks:
    """The parts of a program that are watched, by their identity, with the marks that are made where they come up."""

    steps: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Instructions: the marks for being carried out, and for being only tried."""
    offers: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Instructions that offer, and bound hooks that do: the marks for being taken, and for being declined."""
    conditions: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Conditions: the marks for holding, and for not holding."""
    edges: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Ranges: the marks for their least and their greatest number; comparisons: for equal numbers, and those beside."""
    sizes: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    """Sets: the marks for no member, one, and many."""
    choices: dict[int, list[tuple[int, int, int]]] = field(default_factory=dict)
    """Instructions at which is chosen: the marks for no candidate, one, and many; those of several clauses."""
    ranges: dict[int, RangeMark] = field(default_factory=dict)
    """Instructions at which is chosen within a range."""
    cases: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Values that documents override: the mark of each case."""


class Watch:
    """The marks that were made, and the listeners to events."""

    def __init__(self, told: Callable[[Run, Sequence[Happened]], None] | None = None) -> None:
        self.seen: set[int] = set()
        self.told = told

    def machine(self, program: Program, marks: Marks) -> Machine:
        """Return a machine for a program that is watched, and is otherwise as every other."""
        handlers = {kind: self._watched(handler, marks.steps) for kind, handler in HANDLERS.items()}
        handlers |= {kind: self._chosen(handlers[kind], marks) for kind in (Pick, PickRole)}
        choices = {kind: _WatchedChoice(choice, self, marks) for kind, choice in CHOICES.items()}
        return Machine(program, _WatchingEvaluator(program.layout, marks, self), handlers, choices)

    def tell(self, run: Run, known: int) -> None:
        """Tell that something was really done, with the events since there were so many."""
        if self.told is not None and not run.lookahead:
            self.told(run, run.history[known:])

    def _watched(self, handler: Handler, steps: Mapping[int, tuple[int, int]]) -> Handler:
        def carry_out(run: Run, env: Env, instruction: Any) -> Stop | None:
            marks = steps.get(id(instruction))
            if marks is not None:
                self.seen.add(marks[run.lookahead > 0])
            known = len(run.history)
            stop = handler(run, env, instruction)
            self.tell(run, known)
            return stop

        return carry_out

    def _chosen(self, handler: Handler, known: Marks) -> Handler:
        """Return a handler of choices that notes how many candidates there are, and how far they go.

        A role that is filled is no choice.
        """

        def choose(run: Run, env: Env, point: Any) -> Stop | None:
            if isinstance(point, PickRole) and env[point.place] != UNSET:
                return handler(run, env, point)
            within = known.ranges.get(id(point))
            if within is not None:
                origin = run.machine.functions.value(within.origin)(run, env)
                steps = run.program.board.distance
                self.reached(within.marks, within.ends, steps, origin, pick_candidates(run, env, point))
            stop = handler(run, env, point)
            count = len(run.candidates) if stop is point else int(stop is not FAIL or run.failure is not point)
            self.seen.update(mark[min(count, 2)] for mark in known.choices.get(id(point), ()))
            return stop

        return choose

    # ---- what expressions show

    def saw(self, marks: tuple[int, int], holds: Any) -> bool:
        """Note that a condition holds, or does not; return that."""
        self.seen.add(marks[not holds])
        return bool(holds)

    def every(self, marks: Sequence[tuple[int, int] | None], *tests: Callable[[], Any]) -> bool:
        """Whether all conditions hold: each has held then, else the first that does not has failed on its own account."""
        return self._decided(True, marks, tests)

    def some(self, marks: Sequence[tuple[int, int] | None], *tests: Callable[[], Any]) -> bool:
        """Whether any condition holds: the first has held on its own account, or each has failed."""
        return self._decided(False, marks, tests)

    def _decided(
        self, usual: bool, marks: Sequence[tuple[int, int] | None], tests: Sequence[Callable[[], Any]]
    ) -> bool:
        for mark, test in zip(marks, tests, strict=True):
            if bool(test()) is not usual:
                self.seen.update(mark[usual : usual + 1] if mark is not None else ())
                return not usual
        self.seen.update(mark[not usual] for mark in marks if mark is not None)
        return usual

    def compared(self, marks: tuple[int, int], off: int, left: int, right: int, holds: bool) -> bool:
        """Note that two numbers are equal, or just beside each other; return the result of comparing them."""
        if left - right in (0, off):
            self.seen.add(marks[left != right])
        return holds

    def sized(self, marks: tuple[int, int, int], members: Sequence[int]) -> Sequence[int]:
        """Note the size of a set; return its members."""
        self.seen.add(marks[min(len(members), 2)])
        return members

    def reached(
        self,
        marks: tuple[int, int],
        ends: tuple[int, int],
        steps: Sequence[Sequence[int]],
        origin: int,
        goals: Sequence[int],
    ) -> Sequence[int]:
        """Note whether spaces are as near, or as far, as a range allows; return them."""
        if origin >= 0:
            found = {steps[origin][goal] for goal in goals if goal >= 0}
            self.seen.update(mark for mark, end in zip(marks, ends, strict=True) if end in found)
        return goals

    def used(self, marks: Sequence[int], numbers: Sequence[int], memory: list[int] | None, of: int, value: int) -> int:
        """Note the case of a value that documents override; return the value. `memory` tells who bears which one."""
        for mark, number in zip(marks, numbers, strict=True):
            if of == number if memory is None else memory[number] >> of & 1:
                self.seen.add(mark)
                break
        return value


class _WatchedChoice(Choice):
    """A kind of choice point whose offers are noted when they are taken or declined."""

    def __init__(self, choice: Choice, watch: Watch, marks: Marks) -> None:
        self.choice, self.watch, self.offers = choice, watch, marks.offers

    def candidates(self, run: Run, env: Env, point: Any) -> Sequence[int]:
        return self.choice.candidates(run, env, point)

    def take(self, run: Run, point: Any, candidate: int) -> Signal | None:
        known = len(run.history)
        if not run.lookahead and isinstance(point, PickBranch | PickAnswer):
            self.watch.seen.update(self._marks(run, point, candidate))
        failed = self.choice.take(run, point, candidate)
        self.watch.tell(run, known)
        return failed

    def _marks(self, run: Run, point: PickBranch | PickAnswer, candidate: int) -> list[int]:
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


class _WatchingEvaluator(Evaluator):
    """Makes functions that show their findings."""

    def __init__(self, layout: Layout, marks: Marks, watch: Watch) -> None:
        super().__init__(layout)
        for name in ("saw", "every", "some", "compared", "sized", "reached", "used"):
            self.names[name] = getattr(watch, name)
        self.writer = _WatchingWriter(_WatchingLowering(layout, marks), self.names)


class _WatchingLowering(ExpressionLowering):
    """Lowers expressions to operations; each one that is watched shows its value."""

    def __init__(self, layout: Layout, marks: Marks) -> None:
        super().__init__(layout, "listed")
        self.marks = marks
        self.searches: dict[int, tuple[SetSearch, ir.Set]] = {}
        """The sets that are searched, by the identity of their searches."""

    def value(self, node: ir.Value) -> Operation:
        found = super().value(node)
        marks = self.marks.cases.get(id(node))
        if marks is None or not isinstance(node, ir.PerDocument):
            return found
        of_piece = base_of(node.of) == "piece"
        first = self.layout.of_document if of_piece else 0
        numbers = tuple(first + number for number, _ in node.cases)
        return Operation("used", (marks, numbers, "m" if of_piece else "None", self.value(node.of), found))

    def condition(self, node: ir.Condition) -> Operation:
        found, marks = self._bare(node), self.marks.conditions.get(id(node))
        return Operation("saw", (marks, found)) if marks is not None else found

    def _bare(self, node: ir.Condition) -> Operation:
        """Return the operation for a condition whose value is shown by the condition around it."""
        edges = self.marks.edges.get(id(node))
        match node:
            case ir.All(conditions) if conditions:
                return self.together("every", conditions)
            case ir.Any(conditions) if conditions:
                return self.together("some", conditions)
            case ir.Compare(how, left, right) if edges is not None:
                values = self.value(left), self.value(right)
                return Operation("compared", (edges, OFF[how], *values, super().condition(node)))
            case ir.Apart(low, high) if edges is not None:
                ends = self.place(node.left), self.place(node.right)
                return Operation("near", (super().condition(node), edges, low, high, *ends))
        return super().condition(node)

    def emptiness(self, node: ir.Compare) -> None:
        """Return that no comparison shows only whether a set is empty."""

    def search(self, node: ir.Set) -> SetSearch:
        """Return the search of a set without short cuts, which would show nothing."""
        tests = (self.together("every", _plain_first(node.filters)),) if node.filters else ()
        search = SetSearch(self.value(node.var), self.source(node.members), (), (), tests)
        self.searches[id(search)] = search, node
        return search

    def together(self, how: str, parts: Sequence[ir.Condition]) -> Operation:
        """Return the operation for conditions joined by `every` or `some`; each condition shows its own result."""
        marks = tuple(self.marks.conditions.get(id(part)) for part in parts)
        return Operation("together", (how, str(marks), *map(self._bare, parts)))


class _WatchingWriter(ExpressionWriter):
    """Writes the operations that show values."""

    plain: ClassVar = {
        **TEXTS,
        "saw": "saw({}, {})".format,
        "used": "used({}, {}, {}, {}, {})".format,
        "compared": "compared({}, {}, {}, {}, {})".format,
        "near": "({} and bool(reached({}, ({}, {}), steps, {}, ({},))))".format,
        "together": lambda how, marks, *tests: f"{how}({marks}, {''.join(f'lambda: {one}, ' for one in tests)})",
    }

    def __init__(self, lowering: _WatchingLowering, names: dict[str, Any]) -> None:
        super().__init__(lowering, names)
        self.watching, self.marks = lowering, lowering.marks
        names["steps"] = self.layout.board.distance

    def _members(self, search: SetSearch) -> str:
        text, node = super()._members(search), self.watching.searches[id(search)][1]
        marks, among, edges = self.marks.sizes.get(id(node)), node.members, self.marks.edges.get(id(node.members))
        if edges is not None and isinstance(among, ir.Ring | ir.Ray):
            origin = self.text(self.lowering.place(among.origin))
            text = f"reached({edges}, ({among.low}, {among.high}), steps, {origin}, {text})"
        return f"sized({marks}, {text})" if marks is not None else text

    def _exists(self, search: SetSearch) -> str:
        return f"bool({self._members(search)})"


def _plain_first(tests: Iterable[ir.Condition]) -> list[ir.Condition]:
    """Return tests in order: first those that only compare cells which can always be read."""
    return sorted(tests, key=lambda one: not _only_compares(one))


def _only_compares(condition: ir.Condition) -> bool:
    return isinstance(condition, ir.Compare) and _is_at_hand(condition.left) and _is_at_hand(condition.right)


def _is_at_hand(value: Any) -> bool:
    """Whether a value is found by a look at one cell or two, so that asking for it cannot go wrong either."""
    if isinstance(value, ir.FieldOf | ir.Attribute):
        return isinstance(value.of, ir.Var | None)
    return isinstance(value, ir.Var | ir.Const)
