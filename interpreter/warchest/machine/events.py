"""Events: what happens around the body of an act.

Stages: `before` hooks, `instead`, the body with the `when` hooks that were judged before it, what follows at once
(state rules), `after` hooks. An act that no hook can answer runs its body alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from warchest.machine.acts import Act
from warchest.machine.binding import Test, members_of
from warchest.machine.changes import by_place
from warchest.machine.grants import records
from warchest.machine.hook_sites import AnswerOrder, Drain, InsteadSite
from warchest.machine.layout import DIRTY, HOLD
from warchest.machine.risk import Risk, anything_can_fail
from warchest.machine.run import DONE, EDGE, OPEN, Env, Op, Outs, Routine, Run, Stop, frames
from warchest.rules.ruleset import AGENT, FIXED, THIS, Hook, StateRule
from warchest.rules.steps import EndGrants
from warchest.rules.values import NOTHING, All, CausedBy

if TYPE_CHECKING:
    from warchest.machine.program import Program

@dataclass(frozen=True, slots=True)
class BoundHook:
    """A hook made ready for one verb: `places` are the roles its own variables stand for."""

    number: int
    hook: Hook
    test: Test
    routine: Routine
    places: tuple[int, ...]
    certain: bool
    caused: Test | None
    """Whether what ordered the event is what the hook asks for, or there is something that it would end.

    This stays so while it is under way; None where the hook asks for nothing of the kind.
    """


@dataclass(frozen=True, slots=True)
class BoundStateRule:
    """A state rule made ready."""

    routine: Routine
    rule: StateRule


_NOBODY = (NOTHING,) * FIXED
"""The variables of what no act has led to."""


class Events:
    """The hooks and state rules of a program, and the operations that carry them out."""

    def __init__(self, program: Program) -> None:
        self.program = program
        verbs = len(program.layout.ruleset.verbs)
        self.hooks: list[dict[str, list[BoundHook]]] = [{} for _ in range(verbs)]
        self.carried: list[list[tuple[int, int]]] = [[] for _ in range(verbs)]
        """For each verb the cells of the carriers of its hooks, and the variable with the one that must be among them.

        It is -1 where anybody on the board may be it.
        """
        self.loose: list[list[BoundHook]] = [[] for _ in range(verbs)]
        """For each verb the hooks that can be answered without a piece of their carrier."""
        self.by_number: list[BoundHook] = []
        self.twins: dict[int, int] = {}
        """The hooks that say the same as an earlier one of the same carrier, with that one."""
        self.frames: list[Routine | None] = [None] * verbs
        self.state_rules: list[BoundStateRule] = []
        self.settling = Routine("settling", "game", -1, 0, ())
        """A routine that only does what follows at once."""
        self.settling.add(self._settle, None, Risk.TOTAL)
        self.settling.waits(0, self.following)
        self.settling.add(self.finish(self.settling), None, Risk.TOTAL)

    def bind(self) -> None:
        """Bind all hooks and state rules, and make the routine of the stages for each verb that has hooks."""
        program = self.program
        for hook in program.layout.ruleset.hooks:
            routine = program.routine_of(hook.code)
            certain = program.risks.steps(hook.code.steps) is not Risk.FAILS
            ended = {step.clause for step in hook.code.steps if isinstance(step, EndGrants)}
            lasting = self._lasting(ended) if ended else None
            test, caused = lasting or program.binder.test(hook.condition), lasting or self._caused(hook)
            for verb in hook.verbs:
                places = self._places(hook, verb)
                bound = BoundHook(len(self.by_number), hook, test, routine, places, certain, caused)
                self.by_number.append(bound)
                self.hooks[verb].setdefault(hook.stage, []).append(bound)
                self._sort(verb, bound)
        self._pair_twins()
        for verb, hooks in enumerate(self.hooks):
            if hooks:
                self.frames[verb] = self._stages(verb)
        for rule in program.layout.ruleset.state_rules:
            self.state_rules.append(BoundStateRule(program.routine_of(rule.code), rule))

    def _pair_twins(self) -> None:
        first: dict[tuple[int, tuple[int, ...], str], BoundHook] = {}
        for bound in self.by_number:
            words = " ".join(bound.hook.span.text.split())
            known = first.setdefault((bound.hook.carrier, bound.places, words), bound)
            named = replace(bound.hook, code=replace(bound.hook.code, name=known.hook.code.name))
            if known.hook is not bound.hook and known.hook == named:
                self.twins[bound.number] = known.number

    def distinct(self, queue: Sequence[tuple[int, int]]) -> Sequence[int]:
        """Return the places in a queue of answers, of those that say the same for the same piece only the first."""
        if not self.twins:
            return range(len(queue))
        first: dict[tuple[int, int], int] = {}
        for place, (number, piece) in enumerate(queue):
            first.setdefault((self.twins.get(number, number), piece), place)
        return list(first.values())

    def _lasting(self, ended: set[int]) -> Test:
        """Return what tells whether there is anything that a hook would end, by the clauses that give it."""
        layout, cells = self.program.layout, {clause + 1 for clause in ended}
        return lambda run, env: bool(run.memory[layout.granted]) and any(
            run.memory[record] in cells for record in records(run.memory, layout)
        )

    def _caused(self, hook: Hook) -> Test | None:
        parts = hook.condition.conditions if isinstance(hook.condition, All) else (hook.condition,)
        causes = [part for part in parts if isinstance(part, CausedBy) and part.agent is None]
        return self.program.binder.test(All(tuple(causes), hook.span)) if causes and hook.carrier < 0 else None

    def _places(self, hook: Hook, verb: int) -> tuple[int, ...]:
        """Return, for each role of the verb the text names, where it stands in the verb that happens."""
        named = self.program.layout.ruleset.verbs[hook.code.verb].roles
        happening = self.program.layout.ruleset.verbs[verb].roles
        by_word = {role.word: FIXED + index for index, role in enumerate(happening)}
        return (AGENT, *(by_word.get(role.word, -1) for role in named))

    # ---- entering

    def enter(self, run: Run, roles: tuple[int, ...], act: Act, number: int) -> None:
        """Put the event of an act, done in one of its ways, in the place of the act."""
        if run.trying == run.telling and act.told:
            self.happened(run, act, roles, number)
        stages = self.frames[act.number]
        if stages is not None and self.answered(run, act.number, roles):
            run.replace(stages, (*roles, number, 0, ()))
        else:
            way = act.ways[number]
            run.code, run.pc, run.env = way.routine, 0, roles + way.blank

    def happened(self, run: Run, act: Act, roles: tuple[int, ...], number: int) -> None:
        """Write an act into the log, with pieces as they are now: what they are of, and where they stand."""
        if act.pieces:
            told: list[object] = list(roles)
            for place in act.pieces:
                if roles[place] >= 0:
                    told[place] = self.program.told(run, roles[place])
            run.events.append(("act", act.number, tuple(told), number))
        else:
            run.events.append(("act", act.number, roles, number))

    def answered(self, run: Run, verb: int, env: tuple[int, ...]) -> bool:
        """Whether any hook on the verb has somebody to carry it."""
        memory = run.memory
        for cell, place in self.carried[verb]:
            if memory[cell] and (place < 0 or (env[place] >= 0 and memory[cell] >> env[place] & 1)):
                return True
        for bound in self.loose[verb]:
            if bound.hook.carrier >= 0:
                if env[AGENT + bound.hook.this_role] % self.program.layout.documents == bound.hook.carrier:
                    return True
            elif bound.caused is None or bound.caused(run, env):
                return True
        return False

    def _sort(self, verb: int, bound: BoundHook) -> None:
        """Note what tells quickly whether a hook is answered: a piece of its carrier, a token of it, or more."""
        carrier, role = bound.hook.carrier, bound.hook.this_role
        if carrier >= 0:
            # Later on others can bear its text, because what happens can change them.
            early = role >= 0 and bound.hook.stage in ("before", "instead")
            place = bound.places[role] if early else -1
            of_piece = place >= 0 and self.program.acts[verb].bases[place] == "piece"
            self.carried[verb].append((self.program.layout.of_document + carrier, place if of_piece else -1))
        if carrier < 0 or (role > 0 and self.program.acts[bound.hook.verbs[0]].bases[AGENT + role] == "token"):
            self.loose[verb].append(bound)

    def lapse(self, run: Run, span: Any) -> None:
        """Write into the log that something ordered was impossible and is left out."""
        if run.trying == run.telling:
            run.events.append(("lapse", span, (), 0))

    # ---- the stages

    def _stages(self, verb: int) -> Routine:
        act = self.program.acts[verb]
        roles = act.bases[: FIXED + act.roles]
        routine = Routine(f"event/{act.verb.name}", "verb", verb, len(roles) + 3, (*roles, "way", "flag", "queue"))
        routine.stages = True
        span = act.verb.definitions[0].code.span if act.verb.definitions else None
        for op, risk in self._ops(verb, routine, span):
            routine.add(op, span, risk)
        self._say_what_waits(verb, routine)
        return routine

    def _ops(self, verb: int, routine: Routine, span: Any) -> list[tuple[Op, Risk]]:
        """Return the operations of the stages that hooks of the verb have to do with."""
        body, act, hooks = self.program.risks.body(verb), self.program.acts[verb], self.hooks[verb]
        drain, of_body = Drain(self, span), self._body(act)
        ops: list[tuple[Op, Risk]] = []
        if "before" in hooks:
            ops += [(self._collect(verb, "before"), body), (drain, body)]
        if "before" in hooks:
            ops += [(self._lapsing(verb, span), body)]
        if "instead" in hooks:
            site = InsteadSite(self, verb, span)
            ops += [(self._answering(verb, site), body), (AnswerOrder(self, site, span), body), (site, body)]
        if "when" in hooks:
            ops += [
                (self._collect(verb, "when"), body), (self._hold(1), body), (of_body, body),
                (drain, Risk.TOTAL), (self._hold(-1), Risk.TOTAL), (self._settle, Risk.TOTAL),
            ]  # fmt: skip
        else:
            ops += [(of_body, body)]
        if "after" in hooks:
            ops += [(self._collect(verb, "after"), Risk.TOTAL), (drain, Risk.TOTAL)]
        behind = [op for op, _ in ops].index(of_body) + 1
        routine.waits(behind, lambda: (way.routine for way in act.ways), self._handed_back(act))
        if "when" in hooks:
            routine.holding = range(behind - 1, behind + 2)
            routine.waits(behind + 2, self.following)
        return [*ops, (self.finish(routine), Risk.TOTAL)]

    def _say_what_waits(self, verb: int, routine: Routine) -> None:
        """Note which hooks can be under way above the stages, and where these wait for them."""
        answers = {stage: [bound.routine for bound in hooks] for stage, hooks in self.hooks[verb].items()}
        for place, op in enumerate(routine.ops):
            if isinstance(op, Drain):
                routine.waits(place, lambda: (one for stage in answers if stage != "instead" for one in answers[stage]))
        # What happens instead of an event has all of it left out.
        routine.waits(len(routine.ops) - 1, lambda: answers.get("instead", ()), self.outs_instead(verb))
        routine.waits(len(routine.ops) - 1, self.following)

    def following(self) -> Iterator[Routine]:
        """Yield the routines of the state rules."""
        return (bound.routine for bound in self.state_rules)

    def _collect(self, verb: int, stage: str) -> Op:
        hooks = tuple(self.hooks[verb][stage])

        def collect(run: Run, env: Env) -> Stop | None:
            run.env = (*env[:-1], tuple(pair for bound in hooks for pair in self.answers(run, env, bound)))
            return None

        return collect

    def _lapsing(self, verb: int, span: Any) -> Op:
        """Return the operation that leaves out an event whose agent has gone before it."""
        by_piece = self.program.acts[verb].verb.by == "piece"

        def lapsing(run: Run, env: Env) -> Stop | None:
            if by_piece and env[AGENT] < 0:
                self.lapse(run, span)
                run.pc = len(run.code.ops) - 1
            return None

        return lapsing

    def _answering(self, verb: int, site: InsteadSite) -> Op:
        """Return the operation that finds the answers that can take the place of an event; without any, it goes on."""
        hooks = tuple(self.hooks[verb]["instead"])

        def answering(run: Run, env: Env) -> Stop | None:
            found = [pair for bound in hooks for pair in self.answers(run, env, bound)
                     if not self._under_way(run, pair)]  # fmt: skip
            able = tuple(pair for pair in found if site.can(run, pair))
            for number, _ in (pair for pair in found if pair not in able):
                if not self.by_number[number].hook.optional:
                    self.lapse(run, self.by_number[number].hook.span)
            if able:
                run.env = (*env[:-1], able)
            else:
                run.pc += 2
            return None

        return answering

    def _under_way(self, run: Run, pair: tuple[int, int]) -> bool:
        """Whether the event comes from this very answer: a hook does not answer the events that it has put in the place
        of another.
        """
        routine = self.by_number[pair[0]].routine
        return any(frame.code is routine and frame.env[THIS] == pair[1] for frame in frames(run.parent))

    def answers(self, run: Run, env: Env, bound: BoundHook) -> list[tuple[int, int]]:
        """Return who answers the event that is under way with this hook: pairs of the hook and its carrier."""
        found = []
        for this in self._carriers(run, env, bound):
            scope = self.hook_env(run, env, bound, this, len(bound.hook.code.params))
            if bound.test(run, scope) and self._outermost(run, env, bound):
                found.append((bound.number, this))
        return found

    def _carriers(self, run: Run, env: tuple[Any, ...], bound: BoundHook) -> Sequence[int]:
        hook, layout = bound.hook, self.program.layout
        if hook.carrier < 0:
            return (NOTHING,)
        if hook.this_role < 0:
            return by_place(run, layout, members_of(run.memory[layout.of_document + hook.carrier]))
        place = bound.places[hook.this_role]
        value = env[place] if place >= 0 else NOTHING
        base = self.program.acts[hook.verbs[0]].bases[place] if place >= 0 else ""
        if base == "token" and value >= 0:
            holder, document = divmod(value, layout.documents)
            value = holder - layout.first_piece_holder
            return (value,) if value >= 0 and document == hook.carrier else ()
        return (value,) if value >= 0 and run.memory[layout.of_document + hook.carrier] >> value & 1 else ()

    def hook_env(
        self, run: Run, env: tuple[Any, ...], bound: BoundHook, this: int, size: int
    ) -> tuple[int, ...]:
        """Return the variables of a hook's code for an event."""
        roles = [env[place] if place >= 0 else NOTHING for place in bound.places]
        you = self.program.decider(run, this) if this >= 0 else env[1]
        found = (this, you, NOTHING, *roles)
        return found + (NOTHING,) * (size - len(found))

    def _outermost(self, run: Run, env: Env, bound: BoundHook) -> bool:
        """Whether no event of the hook's kind, by the same agent, is what ordered this one."""
        if len(bound.hook.verbs) == 1:
            return True
        agent, outer = env[AGENT], run.parent
        while outer is not None and outer.code.origin != "hook":
            if outer.code.origin == "verb" and outer.code.verb in bound.hook.verbs and outer.env[AGENT] == agent:
                return False
            outer = outer.parent
        return True

    def begin(self, run: Run, pair: tuple[int, int], outs: Outs = ()) -> None:
        """Begin a hook's code above the event that is under way; `outs` are the variables that it hands back."""
        bound = self.by_number[pair[0]]
        run.push(bound.routine, self.hook_env(run, run.env, bound, pair[1], bound.routine.size), outs)

    def outs_instead(self, verb: int) -> Outs:
        """Return the variables that an answer in place of an event hands back: the thing that the verb yields."""
        return ((FIXED, FIXED),) if self.program.layout.ruleset.verbs[verb].yields else ()

    def _hold(self, change: int) -> Op:
        def hold(run: Run, env: Env) -> Stop | None:
            # Only an event that holds lets go again; one inside it may hold nothing.
            if env[-1] if change > 0 else env[-2]:
                run.set(HOLD, run.memory[HOLD] + change)
                run.env = (*run.env[:-2], int(change > 0), run.env[-1])
            return None

        return hold

    def _handed_back(self, act: Act) -> Outs:
        """Return what comes back from what happens into the variables of its stages: the roles."""
        return tuple((number, number) for number in range(FIXED, FIXED + act.roles))

    def _body(self, act: Act) -> Op:
        count, outs = FIXED + act.roles, self._handed_back(act)

        def body(run: Run, env: Env) -> Stop | None:
            routine = act.ways[env[-3]].routine
            run.push(routine, env[:count] + (NOTHING,) * (routine.size - count), outs)
            return None

        return body

    # ---- ending

    def settle(self, run: Run) -> bool:
        """Begin the first state rule that has something to do, above what is under way; False if none has."""
        found = self._first_due(run, _NOBODY)
        if found is None:
            run.set(DIRTY, 0)
            return False
        bound, members = found
        if bound.rule.among.var.base == "piece":
            members = by_place(run, self.program.layout, members)
        rest = (NOTHING,) * (bound.routine.size - FIXED - 1)
        run.push(bound.routine, (*_NOBODY, members[0], *rest))
        return True

    def look_again(self, run: Run) -> None:
        """Have it looked at whether something follows at once, if anything does already."""
        if self._first_due(run, _NOBODY) is not None:
            run.memory[DIRTY] = 1

    @cached_property
    def _first_due(self) -> Callable[[Run, Env], tuple[BoundStateRule, Sequence[int]] | None]:
        """The function that finds the first state rule that has something to do, and what it is about."""
        binder, lines = self.program.binder, list[str]()
        for bound in self.state_rules:
            found = f"found = {binder.writer.members(bound.rule.among)}"
            lines += [found, f"if found: return {binder.writer.constant(bound)}, found"]
        return binder.lines([*lines, "return None"])

    def _settle(self, run: Run, env: Env) -> Stop | None:
        memory = run.memory
        if memory[DIRTY] and not memory[HOLD]:
            run.pc -= 1
            if not self.settle(run):
                run.pc += 1
        return None

    def finish(self, routine: Routine) -> Op:
        """Return the operation that ends a routine: what follows at once, then back to what waits below.

        The end of an act that is decided together with its parts is the end of an option, too.
        """
        settles = routine.origin == "verb"
        wide = settles and self.program.risks.wide(routine.verb)

        def finish(run: Run, env: Env) -> Stop | None:
            memory = run.memory
            if settles and memory[DIRTY] and not memory[HOLD]:
                run.pc -= 1
                if self.settle(run):
                    if wide:
                        # What follows at once is asked by itself.
                        run.joined = False
                    return None
            parent, outs = run.parent, run.outs
            if parent is None:
                run.put_back(None)
                return DONE
            run.parent, run.code, run.pc, run.env, run.outs = parent
            if outs:
                inner = list(run.env)
                for source, target in outs:
                    inner[target] = env[source]
                run.env = tuple(inner)
            if wide and run.joined:
                run.joined = False
                if run.trying:
                    if not anything_can_fail(run):
                        return EDGE
                    if run.trying == run.hasty:
                        return OPEN
            return None

        return finish
