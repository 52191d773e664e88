"""Acts: how a verb gets from the text that orders it to its definition.

The caller's own choices come first, in the caller's frame (see `calls`). Then a frame of the verb fills what is left
with what is normally or specially permitted, asks what is forbidden, chooses among several definitions, and gives
way to the event. A verb that is only a name for others first becomes one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from warchest.machine.act_sites import KindSite, RoleSite, WaySite, role_key
from warchest.machine.binding import Test, members_of
from warchest.machine.changes import by_place
from warchest.machine.permits import UNSET
from warchest.machine.risk import Risk
from warchest.machine.run import FAIL, Env, Note, Op, Routine, Run, Stop
from warchest.rules import steps as ir
from warchest.rules.ruleset import AGENT, FIXED, THIS, YOU, Domain, Rule, Verb
from warchest.rules.values import NOTHING, All

if TYPE_CHECKING:
    from warchest.machine.program import Program


@dataclass(frozen=True, slots=True)
class BoundRule:
    """A prohibition made ready: `this` is a role (0 the agent), or any piece of the carrier (-1)."""

    carrier: int
    this_role: int
    test: Test
    rule: Rule


@dataclass(frozen=True, slots=True)
class BoundDomain:
    """A domain made ready."""

    carrier: int
    this_role: int
    always: bool
    domain: Domain


@dataclass(frozen=True, slots=True)
class Way:
    """A definition made ready."""

    carrier: int
    always: bool
    applies: Test
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
        self.first_of = program.layout.of_document
        self.rules: list[BoundRule] = []
        self.domains: list[list[BoundDomain]] = [[] for _ in range(self.roles)]
        self.ways: list[Way] = []
        self.told = self.verb.by != "game"
        """Whether the log tells of it; what the game itself does goes without saying."""
        self.direct = False
        """Whether nothing can be chosen between the order and the event."""
        self.plain: tuple[Op, ...] = ()
        """The operations of a definition that is nothing but plain changes, which need no frame of their own."""
        self.bases = ("piece", "player", "manner", "piece" if self.verb.by == "piece" else "player",
                      *(role.base for role in self.verb.roles), "number", "player")  # fmt: skip
        self.of_pieces = tuple(base == "piece" for base in self.bases[AGENT : self.way_place])
        """Whether who does it, and what fills each role, are pieces."""
        self.pieces = frozenset(place for place, base in enumerate(self.bases) if base == "piece" and place > 0)
        self.routine = Routine(f"act/{self.verb.name}", "act", number, self.size, self.bases)

    def bind(self) -> None:
        """Bind what the rules say about the verb; the routines of its definitions are bound by the program."""
        binder = self.program.binder
        for rule in self.verb.forbidden:
            test = binder.test(rule.condition)
            self.rules.append(BoundRule(rule.carrier, rule.this_role, test, rule))
        for domain in self.verb.domains:
            always = domain.carrier < 0 and domain.applies == All((), domain.span)
            self.domains[domain.role].append(BoundDomain(domain.carrier, domain.this_role, always, domain))
        for definition in self.verb.definitions:
            routine = self.program.routine_of(definition.code)
            always = definition.applies == All((), definition.applies.span)
            paid_with = self.program.sharing.role(self.verb, definition)
            applies = binder.test(definition.applies)
            blank = (NOTHING,) * (routine.size - FIXED - self.roles)
            self.ways.append(Way(definition.carrier, always, applies, routine, paid_with, blank))
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

    # ---- what is permitted

    def _this_of(self, run: Run, env: Sequence[int], carrier: int, this_role: int) -> Sequence[int]:
        """Return what `this` can be for a rule on a document: nothing, a role's value, or pieces of it."""
        layout = self.program.layout
        if this_role < 0:
            return members_of(run.memory[layout.of_document + carrier])
        value = env[AGENT + this_role]
        if value < 0:
            return ()
        if self.bases[AGENT + this_role] == "token":
            return (value,) if value % layout.documents == carrier else ()
        return (value,) if run.memory[layout.of_document + carrier] >> value & 1 else ()

    def forbidden_by(
        self, run: Run, env: tuple[int, ...], rules: Sequence[BoundRule] | None = None
    ) -> BoundRule | None:
        """Return the first of the rules (by default of all) that forbids the act with these roles, or None."""
        memory, first = run.memory, self.first_of
        for rule in self.rules if rules is None else rules:
            if rule.carrier < 0:
                if rule.test(run, env):
                    return rule
            else:
                role, bearers = rule.this_role, memory[first + rule.carrier]
                if role < 0 or not self.of_pieces[role]:
                    apt = bearers or role > 0
                else:
                    apt = env[AGENT + role] >= 0 and bearers >> env[AGENT + role] & 1
                if apt and self._forbids(rule, run, env):
                    return rule
        return None

    def all_forbidding(self, run: Run, env: tuple[int, ...]) -> list[BoundRule]:
        """Return every rule that forbids the act with these roles."""
        return [
            rule for rule in self.rules
            if (rule.test(run, env) if rule.carrier < 0 else self._forbids(rule, run, env))
        ]  # fmt: skip

    def _forbids(self, rule: BoundRule, run: Run, env: tuple[int, ...]) -> bool:
        """Whether a rule that stands on a document forbids the act."""
        for this in self._this_of(run, env, rule.carrier, rule.this_role):
            if rule.test(run, self._carried(run, env, rule.this_role, this)):
                return True
        return False

    def _carried(self, run: Run, env: tuple[int, ...], this_role: int, this: int) -> tuple[int, ...]:
        """Return the variables for a rule on a document: `you` is the owner of the piece that carries it."""
        if this < 0 or (this_role >= 0 and self.bases[AGENT + this_role] == "token"):
            return (this, *env[1:])
        return (this, self.program.decider(run, this), *env[2:])

    def standing_domains(self, run: Run, env: Sequence[int], role: int) -> list[BoundDomain]:
        """Return what is said of a role in general, and by what those carry whom it is about."""
        return [domain for domain in self.domains[role]
                if domain.carrier < 0 or self._this_of(run, env, domain.carrier, domain.this_role)]  # fmt: skip

    def _check(self, run: Run, env: Env) -> Stop | None:
        """Stop what is forbidden; where a role is still to be filled, its site leaves out what is."""
        roles = env[: self.way_place]
        if UNSET in roles:
            return None
        run.failure = self.forbidden_by(run, roles)
        return FAIL if run.failure is not None else None

    def allowed_ways(self, run: Run, env: tuple[int, ...]) -> list[int]:
        """Return the ways the verb can be done, each with the piece that carries it, as one number."""
        found = []
        for number, way in enumerate(self.ways):
            if way.carrier >= 0:
                mask = run.memory[self.program.layout.of_document + way.carrier]
                if self.verb.by == "piece":
                    # What a piece does is done in ways of its own, not in those of another one.
                    mask &= 1 << env[AGENT]
                for piece in by_place(run, self.program.layout, members_of(mask)) if mask else ():
                    if self.program.decider(run, piece) == env[YOU] and way.applies(run, (piece, *env[1:])):
                        found.append(number * 64 + piece + 1)
            elif way.always or way.applies(run, env):
                found.append(number * 64 + env[THIS] + 1)
        return found

    def _enter(self, run: Run, env: Env) -> Stop | None:
        self.program.events.enter(run, env[: self.way_place], self, 0)
        return None


    # ---- the caller's side

    def environment(self, run: Run, agent: int, manner: int, roles: list[int], chooser: int) -> tuple[int, ...]:
        """Return the variables of the act's frame."""
        if self.verb.by == "piece":
            this, you = agent, self.program.decider(run, agent)
        else:
            this, you = NOTHING, agent
        return (this, you, manner, agent, *roles, NOTHING, chooser)


def _is_plain(steps: ir.Steps) -> bool:
    """Whether steps only move tokens and pieces, or set fields."""
    changes = (ir.MoveToken, ir.MovePiece, ir.SetField)
    return all(
        isinstance(step, changes) or (isinstance(step, ir.Clock) and step.what == "nothing") for step in steps
    )
