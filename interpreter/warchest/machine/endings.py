"""Whether a choice that leads out of a loop can be carried through, told by one function.

Looking ahead mostly asks the same thing: if the loop ended here, would what comes after it be possible? Where all that
is straight (see `stretches`) it is done and taken back at once. What is not as plain as that is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from warchest.machine.bind_changes import KEEPING
from warchest.machine.binding import function_of, placed_once
from warchest.machine.layout import DIRTY
from warchest.machine.permits import Permits
from warchest.machine.risk import Risk, pending_can_fail
from warchest.machine.run import Env, Routine, Run
from warchest.machine.sites import BranchSite
from warchest.machine.stretches import BentError, Row, Stretch
from warchest.rules import steps as ir
from warchest.rules.ruleset import AGENT, FIXED, MANNER, THIS, YOU
from warchest.rules.values import NOTHING

if TYPE_CHECKING:
    from warchest.machine.acts import Act
    from warchest.machine.program import Program

Ends: TypeAlias = Callable[[Run, Env], "bool | None"]
"""Whether what is pending can be carried through, given the variables of the routine; None where it must be tried."""


def find_endings(program: Program, rows: Sequence[Row]) -> None:
    """Let the choices with which the rounds of loops end know how to leave these."""
    tops: dict[Routine, Row] = {}
    for row in rows:
        top = tops.setdefault(row.routine, row)
        for place, step in enumerate(top.steps):
            last = row.steps[-1] if row.steps else None
            if isinstance(step, ir.Until) and step.steps is row.steps and isinstance(last, ir.Either):
                site = row.routine.ops[row.starts[-2]]
                assert isinstance(site, BranchSite)
                site.endings = Endings(program, tops, top, place, last)


class Endings:
    """The ways out of a loop by the branches of a choice, each written when it is first needed."""

    __slots__ = ("_choice", "_made", "_place", "_program", "_row", "_tops")

    def __init__(
        self, program: Program, tops: Mapping[Routine, Row], row: Row, place: int, choice: ir.Either
    ) -> None:  # fmt: skip
        self._program, self._tops, self._row, self._place, self._choice = program, tops, row, place, choice
        self._made: dict[tuple[int, Routine, int], Ends | None] = {}

    def look(self, run: Run, candidate: int) -> bool | None:
        """Return whether a branch leads out of the loop and to an end of what is pending; None if it must be tried."""
        below = run.parent
        if below is None:
            return None
        key = (candidate, below.code, below.pc)
        if key not in self._made:
            self._made[key] = self._written(*key)
        ends = self._made[key]
        return ends(run, run.env) if ends is not None else None

    def _written(self, candidate: int, code: Routine, pc: int) -> Ends | None:
        below = self._tops.get(code)
        if below is None or pc not in below.starts:
            return None
        loop = self._row.steps[self._place]
        assert isinstance(loop, ir.Until)
        try:
            ending = Ending(self._program, self._row)
            ending.leave(self._choice.options[candidate], loop, self._row.steps[self._place + 1 :])
            return ending.above(below, below.starts.index(pc))
        except BentError:
            return None


class Ending(Stretch):
    """Writes the function for one way out of a loop.

    In it `e` are the variables of the routine with the loop, `f` those of what waits below it.
    """

    gives_up = "run.unwind(length); return None"

    def leave(self, branch: ir.Steps, loop: ir.Until, rest: ir.Steps) -> None:
        """Write a branch, the end of the loop, and what comes behind it in its routine."""
        for step in branch:
            self.step(step)
        self._line(f"if not {self.writer.condition(loop.condition)}: {self.gives_up}")
        for step in rest:
            self.step(step)

    def above(self, below: Row, first: int) -> Ends:
        """Return the function that does what is written, and the steps below from one on as far as they can fail."""
        known = {number: f"f[{number}]" for number in range(below.routine.size)}
        self.inside, self.writer = known, self.program.binder.writer.reading(known)
        risky, place = below.routine.risky, first
        while risky[below.starts[place]] is Risk.FAILS:
            self.step(below.steps[place])
            place += 1
        if risky[below.starts[place]] is Risk.TOTAL:
            can_fail, code = self.writer.constant(pending_can_fail), self.writer.constant(below.routine)
            left = f"p.parent, {code}, {below.starts[place]}, f, p.outs"
            self._line(f"if {can_fail}({left}): {self.gives_up}")
        otherwise = " or ".join([f"m[{DIRTY}]", "run.joined", "run.outs", *self._special()])
        head = [
            " m, p = run.memory, run.parent", f" if {otherwise}: return None", f" {KEEPING}",
            " f, length = p.env, len(run.trail)",
        ]  # fmt: skip
        body = placed_once([line[1:] for line in (*head, *self.lines, " run.unwind(length)", " return True")])
        return cast(Ends, function_of("\n ".join(["def ending(run, e):", *body]), self.names))

    def step(self, step: ir.Order) -> None:
        """Write a step; raises BentError where it is not straight."""
        match step:
            case ir.Keep():
                raise BentError
            case ir.Must(condition):
                self._straight(condition)
                self._fails_if(f"not {self.writer.condition(condition)}")
            case _:
                super().step(step)

    def _fails_if(self, test: str) -> None:
        self._line(f"if {test}: run.unwind(length); return False")

    def _left(self) -> list[str]:
        return [self.gives_up]

    def _may_be_forbidden(self, act: Act) -> bool:
        return False

    def _announce(self, call: ir.Call, roles: Sequence[str]) -> None:
        """Nothing is said of an option that is not put together."""

    def _body(self, act: Act, call: ir.Call, roles: Sequence[str]) -> None:
        agent = roles[0]
        known = {FIXED + number: text for number, text in enumerate(roles[1:])}
        known |= {THIS: str(NOTHING), YOU: agent, AGENT: agent, MANNER: self._manner(call)}
        if act.verb.by == "piece":
            known |= {THIS: agent, YOU: self.writer.decider(agent)}
        for rule in act.rules:
            self._fails_if(Permits(act).forbids(rule, known))
        super()._body(act, call, roles)
