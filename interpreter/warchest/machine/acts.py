"""Acts: how a verb gets from the text that orders it to its definition.

The caller's own choices come first, in the caller's frame (see `calls`). Then a frame of the verb fills what is left
with what is normally or specially permitted, asks what is forbidden, chooses among several definitions, and gives
way to the event. A verb that is only a name for others first becomes one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from warchest.machine.act_sites import KindSite, RoleSite, WaySite, role_key
from warchest.machine.permits import UNSET, Permits
from warchest.machine.risk import Risk
from warchest.machine.run import FAIL, Env, Frame, Note, Op, Routine, Run, Signal, Stop
from warchest.rules import steps as ir
from warchest.rules.ruleset import AGENT, FIXED, MANNER, Domain, Rule, Verb
from warchest.rules.values import NOTHING, asks_nothing

if TYPE_CHECKING:
    from warchest.machine.binding import Binder
    from warchest.machine.program import Program


@dataclass(frozen=True, slots=True)
class Way:
    """A definition made ready."""

    carrier: int
    always: bool
    routine: Routine
    paid_with: int
    blank: tuple[int, ...]
    """What the variables of the routine behind the roles begin with."""


class Act:
    """A verb made ready to be done."""

    def __init__(self, program: Program, number: int) -> None:
        self.program, self.number = program, number
        self.verb: Verb = program.layout.ruleset.verbs[number]
        self.roles = len(self.verb.roles)
        self.size = FIXED + self.roles + 2
        self.way_place, self.chooser_place = FIXED + self.roles, FIXED + self.roles + 1
        self.rules = self.verb.forbidden
        self.domains: list[list[Domain]] = [[] for _ in range(self.roles)]
        for domain in self.verb.domains:
            self.domains[domain.role].append(domain)
        self.ways: list[Way] = []
        self.told = self.verb.by != "game"
        """Whether the log tells of it; what the game itself does goes without saying."""
        self.direct = False
        """Whether nothing can be chosen between the order and the event."""
        self.plain: tuple[Op, ...] = ()
        """The operations of a definition that is nothing but plain changes, which need no frame of their own."""
        self.bases = ("piece", "player", "manner", "piece" if self.verb.by == "piece" else "player",
                      *(role.base for role in self.verb.roles), "way", "player")  # fmt: skip
        self.pieces = tuple(place for place in range(1, self.way_place) if self.bases[place] == "piece")
        self.routine = Routine(f"act/{self.verb.name}", "act", number, self.size, self.bases)

    def bind(self) -> None:
        """Bind what the rules say about the verb; the routines of its definitions are bound by the program."""
        for definition in self.verb.definitions:
            routine = self.program.routine_of(definition.code)
            always = asks_nothing(definition.applies)
            paid_with = self.program.sharing.role(self.verb, definition)
            blank = (NOTHING,) * (routine.size - FIXED - self.roles)
            self.ways.append(Way(definition.carrier, always, routine, paid_with, blank))
        self._emit()

    def _emit(self) -> None:
        span = self.verb.definitions[0].code.span if self.verb.definitions else None
        body = self.program.risks.body(self.number) if self.ways else Risk.FAILS
        if len(self.verb.kinds) > 1 and not self.ways:
            self.routine.add(KindSite(self, span), span, Risk.FAILS)
            return
        widening = self.program.risks.widening(self.number)
        if self.rules:
            self.routine.add(self._check, span, Risk.FAILS)
        for role in range(self.roles):
            if self.domains[role]:
                self.routine.add(RoleSite(self, role, span, widening), span, Risk.FAILS)
        several = len(self.ways) != 1 or any(way.carrier >= 0 for way in self.ways)
        self.routine.add(WaySite(self, span) if several else self._enter, span, Risk.FAILS if several else body)
        self.direct = not several and len(self.routine.ops) == (2 if self.rules else 1)
        if self.direct and _is_plain(self.verb.definitions[0].code.steps):
            self.plain = tuple(self.ways[0].routine.ops[:-1])

    def first(self, env: Env) -> int:
        """Return the operation to begin with: whether it is forbidden is asked of what has all its roles."""
        return 1 if self.rules and UNSET in env else 0

    def said(self, env: Env) -> list[Note]:
        """Return the notes for the act with the roles that are filled so far."""
        notes: list[Note] = [("act", self.verb.act, 0)]
        if self.verb.by == "piece":
            notes.append((self.verb.agent_noun, "piece", env[AGENT]))
        for number, role in enumerate(self.verb.roles):
            if env[FIXED + number] >= 0:
                notes.append((role_key(role.word, role.noun), role.base, env[FIXED + number]))
        return notes

    def coming(self) -> Iterator[Routine]:
        """Yield the routines that can be under way when this has been ordered, as it gives way to one of them."""
        yield self.routine
        stages = self.program.events.frames[self.number]
        if stages is not None:
            yield stages
        for way in self.ways:
            yield way.routine
        for kind in () if self.ways else self.verb.kinds:
            yield from self.program.acts[kind].coming() if kind != self.number else ()

    def begin(self, run: Run, player: int) -> None:
        """Let a player do this with nothing else, in the place of all that is pending."""
        env = (NOTHING, player, NOTHING, player, *[NOTHING] * (self.roles + 1), player)
        run.put_back(Frame(None, self.routine, 0, env, ()))

    # ---- what is permitted

    @cached_property
    def forbidden_by(self) -> Callable[[Run, Env], Rule | None]:
        """The function that finds the first rule that forbids the act with its roles."""
        return Permits(self).first_forbidding()

    @cached_property
    def all_forbidding(self) -> Callable[[Run, Env], list[Rule]]:
        """The function that finds every rule that forbids the act with its roles."""
        return Permits(self).all_forbidding()

    @cached_property
    def allowed_ways(self) -> Callable[[Run, Env], list[int]]:
        """The function that lists the ways the act can be done, each with the piece that carries it, as one number."""
        return Permits(self).ways()

    def standing_domains(self, run: Run, env: Env, role: int) -> list[Domain]:
        """Return what is said of a role in general, and by what those carry whom it is about."""
        return self._standing[role](run, env)

    @cached_property
    def _standing(self) -> list[Callable[[Run, Env], list[Domain]]]:
        return [Permits(self).standing(role) for role in range(self.roles)]

    def _check(self, run: Run, env: Env) -> Stop | None:
        """Stop what is forbidden; where a role is still to be filled, its site leaves out what is."""
        roles = env[: self.way_place]
        if UNSET in roles:
            return None
        run.failure = self.forbidden_by(run, roles)
        return FAIL if run.failure is not None else None

    @cached_property
    def enter(self) -> Op:
        """The operation that goes on to the event, where the act has only one way."""
        binder = self.program.binder
        calls = binder.writer.constant(self.ways[0].routine.calls)
        return binder.lines([
            f"roles = e[:{self.way_place}]", *self.answered(binder, self._in_its_place),
            *self._in_its_place(*self.body(), first=1), f"return {calls}[0](run, run.env)",
        ])  # fmt: skip

    def _enter(self, run: Run, env: Env) -> Stop | None:
        """Write that operation, let it take this place, and carry it out."""
        self.routine.calls[-1] = self.enter
        return self.enter(run, env)

    def forbidden(self, binder: Binder) -> list[str]:
        """Return the lines for a binder that fail where the act is forbidden, once there are `roles`."""
        name = binder.writer.constant
        return [
            f"run.failure = {name(self.forbidden_by)}(run, roles)",
            f"if run.failure is not None: return {name(FAIL)}",
        ] if self.rules else []  # fmt: skip

    def answered(self, binder: Binder, begun: Callable[[Routine, str], list[str]]) -> list[str]:
        """Return the lines for a binder that tell the log, and go on to the stages of the event where a hook answers.

        `begun` returns the lines that begin a routine with its variables.
        """
        name, events, lines = binder.writer.constant, self.program.events, list[str]()
        if self.told:
            lines.append(f"if run.trying == run.telling: {name(events.happened)}(run, {name(self)}, roles, 0)")
        stages = events.frames[self.number]
        if stages is not None:
            lines.append(f"if {name(events.answered)}(run, {self.number}, roles):")
            lines += [" " + line for line in (*begun(stages, "(*roles, 0, 0, ())"), "return None")]
        return lines

    def body(self) -> tuple[Routine, str]:
        """Return the routine of the act's only way, and the expression for its variables, once there are `roles`."""
        way = self.ways[0]
        return way.routine, f"(*roles{f', {NOTHING}' * len(way.blank)})" if way.blank else "roles"

    def _in_its_place(self, routine: Routine, env: str, first: int = 0) -> list[str]:
        return [f"run.code, run.pc, run.env = {self.program.binder.writer.constant(routine)}, {first}, {env}"]

    def instead_of(self, general: Act) -> Callable[[Run, Env], Signal | None]:
        """Return the function that puts this act in the place of another one, of which it is a kind."""
        binder = self.program.binder
        lines, inner = self.begun_as_kind(general)
        if not any(self.domains) and not self.program.risks.wide(self.number):
            lines.append("run.joined = False")
        if self.direct:
            lines += [*self.forbidden(binder), *self.answered(binder, self._in_its_place)]
            return binder.lines([*lines, *self._in_its_place(*self.body())])
        first = int(bool(self.rules) and any(self.domains))
        return binder.lines([*lines, *self._in_its_place(self.routine, inner, first)])

    def begun_as_kind(self, general: Act) -> tuple[list[str], str]:
        """Return the lines that work out the `roles` from another act's variables, and the variables of this one."""
        agent, manner, chooser = f"e[{AGENT}]", f"e[{MANNER}]", f"e[{general.chooser_place}]"
        you, this = agent, str(NOTHING)
        if self.verb.by == "piece":
            you, this = self.program.binder.writer.decider(agent), agent
        open_roles = [str(UNSET if domains else NOTHING) for domains in self.domains]
        roles = f"roles = ({', '.join((this, you, manner, agent, *open_roles))},)"
        return [roles], f"(*roles, {NOTHING}, {chooser})"


def _is_plain(steps: ir.Steps) -> bool:
    """Whether steps only move tokens and pieces, or set fields."""
    changes = (ir.MoveToken, ir.MovePiece, ir.SetField)
    return all(
        isinstance(step, changes) or (isinstance(step, ir.Clock) and step.what == "nothing") for step in steps
    )
