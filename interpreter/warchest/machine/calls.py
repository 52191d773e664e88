"""Calls: the operations by which a text orders an act, its own choices first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from warchest.machine.act_sites import UNSET, role_key
from warchest.machine.acts import Act
from warchest.machine.expressions import base_of
from warchest.machine.layout import DIRTY, HOLD
from warchest.machine.risk import Risk, anything_below_can_fail, joined, own_act
from warchest.machine.run import FAIL, Env, Frame, Note, Outs, Routine, Run, Stop
from warchest.machine.sites import PickSite
from warchest.rules import steps as ir
from warchest.rules.ruleset import AGENT, FIXED, MANNER
from warchest.rules.values import NOTHING, Attribute, Const, Value, Var

if TYPE_CHECKING:
    from warchest.machine.bind_steps import RoutineBinder
    from warchest.machine.program import Program


Announced: TypeAlias = tuple[Note | None, tuple[tuple[int, str, str], ...]]
"""What an order notes: a verb, if any, and what is settled of its agent (0) and its roles, each with key and base."""


def emit_call(
    binder: RoutineBinder, step: ir.Call, risk: Risk, rest: Risk, is_cost: bool, branches: bool
) -> None:
    """Emit the operations of a call: the caller's own choices, then the act.

    A cost, paid first in an offer, is decided together with what it pays for. What a branch begins with (`branches`)
    is chosen by choosing the branch.
    """
    act = binder.program.acts[step.verb]
    fills = [step.agent, *step.roles]
    picks = [number for number, fill in enumerate(fills) if isinstance(fill, ir.Pick)]
    build = _builder(binder, act, step)
    chooser = binder.value(step.decider)
    leaf = not is_cost and not binder.program.risks.wide(step.verb)
    usual = _asks_more(act, step)
    announced = _announced(binder, act, step, branches)
    binder.program.announced[id(step)] = announced
    announce = _announcement(binder, step, announced)
    for number in picks:
        fill = fills[number]
        assert isinstance(fill, ir.Pick)
        last = number == picks[-1] and not usual
        site = PickSite(step.span, pick_key(act, number), last and leaf, fill.var.id, fill.var.base,
                        binder.gather(fill.among), chooser)  # fmt: skip
        site.among = fill.among
        site.announce = announce if number == picks[0] else None
        if last:
            site.act, site.roles_with = act, _roles_with(act, build, fill.var.id)
        if number == 0:
            binder.program.agents.append((site, act, step))
        binder.add(site, step.span, risk)
    # The last choice leaves out what is forbidden, so what follows it is as sure as the act itself.
    sure = bool(picks) and not usual and not act.verb.kinds[1:] and len(act.verb.definitions) == 1
    body = joined(binder.program.risks.body(step.verb), rest) if sure else risk
    binder.add(Start(binder.program, act, step, build, None if picks else announce), step.span, body)


def _asks_more(act: Act, step: ir.Call) -> bool:
    asked = {domain.role for domain in act.verb.domains}
    return any(isinstance(fill, ir.Usual) and number in asked for number, fill in enumerate(step.roles)) or (
        len(act.verb.kinds) > 1
    )


def pick_key(act: Act, number: int) -> str:
    """Return what an option's data calls the agent (0) or a role of an act."""
    if number == 0:
        return act.verb.agent_noun
    role = act.verb.roles[number - 1]
    return role_key(role.word, role.noun)


def _builder(
    binder: RoutineBinder, act: Act, step: ir.Call
) -> Callable[[Run, Env], tuple[int, ...]]:
    """Return the function that makes the act's variables from the caller's."""
    asked = {domain.role for domain in act.verb.domains}
    settled = [_settled(fill) for fill in (step.agent, *step.roles)]
    agent, *roles = [Const(NOTHING, "number") if value is None else value for value in settled]
    filled = [
        Const(UNSET, "number") if settled[number + 1] is None and number in asked else value
        for number, value in enumerate(roles)
    ]
    manner = Var(MANNER, "manner") if step.manner == ir.INHERITED else Const(step.manner, "manner")
    nothing = Const(NOTHING, "number")
    if act.verb.by == "piece":
        owner = Attribute("decider", agent, "player")
        return binder.row([agent, owner, manner, agent, *filled, nothing, step.decider])
    return binder.row([nothing, agent, manner, agent, *filled, nothing, step.decider])


