"""Stretches: steps in a row that nobody can answer, choose in or forbid, as one Python function.

Most of what a game does is of that kind: fields get values, a piece goes somewhere, an act without hooks does no more
than that. The operations stay as they are; what comes to the first of a stretch does all of it at once. A branch that
is not straight goes back to the operation it stands in. There are two functions of a stretch, because only what
really happens is told to the log.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from warchest.machine.bind_changes import KEEPING, TOLD, field_lines, mover
from warchest.machine.binding import function_of, notes_of, placed_once
from warchest.machine.calls import outs_of
from warchest.machine.changes import forget_passing
from warchest.machine.expressions import Writer
from warchest.lowering.layout import DIRTY
from warchest.machine.risk import usual_of
from warchest.machine.run import Env, Op, Routine, Run, Stop, callable_of
from warchest.machine.sites import Site
from warchest.machine.starts import Start
from warchest.rules import steps as ir
from warchest.rules.parts import nodes_in, variables_in
from warchest.rules.ruleset import AGENT, FIXED, MANNER, THIS, YOU
from warchest.rules.values import (
    NOTHING,
    SET_VARIABLES,
    CausedBy,
    Condition,
    Const,
    Happening,
    Value,
    Var,
)

if TYPE_CHECKING:
    from warchest.machine.acts import Act
    from warchest.machine.program import Program


GIVEN = re.compile(r"e\[[0-9]+\]")
"""A variable of the routine."""


class Row(NamedTuple):
    """Steps in a row as they stand in a routine: where each begins, and at last where the row ends."""

    routine: Routine
    steps: ir.Steps
    starts: Sequence[int]


class BentError(Exception):
    """A step is not straight."""


def straighten(program: Program, rows: Sequence[Row]) -> None:
    """Let the stretches of some rows be done at once; a row comes before those inside its steps.

    What is straight is found when a routine is first entered, because most of a game is not played in one game.
    """
    of_routine: dict[Routine, list[Row]] = {}
    for row in rows:
        of_routine.setdefault(row.routine, []).append(row)
    for routine, own in of_routine.items():
        routine.calls[0] = _when_entered(program, routine, own)


def _when_entered(program: Program, routine: Routine, rows: Sequence[Row]) -> Op:
    def entered(run: Run, env: Env) -> Stop | None:
        routine.calls[0] = callable_of(routine.ops[0])
        _straighten(program, rows)
        return routine.calls[0](run, env)

    return entered


def _straighten(program: Program, rows: Sequence[Row]) -> None:
    """Put operations for stretches in the places where these begin in a routine."""
    within = 0
    for row in rows:
        first = 0
        while first < len(row.steps):
            last, bails = _reach(program, row, first)
            if last > first and row.starts[first] >= within:
                row.routine.calls[row.starts[first]] = _when_needed(program, row, first, last)
                if not bails:
                    within = row.starts[last]
            first = max(last, first + 1)


def _reach(program: Program, row: Row, first: int) -> tuple[int, bool]:
    """Return the number of the step behind the last one of a stretch, and whether it has branches that are not."""
    trial, last = Stretch(program, row), first
    while last < len(row.steps):
        try:
            trial.step(row.steps[last])
        except BentError:
            break
        last += 1
        trial = Stretch(program, row, trial.bails, dirty=trial.dirty)
    return last, trial.bails


def _when_needed(program: Program, row: Row, first: int, last: int) -> Op:
    """Return an operation for a stretch whose functions are made when they are first needed."""
    really: list[Op] = []

    def stretch(run: Run, env: Env) -> Stop | None:
        if run.trying != run.telling:
            made = row.routine.calls[row.starts[first]] = Stretch(program, row).function(first, last, stretch)
            return made(run, env)
        if not really:
            really.append(Stretch(program, row, live=True).function(first, last, stretch))
        return really[0](run, env)

    return stretch


class Stretch:
    """Writes the function for a stretch of a row.

    In it `m` is the memory, `e` the variables of the routine, `keep` adds to the trail, and `v1`, `v2`, … are the
    variables of the acts that are ordered.
    """

    gives_up = ""
    """What is done where a step cannot be written, if all that has been done is taken back then."""

    def __init__(
        self, program: Program, row: Row, bails: bool = False, live: bool = False, dirty: bool = False
    ) -> None:
        self.program, self.row, self.live = program, row, live
        self.names = program.binder.names
        self.writer: Writer = program.binder.writer.reading({})
        self.lines: list[str] = []
        self.deep, self.locals = 1, 0
        self.inside: dict[int, str] | None = None
        """The variables of the act whose steps are written; None: those of the routine itself."""
        self.changed = False
        self.kept = False
        """Whether a variable of the routine has got another value."""
        self.bails = bails
        """Whether some branch is left to the operations."""
        self.dirty = dirty
        """Whether a change has been made after which something can follow at once, when an act has ended."""
        self.bearing: dict[str, set[int]] = {}
        """Documents by which pieces do an act in another way; whoever bears one is left to the operations."""
        self.under_way: list[Act] = []
        self.at = 0
        """The step of the row that is written."""

    def function(self, first: int, last: int, other: Op) -> Op:
        """Return the operation that takes the steps from `first` up to, not including, `last`.

        A trial calls it; what really happens is left to the `other` one, or (`live`) the other way round.
        """
        for self.at in range(first, last):
            self.changed = self.bails = False
            begun = len(self.lines)
            self.step(self.row.steps[self.at])
            if self.bails:
                self.lines.insert(begun, " said, told = len(run.notes), len(run.events)")
        end, start = self.row.starts[last], self._operation(self.row.starts[first])
        otherwise = " or ".join([f"m[{DIRTY}]", *self._special()])
        head = [
            "def stretch(run, e):",
            " m = run.memory",
            f" if {otherwise}: return {start}(run, e)",
            f" {KEEPING}",
        ]
        if not self.live:
            head.insert(2, f" if {TOLD}: return {self.writer.constant(other)}(run, e)")
        if isinstance(self.row.routine.ops[end], Site):
            tail = [f" run.pc = {end}"]
        else:
            tail = [f" run.pc = {end + 1}", f" return {self._operation(end)}(run, run.env)"]
        body = placed_once([line[1:] for line in (*head[1:], *self.lines, *tail)])
        return cast(Op, function_of("\n ".join([head[0], *body]), self.names))

    def _special(self) -> list[str]:
        """Return the tests for pieces that do something in another way than is written."""
        first = self.program.layout.of_document
        cells = {piece: [f"m[{first + one}]" for one in sorted(borne)] for piece, borne in self.bearing.items()}
        return [f"({piece} >= 0 and ({' | '.join(masks)}) >> {piece} & 1)" for piece, masks in cells.items()]

    def _operation(self, place: int) -> str:
        """Return the name of an operation of the routine, as it is without stretches."""
        op = self.row.routine.ops[place]
        # The function of an order is written when it is first carried out.
        return f"{self.writer.constant(op)}.begin" if isinstance(op, Start) else self.writer.constant(callable_of(op))

    # ---- steps

    def step(self, step: ir.Order) -> None:
        """Write a step; raises BentError where it is not straight."""
        match step:
            case ir.SetField(number, of, value):
                self._straight(of, value)
                self._set_field(step, number in self.program.watched.fields)
            case ir.Keep(var, value):
                self._straight(value)
                new = self.writer.value(value)
                outer = f"run.put({var.id}, {new}); e = run.env"
                self._change(f"{self.inside[var.id]} = {new}" if self.inside is not None else outer)
                self.kept |= self.inside is None
            case ir.MovePiece(piece, space) if not self.program.watched.places:
                self._straight(piece, space)
                moved = self.writer.constant(mover(self.program, step))
                self._change(f"{moved}(run, {self.writer.value(piece)}, {self.writer.value(space)})")
            case ir.Forget() if not self.program.layout.watched_passing:
                name = self.writer.constant
                self._change(f"{name(forget_passing)}(run, {name(self.program.layout)})")
            case ir.Clock("nothing"):
                self._line("pass")
            case ir.If():
                self._if(step)
            case ir.Call():
                self._call(step)
            case _:
                raise BentError

    def _straight(self, *parts: Value | Condition | None) -> None:
        """Raise BentError unless parts of an act's steps mean the same when they have no frame of their own."""
        if self.inside is None:
            return
        known = self.inside.keys()
        for part in nodes_in(parts):
            if isinstance(part, CausedBy | Happening):
                raise BentError
            if isinstance(part, Var) and part.id < SET_VARIABLES and part.id not in known:
                raise BentError

    def _line(self, text: str) -> None:
        self.lines.append(" " * self.deep + text)

    def _change(self, text: str) -> None:
        self._line(text)
        self.changed = True

    def _set_field(self, step: ir.SetField, watched: bool) -> None:
        if watched and self.inside is not None:
            # What follows at once comes before the routine goes on.
            raise BentError
        for line in field_lines(self.program, self.writer, step, "True" if self.live else None):
            self._change(line)
        self.dirty |= watched

    def _if(self, step: ir.If) -> None:
        self._straight(step.condition)
        self._line(f"if {self.writer.condition(step.condition)}:")
        before = self.changed
        bent = self._branch(step.then)
        after, self.changed = self.changed, before
        self._line("else:")
        if self._branch(step.otherwise) and bent:
            raise BentError
        self.changed |= after

    def _branch(self, steps: ir.Steps) -> bool:
        """Write a branch; return whether it is not straight, so that all of the step is left to its operations."""
        changed, start = self.changed, len(self.lines)
        deep, inside, writer, acts = self.deep, self.inside, self.writer, len(self.under_way)
        self.deep += 1
        try:
            self._line("pass")
            for one in steps:
                self.step(one)
        except BentError:
            if changed and not self.gives_up:
                raise
            del self.lines[start:], self.under_way[acts:]
            self.deep, self.inside, self.writer = deep + 1, inside, writer
            self.changed, self.bails = False, True
            for line in self._left():
                self._line(line)
            self.deep = deep
            return True
        self.deep = deep
        return False

    def _left(self) -> list[str]:
        """Return the lines that leave a step to its operations."""
        place = self.row.starts[self.at]
        begun = f"del run.notes[said:], run.events[told:]; run.pc = {place + 1}"
        return [begun, f"return {self._operation(place)}(run, run.env)"]

    # ---- acts

    def _call(self, call: ir.Call) -> None:
        act = self.program.acts[call.verb]
        fills = (call.agent, *call.roles)
        if self.dirty or not self._does_its_steps_alone(act, call, fills):
            raise BentError
        self._ask_who_bears(act, call)
        values = [fill.value if isinstance(fill, ir.Bound) else Const(NOTHING, "number") for fill in fills]
        self._straight(*values)
        roles = [self._local(self.writer.value(value)) for value in values]
        living = [
            f"{text} >= 0" for number, (text, fill) in enumerate(zip(roles, fills, strict=True))
            if isinstance(fill, ir.Bound) and act.bases[AGENT + number] == "piece"
        ]  # fmt: skip
        self._line(f"if {' and '.join(living) or 'True'}:")
        self.deep += 1
        self._announce(call, roles)
        self._body(act, call, roles)
        self.deep -= 1
        if living and self.live:
            lapse, span = self.writer.constant(self.program.events.lapse), self.writer.constant(call.span)
            self._line(f"else: {lapse}(run, {span})")

    def _does_its_steps_alone(self, act: Act, call: ir.Call, fills: Sequence[ir.Fill]) -> bool:
        """Whether nothing is chosen, forbidden, answered or handed back on the way to and from the act's steps."""
        return (
            (act.direct or (usual_of(act.verb) is not None and not any(act.domains)))
            and not self._may_be_forbidden(act)
            and act not in self.under_way
            and not self._may_be_answered(act)
            and all(isinstance(fill, ir.Bound | ir.Open) for fill in fills)
            and not outs_of(call)
        )

    def _may_be_answered(self, act: Act) -> bool:
        return bool(self.program.events.hooks[act.number])

    def _may_be_forbidden(self, act: Act) -> bool:
        return bool(act.rules)

    def _ask_who_bears(self, act: Act, call: ir.Call) -> None:
        """Note by which documents an act is done in another way; raises BentError where it is not known who does it."""
        others = {way.carrier for way in act.ways if way.carrier >= 0}
        if others:
            agent = self.writer.value(call.agent.value) if isinstance(call.agent, ir.Bound) else ""
            if GIVEN.fullmatch(agent) is None or self.kept:
                raise BentError
            self.bearing.setdefault(agent, set()).update(others)

    def _local(self, text: str) -> str:
        """Return a short text for a value that stays the same while an act is done."""
        if text.isidentifier() or text.lstrip("-").isdigit():
            return text
        self.locals += 1
        self._line(f"v{self.locals} = {text}")
        return f"v{self.locals}"

    def _announce(self, call: ir.Call, roles: Sequence[str]) -> None:
        """Write what an order says while an option is put together."""
        told, said = self.program.announced[id(call)]
        notes = notes_of(told, [(key, base, roles[number]) for number, key, base in said])
        if notes:
            self._line(f"if run.joined: run.notes += {notes}")

    def _manner(self, call: ir.Call) -> str:
        return self.writer.value(Var(MANNER, "manner")) if call.manner == ir.INHERITED else str(call.manner)

    def _body(self, act: Act, call: ir.Call, roles: Sequence[str]) -> None:
        """Write the steps of an act, with its variables as those of the function."""
        usual = usual_of(act.verb) or act.verb.definitions[0]
        code = usual.code
        agent, used = roles[0], variables_in(code.steps)
        inside = {FIXED + number: text for number, text in enumerate(roles[1:])}
        this, you = str(NOTHING), agent
        if act.verb.by == "piece":
            this = agent
            decider = self.program.layout.pieces + self.program.layout.decider
            stride = self.program.layout.stride
            you = self._local(f"m[{decider} + {agent} * {stride}]") if self.live or YOU in used else str(NOTHING)
        manner = self._manner(call)
        if self.live and act.told:
            happened, doing = self.writer.constant(self.program.events.happened), self.writer.constant(act)
            number = act.verb.definitions.index(usual)
            self._line(f"{happened}(run, {doing}, ({', '.join((this, you, manner, *roles))},), {number})")
        inside |= {THIS: this, YOU: you, MANNER: manner, AGENT: agent}
        for number in sorted(used):
            if number < SET_VARIABLES and number not in inside:
                inside[number] = self._local(f"({NOTHING})")
        kept = self.inside, self.writer
        self.inside, self.writer = inside, self.program.binder.writer.reading(inside)
        self.under_way.append(act)
        for one in code.steps:
            self.step(one)
        if self.program.risks.wide(act.number):
            # An option ends with an act that can leave more to choose.
            self._change("run.joined = False")
        self.under_way.pop()
        self.inside, self.writer = kept
