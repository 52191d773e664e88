"""Steps made ready to run: a routine is a list of operations with jumps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from warchest.machine import changes
from warchest.machine.bind_conditions import ConditionBinder
from warchest.machine.bind_values import Evaluate, base_of
from warchest.machine.layout import ASK, DIRTY, ENDED, NOWHERE, ROUND, TURN, WINNER
from warchest.machine.risk import Risk, joined
from warchest.machine.run import DONE, EDGE, FAIL, Frame, Op, Routine, Run, Signal, Stop
from warchest.machine.sites import BranchSite, MemberSite, PickSite, advanced, jumped
from warchest.machine.trial import can_reach
from warchest.rules import steps as ir
from warchest.rules.ruleset import MANNER
from warchest.rules.values import NOTHING
from warchest.source.text import Span

if TYPE_CHECKING:
    from warchest.machine.program import Program


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


class RoutineBinder(ConditionBinder):
    """Makes one routine out of a piece of code."""

    def __init__(self, program: Program, code: ir.Code) -> None:
        super().__init__(program.layout, code.size + loops_in(code.steps))
        self.program, self.code = program, code
        bases = ["number"] * self.size
        for var in (*code.params, *_vars(code.steps)):
            bases[var.id] = var.base
        self.bases = bases
        self.hidden = code.size
        self.routine = Routine(code.name, code.origin, code.verb, self.size, ())

    def bind(self) -> Routine:
        """Return the routine."""
        self._emit(self.code.steps, Risk.TOTAL)
        self._op(self.program.events.finish(self.routine), self.code.span, Risk.TOTAL)
        self.routine.bases = tuple(self.bases)
        return self.routine

    def _op(self, op: Op, span: Span, risk: Risk) -> int:
        self.routine.ops.append(op)
        self.routine.spans.append(span)
        self.routine.risky.append(risk)
        return len(self.routine.ops) - 1

    @property
    def _here(self) -> int:
        return len(self.routine.ops)

    def _emit(self, steps: ir.Steps, after: Risk) -> None:
        for index, step in enumerate(steps):
            rest = joined(self.program.risks.steps(steps[index + 1 :]), after)
            self._step(step, joined(self.program.risks.step(step), rest), rest)

    def _step(self, step: ir.Order, risk: Risk, rest: Risk) -> None:
        match step:
            case ir.Call():
                self.program.events.emit_call(self, step, risk)
            case ir.Choose():
                self._op(self._choose(step), step.span, risk)
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
                self._op(self._perform(step), step.span, risk)
            case _:
                self._op(self._plain(step), step.span, risk)

    # ---- control

    def _if(self, step: ir.If, risk: Risk, rest: Risk) -> None:
        test, target = self.test(step.condition), [0, 0]

        def decide(run: Run, frame: Frame) -> Stop | None:
            run.top = jumped(frame, frame.pc + 1 if test(run, frame.env) else target[0])
            return None

        self._op(decide, step.span, risk)
        self._emit(step.then, rest)
        if step.otherwise:
            self._op(self._jump(target, 1), step.span, rest)
        target[0] = self._here
        self._emit(step.otherwise, rest)
        target[1] = self._here

    def _jump(self, target: list[int], which: int = 0) -> Op:
        def jump(run: Run, frame: Frame) -> Stop | None:
            run.top = jumped(frame, target[which])
            return None

        return jump

    def _until(self, step: ir.Until, risk: Risk, rest: Risk) -> None:
        test, start, end = self.test(step.condition), [self._here], [0]

        def check(run: Run, frame: Frame) -> Stop | None:
            run.top = jumped(frame, end[0] if test(run, frame.env) else frame.pc + 1)
            return None

        self._op(check, step.span, risk)
        self._emit(step.steps, joined(self.program.risks.steps(step.steps), rest))
        self._op(self._jump(start), step.span, risk)
        end[0] = self._here

    def _for_each(self, step: ir.ForEach, risk: Risk, rest: Risk) -> None:
        gather, remaining, place = self.gather(step.among), self.hidden, step.var.id
        self.hidden += 1
        self.bases[remaining] = "pieces" if step.var.base == "piece" else "members"

        def begin(run: Run, frame: Frame) -> Stop | None:
            env = list(frame.env)
            env[remaining] = (0, *gather(run, frame.env))
            run.top = advanced(frame, tuple(env))
            return None

        self._op(begin, step.span, risk)
        start = [self._here]
        if step.free:
            site = MemberSite(step.span, place, remaining, step.var.base, self.value(step.decider))
            self._op(site, step.span, risk)
        else:
            end = [0]
            self._op(self._next_member(place, remaining, end), step.span, risk)
        self._emit(step.steps, joined(self.program.risks.steps(step.steps), rest))
        fence = self._op(self._fence(start), step.span, risk)
        if step.free:
            site.done = self._here
            site.test = lambda run, frame: can_reach(run, frame, fence)
        else:
            end[0] = self._here

    def _next_member(self, place: int, remaining: int, end: list[int]) -> Op:
        def following(run: Run, frame: Frame) -> Stop | None:
            state = frame.env[remaining]
            if len(state) == 1:
                run.top = jumped(frame, end[0])
                return None
            env = list(frame.env)
            env[place], env[remaining] = state[1], (1, *state[2:])
            run.top = advanced(frame, tuple(env))
            return None

        return following

    def _fence(self, target: list[int] | None) -> Op:
        """The end of steps that are tried by themselves: a trial stops here."""

        def fence(run: Run, frame: Frame) -> Stop | None:
            if frame.outs == ((-1, frame.pc),):
                return EDGE
            run.top = jumped(frame, frame.pc + 1 if target is None else target[0])
            return None

        return fence

    def _branches(self, step: ir.Either | ir.Offer, risk: Risk, rest: Risk) -> None:
        site, end = BranchSite(step.span, self.value(step.decider)), [0]
        self._op(site, step.span, risk)
        for option in step.options:
            site.targets.append(self._here)
            self._emit(option, rest)
            self._op(self._jump(end), step.span, rest)
        end[0] = self._here
        if isinstance(step, ir.Offer):
            site.declined = end[0]

    def _if_able(self, step: ir.IfAble, risk: Risk, rest: Risk) -> None:
        fence, program = [0], self.program
        certain = self._certain(step.steps)

        def attempt(run: Run, frame: Frame) -> Stop | None:
            inner = advanced(frame, frame.env)
            able = certain(run, frame) if certain is not None else can_reach(run, inner, fence[0])
            if not able:
                program.events.lapse(run, step.span)
            run.top = inner if able else jumped(frame, fence[0] + 1)
            return None

        self._op(attempt, step.span, risk)
        self._emit(step.steps, rest)
        fence[0] = self._op(self._fence(None), step.span, rest)

    def _certain(self, steps: ir.Steps) -> Callable[[Run, Frame], bool] | None:
        """Return a short test for steps that are a choice among a set and then cannot fail."""
        first = steps[0]
        if isinstance(first, ir.Choose) and self.program.risks.steps(steps[1:]) is Risk.TOTAL:
            gather = self.gather(first.among)
            return lambda run, frame: bool(gather(run, frame.env))
        return None

    # ---- choices and blocks

    def _choose(self, step: ir.Choose) -> Op:
        chooser = self.value(step.decider) if step.decider is not None else None
        site = PickSite(step.span, step.key, False, step.var.id, step.var.base, self.gather(step.among), chooser)
        if step.var.base == "token":
            cells = self.layout.tokens
            site.weigh = lambda run, token: run.memory[cells + token]
        return site

    def _perform(self, step: ir.Perform) -> Op:
        piece, program, block = self.value(step.piece), self.program, step.block

        def perform(run: Run, frame: Frame) -> Stop | None:
            number = piece(run, frame.env)
            routine = program.block(run, number, block)
            if routine is None:
                return FAIL
            run.notes.append(("within", "", 0))
            owner = program.owner(run, number)
            env = (number, owner, NOTHING, number) + (NOTHING,) * (routine.size - 4)
            run.top = Frame(advanced(frame, frame.env), routine, 0, env, ())
            return None

        return perform

    # ---- plain changes

    def _plain(self, step: ir.Order) -> Op:
        match step:
            case ir.MoveToken():
                return self._move_token(step)
            case ir.MoveAll():
                return self._move_all(step)
            case ir.MakeTokens():
                return self._make_tokens(step)
            case ir.MovePiece(piece, space):
                which, where = self.value(piece), self.value(space)
                return self._change(lambda run, env: changes.move_piece(run, self.layout, which(run, env), where(run, env)),
                                    which)  # fmt: skip
            case ir.RemovePiece(piece):
                which = self.value(piece)
                return self._change(lambda run, env: changes.remove_piece(run, self.layout, which(run, env)), which)
            case ir.RaisePiece():
                return self._raise_piece(step)
            case ir.SetField():
                return self._set_field(step)
            case _:
                return self._other(step)

    def _other(self, step: ir.Order) -> Op:
        match step:
            case ir.Keep(var, value):
                evaluate, place = self.value(value), var.id
                return self._keep(evaluate, place)
            case ir.Must(condition):
                test = self.test(condition)

                def must(run: Run, frame: Frame) -> Stop | None:
                    if not test(run, frame.env):
                        return FAIL
                    run.top = advanced(frame, frame.env)
                    return None

                return must
            case ir.Win(team):
                return self._win(self.value(team))
            case ir.Clock(what):
                return self._clock(what)
        raise TypeError(f"not a step: {step!r}")

    def _change(self, change: Callable[[Run, tuple[int, ...]], None], piece: Evaluate | None = None) -> Op:
        """An operation that changes something; it lapses where its piece has left the board."""
        program = self.program

        def op(run: Run, frame: Frame) -> Stop | None:
            run.top = advanced(frame, frame.env)
            if piece is not None and piece(run, frame.env) < 0:
                program.events.lapse(run, frame.code.spans[frame.pc])
            else:
                change(run, frame.env)
            return None

        return op

    def _keep(self, evaluate: Evaluate, place: int) -> Op:
        def keep(run: Run, frame: Frame) -> Stop | None:
            env = frame.env[:place] + (evaluate(run, frame.env),) + frame.env[place + 1 :]
            run.top = advanced(frame, env)
            return None

        return keep

    def _face(self, manner: int) -> Callable[[tuple[int, ...]], int]:
        if manner == -2:
            return lambda env: max(env[MANNER], 0)
        return lambda env: max(manner, 0)

    def _move_token(self, step: ir.MoveToken) -> Op:
        token, face, layout = self.value(step.token), self._face(step.manner), self.layout
        into = self.destination(step.into) if step.into is not None else None
        place = step.token.id if base_of(step.token) == "token" and hasattr(step.token, "id") else -1

        def move(run: Run, frame: Frame) -> Stop | None:
            env = frame.env
            holder = NOWHERE if into is None else into(run, env, face(env))
            if frame.code.origin == "hook":
                run.notes.append(("act?", "put", 0))
            moved = changes.move_token(run, layout, token(run, env), holder)
            if place >= 0:
                env = env[:place] + (moved,) + env[place + 1 :]
            run.top = advanced(frame, env)
            return None

        return move

    def _move_all(self, step: ir.MoveAll) -> Op:
        gather, face, layout, limit = self.gather(step.tokens), self._face(step.manner), self.layout, step.count
        into = self.destination(step.into) if step.into is not None else None

        def move(run: Run, env: tuple[int, ...]) -> None:
            holder = NOWHERE if into is None else into(run, env, face(env))
            left = limit if limit >= 0 else 1 << 30
            for token in gather(run, env):
                for _ in range(min(run.memory[layout.tokens + token], left)):
                    changes.move_token(run, layout, token, holder)
                    left -= 1

        return self._change(move)

    def _make_tokens(self, step: ir.MakeTokens) -> Op:
        document, into, layout = self.value(step.document), self.destination(step.into), self.layout
        numbers = [sheet.numbers.get(step.key, 0) for sheet in layout.ruleset.sheets]

        def make(run: Run, env: tuple[int, ...]) -> None:
            which = document(run, env)
            count = step.count if step.count >= 0 else numbers[which]
            changes.add_tokens(run, layout, into(run, env, 0), which, count)

        return self._change(make)

    def _raise_piece(self, step: ir.RaisePiece) -> Op:
        token, space, owner, layout = self.value(step.token), self.value(step.space), self.value(step.owner), self.layout
        place = step.token.id if hasattr(step.token, "id") else -1

        def raise_piece(run: Run, frame: Frame) -> Stop | None:
            env = frame.env
            which = token(run, env)
            number = changes.new_piece(
                run, layout, step.kind, which % layout.documents, space(run, env), owner(run, env)
            )
            moved = changes.move_token(run, layout, which, layout.first_piece_holder + number)
            if place >= 0:
                env = env[:place] + (moved,) + env[place + 1 :]
            run.top = advanced(frame, env)
            return None

        return raise_piece

    def _set_field(self, step: ir.SetField) -> Op:
        value, layout = self.value(step.value), self.layout
        watched = step.field in self.program.watched
        of = self.value(step.of) if step.of is not None else None
        first, stride = layout.fields.get(step.field, 0), 1
        if step.field in layout.piece_field:
            first, stride = layout.pieces + layout.piece_field[step.field], layout.stride

        def change(run: Run, env: tuple[int, ...]) -> None:
            run.set(first + (of(run, env) * stride if of is not None else 0), value(run, env))
            if watched:
                run.set(DIRTY, 1)

        return self._change(change)

    def _win(self, team: Evaluate) -> Op:
        def win(run: Run, frame: Frame) -> Signal:
            run.set(WINNER, team(run, frame.env))
            run.set(ENDED, 1)
            run.top = None
            return DONE

        return win

    def _clock(self, what: str) -> Op:
        def end(run: Run, frame: Frame) -> Signal:
            run.set(ENDED, 1)
            run.top = None
            return DONE

        def count(run: Run, frame: Frame) -> Stop | None:
            if run.trying:
                return EDGE
            cell = TURN if what == "turn" else ROUND
            run.set(cell, run.memory[cell] + 1)
            run.set(ASK, 1)
            run.top = advanced(frame, frame.env)
            return None

        def nothing(run: Run, frame: Frame) -> Stop | None:
            run.top = advanced(frame, frame.env)
            return None

        return {"end": end, "turn": count, "round": count, "nothing": nothing}[what]  # type: ignore[return-value]


def _vars(steps: ir.Steps) -> list[ir.Var]:
    """Return all variables that some steps give values to."""
    found: list[ir.Var] = []
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
