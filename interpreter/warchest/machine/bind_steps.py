"""Steps made ready to run: a routine is a list of operations with jumps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warchest.machine.bind_changes import ChangeBinder
from warchest.machine.binding import Test
from warchest.machine.calls import emit_call
from warchest.machine.changes import by_place
from warchest.machine.expressions import base_of
from warchest.machine.risk import Risk, joined
from warchest.machine.run import EDGE, FAIL, WITHIN, Env, Op, Routine, Run, Stop
from warchest.machine.sites import BranchSite, MemberSite, PickSite
from warchest.machine.trial import can_reach
from warchest.rules import steps as ir
from warchest.rules.parts import nodes_in
from warchest.rules.values import NOTHING, SET_VARIABLES, Condition, Var
from warchest.source.text import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from warchest.machine.acts import Act
    from warchest.machine.program import Program


QUIET = ir.Keep, ir.SetField, ir.RaisePiece
"""Steps that cannot fail and ask nothing. What follows from them at once comes when the act is over, and the option."""


def pieces_in(condition: Condition) -> list[int]:
    """Return the variables for pieces that a condition is about, but for those it goes through itself."""
    parts = list(nodes_in(condition))
    own = {part.var.id for part in parts if hasattr(part, "var")}
    found = {one.id for one in parts if isinstance(one, Var) and one.base == "piece" and one.id < SET_VARIABLES}
    return sorted(found - own)


def loops_in(steps: ir.Steps) -> int:
    """Return how many hidden variables the loops in some steps need."""
    count = 0
    for step in steps:
        match step:
            case ir.ForEach(_, _, _, _, body):
                count += 1 + loops_in(body)
            case ir.If(_, then, otherwise):
                count += loops_in(then) + loops_in(otherwise)
            case ir.Until(_, body) | ir.IfAble(body):
                count += loops_in(body)
            case ir.Either(options) | ir.Offer(options):
                count += sum(loops_in(option) for option in options)
    return count


class RoutineBinder(ChangeBinder):
    """Makes one routine out of a piece of code."""

    def __init__(self, program: Program, code: ir.Code) -> None:
        super().__init__(program, code)
        self.size = code.size + loops_in(code.steps)
        bases = ["number"] * self.size
        for var in (*code.params, *_vars(code.steps)):
            bases[var.id] = var.base
        self.bases = bases
        self.hidden = code.size
        self.routine = Routine(code.name, code.origin, code.verb, self.size, ())
        self.jumps: dict[int, tuple[list[int], int]] = {}
        self.rounds: dict[int, Op] = {}
        """The operations that begin another round of a loop; they stand on their own wherever they are."""
        self.chosen: frozenset[int] = frozenset()
        """The variables that have been chosen on every way that leads here."""

    def bind(self) -> Routine:
        """Return the routine."""
        self._emit(self.code.steps, Risk.TOTAL)
        end = self.add(self.program.events.finish(self.routine), self.code.span, Risk.TOTAL)
        if self.code.origin == "verb":
            self.routine.waits(end, self.program.events.following)
        self.routine.of_bases(tuple(self.bases))
        self._shorten()
        return self.routine

    def _shorten(self) -> None:
        """Let a jump to the end of a loop begin the next round itself."""
        for place, (target, which) in self.jumps.items():
            end = target[which]
            while end in self.jumps:
                further, number = self.jumps[end]
                end = further[number]
            if end in self.rounds:
                self.routine.put(place, self.rounds[end])
                self.routine.rounds.add(place)

    def _jump(self, target: list[int], span: Span, risk: Risk, which: int = 0) -> None:
        def jump(run: Run, env: Env) -> Stop | None:
            run.pc = target[which]
            return None

        self.jumps[self.add(jump, span, risk)] = target, which

    def add(self, op: Op, span: Span, risk: Risk) -> int:
        """Add an operation to the routine and return its number."""
        number = self.routine.add(op, span, risk, self.chosen)
        if isinstance(op, PickSite):
            self.chosen |= {op.place}
        return number

    @property
    def _here(self) -> int:
        return len(self.routine.ops)

    def _emit(self, steps: ir.Steps, after: Risk, offered: bool = False, branch: bool = False) -> None:
        for index, step in enumerate(steps):
            rest = joined(self.program.risks.steps(steps[index + 1 :]), after)
            risk = joined(self.program.risks.step(step), rest)
            if isinstance(step, ir.Call):
                emit_call(self, step, risk, rest, offered and index < len(steps) - 1, branch and index == 0)
            elif isinstance(step, ir.Choose):
                site = self._choose(step)
                site.last = steps is self.code.steps and self._ends_quietly(steps[index + 1 :])
                self.add(site, step.span, risk)
            else:
                self._step(step, risk, rest)

    def _step(self, step: ir.Order, risk: Risk, rest: Risk) -> None:
        match step:
            case ir.If():
                self._if(step, risk, rest)
            case ir.Until():
                self._until(step, risk, rest)
            case ir.ForEach():
                self._for_each(step, risk, rest)
            case ir.Either() | ir.Offer():
                self._branches(step, risk, rest)
            case ir.IfAble():
                self._if_able(step, risk, rest)
            case ir.Perform():
                self.add(self._perform(step), step.span, risk)
                self.routine.waits(self._here, lambda: self.program.blocks(step.block))
            case _:
                self.add(self.plain(step), step.span, risk)

    # ---- control

    def _if(self, step: ir.If, risk: Risk, rest: Risk) -> None:
        test, target = self.test(step.condition), [0, 0]

        def decide(run: Run, env: Env) -> Stop | None:
            if not test(run, env):
                run.pc = target[0]
            return None

        self.add(decide, step.span, risk)
        before = self.chosen
        self._emit(step.then, rest)
        if step.otherwise:
            self._jump(target, step.span, rest, 1)
        target[0] = self._here
        then, self.chosen = self.chosen, before
        self._emit(step.otherwise, rest)
        self.chosen &= then
        target[1] = self._here

    def _until(self, step: ir.Until, risk: Risk, rest: Risk) -> None:
        start, end = self._here, [0]
        begun = self._begins_a_round(step, start, end)
        self.add(self.lines(begun), step.span, risk)
        before = self.chosen
        self._emit(step.steps, joined(self.program.risks.steps(step.steps), rest))
        again = self.lines([*self._between_rounds(start), *begun])
        self.rounds[self.add(again, step.span, risk)] = again
        end[0], self.chosen = self._here, before

    def _begins_a_round(self, step: ir.Until, start: int, end: list[int]) -> list[str]:
        """Return the lines that go behind a loop, or into its next round."""
        name = self.writer.constant
        lines = [f"if {self.writer.condition(step.condition)}: run.pc = {name(end)}[0]; return None"]
        about = pieces_in(step.condition)
        if about:
            # What it is about has left the board, so that it would never come true.
            lapse = f"{name(self.program.events.lapse)}(run, {name(step.span)})"
            gone = " or ".join(f"e[{one}] < 0" for one in about)
            lines.append(f"if {gone}: {lapse}; run.pc = {name(end)}[0]; return None")
        return [*lines, f"run.pc = {start + 2}", f"return {name(self.routine.calls)}[{start + 1}](run, e)"]

    def _between_rounds(self, start: int) -> list[str]:
        # Each round is a decision of its own: an option that went on would be as long as the loop.
        name, lines = self.writer.constant, ["run.joined = False"]
        acts, verb = self.program.acts, self.code.verb
        if verb < 0 or acts[verb].verb.by == "game":
            # Between two rounds of the game itself nothing is half done, so that looking ahead ends there.
            own = f"run.trying and {name(_is_games_own)}(run, {name(acts)})"
            lines.append(f"if {own}: run.pc = {start}; return {name(EDGE)}")
        return lines

    def _for_each(self, step: ir.ForEach, risk: Risk, rest: Risk) -> None:
        gather, remaining, place = self.gather(step.among), self.hidden, step.var.id
        layout, of_pieces = self.layout, step.var.base == "piece"
        self.hidden += 1
        self.bases[remaining] = f"{step.var.base}s"

        def begin(run: Run, env: Env) -> Stop | None:
            members = gather(run, env)
            run.put(remaining, (0, *(by_place(run, layout, members) if of_pieces else members)))
            return None

        self.add(begin, step.span, risk)
        start, end, before = [self._here], [0], self.chosen
        site = MemberSite(step.span, place, remaining, step.var.base, self.chooser(step.decider))
        self.add(site if step.free else _next_member(place, remaining, end), step.span, risk)
        # In a free loop only those are chosen that can act, and after the first it may end: no round of it can fail.
        after = rest if step.free else joined(self.program.risks.steps(step.steps), rest)
        self.chosen |= {place}
        self._emit(step.steps, after)
        fence = self.add(_fence(start), step.span, after)
        self.routine.loops.append((start[0], fence, remaining))
        end[0], self.chosen = self._here, before
        site.done = end[0]
        body = start[0] + 1
        site.test = lambda run: can_reach(run, body, fence)

    def _branches(self, step: ir.Either | ir.Offer, risk: Risk, rest: Risk) -> None:
        site, end = BranchSite(step.span, self.chooser(step.decider)), [0]
        self.add(site, step.span, risk)
        before = self.chosen
        for option in step.options:
            site.targets.append(self._here)
            self.chosen = before
            self._emit(option, rest, offered=isinstance(step, ir.Offer), branch=True)
            self._jump(end, step.span, rest)
        end[0], self.chosen = self._here, before
        if isinstance(step, ir.Offer):
            site.declined = end[0]
            site.tacit = self._names_itself(step.options[0][0])

    def _names_itself(self, step: ir.Order) -> bool:
        """Whether an option that goes on with a step is named by it."""
        return isinstance(step, ir.Call) and self.program.acts[step.verb].verb.by == "piece"

    def _if_able(self, step: ir.IfAble, risk: Risk, rest: Risk) -> None:
        fence, program = [0], self.program
        certain = self._certain(step.steps)
        body = self._here + 1

        def attempt(run: Run, env: Env) -> Stop | None:
            able = certain(run, env) if certain is not None else can_reach(run, body, fence[0])
            if not able:
                program.events.lapse(run, step.span)
                run.pc = fence[0] + 1
            return None

        self.add(attempt, step.span, risk)
        before = self.chosen
        self._emit(step.steps, rest)
        fence[0] = self.add(_fence(None), step.span, rest)
        self.chosen = before

    def _certain(self, steps: ir.Steps) -> Test | None:
        """Return a short test for steps that are a choice among a set and then cannot fail."""
        first = steps[0]
        if isinstance(first, ir.Choose) and self.program.risks.steps(steps[1:]) is Risk.TOTAL:
            gather = self.gather(first.among)
            return lambda run, env: bool(gather(run, env))
        return None

    # ---- choices and blocks

    def _ends_quietly(self, rest: ir.Steps) -> bool:
        """Whether an act comes to its end with steps that are no part of an option: plain changes."""
        return self.code.origin == "verb" and all(isinstance(step, QUIET) for step in rest)

    def _choose(self, step: ir.Choose) -> PickSite:
        chooser = self.chooser(step.decider) if step.decider is not None else None
        site = PickSite(step.span, step.key, False, step.var.id, step.var.base, self.candidates(step.among), chooser)
        site.among = step.among
        if step.var.base == "token":
            cells = self.layout.tokens
            site.weigh = lambda run, token: run.memory[cells + token]
        return site

    def _perform(self, step: ir.Perform) -> Op:
        carrier, by, program, block = self.value(step.of), self.value(step.by), self.program, step.block
        of_piece, documents = base_of(step.of) == "piece", self.layout.documents

        def perform(run: Run, env: Env) -> Stop | None:
            number = carrier(run, env)
            if of_piece:
                routine, owner = program.block(run, number, block), program.decider(run, number)
                known: Env = (number, owner, NOTHING, number)
            else:
                routine, you = program.block_of(number % documents, block), by(run, env)
                known = (NOTHING, you, NOTHING, you)
            if routine is None:
                return FAIL
            if run.joined:
                run.notes.append(WITHIN)
            if of_piece and run.trying == run.telling:
                run.events.append(("performed", routine.spans[-1], program.told(run, number), NOTHING))
            run.push(routine, known + (NOTHING,) * (routine.size - len(known)))
            return None

        return perform


def _is_games_own(run: Run, acts: Sequence[Act]) -> bool:
    """Whether what is under way is in no act of anybody's, but only in what the game itself orders."""
    code, below = run.code, run.parent
    while code.verb < 0 or acts[code.verb].verb.by == "game":
        if below is None:
            return True
        below, code, _, _, _ = below
    return False


def _next_member(place: int, remaining: int, end: list[int]) -> Op:
    def following(run: Run, env: Env) -> Stop | None:
        state = env[remaining]
        if len(state) == 1:
            run.pc = end[0]
            return None
        run.put(place, state[1])
        run.put(remaining, (1, *state[2:]))
        return None

    return following


def _fence(target: list[int] | None) -> Op:
    """The end of steps that are tried by themselves: a trial stops here."""

    def fence(run: Run, env: Env) -> Stop | None:
        if run.outs == ((-1, run.pc - 1),):
            return EDGE
        if target is not None:
            run.pc = target[0]
        return None

    return fence


def _vars(steps: ir.Steps) -> list[Var]:
    """Return all variables that some steps give values to."""
    found: list[Var] = []
    for step in steps:
        for name in ("var", "result"):
            var = getattr(step, name, None)
            if var is not None:
                found.append(var)
        if isinstance(step, ir.Call):
            found.extend(fill.var for fill in (step.agent, *step.roles) if isinstance(fill, ir.Pick | ir.Usual))
        for name in ("steps", "then", "otherwise"):
            found.extend(_vars(getattr(step, name, ())))
        for option in getattr(step, "options", ()):
            found.extend(_vars(option))
    return found
