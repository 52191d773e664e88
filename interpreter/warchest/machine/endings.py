"""Whether a choice that leads out of a loop can be carried through, told by one function.

Looking ahead mostly asks the same thing: if the loop ended here, would what comes after it be possible? Where all that
is straight (see `stretches`) it is done and taken back at once. What is not as plain as that is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from warchest.machine.bearers import asked_in
from warchest.machine.bind_changes import KEEPING
from warchest.machine.bind_steps import pieces_in
from warchest.machine.binding import function_of, placed_once
from warchest.machine.layout import DIRTY
from warchest.machine.permits import Permits
from warchest.machine.risk import Risk, pending_can_fail, usual_of
from warchest.machine.run import Env, Routine, Run
from warchest.machine.sites import BranchSite
from warchest.machine.stretches import GIVEN, BentError, Row, Stretch
from warchest.rules import steps as ir
from warchest.rules.ruleset import AGENT, FIXED, MANNER, THIS, YOU
from warchest.rules.values import NOTHING

if TYPE_CHECKING:
    from warchest.machine.acts import Act
    from warchest.machine.program import Program

Ends: TypeAlias = Callable[[Run, Env, int], "bool | None"]
"""Whether what is pending can be carried through; None where it must be tried.

It is given the variables of the routine, and what is chosen on the way, if anything is.
"""


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
    """The ways out of a loop by the branches of a choice, at once or after one of the others.

    The function for each is written when it is first needed.
    """

    __slots__ = ("_choice", "_made", "_place", "_program", "_row", "_tops")

    def __init__(
        self, program: Program, tops: Mapping[Routine, Row], row: Row, place: int, choice: ir.Either
    ) -> None:  # fmt: skip
        self._program, self._tops, self._row, self._place, self._choice = program, tops, row, place, choice
        self._made: dict[tuple[int, int, Routine, int], Ends | None] = {}

    def look(self, run: Run, candidate: int) -> bool | None:
        """Return whether a branch leads out of the loop and to an end of what is pending; None if it must be tried."""
        return self._look(run, -1, candidate, NOTHING)

    def after(self, run: Run, first: int, chosen: int) -> int | None:
        """Return a branch that leads to an end after another one, with what is `chosen` in that; None if unknown."""
        for candidate in range(len(self._choice.options)):
            if candidate != first and self._look(run, first, candidate, chosen):
                return candidate
        return None

    def _look(self, run: Run, first: int, candidate: int, chosen: int) -> bool | None:
        below = run.parent
        if below is None:
            return None
        key = (first, candidate, below.code, below.pc)
        if key not in self._made:
            self._made[key] = self._written(*key)
        ends = self._made[key]
        if ends is None:
            return None
        # What is done is taken back, so the log is told of none of it, even where this is asked outside of any trial.
        run.look_ahead()
        found = ends(run, run.env, chosen)
        run.trying -= 1
        return found

    def _written(self, first: int, candidate: int, code: Routine, pc: int) -> Ends | None:
        below, loop = self._tops.get(code), self._row.steps[self._place]
        assert isinstance(loop, ir.Until)
        if below is None or pc not in below.starts:
            return None
        try:
            ending, options = Ending(self._program, self._row, loop), self._choice.options
            if first >= 0:
                ending.go_round(options[first])
            ending.leave(options[candidate], self._row.steps[self._place + 1 :])
            return ending.above(below, below.starts.index(pc))
        except BentError:
            return None


class Ending(Stretch):
    """Writes the function for one way out of a loop.

    In it `e` are the variables of the routine with the loop, `f` those of what waits below it.
    """

    gives_up = "run.unwind(length); return None"

    def __init__(self, program: Program, row: Row, loop: ir.Until) -> None:
        super().__init__(program, row)
        self.loop = loop

    def go_round(self, branch: ir.Steps) -> None:
        """Write a branch that is one act of which one role is `chosen`, and the next round up to the choice."""
        call = branch[0]
        if len(branch) > 1 or not isinstance(call, ir.Call):
            raise BentError
        act = self.program.acts[call.verb]
        asked = asked_in(act, call)
        given = [isinstance(fill, ir.Bound) for number, fill in enumerate(call.roles) if number not in asked]
        plain = isinstance(call.agent, ir.Bound) and all(given) and usual_of(act.verb) is not None
        if len(asked) != 1 or not plain or self.program.events.hooks[act.number]:
            raise BentError
        self._ask_who_bears(act, call)
        fills = [fill.value if isinstance(fill, ir.Bound) else None for fill in (call.agent, *call.roles)]
        roles = [self._local(self.writer.value(one)) if one is not None else "chosen" for one in fills]
        gone = " or ".join(f"{text} < 0" for place, text in enumerate(roles) if act.bases[AGENT + place] == "piece")
        self._line(f"if {gone}: {self.gives_up}")
        # What may be chosen has been asked already, so that it is not forbidden.
        super()._body(act, call, roles)
        self._line(f"if {self.writer.condition(self.loop.condition)}: {self.gives_up}")
        for step in self.loop.steps[:-1]:
            self.step(step)

    def leave(self, branch: ir.Steps, rest: ir.Steps) -> None:
        """Write a branch, the end of the loop, and what comes behind it in its routine."""
        for step in branch:
            self.step(step)
        self._line(f"if not {self.writer.condition(self.loop.condition)}: {self.gives_up}")
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
        gone = [f"e[{one}] < 0" for one in pieces_in(self.loop.condition)]
        otherwise = " or ".join([f"m[{DIRTY}]", "run.joined", "run.outs", *gone, *self._special()])
        head = [
            " m, p = run.memory, run.parent", f" if {otherwise}: return None", f" {KEEPING}",
            " f, length = p.env, len(run.trail)",
        ]  # fmt: skip
        body = placed_once([line[1:] for line in (*head, *self.lines, " run.unwind(length)", " return True")])
        return cast(Ends, function_of("\n ".join(["def ending(run, e, chosen):", *body]), self.names))

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

    def _set_field(self, step: ir.SetField, watched: bool) -> None:
        if watched:
            # What follows at once comes before the loop is left.
            raise BentError
        super()._set_field(step, watched)

    def _local(self, text: str) -> str:
        # The variables of the routine stay what they are here.
        return text if GIVEN.fullmatch(text) else super()._local(text)

    def _fails_if(self, test: str) -> None:
        self._line(f"if {test}: run.unwind(length); return False")

    def _left(self) -> list[str]:
        return [self.gives_up]

    def _may_be_answered(self, act: Act) -> bool:
        return False

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
        if self.program.events.hooks[act.number]:
            answered = self.writer.constant(self.program.events.answered)
            env = ", ".join([known[THIS], known[YOU], known[MANNER], *roles])
            self._line(f"if {answered}(run, {act.number}, ({env},)): {self.gives_up}")
        super()._body(act, call, roles)
