"""The machine: the effect of each kind of instruction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from warchest.engine.choices import (
    CHOICES,
    answers_for,
    asked_answers,
    can_answer,
    distinct,
    enter,
    is_optional,
    next_hook,
    order_matters,
)
from warchest.engine.evaluation import Evaluator
from warchest.engine.events import (
    answering,
    begun_stages,
    happened,
    is_answered,
    is_still_due,
    judge,
    lapse,
    settle,
    show,
)
from warchest.engine.history import Performed
from warchest.engine.lookahead import AT_END, can_reach, ends_option
from warchest.engine.permissions import (
    decider_of,
    forbidden_by,
    ordered_members,
    pick_candidates,
    role_candidates,
    without_due,
)
from warchest.engine.plain_steps import PLAIN
from warchest.engine.runs import DONE, FAIL, FENCED, HORIZON, OPEN, Env, Handler, Machine, Run, Signal, Stop
from warchest.ir.ruleset import AGENT
from warchest.ir.values import NOTHING
from warchest.lowering.code import (
    UNSET,
    WITHIN,
    WITHIN_ANY,
    Act,
    Again,
    AskAhead,
    AskLater,
    Attempt,
    Body,
    Branch,
    CallAct,
    Check,
    ChoicePoint,
    Collect,
    Enter,
    Fence,
    FindAnswers,
    Finish,
    Hold,
    Judge,
    Jump,
    KeepMembers,
    LapseWithout,
    LoopTest,
    Next,
    Opening,
    OrderAnswers,
    PerformBlock,
    Pick,
    PickAnswer,
    PickBranch,
    PickHook,
    PickKind,
    PickMember,
    PickRole,
    PickWay,
    Plain,
    RequirePieces,
    Settle,
    StillDue,
)
from warchest.lowering.layout import DOCUMENT, MUST_ASK, POSTPONED, TURN, UNSETTLED
from warchest.lowering.program import Program
from warchest.lowering.verbs import handed_back, open_living


def machine_of(program: Program) -> Machine:
    """Return a machine for a program."""
    return Machine(program, Evaluator(program.layout), HANDLERS, CHOICES)


# ---- control


def _jump(run: Run, env: Env, it: Jump) -> None:
    run.pc = it.target


def _branch(run: Run, env: Env, it: Branch) -> None:
    functions, condition = run.machine.functions, it.condition
    if not (functions.known.get(id(condition)) or functions.test(condition))(run, env):
        run.pc = it.otherwise


def _until(run: Run, env: Env, it: LoopTest) -> None:
    functions, condition = run.machine.functions, it.condition
    if (functions.known.get(id(condition)) or functions.test(condition))(run, env):
        run.pc = it.end
    elif any(env[one] < 0 for one in it.about):
        lapse(run, it.span)
        run.pc = it.end


def _present(run: Run, env: Env, it: RequirePieces) -> None:
    if any(env[one] < 0 for one in it.pieces):
        lapse(run, it.span)
        run.pc = it.absent


def _again(run: Run, env: Env, it: Again) -> Stop | None:
    run.in_option = False
    run.pc = it.start
    return HORIZON if it.of_game and run.lookahead and _is_games_own(run) else None


def _is_games_own(run: Run) -> bool:
    """Whether the work under way is ordered only by the game itself, and is not part of an act of a player."""
    acts, frame = run.program.acts, run.top
    while frame is not None:
        if frame.code.verb >= 0 and acts[frame.code.verb].told:
            return False
        frame = frame.parent
    return True


def _members(run: Run, env: Env, it: KeepMembers) -> None:
    run.put(it.slot, (0, *ordered_members(run, env, it.among)))


def _next(run: Run, env: Env, it: Next) -> None:
    left = env[it.slot]
    if len(left) == 1:
        run.pc = it.end
        if left[0]:
            # No later step reads the last member, and equal positions have to be equal states.
            run.put(it.place, NOTHING)
            run.put(it.slot, (0,))
        return
    run.put(it.place, left[1])
    run.put(it.slot, (1, *left[2:]))


def _fence(run: Run, env: Env, it: Fence) -> Stop | None:
    if run.outs == ((FENCED, run.pc - 1),):
        return HORIZON
    run.pc = it.target
    return None


def _attempt(run: Run, env: Env, it: Attempt) -> None:
    if it.certain is not None and not run.memory[POSTPONED]:
        able = bool(run.machine.functions.members(it.certain)(run, env))
    else:
        able = can_reach(run, run.pc, it.fence)
    if not able:
        lapse(run, it.span)
        run.pc = it.fence + 1


def _ask_ahead(run: Run, env: Env, it: AskAhead) -> None:
    there = all(run.machine.functions.value(one)(run, env) >= 0 for one in it.needed)
    run.put(it.place, int(there and can_reach(run, run.pc, it.fence)))
    run.pc = it.fence + 1


# ---- choice points


def offer(run: Run, point: ChoicePoint, found: Sequence[int]) -> Stop | None:
    """Stop at a point for a choice among candidates, or take a single candidate at once; FAIL if there is none.

    A run that stops waits at the point from then on.
    """
    if len(found) > 1 or (found and run.memory[MUST_ASK]):
        run.candidates = found
        run.pc -= 1
        return point
    if found:
        return _taken_at_once(run, point, found[0])
    run.failure = point
    return FAIL


def _taken_at_once(run: Run, point: ChoicePoint, candidate: int) -> Stop | None:
    """Take the only candidate; a look-ahead stops here if nothing after it can fail."""
    if point.by_chance:
        # A result of chance is not known in advance, even if it is the only one.
        run.in_option = False
    failed = run.machine.choices[type(point)].take(run, point, candidate)
    if (point.ends or point.unless) and ends_option(run, point):
        ends, run.in_option = run.in_option, False
        if failed is None and run.lookahead:
            return horizon(run, ends)
    return failed


def horizon(run: Run, ends: bool) -> Signal | None:
    """Return the signal to stop a look-ahead after a choice or an act that may end an option; None where it goes on."""
    if not run.can_fail():
        return HORIZON
    return OPEN if ends and run.lookahead == run.hasty else None


def _pick(run: Run, env: Env, it: Pick) -> Stop | None:
    said, functions = it.announcement, run.machine.functions
    if said is not None and run.in_option:
        run.notes += (functions.known.get(id(said)) or functions.notes(said))(run, env)
    return offer(run, it, pick_candidates(run, env, it))


def _choose(run: Run, env: Env, it: PickBranch | PickWay | PickKind) -> Stop | None:
    return offer(run, it, CHOICES[type(it)].candidates(run, env, it))


def _pick_member(run: Run, env: Env, it: PickMember) -> Stop | None:
    members = CHOICES[PickMember].candidates(run, env, it)
    if members:
        return offer(run, it, members)
    if not env[it.slot][0]:
        run.failure = None
        return FAIL
    run.pc = it.done
    return None


def _pick_role(run: Run, env: Env, it: PickRole) -> Stop | None:
    if env[it.place] != UNSET:
        return None
    return offer(run, it, role_candidates(run, env, it))


def _pick_hook(run: Run, env: Env, it: PickHook) -> Stop | None:
    queue = env[-1]
    if not queue:
        return None
    if len(queue) > 1:
        choices = distinct(run, queue)
        if len(choices) > 1 and order_matters(run, it):
            return offer(run, it, choices)
    next_hook(run, 0)
    return None


def _order_answers(run: Run, env: Env, it: OrderAnswers) -> Stop | None:
    if len(asked_answers(run, env, it.verb)) == len(env[-1]):
        return None
    return offer(run, it, distinct(run, env[-1]))


# ---- acts


def _call(run: Run, env: Env, it: CallAct) -> Stop | None:
    """Order an act. An act without a choice goes straight to its event."""
    act, functions = run.program.acts[it.verb], run.machine.functions
    inner, said = (functions.known.get(id(it)) or functions.order(it))(run, env)
    for place in it.living:
        if inner[place] < 0:
            lapse(run, it.span)
            return None
    if run.memory[POSTPONED] and any(not without_due(run, (inner[place],)) for place in open_living(act, it)):
        run.failure = None
        return FAIL
    if run.in_option:
        run.notes += said
    if not act.direct:
        run.push(act.routine, inner, it.outs)
        run.pc = 1 if act.rules and UNSET in inner else 0
        return None
    roles = inner[: act.way_place]
    if act.rules:
        run.failure = forbidden_by(run, roles, act)
        if run.failure is not None:
            return FAIL
    if act.told and not (run.lookahead or run.silent):
        happened(run, act, roles, 0, it.span)
    if act.stages is not None and is_answered(run, act, roles):
        run.push(act.stages, begun_stages(act, roles, 0), it.outs)
        return None
    if run.onlooker is not None:
        show(run, act, roles)
    if act.plain:
        _carry_out_plain(run, env, it, act, roles)
    else:
        run.push(act.ways[0].routine, roles, it.outs)
    return None


def _carry_out_plain(run: Run, env: Env, it: CallAct, act: Act, roles: Env) -> None:
    """Carry out plain changes without a frame of their own; there is no choice or answer on the way."""
    run.env = roles + (NOTHING,) * (len(act.ways[0].routine.bases) - len(roles))
    for instruction in act.plain:
        run.machine.handlers[type(instruction.step)](run, run.env, instruction)
    done, after = run.env, list(env)
    for source, target in it.outs:
        after[target] = done[source]
    run.env = tuple(after)
    if run.memory[UNSETTLED] and not run.memory[POSTPONED]:
        run.push(run.program.settling, ())


def _check(run: Run, env: Env, it: Check) -> Stop | None:
    """Stop an act that is forbidden; if a role is still to be chosen, that choice leaves out the forbidden candidates."""
    act = run.program.acts[it.verb]
    roles = env[: act.way_place]
    if UNSET in roles:
        return None
    run.failure = forbidden_by(run, roles, act)
    return FAIL if run.failure is not None else None


def _enter(run: Run, env: Env, it: Enter) -> None:
    act = run.program.acts[it.verb]
    enter(run, env[: act.way_place], act, 0)


def _perform(run: Run, env: Env, it: PerformBlock) -> Stop | None:
    number = run.machine.functions.value(it.of)(run, env)
    layout = run.program.layout
    if it.of_piece:
        document = run.memory[layout.piece(number) + DOCUMENT] if number >= 0 else NOTHING
        you = decider_of(run, number) if number >= 0 else NOTHING
        known: Env = (number, you, NOTHING, number)
    else:
        document, you = number % layout.documents, run.machine.functions.value(it.by)(run, env)
        known = (NOTHING, you, NOTHING, you)
    routine = run.program.block(document, it.block) if document >= 0 else None
    if routine is None:
        run.failure = None
        return FAIL
    if run.in_option:
        run.notes.append(WITHIN_ANY if routine.name in run.program.mattering.anyones else WITHIN)
    if it.of_piece and not run.lookahead:
        run.tell(Performed, routine.instructions[-1].span, run.meant(number))
    run.push(routine, known)
    return None


def _plain(run: Run, env: Env, it: Plain) -> Stop | None:
    return PLAIN[type(it.step)](run, env, it)


# ---- events


def _collect(run: Run, env: Env, it: Collect) -> None:
    hooks, act = run.program.answers[it.verb][it.stage], run.program.acts[it.verb]
    run.env = (*env[:-1], tuple(pair for bound in hooks for pair in answering(run, env, act, bound)))


def _judge(run: Run, env: Env, it: Judge) -> None:
    act = run.program.acts[it.verb]
    run.put(act.judged_place, judge(run, env, act))


def _lapse_without(run: Run, env: Env, it: LapseWithout) -> None:
    if run.program.acts[it.verb].by_piece and env[AGENT] < 0:
        lapse(run, it.span)
        run.pc = run.code.ending


def _find_answers(run: Run, env: Env, it: FindAnswers) -> None:
    found = answers_for(run, env, it.verb)
    able = tuple(pair for pair in found if can_answer(run, it.verb, pair))
    for pair in found:
        if pair not in able and not is_optional(run, pair):
            lapse(run, run.program.hooks[pair[0]].hook.span)
    if able:
        run.env = (*env[:-1], able)
    else:
        run.pc += 2


def _still_due(run: Run, env: Env, it: StillDue) -> None:
    if env[-1] and not is_still_due(run):
        run.pc = run.code.ending
    else:
        run.env = (*env[:-1], ())


def _pick_answer(run: Run, env: Env, it: PickAnswer) -> Stop | None:
    return offer(run, it, CHOICES[PickAnswer].candidates(run, env, it))


def _hold(run: Run, env: Env, it: Hold) -> None:
    # Only an event that holds consequences back releases them; an event inside it may hold none.
    if env[-1] if it.change > 0 else env[-2]:
        run.set(POSTPONED, run.memory[POSTPONED] + it.change)
        run.env = (*run.env[:-2], int(it.change > 0), run.env[-1])


def _ask_later(run: Run, env: Env, it: AskLater) -> Stop | None:
    if it.change > 0 and run.memory[MUST_ASK]:
        run.set(MUST_ASK, 0)
        run.env = (*env[:-2], 1, env[-1])
    elif it.change < 0 and env[-2]:
        if run.lookahead:
            # The question has options of its own, and is no part of the option before it.
            run.pc -= 1
            return HORIZON
        run.in_option = False
        run.set(MUST_ASK, 1)
        run.env = (*env[:-2], 0, env[-1])
    return None


def _body(run: Run, env: Env, it: Body) -> None:
    act = run.program.acts[it.verb]
    if run.onlooker is not None:
        show(run, act, env[: act.way_place], replacing=True)
    run.push(act.ways[env[-3]].routine, env[: act.way_place], handed_back(act))


def _settle(run: Run, env: Env, it: Settle) -> None:
    if run.memory[UNSETTLED] and not run.memory[POSTPONED]:
        run.pc -= 1
        if not settle(run):
            run.pc += 1


def _finish(run: Run, env: Env, it: Finish) -> Stop | None:
    """End a routine: carry out state rules, then return to the frame below.

    The end of an act that extends an option is the end of that option, too.
    """
    if it.settles and run.memory[UNSETTLED] and not run.memory[POSTPONED]:
        run.pc -= 1
        if settle(run):
            if it.extends:
                # State rules ask for their own decisions.
                run.in_option = False
            return None
    parent, outs = run.parent, run.outs
    if outs == AT_END:
        return HORIZON
    if parent is None:
        run.put_back(None)
        return DONE
    run.parent, run.code, run.pc, run.env, run.outs = parent
    if outs:
        inner = list(run.env)
        for source, target in outs:
            inner[target] = env[source]
        run.env = tuple(inner)
    if it.extends and run.in_option:
        run.in_option = False
        if run.lookahead:
            return horizon(run, True)
    return None


def _opening(run: Run, env: Env, it: Opening) -> Stop | None:
    # A setup may lead to a position where play cannot go on.
    if run.lookahead:
        run.pc -= 1
        return HORIZON
    run.set(TURN, 0)
    run.set(MUST_ASK, 1)
    return None


HANDLERS: Mapping[type, Handler] = {
    **PLAIN,
    Jump: _jump,
    Branch: _branch,
    LoopTest: _until,
    RequirePieces: _present,
    Again: _again,
    KeepMembers: _members,
    Next: _next,
    Fence: _fence,
    Attempt: _attempt,
    AskAhead: _ask_ahead,
    Pick: _pick,
    PickBranch: _choose,
    PickMember: _pick_member,
    PickRole: _pick_role,
    PickWay: _choose,
    PickKind: _choose,
    PickHook: _pick_hook,
    OrderAnswers: _order_answers,
    PickAnswer: _pick_answer,
    CallAct: _call,
    Check: _check,
    Enter: _enter,
    PerformBlock: _perform,
    Plain: _plain,
    AskLater: _ask_later,
    Judge: _judge,
    Collect: _collect,
    LapseWithout: _lapse_without,
    FindAnswers: _find_answers,
    Hold: _hold,
    StillDue: _still_due,
    Body: _body,
    Settle: _settle,
    Finish: _finish,
    Opening: _opening,
}
"""The handler that carries out each kind of instruction, and each kind of plain step."""
