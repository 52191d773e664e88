"""Events: what happens around the body of an act.

Stages: `before` hooks, `instead`, the body with the `when` hooks that were judged before it, what follows at once
(state rules), `after` hooks. An act that no hook can answer runs its body alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from warchest.machine.acts import FIXED, Act, emit_call
from warchest.machine.bind_values import Gather, Test, members_of
from warchest.machine.layout import DIRTY, HOLD
from warchest.machine.risk import Risk
from warchest.machine.run import DONE, Frame, Op, Routine, Run, Signal, Stop
from warchest.machine.sites import DECLINE, Site, advanced
from warchest.machine.trial import can_finish
from warchest.rules import steps as ir
from warchest.rules.ruleset import AGENT, Hook, StateRule
from warchest.rules.values import NOTHING

if TYPE_CHECKING:
    from warchest.machine.bind_steps import RoutineBinder
    from warchest.machine.program import Program

STAGES = ("before", "instead", "when", "after")


@dataclass(frozen=True, slots=True)
class BoundHook:
    """A hook made ready for one verb: `places` are the roles its own variables stand for."""

    number: int
    hook: Hook
    test: Test
    routine: Routine
    places: tuple[int, ...]
    certain: bool


@dataclass(frozen=True, slots=True)
class BoundStateRule:
    """A state rule made ready."""

    gather: Gather
    routine: Routine
    rule: StateRule


class Events:
    """The hooks and state rules of a program, and the operations that carry them out."""

    def __init__(self, program: Program) -> None:
        self.program = program
        verbs = len(program.layout.ruleset.verbs)
        self.hooks: list[dict[str, list[BoundHook]]] = [{} for _ in range(verbs)]
        self.by_number: list[BoundHook] = []
        self.frames: list[Routine | None] = [None] * verbs
        self.state_rules: list[BoundStateRule] = []

    def emit_call(self, binder: RoutineBinder, step: ir.Call, risk: Risk) -> None:
        """Emit the operations of a call."""
        emit_call(binder, step, risk)

    def bind(self) -> None:
        """Bind all hooks and state rules, and make the routine of the stages for each verb that has hooks."""
        program = self.program
        for hook in program.layout.ruleset.hooks:
            routine = program.routine_of(hook.code)
            certain = program.risks.steps(hook.code.steps) is not Risk.FAILS
            test = program.binder(len(hook.code.params)).test(hook.condition)
            for verb in hook.verbs:
                places = self._places(hook, verb)
                bound = BoundHook(len(self.by_number), hook, test, routine, places, certain)
                self.by_number.append(bound)
                self.hooks[verb].setdefault(hook.stage, []).append(bound)
        for verb, hooks in enumerate(self.hooks):
            if hooks:
                self.frames[verb] = self._stages(verb)
        for rule in program.layout.ruleset.state_rules:
            gather = program.binder(FIXED).gather(rule.among)
            self.state_rules.append(BoundStateRule(gather, program.routine_of(rule.code), rule))

    def _places(self, hook: Hook, verb: int) -> tuple[int, ...]:
        """Return, for each role of the verb the text names, where it stands in the verb that happens."""
        named = self.program.layout.ruleset.verbs[hook.code.verb].roles
        happening = self.program.layout.ruleset.verbs[verb].roles
        by_word = {role.word: FIXED + index for index, role in enumerate(happening)}
        return (AGENT, *(by_word.get(role.word, -1) for role in named))

    # ---- entering

    def enter(self, run: Run, frame: Frame, act: Act) -> Stop | None:
        """Put the event of an act in the place of its frame."""
        place = act.way_place
        number = frame.env[place]
        way = act.ways[max(number, 0)]
        self.happened(run, act, frame.env)
        stages = self.frames[act.number]
        env = frame.env[:place]
        if stages is not None and self._answered(run, act.number, env):
            inner = (*env, max(number, 0), ())
            run.top = Frame(frame.parent, stages, 0, inner, frame.outs)
        else:
            body = env + (NOTHING,) * (way.routine.size - place)
            run.top = Frame(frame.parent, way.routine, 0, body, frame.outs)
        return None

    def _answered(self, run: Run, verb: int, env: tuple[int, ...]) -> bool:
        """Whether any hook on the verb has somebody to carry it."""
        memory, first = run.memory, self.program.layout.of_document
        for hooks in self.hooks[verb].values():
            for bound in hooks:
                carrier = bound.hook.carrier
                if carrier < 0 or memory[first + carrier] or self._names_token(bound, env, carrier):
                    return True
        return False

    def _names_token(self, bound: BoundHook, env: tuple[int, ...], carrier: int) -> bool:
        role = bound.hook.this_role
        if role <= 0 or self.program.acts[bound.hook.verbs[0]].bases[AGENT + role] != "token":
            return False
        return env[AGENT + role] % self.program.layout.documents == carrier

    def happened(self, run: Run, act: Act, env: tuple[int, ...]) -> None:
        """Write an act into the log."""
        if not run.trying:
            run.events.append(("act", act.number, self.program.named(run, act.bases, env), env[act.way_place]))

    def lapse(self, run: Run, span: Any) -> None:
        """Write into the log that something ordered was impossible and is left out."""
        if not run.trying:
            run.events.append(("lapse", span, (), 0))

    # ---- the stages

    def _stages(self, verb: int) -> Routine:
        act = self.program.acts[verb]
        roles = act.bases[: FIXED + act.roles]
        routine = Routine(f"event/{act.verb.name}", "verb", verb, len(roles) + 2, (*roles, "number", "queue"))
        span = act.verb.definitions[0].code.span if act.verb.definitions else None
        body = self.program.risks.body(verb)
        ops: list[tuple[Op, Risk]] = [
            (self._collect(verb, "before"), body),
            (Drain(self, span), body),
            (InsteadSite(self, verb, span), body),
            (self._collect(verb, "when"), body),
            (self._hold(1), body),
            (self._body(act), body),
            (Drain(self, span), Risk.TOTAL),
            (self._hold(-1), Risk.TOTAL),
            (self._settle, Risk.TOTAL),
            (self._collect(verb, "after"), Risk.TOTAL),
            (Drain(self, span), Risk.TOTAL),
            (self.finish(routine), Risk.TOTAL),
        ]
        for op, risk in ops:
            routine.ops.append(op)
            routine.risky.append(risk)
            routine.spans.append(span)
        return routine

    def _collect(self, verb: int, stage: str) -> Op:
        hooks = tuple(self.hooks[verb].get(stage, ()))

        def collect(run: Run, frame: Frame) -> Stop | None:
            queue = tuple(pair for bound in hooks for pair in self.answers(run, frame, bound))
            run.top = advanced(frame, (*frame.env[:-1], queue))
            return None

        return collect

    def answers(self, run: Run, frame: Frame, bound: BoundHook) -> list[tuple[int, int]]:
        """Return who answers the event in `frame` with this hook: pairs of the hook and what carries it."""
        found = []
        for this in self._carriers(run, frame.env, bound):
            env = self.hook_env(run, frame.env, bound, this, len(bound.hook.code.params))
            if bound.test(run, env) and self._outermost(run, frame, bound):
                found.append((bound.number, this))
        return found

    def _carriers(self, run: Run, env: tuple[Any, ...], bound: BoundHook) -> Sequence[int]:
        hook, layout = bound.hook, self.program.layout
        if hook.carrier < 0:
            return (NOTHING,)
        if hook.this_role < 0:
            return members_of(run.memory[layout.of_document + hook.carrier])
        place = bound.places[hook.this_role]
        value = env[place] if place >= 0 else NOTHING
        base = self.program.acts[hook.verbs[0]].bases[place] if place >= 0 else ""
        if base == "token" and value >= 0:
            holder, document = divmod(value, layout.documents)
            value = holder - layout.first_piece_holder
            return (value,) if value >= 0 and document == hook.carrier else ()
        if value < 0 or run.memory[layout.piece(value) + 1] != hook.carrier:
            return ()
        return (value,)

    def hook_env(
        self, run: Run, env: tuple[Any, ...], bound: BoundHook, this: int, size: int
    ) -> tuple[int, ...]:
        """Return the variables of a hook's code for an event."""
        roles = [env[place] if place >= 0 else NOTHING for place in bound.places]
        you = self.program.owner(run, this) if this >= 0 else env[1]
        found = (this, you, NOTHING, *roles)
        return found + (NOTHING,) * (size - len(found))

    def _outermost(self, run: Run, frame: Frame, bound: BoundHook) -> bool:
        """Whether no event of the hook's kind, by the same agent, is what ordered this one."""
        if len(bound.hook.verbs) == 1:
            return True
        agent, outer = frame.env[AGENT], frame.parent
        while outer is not None and outer.code.origin != "hook":
            if outer.code.origin == "verb" and outer.code.verb in bound.hook.verbs and outer.env[AGENT] == agent:
                return False
            outer = outer.parent
        return True

    def begin(self, run: Run, frame: Frame, pair: tuple[int, int]) -> Frame:
        """Return the frame of a hook's code, above the event's frame."""
        bound = self.by_number[pair[0]]
        env = self.hook_env(run, frame.env, bound, pair[1], bound.routine.size)
        return Frame(frame, bound.routine, 0, env, ())

    def _hold(self, change: int) -> Op:
        def hold(run: Run, frame: Frame) -> Stop | None:
            if change < 0 or frame.env[-1]:
                run.set(HOLD, max(run.memory[HOLD] + change, 0))
            run.top = advanced(frame, frame.env)
            return None

        return hold

    def _body(self, act: Act) -> Op:
        count = act.roles
        outs = tuple((FIXED + number, FIXED + number) for number in range(count))

        def body(run: Run, frame: Frame) -> Stop | None:
            way = act.ways[frame.env[-2]]
            env = frame.env[: FIXED + count] + (NOTHING,) * (way.routine.size - FIXED - count)
            run.top = Frame(advanced(frame, frame.env), way.routine, 0, env, outs)
            return None

        return body

    # ---- ending

    def _settle(self, run: Run, frame: Frame) -> Stop | None:
        if run.memory[DIRTY] and not run.memory[HOLD]:
            for bound in self.state_rules:
                members = bound.gather(run, (NOTHING,) * FIXED)
                if members:
                    routine = bound.routine
                    env = (NOTHING,) * FIXED + (members[0],) + (NOTHING,) * (routine.size - FIXED - 1)
                    run.top = Frame(frame, routine, 0, env, ())
                    return None
            run.set(DIRTY, 0)
        run.top = advanced(frame, frame.env)
        return None

    def finish(self, routine: Routine) -> Op:
        """Return the operation that ends a routine: what follows at once, then back to what waits below."""
        settles = routine.origin == "verb"

        def finish(run: Run, frame: Frame) -> Stop | None:
            if settles and run.memory[DIRTY] and not run.memory[HOLD]:
                stop = self._settle(run, frame)
                if run.top is not None and run.top.parent is frame:
                    return stop
            parent = frame.parent
            if parent is None:
                run.top = None
                return DONE
            if frame.outs:
                env = list(parent.env)
                for source, target in frame.outs:
                    env[target] = frame.env[source]
                run.top = Frame(parent.parent, parent.code, parent.pc, tuple(env), parent.outs)
            else:
                run.top = parent
            return None

        return finish