def _settled(fill: ir.Fill) -> Value | None:
    """Return the value of a role that is filled before the act begins, else None."""
    if isinstance(fill, ir.Bound):
        return fill.value
    return fill.var if isinstance(fill, ir.Pick) else None


def _roles_with(
    act: Act, build: Callable[[Run, Env], tuple[int, ...]], place: int
) -> Callable[[Run, Env, int], tuple[int, ...]] | None:
    """Return the function that gives the roles of the act with a candidate; None if nothing is ever forbidden."""
    end = FIXED + act.roles

    def roles(run: Run, env: Env, candidate: int) -> tuple[int, ...]:
        return build(run, env[:place] + (candidate,) + env[place + 1 :])[:end]

    return roles if act.verb.forbidden else None


def outs_of(step: ir.Call) -> Outs:
    """Return which roles come back into which variables of the caller."""
    outs: list[tuple[int, int]] = []
    for number, fill in enumerate(step.roles):
        if isinstance(fill, ir.Pick | ir.Usual):
            outs.append((FIXED + number, fill.var.id))
        elif isinstance(fill, ir.Bound) and isinstance(fill.value, Var) and base_of(fill.value) == "token":
            outs.append((FIXED + number, fill.value.id))
    if step.result is not None:
        outs.append((FIXED, step.result.id))
    return tuple(outs)


def _announced(binder: RoutineBinder, act: Act, step: ir.Call, branches: bool) -> Announced:
    """Return what notes the act, if anything does, and the roles that are settled before anything is chosen."""
    fills = enumerate((step.agent, *step.roles))
    said = [
        (number, pick_key(act, number), act.bases[AGENT + number])
        for number, fill in fills
        if isinstance(fill, ir.Bound) and act.verb.by != "game" and (number > 0 or act.verb.by == "piece")
    ]
    nameless = len(act.verb.kinds) > 1 and not act.verb.definitions
    # What somebody else does in consequence, with nothing of it chosen, is not what an option is about.
    chosen = any(isinstance(fill, ir.Pick) for fill in step.roles) or _asks_more(act, step)
    # What a piece goes on to do, with nothing of it chosen, names an option only if nothing else does.
    # So it is with what must be done instead of something, where that is all.
    goes_on = act.verb.by == "piece" and (
        binder.code.steps == (step,) if binder.code.origin == "hook"
        else binder.code.origin == "verb" and (_by(binder) == "piece" or _is_brought(binder, step.agent))
    )  # fmt: skip
    settled = goes_on and not (chosen or branches or isinstance(step.agent, ir.Pick))
    act_note = ("act?" if settled else "act", act.verb.act, 0)
    elsewhere = act.verb.by == "player" and not (said or chosen or branches or own_act(step.agent))
    # What follows at once from what has become so, is not what anybody takes an option for.
    follows = binder.code.origin == "state" and not (chosen or branches or isinstance(step.agent, ir.Pick))
    if follows:
        return None, ()
    silent = act.verb.by == "game" or nameless or elsewhere
    if silent or settled:
        # How much of something, and for whom, is worked out, and tells nothing of what was chosen.
        said = [one for one in said if one[2] not in ("number", "player")]
    return (None if silent else act_note), tuple(said)


def _announcement(
    binder: RoutineBinder, step: ir.Call, announced: Announced
) -> Callable[[Run, Env], None] | None:
    """Return the function that notes what is announced, if anything is."""
    (note, roles), fills = announced, (step.agent, *step.roles)
    said = [(key, base, fill.value) for number, key, base in roles if isinstance(fill := fills[number], ir.Bound)]
    return binder.announce(note, said)


def _is_brought(binder: RoutineBinder, agent: ir.Fill) -> bool:
    """Whether an act is that of a piece which the text itself has brought onto the board."""
    brought = {step.result.id for step in binder.code.steps if isinstance(step, ir.RaisePiece)}
    return isinstance(agent, ir.Bound) and isinstance(agent.value, Var) and agent.value.id in brought


