"""Events: the stages around the body of an act.

Stages: `before` hooks, `instead`, the body with the `when` hooks that were judged before it, immediate consequences
(state rules), `after` hooks. An act that no hook can answer runs its body alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from warchest.engine.effects import by_place, records
from warchest.engine.evaluation import members_of
from warchest.engine.history import Acted, Lapsed
from warchest.engine.permissions import NOBODY, bearers_of, decider_of, ordered_members
from warchest.engine.runs import Env, Frame, Run, frames
from warchest.ir.ruleset import AGENT, FIXED, THIS, YOU
from warchest.ir.values import NOTHING, Condition
from warchest.lowering.code import UNSET, Act, BoundHook, BoundStateRule, Outs, Routine
from warchest.lowering.layout import UNSETTLED
from warchest.source.text import Span

# ---- from an act to its event


def begun_stages(act: Act, roles: Env, way: int) -> Env:
    """Return the variables of the stages of an event that begins."""
    kept = (NOTHING,) * len(act.values)
    return (*roles, *kept, (), way, 0, ()) if act.judges else (*roles, *kept, way, 0, ())


def happened(run: Run, act: Act, roles: Env, way: int, cause: Span | None = None) -> None:
    """Add an act to the history, with pieces in their present state; its cause is `cause`, or the text that ordered it."""
    told = tuple(
        run.meant(value) if base == "piece" and place and value not in (NOTHING, UNSET) else value
        for place, (base, value) in enumerate(zip(act.bases, roles, strict=False))
    )
    clause = act.verb.definitions[way].code.span if act.ways else None
    run.tell(Acted, clause, act.number, told, way, cause=cause)


def show(run: Run, act: Act, roles: Env, *, replacing: bool = False) -> None:
    """Notify the observers of an event whose body is about to begin, if it is not only tried.

    The run is in the state of an event whose hooks are judged: at the stages, in the frame of the act or above it.
    """
    if run.onlooker is None or run.lookahead:
        return
    here = run.mark()
    stages = Routine(f"event/{act.verb.name}", "verb", act.number, act.bases[: act.way_place], stages=True)
    (run.replace if replacing else run.push)(stages, roles)
    run.onlooker(run, act, roles)
    run.undo(here)


def is_answered(run: Run, act: Act, roles: Env) -> bool:
    """Whether any hook on the verb of an act may have a bearer, or the act has values."""
    if act.awaits or act.values:
        return True
    memory, first = run.memory, run.program.layout.of_document
    for hooks in run.program.answers[act.number].values():
        for bound in hooks:
            # Most documents have no bearer; a hook on one of them can only be about a token.
            is_borne = bound.hook.carrier < 0 or bound.about_token or memory[first + bound.hook.carrier]
            if is_borne and _may_answer(run, act, roles, bound):
                return True
    return False


def _may_answer(run: Run, act: Act, roles: Env, bound: BoundHook) -> bool:
    """Whether a hook may have a bearer: a piece of its carrier, a token of it, or the rules themselves."""
    hook, role = bound.hook, bound.hook.this_role
    if hook.carrier < 0:
        return _is_apt(run, roles, bound)
    bearers = run.memory[run.program.layout.of_document + hook.carrier]
    # The event can change the bearers of its text, so that only in early stages the role is surely the bearer.
    place = bound.places[role] if role >= 0 and hook.stage in ("before", "instead") else -1
    if place >= 0 and act.bases[place] == "piece":
        if bearers and roles[place] >= 0 and bearers >> roles[place] & 1:
            return True
    elif bearers:
        return True
    return bound.about_token and roles[AGENT + role] % run.program.layout.documents == hook.carrier


def _is_apt(run: Run, roles: Env, bound: BoundHook) -> bool:
    """Whether an event has the cause that a hook of the rules requires, or the hook would end a clause."""
    if bound.ended:
        return ends_anything(run, bound)
    return bound.causes is None or run.machine.functions.test(bound.causes)(run, roles)


def ends_anything(run: Run, bound: BoundHook) -> bool:
    """Whether there is a clause that a hook would end."""
    layout, memory = run.program.layout, run.memory
    return bool(memory[layout.granted]) and any(memory[one] - 1 in bound.ended for one in records(memory, layout))


def lapse(run: Run, span: Span | None) -> None:
    """Log that an order was impossible and lapsed."""
    run.tell(Lapsed, span)


def leave_events(run: Run, last: Frame) -> None:
    """Restore the values that acts had before the events between the innermost frame of a run and another frame."""
    for frame in frames(run.top):
        if frame.pc <= frame.code.ending:
            for place, number in frame.code.values:
                run.set(run.program.layout.fields[number], frame.env[place])
        if frame is last:
            return


# ---- who answers


def judge(run: Run, env: Env, act: Act) -> tuple[tuple[int, int], ...]:
    """Return the carriers of the hooks that are judged when an event begins and answer it later.

    Each is paired with its hook, or with the complement of its number if the hook's conditions on the event do not
    hold.
    """
    return tuple(
        (bound.number if fits(run, env, bound, this, bound.judged) else ~bound.number, this)
        for bound in act.judged
        for this in _carriers(run, env, bound)
    )


def answering(run: Run, env: Env, act: Act, bound: BoundHook) -> list[tuple[int, int]]:
    """Return the answers by a hook at its stage: some were judged when the event began, others are judged now.

    The bearer of an answer `after` an event must still be there.
    """
    if bound not in act.judged:
        return [
            (bound.number, this)
            for this in _carriers(run, env, bound)
            if fits(run, env, bound, this, bound.hook.condition)
        ]
    known = {this: number >= 0 for number, this in env[act.judged_place] if bound.number in (number, ~number)}
    gone = [this for this, fitting in known.items() if bound.hook.stage != "after" and this < NOTHING and fitting]
    there = [
        this
        for this in _carriers(run, env, bound)
        if (known[this] if this in known else fits(run, env, bound, this, bound.judged))
    ]
    return [
        (bound.number, this)
        for this in (*gone, *there)
        if bound.late is None or fits(run, env, bound, this, bound.late)
    ]


def fits(run: Run, env: Env, bound: BoundHook, this: int, condition: Condition) -> bool:
    """Whether a hook's condition on an event, or a part of the condition, holds for one of its carriers."""
    scope = hook_env(run, env, bound, this)
    padded = scope + (NOTHING,) * (len(bound.hook.code.params) - len(scope))
    is_so = ends_anything(run, bound) if bound.ended else run.machine.functions.test(condition)(run, padded)
    return is_so and _is_outermost(run, env, bound)