class Drain(Site):
    """Carries out the hooks that wait, one after another; the active player orders them where it matters."""

    __slots__ = ("events",)

    def __init__(self, events: Events, span: Any) -> None:
        super().__init__(span, "first")
        self.events = events

    def __call__(self, run: Run, frame: Frame) -> Stop | None:
        """Take the next hook, or go on when none is left."""
        queue = frame.env[-1]
        if not queue:
            run.top = advanced(frame, frame.env)
            return None
        if len(queue) > 1 and self._matters(run, frame):
            run.candidates = range(len(queue))
            return self
        return self.take(run, 0)

    def candidates(self, run: Run, frame: Frame) -> Sequence[int]:
        return range(len(frame.env[-1]))

    def take(self, run: Run, candidate: int) -> Signal | None:
        """Begin a hook; one that cannot be completed lapses as a whole."""
        frame = run.top
        assert frame is not None
        queue = frame.env[-1]
        pair = queue[candidate]
        bound = self.events.by_number[pair[0]]
        rest = (*queue[:candidate], *queue[candidate + 1 :])
        waiting = Frame(frame.parent, frame.code, frame.pc, (*frame.env[:-1], rest), frame.outs)
        run.joined = False
        run.top = waiting
        if bound.hook.stage == "after" and bound.hook.carrier >= 0 and pair[1] < 0:
            return None
        inner = self.events.begin(run, waiting, pair)
        if not bound.certain and not can_finish(run, inner):
            self.events.lapse(run, bound.hook.span)
            return None
        run.top = inner
        return None

    def decider(self, run: Run) -> int:
        return self.events.program.active(run)

    def _matters(self, run: Run, frame: Frame) -> bool:
        """Whether two orders lead to different states, or somebody has to choose or draw on the way."""
        queue = frame.env[-1]
        ends = {self._played(run, frame, first) for first in range(len(queue))}
        if None in ends or len(ends) > 1:
            return True
        if not run.trying:
            run.events.append(("order", self.span, (), len(queue)))
        return False

    def _played(self, run: Run, frame: Frame, first: int) -> object:
        """Return the state after all hooks with this one first, or None if anything is asked on the way."""
        mark = run.mark()
        run.trying += 1
        self.take(run, first)
        key: object = None
        depth = _depth(frame)
        while run.top is not None and not (_depth(run.top) == depth and run.top.pc != frame.pc):
            top = run.top
            if _depth(top) == depth and len(top.env[-1]) > 1:
                stop: Stop | None = self.take(run, 0)
            else:
                stop = top.code.ops[top.pc](run, top)
            if stop is not None:
                break
        else:
            key = self.events.program.memory_key(run)
        run.trying -= 1
        run.undo(mark)
        return key


