"""Acts: how a verb gets from the text that orders it to its definition.

The caller's own choices come first, in the caller's frame. Then a frame of the verb fills what is left with what is
normally or specially permitted, asks what is forbidden, chooses among several definitions, and gives way to the
event. A verb that is only a name for others first becomes one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from warchest.machine.binding import Evaluate
from warchest.machine.binding import Gather
from warchest.machine.binding import Test
from warchest.machine.expressions import base_of
from warchest.machine.binding import members_of
from warchest.machine.layout import DIRTY, HOLD, OWNER
from warchest.machine.risk import Risk, joined
from warchest.machine.run import FAIL, Env, Note, Op, Outs, Routine, Run, Signal, Stop
from warchest.machine.sites import PickSite, Site
from warchest.rules import steps as ir
from warchest.rules.ruleset import AGENT, MANNER, THIS, YOU, Domain, Rule, Verb
from warchest.rules.values import NOTHING, All

if TYPE_CHECKING:
    from warchest.machine.bind_steps import RoutineBinder
    from warchest.machine.program import Program

UNSET = -2
"""The value of a role that is still to be chosen."""
FIXED = 4
INHERITED = -2


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
    applies: Test
    gather: Gather
    domain: Domain


@dataclass(frozen=True, slots=True)
class Way:
    """A definition made ready."""

    carrier: int
    always: bool
    applies: Test
    routine: Routine
    paid_with: int


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
        self.direct = False
        """Whether nothing can be chosen between the order and the event."""
        self.plain: tuple[Op, ...] = ()
        """The operations of a definition that is nothing but plain changes, which need no frame of their own."""
        self.bases = ("piece", "player", "manner", "piece" if self.verb.by == "piece" else "player",
                      *(role.base for role in self.verb.roles), "number", "player")  # fmt: skip
        self.routine = Routine(f"act/{self.verb.name}", "act", number, self.size, self.bases)

    def bind(self) -> None:
        """Bind what the rules say about the verb; the routines of its definitions are bound by the program."""
        binder = self.program.binder
        for rule in self.verb.forbidden:
            test = binder.test(rule.condition)
            self.rules.append(BoundRule(rule.carrier, rule.this_role, test, rule))
        for domain in self.verb.domains:
            always = domain.carrier < 0 and domain.applies == All((), domain.span)
            bound = BoundDomain(domain.carrier, domain.this_role, always, binder.test(domain.applies),
                                binder.gather(domain.among), domain)  # fmt: skip
            self.domains[domain.role].append(bound)
        for definition in self.verb.definitions:
            routine = self.program.routine_of(definition.code)
            always = definition.applies == All((), definition.applies.span)
            paid_with = self.program.sharing.role(self.verb, definition)
            applies = binder.test(definition.applies)
            self.ways.append(Way(definition.carrier, always, applies, routine, paid_with))
        self._emit()

    def _emit(self) -> None:
        span = self.verb.definitions[0].code.span if self.verb.definitions else None
        body = self.program.risks.body(self.number) if self.ways else Risk.FAILS
        if len(self.verb.kinds) > 1 and not self.ways:
            self.routine.add(KindSite(self, span), span, Risk.FAILS)
            return
        leaf = not self.program.risks.wide(self.number)
        if self.rules:
            self.routine.add(self._check, span, Risk.FAILS)
        for role in range(self.roles):
            if self.domains[role]:
                self.routine.add(RoleSite(self, role, span, leaf), span, Risk.FAILS)
        if len(self.ways) > 1 or any(way.carrier >= 0 for way in self.ways):
            self.routine.add(WaySite(self, span), span, Risk.FAILS)
        self.routine.add(self._enter, span, body)
        self.direct = len(self.routine.ops) == (2 if self.rules else 1)
        if self.direct and _is_plain(self.verb.definitions[0].code.steps):
            self.plain = tuple(self.ways[0].routine.ops[:-1])

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
            document = value % layout.documents
        else:
            document = run.memory[layout.piece(value) + 1]
        return (value,) if document == carrier else ()

    def forbidden_by(self, run: Run, env: tuple[int, ...]) -> BoundRule | None:
        """Return the first rule that forbids the act with these roles, or None."""
        for rule in self.rules:
            if rule.test(run, env) if rule.carrier < 0 else self._forbids(rule, run, env):
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
        if not run.memory[self.first_of + rule.carrier] and rule.this_role <= 0:
            return False
        carriers = self._this_of(run, env, rule.carrier, rule.this_role)
        return any(rule.test(run, (this, *env[1:])) for this in carriers)

    def permitted(self, run: Run, env: tuple[int, ...], role: int) -> Sequence[int]:
        """Return what may fill a role where the text does not say."""
        if len(self.domains[role]) == 1 and self.domains[role][0].always:
            return self.domains[role][0].gather(run, env)
        found: list[int] = []
        for domain in self.domains[role]:
            carriers: Sequence[int] = (env[THIS],)
            if domain.carrier >= 0:
                carriers = self._this_of(run, env, domain.carrier, domain.this_role)
            for this in carriers:
                scope = (this, *env[1:])
                if domain.applies(run, scope):
                    found.extend(member for member in domain.gather(run, scope) if member not in found)
        return found

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
                for piece in members_of(mask) if mask else ():
                    if self.program.owner(run, piece) == env[YOU] and way.applies(run, (piece, *env[1:])):
                        found.append(number * 64 + piece + 1)
            elif way.always or way.applies(run, env):
                found.append(number * 64 + env[THIS] + 1)
        return found

    def _enter(self, run: Run, env: Env) -> Stop | None:
        self.program.events.enter(run, env, self)
        return None


    # ---- the caller's side

    def environment(self, run: Run, agent: int, manner: int, roles: list[int], chooser: int) -> tuple[int, ...]:
        """Return the variables of the act's frame."""
        if self.verb.by == "piece":
            this, you = agent, self.program.owner(run, agent)
        else:
            this, you = NOTHING, agent
        return (this, you, manner, agent, *roles, NOTHING, chooser)


