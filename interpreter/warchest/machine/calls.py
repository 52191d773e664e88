"""Calls: the operations by which a text orders an act, its own choices first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warchest.machine.act_sites import role_key
from warchest.machine.acts import Act
from warchest.machine.expressions import base_of
from warchest.machine.risk import Risk, joined, own_act
from warchest.machine.run import SETTLED, Outs
from warchest.machine.sites import PickSite
from warchest.machine.starts import Start, variables_of
from warchest.rules import steps as ir
from warchest.rules.ruleset import AGENT, FIXED
from warchest.rules.values import Value, Var

if TYPE_CHECKING:
    from warchest.machine.bind_steps import RoutineBinder


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
    chooser = binder.chooser(step.decider)
    leaf = not is_cost and not binder.program.risks.wide(step.verb)
    usual = _asks_more(act, step)
    notes = _notes(binder, act, step, branches)
    for number in picks:
        fill = fills[number]
        assert isinstance(fill, ir.Pick)
        last = number == picks[-1] and not usual
        site = PickSite(step.span, pick_key(act, number), last and leaf, fill.var.id, fill.var.base,
                        binder.candidates(fill.among), chooser)  # fmt: skip
        site.among = fill.among
        site.announce = binder.announce(notes) if number == picks[0] else None
        if last:
            site.of_act(act, variables_of(act, step)[: act.way_place])
        if number == 0:
            binder.program.agents.append((site, act, step))
        binder.add(site, step.span, risk)
    # The last choice leaves out what is forbidden, so what follows it is as sure as the act itself.
    sure = bool(picks) and not usual and not act.verb.kinds[1:] and len(act.verb.definitions) == 1
    body = joined(binder.program.risks.body(step.verb), rest) if sure else risk
    start = Start(binder, binder.routine, act, step, outs_of(step), "" if picks else notes)
    behind = binder.add(start, step.span, body) + 1
    binder.routine.waits(behind, act.coming, start.outs)
    binder.routine.waits(behind, lambda: (binder.program.events.settling,))


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


def part_of(act: Act, step: ir.Call, variable: int) -> str:
    """Return the key in an option's data of the part that a variable has in an act; empty if it has none."""
    fills = enumerate((step.agent, *step.roles))
    filled = [number for number, fill in fills if isinstance(fill, ir.Bound) and _is_variable(fill.value, variable)]
    return pick_key(act, filled[0]) if filled else ""


def _is_variable(value: Value, number: int) -> bool:
    return isinstance(value, Var) and value.id == number


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


def _notes(binder: RoutineBinder, act: Act, step: ir.Call, branches: bool) -> str:
    """Return the expression for what is announced: the act, and the roles that are settled before anything is chosen.
    """
    said = [
        (pick_key(act, number) + SETTLED, act.bases[AGENT + number], binder.writer.value(fill.value))
        for number, fill in enumerate((step.agent, *step.roles))
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
        return ""
    silent = act.verb.by == "game" or nameless or elsewhere
    if silent or settled:
        # How much of something, and for whom, is worked out, and tells nothing of what was chosen.
        said = [one for one in said if one[1] not in ("number", "player")]
    parts = [*([] if silent else [repr(act_note)]), *(f"({key!r}, {base!r}, {value})" for key, base, value in said)]
    return f"({', '.join(parts)},)" if parts else ""


def _is_brought(binder: RoutineBinder, agent: ir.Fill) -> bool:
    """Whether an act is that of a piece which the text itself has brought onto the board."""
    brought = {step.result.id for step in binder.code.steps if isinstance(step, ir.RaisePiece)}
    return isinstance(agent, ir.Bound) and isinstance(agent.value, Var) and agent.value.id in brought


def _by(binder: RoutineBinder) -> str:
    """Return who does the act of which the routine is a definition."""
    return binder.program.acts[binder.code.verb].verb.by