def _depth(frame: Frame | None) -> int:
    depth = 0
    while frame is not None:
        depth, frame = depth + 1, frame.parent
    return depth


class InsteadSite(Site):
    """What happens in place of an event: the controller of the affected piece chooses among several answers."""

    __slots__ = ("events", "verb")

    def __init__(self, events: Events, verb: int, span: Any) -> None:
        super().__init__(span)
        self.events, self.verb = events, verb

    def _pairs(self, run: Run, frame: Frame) -> list[tuple[int, int]]:
        hooks = self.events.hooks[self.verb].get("instead", ())
        return [pair for bound in hooks for pair in self.events.answers(run, frame, bound)]

    def __call__(self, run: Run, frame: Frame) -> Stop | None:
        """Ask for an answer, or go on with the event where there is none."""
        pairs = self._pairs(run, frame)
        if not pairs:
            run.top = advanced(frame, frame.env)
            return None
        return super().__call__(run, frame)

    def candidates(self, run: Run, frame: Frame) -> Sequence[int]:
        pairs = self._pairs(run, frame)
        able = [
            index for index, pair in enumerate(pairs)
            if self.events.by_number[pair[0]].certain or can_finish(run, self.events.begin(run, self._replaced(frame), pair))
        ]  # fmt: skip
        optional = all(self.events.by_number[pairs[index][0]].hook.optional for index in able)
        return [DECLINE, *able] if optional else able

    def _replaced(self, frame: Frame) -> Frame:
        """Return the event's frame with its body and everything after it left out."""
        return Frame(frame.parent, frame.code, len(frame.code.ops) - 1, frame.env, frame.outs)

    def take(self, run: Run, candidate: int) -> Signal | None:
        frame = run.top
        assert frame is not None
        if candidate == DECLINE:
            run.notes.append(("act", "decline", 0))
            run.joined = False
            run.top = advanced(frame, frame.env)
            return None
        pair = self._pairs(run, frame)[candidate]
        run.top = self.events.begin(run, self._replaced(frame), pair)
        return None

    def decider(self, run: Run) -> int:
        assert run.top is not None
        agent = run.top.env[AGENT]
        if self.events.program.acts[self.verb].verb.by == "piece":
            return self.events.program.owner(run, agent)
        return agent  # type: ignore[no-any-return]