def _is_plain(steps: ir.Steps) -> bool:
    """Whether steps only move tokens, or set fields."""
    return all(
        isinstance(step, ir.MoveToken | ir.SetField) or (isinstance(step, ir.Clock) and step.what == "nothing")
        for step in steps
    )


class RoleSite(Site):
    """A role is filled with what is normally or specially permitted."""

    __slots__ = ("act", "base", "place", "role")

    def __init__(self, act: Act, role: int, span: Any, leaf: bool) -> None:
        last = max(number for number in range(act.roles) if act.domains[number])
        shape = act.verb.roles[role]
        super().__init__(span, role_key(shape.word, shape.noun), leaf and role == last)
        self.act, self.role, self.place, self.base = act, role, FIXED + role, shape.base

    def __call__(self, run: Run, env: Env) -> Stop | None:
        """As for every site; a role that is already filled needs nothing."""
        return super().__call__(run, env) if env[self.place] == UNSET else None

    def context(self, run: Run) -> list[Note]:
        return self.act.said(run.env)

    def candidates(self, run: Run, env: Env) -> Sequence[int]:
        act, place, roles = self.act, self.place, env[: self.act.way_place]
        found = act.permitted(run, roles, self.role)
        if not found or not act.rules or UNSET in roles[place + 1 :]:
            return found
        before, after = roles[:place], roles[place + 1 :]
        return [member for member in found if act.forbidden_by(run, before + (member,) + after) is None]

    def take(self, run: Run, candidate: int) -> Signal | None:
        run.notes.append((self.key, self.base, candidate))
        run.put(self.place, candidate)
        return None

    def decider(self, run: Run) -> int:
        return run.env[self.act.chooser_place]  # type: ignore[no-any-return]