def _by(binder: RoutineBinder) -> str:
    """Return who does the act of which the routine is a definition."""
    return binder.program.acts[binder.code.verb].verb.by


_frame = tuple.__new__
"""Makes a frame at a third of the cost of its constructor."""


class Start:
    """The operation that goes from the order to the act; where nothing is to be chosen, straight to its event."""

    __slots__ = (
        "act", "announce", "bound", "build", "end", "events", "hooks", "living", "outs", "paid", "span", "zones",
    )  # fmt: skip

    def __init__(
        self,
        program: Program,
        act: Act,
        step: ir.Call,
        build: Callable[[Run, Env], tuple[int, ...]],
        announce: Callable[[Run, Env], None] | None,
    ) -> None:
        self.act, self.build, self.announce, self.span = act, build, announce, step.span
        self.outs, self.end, self.events = outs_of(step), act.way_place, program.events
        self.hooks = program.events.hooks[act.number]
        values = [fill.value for fill in step.roles if isinstance(fill, ir.Bound)]
        self.bound = {value.id for value in values if isinstance(value, Var)}
        self.paid = -1
        """The variable of the token that this act only pays with, as `sharing` has found; -1: none."""
        self.zones = program.layout.first_piece_holder * program.layout.documents
        self.living = [
            AGENT + number for number, fill in enumerate((step.agent, *step.roles))
            if isinstance(fill, ir.Bound) and act.bases[AGENT + number] == "piece"
        ]  # fmt: skip

    def __call__(self, run: Run, env: Env) -> Stop | None:
        """Begin the act; it lapses where a piece it is about has left the board, and fails where it is forbidden."""
        if self.paid >= 0 and run.trying and self._need_not_pay(run, env):
            return None
        inner, act = self.build(run, env), self.act
        if self.living:
            for place in self.living:
                if inner[place] < 0:
                    self.events.lapse(run, self.span)
                    return None
        if run.joined and self.announce is not None:
            self.announce(run, env)
        if not act.direct:
            # As `push` does, at the cost of one call less: half of all orders go this way.
            run.parent = _frame(Frame, (run.parent, run.code, run.pc, run.env, run.outs))
            run.code, run.env, run.outs = act.routine, inner, self.outs
            run.pc = 1 if act.rules and UNSET in inner else 0
            return None
        if act.rules:
            run.failure = act.forbidden_by(run, inner[: self.end])
            if run.failure is not None:
                return FAIL
        roles = inner[: self.end]
        if self.hooks and self.events.answered(run, act.number, roles):
            run.push(act.routine, inner, self.outs)
            self.events.enter(run, roles, act, 0)
            return None
        if not run.trying and act.told:
            self.events.happened(run, act, roles, 0)
        if act.plain:
            self._do_at_once(run, roles)
        else:
            way = act.ways[0]
            run.push(way.routine, roles + way.blank, self.outs)
        return None

    def _need_not_pay(self, run: Run, env: Env) -> bool:
        """Whether a trial can leave this out: nothing that is still to be chosen looks at where the token goes."""
        if not run.joined or env[self.paid] >= self.zones or anything_below_can_fail(run):
            return False
        if self.announce is not None:
            self.announce(run, env)
        return True

    def _do_at_once(self, run: Run, roles: tuple[int, ...]) -> None:
        """Carry out plain changes without a frame; nothing can be asked or answered on the way."""
        kept = run.env
        run.env = roles + self.act.ways[0].blank
        for op in self.act.plain:
            op(run, run.env)
        if self.outs:
            done, after = run.env, list(kept)
            for source, target in self.outs:
                after[target] = done[source]
            kept = tuple(after)
        run.env = kept
        if run.memory[DIRTY] and not run.memory[HOLD]:
            run.push(self.events.settling, ())


def pay_without_trying(routine: Routine, place: int) -> None:
    """Let trials leave out the acts of a definition that only pay with the token in the variable `place`."""
    for op in routine.ops:
        if isinstance(op, Start) and place in op.bound:
            op.paid = place