def _carriers(run: Run, env: Env, bound: BoundHook) -> Sequence[int]:
    hook, layout = bound.hook, run.program.layout
    if hook.carrier < 0:
        return (NOTHING,)
    if hook.this_role < 0:
        return by_place(run, layout, members_of(bearers_of(run, hook.carrier)))
    place = bound.places[hook.this_role]
    value = env[place] if place >= 0 else NOTHING
    if value < 0:
        return ()
    if run.program.acts[hook.verbs[0]].bases[place] == "token":
        holder, document = divmod(value, layout.documents)
        piece = holder - layout.first_piece_holder
        return (piece,) if piece >= 0 and document == hook.carrier else ()
    return (value,) if bearers_of(run, hook.carrier) >> value & 1 else ()


def hook_env(run: Run, env: Env, bound: BoundHook, this: int) -> Env:
    """Return the first variables of a hook's code for an event."""
    roles = [env[place] if place >= 0 else NOTHING for place in bound.places]
    you = decider_of(run, this) if this != NOTHING else env[YOU]
    return (this, you, NOTHING, *roles)


def _is_outermost(run: Run, env: Env, bound: BoundHook) -> bool:
    """Whether the event was not ordered by an event of the hook's kind, by the same agent."""
    verbs = bound.hook.verbs
    if len(verbs) == 1:
        return True
    for outer in frames(run.parent):
        if outer.code.origin == "hook":
            return True
        if outer.code.origin == "verb" and outer.code.verb in verbs and outer.env[AGENT] == env[AGENT]:
            return False
    return True


def begin_hook(run: Run, pair: tuple[int, int], outs: Outs = ()) -> None:
    """Begin a hook's code above the event that is under way; `outs` are the variables that it hands back."""
    bound = run.program.hooks[pair[0]]
    run.push(bound.routine, hook_env(run, run.env, bound, pair[1]), outs)


def is_under_way(run: Run, pair: tuple[int, int]) -> bool:
    """Whether the event comes from this very answer: a hook does not answer an event that it has itself ordered."""
    routine: Routine = run.program.hooks[pair[0]].routine
    return any(frame.code is routine and frame.env[THIS] == pair[1] for frame in frames(run.parent))


# ---- what follows at once


def settle(run: Run) -> bool:
    """Begin the first state rule that applies to a thing, above the work under way; False if none applies."""
    due = _first_due(run)
    if due is None:
        run.set(UNSETTLED, 0)
        return False
    bound, member = due
    run.push(bound.routine, (*NOBODY, member))
    return True


def look_again(run: Run) -> None:
    """Make the run check for immediate consequences, if some are already due."""
    if _first_due(run) is not None:
        run.memory[UNSETTLED] = 1


def _first_due(run: Run) -> tuple[BoundStateRule, int] | None:
    """Return the first state rule that applies to a thing, with that thing; None if no rule applies."""
    for bound in run.program.state_rules:
        for member in ordered_members(run, NOBODY, bound.rule.among):
            if not _is_settling(run, bound, member):
                return bound, member
    return None


def is_still_due(run: Run) -> bool:
    """Whether the state rule that ordered the event under way would order it again."""
    below = run.parent
    if below is None:
        return False
    orders = (bound.rule for bound in run.program.state_rules if bound.routine is below.code)
    return any(below.env[FIXED] in run.machine.functions.members(one.among)(run, NOBODY) for one in orders)


def _is_settling(run: Run, bound: BoundStateRule, member: int) -> bool:
    """Whether a state rule is already being carried out for a thing, while others may first answer its event."""
    return any(frame.code is bound.routine and frame.env[FIXED] == member for frame in frames(run.parent))