class WaySite(Site):
    """One of several definitions."""

    __slots__ = ("act",)

    def __init__(self, act: Act, span: Any) -> None:
        super().__init__(span)
        self.act = act

    def candidates(self, run: Run, env: Env) -> Sequence[int]:
        return self.act.allowed_ways(run, env)

    def shared(self, run: Run, candidate: int) -> tuple[Any, ...] | None:
        """Return what the options after a candidate depend on, if not on the token that pays; else None."""
        role = self.act.ways[candidate // 64].paid_with
        if role < 0:
            return None
        place, layout = FIXED + role, self.act.program.layout
        token, below = run.env[place], run.parent
        if token // layout.documents >= layout.first_piece_holder or below is None:
            return None
        # The caller has chosen the token, so it knows it too; all else it knows must be the same.
        known = tuple([
            None if base == "token" and value == token else value
            for base, value in zip(below.code.bases, below.env, strict=True)
        ])  # fmt: skip
        return (candidate, below.code, below.pc, known, below.parent, run.env[:place], run.env[place + 1 :])

    def paid(self, run: Run, candidate: int) -> int:
        """Return the token that pays for a candidate."""
        return run.env[FIXED + self.act.ways[candidate // 64].paid_with]  # type: ignore[no-any-return]

    def take(self, run: Run, candidate: int) -> Signal | None:
        number, this = divmod(candidate, 64)
        place, env = self.act.way_place, run.env
        run.env = (this - 1, *env[1:place], number, *env[place + 1 :])
        return None

    def decider(self, run: Run) -> int:
        return run.env[self.act.chooser_place]  # type: ignore[no-any-return]


class KindSite(Site):
    """One of the verbs that are kinds of this one."""

    __slots__ = ("act", "kinds")

    def __init__(self, act: Act, span: Any) -> None:
        super().__init__(span)
        self.act = act
        self.kinds = tuple(kind for kind in act.verb.kinds if act.program.ruleset.verbs[kind].definitions)

    def context(self, run: Run) -> list[Note]:
        return self.act.said(run.env)[1:]

    def candidates(self, run: Run, env: Env) -> Sequence[int]:
        return self.kinds

    def take(self, run: Run, candidate: int) -> Signal | None:
        act = self.act.program.acts[candidate]
        env = run.env
        run.notes.append(("act", act.verb.act, 0))
        roles = [UNSET if domains else NOTHING for domains in act.domains]
        chooser = env[self.act.chooser_place]
        if not any(act.domains) and not act.program.risks.wide(candidate):
            run.joined = False
        run.replace(act.routine, act.environment(run, env[AGENT], env[MANNER], roles, chooser))
        return None

    def decider(self, run: Run) -> int:
        return run.env[self.act.chooser_place]  # type: ignore[no-any-return]


def role_key(word: str, noun: str) -> str:
    """Return what an option's data calls a role: where a thing goes is `to`, all else goes by its noun."""
    return "to" if word in ("to", "onto", "into") else noun


# ---- calls


def emit_call(binder: RoutineBinder, step: ir.Call, risk: Risk, rest: Risk, is_cost: bool) -> None:
    """Emit the operations of a call: the caller's own choices, then the act.

    A cost, paid first in an offer, is decided together with what it pays for.
    """
    act = binder.program.acts[step.verb]
    fills = [step.agent, *step.roles]
    picks = [number for number, fill in enumerate(fills) if isinstance(fill, ir.Pick)]
    build = _builder(binder, act, step)
    chooser = binder.value(step.decider)
    leaf = not is_cost and not binder.program.risks.wide(step.verb)
    usual = _asks_more(act, step)
    announce = _announcement(binder, act, step)
    if picks:
        binder.add(_announced(announce), step.span, risk)
    for number in picks:
        fill = fills[number]
        assert isinstance(fill, ir.Pick)
        last = number == picks[-1] and not usual
        site = PickSite(step.span, _pick_key(act, number), last and leaf, fill.var.id, fill.var.base,
                        binder.gather(fill.among), chooser)  # fmt: skip
        site.among, site.announce = fill.among, announce
        if last:
            site.act, site.roles_with = act, _roles_with(act, build, fill.var.id)
        binder.add(site, step.span, risk)
    # The last choice leaves out what is forbidden, so what follows it is as sure as the act itself.
    sure = bool(picks) and not usual and not act.verb.kinds[1:] and len(act.verb.definitions) == 1
    body = joined(binder.program.risks.body(step.verb), rest) if sure else risk
    binder.add(_start(binder.program, act, step, build, None if picks else announce), step.span, body)


def _asks_more(act: Act, step: ir.Call) -> bool:
    asked = {domain.role for domain in act.verb.domains}
    return any(isinstance(fill, ir.Usual) and number in asked for number, fill in enumerate(step.roles)) or (
        len(act.verb.kinds) > 1
    )


def _pick_key(act: Act, number: int) -> str:
    if number == 0:
        return act.verb.agent_noun
    role = act.verb.roles[number - 1]
    return role_key(role.word, role.noun)


def _builder(
    binder: RoutineBinder, act: Act, step: ir.Call
) -> Callable[[Run, Env], tuple[int, ...]]:
    """Return the function that makes the act's variables from the caller's."""
    asked = {domain.role for domain in act.verb.domains}
    empty = [UNSET if number in asked else NOTHING for number in range(len(step.roles))]
    roles = _reader(binder, list(step.roles), empty)
    chooser, manner = binder.value(step.decider), step.manner
    agent = _reader(binder, [step.agent], [NOTHING])
    owners, stride = binder.layout.pieces + OWNER, binder.layout.stride
    by_piece = act.verb.by == "piece"

    def build(run: Run, env: Env) -> tuple[int, ...]:
        who = agent(run, env)[0]
        said = env[MANNER] if manner == INHERITED else manner
        if by_piece:
            you = run.memory[owners + who * stride] if who >= 0 else NOTHING
            return (who, you, said, who, *roles(run, env), NOTHING, chooser(run, env))
        return (NOTHING, who, said, who, *roles(run, env), NOTHING, chooser(run, env))

    return build


def _reader(binder: RoutineBinder, fills: list[ir.Fill], empty: list[int]) -> Callable[[Run, Env], Env]:
    """Return the function that reads the roles off the caller's variables; open ones get what marks them."""
    values = [fill.value if isinstance(fill, ir.Bound) else getattr(fill, "var", None) for fill in fills]
    if not fills:
        return lambda run, env: ()
    if len(fills) == 1 and isinstance(fills[0], ir.Bound | ir.Pick):
        only = binder.value(values[0])
        return lambda run, env: (only(run, env),)
    parts = [
        binder.value(value) if isinstance(fill, ir.Bound | ir.Pick) else _constant(blank)
        for fill, value, blank in zip(fills, values, empty, strict=True)
    ]
    if len(parts) == 1:
        blank = (empty[0],)
        return lambda run, env: blank
    return lambda run, env: tuple([part(run, env) for part in parts])


def _constant(value: int) -> Evaluate:
    return lambda run, env: value


def _roles_with(
    act: Act, build: Callable[[Run, Env], tuple[int, ...]], place: int
) -> Callable[[Run, Env, int], tuple[int, ...]] | None:
    """Return the function that gives the roles of the act with a candidate; None if nothing is ever forbidden."""
    end = FIXED + act.roles

    def roles(run: Run, env: Env, candidate: int) -> tuple[int, ...]:
        return build(run, env[:place] + (candidate,) + env[place + 1 :])[:end]

    return roles if act.verb.forbidden else None


def _outs(step: ir.Call) -> Outs:
    """Return which roles come back into which variables of the caller."""
    outs: list[tuple[int, int]] = []
    for number, fill in enumerate(step.roles):
        if isinstance(fill, ir.Pick | ir.Usual):
            outs.append((FIXED + number, fill.var.id))
        elif isinstance(fill, ir.Bound) and isinstance(fill.value, ir.Var) and base_of(fill.value) == "token":
            outs.append((FIXED + number, fill.value.id))
    if step.result is not None:
        outs.append((FIXED, step.result.id))
    return tuple(outs)


def _announcement(binder: RoutineBinder, act: Act, step: ir.Call) -> Callable[[Run, Env], None]:
    """Return the function that notes the act and the roles that are settled before anything is chosen."""
    fills = list(enumerate((step.agent, *step.roles)))
    said = [
        (_pick_key(act, number), act.bases[AGENT + number], binder.value(fill.value))
        for number, fill in fills
        if isinstance(fill, ir.Bound) and (number > 0 or act.verb.by == "piece")
    ]
    act_note = ("act", act.verb.act, 0)
    silent = act.verb.by == "game" or (len(act.verb.kinds) > 1 and not act.verb.definitions)

    def announce(run: Run, env: Env) -> None:
        if run.joined:
            if not silent:
                run.notes.append(act_note)
            for key, base, value in said:
                run.notes.append((key, base, value(run, env)))

    return announce


def _announced(announce: Callable[[Run, Env], None]) -> Op:
    def op(run: Run, env: Env) -> Stop | None:
        announce(run, env)
        return None

    return op


def _start(
    program: Program,
    act: Act,
    step: ir.Call,
    build: Callable[[Run, Env], tuple[int, ...]],
    announce: Callable[[Run, Env], None] | None,
) -> Op:
    """Return the operation that goes from the order to the act; where nothing is to be chosen, to its event."""
    living = [
        AGENT + number for number, fill in enumerate((step.agent, *step.roles))
        if isinstance(fill, ir.Bound) and act.bases[AGENT + number] == "piece"
    ]  # fmt: skip
    outs, end, events = _outs(step), act.way_place, program.events

    def start(run: Run, env: Env) -> Stop | None:
        inner = build(run, env)
        for place in living:
            if inner[place] < 0:
                events.lapse(run, step.span)
                return None
        if announce is not None and run.joined:
            announce(run, env)
        if not act.direct:
            run.push(act.routine, inner, outs)
            return None
        if act.rules:
            run.failure = act.forbidden_by(run, inner[:end])
            if run.failure is not None:
                return FAIL
        if act.plain and run.trying and not events.answered(run, act.number, inner[:end]):
            _do_at_once(run, act, inner)
            return None
        run.push(act.routine, inner, outs)
        events.enter(run, inner, act)
        return None

    def _do_at_once(run: Run, act: Act, inner: tuple[int, ...]) -> None:
        """Carry out plain changes in a trial without a frame; nothing can be asked or answered on the way."""
        kept, width = run.env, act.ways[0].routine.size - end
        run.env = inner[:end] + (NOTHING,) * width
        for op in act.plain:
            op(run, run.env)
        if outs:
            done, after = run.env, list(kept)
            for source, target in outs:
                after[target] = done[source]
            kept = tuple(after)
        run.env = kept
        if run.memory[DIRTY] and not run.memory[HOLD]:
            run.push(events.settling, ())

    return start
