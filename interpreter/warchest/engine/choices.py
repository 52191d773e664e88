"""The kinds of choice points: the candidates of each, who chooses, and the effect of taking one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from warchest.engine.events import (
    answering,
    begin_hook,
    begun_stages,
    happened,
    hook_env,
    is_answered,
    is_under_way,
    lapse,
    show,
)
from warchest.engine.history import Answered, Replaced, Unordered
from warchest.engine.lookahead import AT_END, can_finish, can_reach, is_fenced
from warchest.engine.permissions import WAYS, decider_of, forbidden_by, pick_candidates, role_candidates, ways_of
from warchest.engine.runs import BUDGET, CERTAIN, FAIL, IDLE, Choice, Env, Run, Signal, Stop, frames
from warchest.ir.ruleset import AGENT, FIXED, MANNER, THIS
from warchest.ir.values import NOTHING
from warchest.lowering.act_orders import role_key
from warchest.lowering.code import (
    DECLINE,
    DECLINED,
    INSTEAD,
    SETTLED,
    UNSET,
    Act,
    ChoicePoint,
    Note,
    OrderAnswers,
    Outs,
    Pick,
    PickAnswer,
    PickBranch,
    PickHook,
    PickKind,
    PickMember,
    PickRole,
    PickWay,
)
from warchest.lowering.verbs import outs_instead
from warchest.source.text import Span

MANY_HOOKS = 20
"""The most waiting hooks for which it is checked whether their order matters; above it, a player is always asked."""
Pair = tuple[int, int]
"""A hook, by its number, and the piece that carries it (-1: none)."""


def said_of(act: Act, env: Env) -> list[Note]:
    """Return the notes for an act with the roles that are filled so far."""
    notes: list[Note] = [("act", act.verb.act, 0)]
    if act.by_piece:
        notes.append((act.verb.agent_noun, "piece", env[AGENT]))
    for number, role in enumerate(act.verb.roles):
        if env[FIXED + number] >= 0 and not role.is_quantity:
            notes.append((role_key(role.word, role.noun), role.base, env[FIXED + number]))
    return notes


def enter(run: Run, roles: Env, act: Act, way: int) -> None:
    """Replace an act by its event, in one of its ways."""
    if act.told and not (run.lookahead or run.silent):
        happened(run, act, roles, way)
    if act.stages is not None and is_answered(run, act, roles):
        run.replace(act.stages, begun_stages(act, roles, way))
    else:
        if run.onlooker is not None:
            show(run, act, roles, replacing=True)
        run.replace(act.ways[way].routine, roles)


class _Chosen(Choice):
    """The common part of most choices: a value of the rules is the player who chooses, and no work precedes the
    choice."""

    def decider(self, run: Run, point: Any) -> int:
        return NOTHING if point.chooser is None else run.machine.functions.value(point.chooser)(run, run.env)

    def context(self, run: Run, point: Any) -> list[Note]:
        return []

    def said(self, run: Run, point: Any, candidate: int) -> tuple[Note, ...]:
        return ((point.key, point.base, candidate),) if point.key else ()


class PickChoice(_Chosen):
    """A member of a set."""

    def candidates(self, run: Run, env: Env, point: Pick) -> Sequence[int]:
        return pick_candidates(run, env, point)

    def take(self, run: Run, point: Pick, candidate: int) -> Signal | None:
        if point.key and run.in_option:
            run.notes.append((point.key, point.base, candidate))
        run.put(point.place, candidate)
        return None

    def context(self, run: Run, point: Pick) -> list[Note]:
        said = point.announcement
        return list(run.machine.functions.notes(said)(run, run.env)) if said is not None else []


class BranchChoice(_Chosen):
    """One of several ways to go on; an offer can be declined, too."""

    def candidates(self, run: Run, env: Env, point: PickBranch) -> Sequence[int]:
        branches = range(len(point.targets))
        return branches if point.declined < 0 else (DECLINE, *branches)

    def take(self, run: Run, point: PickBranch, candidate: int) -> Signal | None:
        if run.in_option:
            run.notes += self.said(run, point, candidate)
        if candidate != DECLINE:
            run.in_option &= not point.closes
            run.pc = point.targets[candidate]
            return None
        run.in_option = False
        run.pc = point.declined
        return None

    def said(self, run: Run, point: PickBranch, candidate: int) -> tuple[Note, ...]:
        declined = (("act?" if point.tacit else "act", DECLINED, 0),)
        if point.announcement is None:
            return declined if candidate == DECLINE else ()
        act, *about = run.machine.functions.notes(point.announcement)(run, run.env)
        return (*declined, *about) if candidate == DECLINE else (act, *about)


class MemberChoice(_Chosen):
    """The member of a loop that acts next, among the members that can act now."""

    def candidates(self, run: Run, env: Env, point: PickMember) -> Sequence[int]:
        return [one for one in env[point.slot][1:] if one >= 0 and self._can(run, point, one)]

    def _can(self, run: Run, point: PickMember, member: int) -> bool:
        mark = run.mark()
        self._begin(run, point, member)
        able = can_reach(run, point.body, point.fence)
        run.undo(mark)
        return able

    def _begin(self, run: Run, point: PickMember, member: int) -> None:
        left = tuple(other for other in run.env[point.slot][1:] if other != member)
        run.put(point.place, member)
        run.put(point.slot, (1, *left))

    def take(self, run: Run, point: PickMember, candidate: int) -> Signal | None:
        if run.in_option:
            # The bearer of the text has been named if it is known, and is implied.
            itself = point.base == "piece" and candidate == run.env[THIS]
            run.notes.append((point.key + SETTLED if itself else point.key, point.base, candidate))
        self._begin(run, point, candidate)
        return None


class RoleChoice(_Chosen):
    """A filler of a role of an act."""

    def context(self, run: Run, point: PickRole) -> list[Note]:
        return said_of(run.program.acts[point.verb], run.env)

    def candidates(self, run: Run, env: Env, point: PickRole) -> Sequence[int]:
        return role_candidates(run, env, point)

    def take(self, run: Run, point: PickRole, candidate: int) -> Signal | None:
        if run.in_option:
            run.notes.append((point.key, point.base, candidate))
        run.put(point.place, candidate)
        return None


class WayChoice(_Chosen):
    """One of several definitions of an act."""

    def candidates(self, run: Run, env: Env, point: PickWay) -> Sequence[int]:
        return ways_of(run, env, run.program.acts[point.verb])

    def take(self, run: Run, point: PickWay, candidate: int) -> Signal | None:
        act = run.program.acts[point.verb]
        way, this = divmod(candidate, WAYS)
        enter(run, (this - 1, *run.env[1 : act.way_place]), act, way)
        return None


class KindChoice(_Chosen):
    """One of the verbs that are kinds of an act, by its index among them: the numbers of verbs change with a game."""

    def candidates(self, run: Run, env: Env, point: PickKind) -> Sequence[int]:
        return range(len(point.kinds))

    def context(self, run: Run, point: PickKind) -> list[Note]:
        # The act itself is only a name for its kinds.
        return said_of(run.program.acts[point.verb], run.env)[1:]

    def take(self, run: Run, point: PickKind, candidate: int) -> Signal | None:
        program, general = run.program, run.program.acts[point.verb]
        act = program.acts[point.kinds[candidate]]
        if run.in_option:
            run.notes.append(("kind", act.verb.act, 0))
        roles = self._roles(run, act)
        asks = UNSET in act.unfilled
        if not asks and not program.failures.extends(act.number):
            run.in_option = False
        if not act.direct:
            run.replace(act.routine, (*roles, NOTHING, run.env[general.chooser_place]))
            run.pc = int(asks and bool(act.rules))
            return None
        if act.rules:
            run.failure = forbidden_by(run, roles, act)
            if run.failure is not None:
                return FAIL
        enter(run, roles, act, 0)
        return None

    def _roles(self, run: Run, act: Act) -> Env:
        agent, manner = run.env[AGENT], run.env[MANNER]
        this, you = (agent, decider_of(run, agent)) if act.by_piece else (NOTHING, agent)
        return (this, you, manner, agent, *act.unfilled)


# ---- hooks


class _OrderChoice(_Chosen):
    """The order of the hooks that wait in the queue of the frame."""

    def candidates(self, run: Run, env: Env, point: Any) -> Sequence[int]:
        return distinct(run, env[-1])

    def note(self, run: Run, pair: Pair) -> None:
        """Add the hook that comes first to the notes of the option."""
        if run.in_option:
            run.notes.append(("act", "first", 0))
            if pair[1] >= 0:
                run.notes.append(("of", "piece", pair[1]))
            run.notes.append(("clause", "hook", pair[0]))
        run.in_option = False


class HookChoice(_OrderChoice):
    """The hook that is carried out next; the active player orders them."""

    def decider(self, run: Run, point: PickHook) -> int:
        return active_of(run)

    def take(self, run: Run, point: PickHook, candidate: int) -> Signal | None:
        self.note(run, run.env[-1][candidate])
        next_hook(run, candidate)
        return None


def distinct(run: Run, queue: Sequence[Pair]) -> Sequence[int]:
    """Return the indices in a queue of hooks; among hooks with equal notes for the same piece, only the first."""
    twins = run.program.twins
    if not twins:
        return range(len(queue))
    first: dict[Pair, int] = {}
    for place, (number, piece) in enumerate(queue):
        first.setdefault((twins.get(number, number), piece), place)
    return list(first.values())


def active_of(run: Run) -> int:
    """Return the active player, who is named by a field of the game; the first player if no field is."""
    cell = run.program.layout.fields.get(run.program.ruleset.active)
    return max(run.memory[cell], 0) if cell is not None else 0


def next_hook(run: Run, candidate: int) -> None:
    """Begin a hook, after which the rest of the queue follows; a hook that cannot be carried out by itself lapses."""
    queue = run.env[-1]
    pair = queue[candidate]
    bound = run.program.hooks[pair[0]]
    run.in_option = False
    run.pc -= 1
    run.env = (*run.env[:-1], (*queue[:candidate], *queue[candidate + 1 :]))
    if bound.hook.stage == "after" and bound.hook.carrier >= 0 and pair[1] < 0:
        lapse(run, bound.hook.span)
        return
    mark, told = run.mark(), len(run.history)
    if not run.lookahead:
        run.tell(Answered, bound.hook.span, run.meant(pair[1]) if pair[1] != NOTHING else None, bound.hook.carrier)
    begin_hook(run, pair, bound.outs)
    if not bound.certain and not can_finish(run):
        run.undo(mark)
        del run.history[told:]
        lapse(run, bound.hook.span)


def order_matters(run: Run, point: PickHook) -> bool:
    """Whether two orders lead to different states, or either includes a choice or a draw."""
    queue = run.env[-1]
    numbers = run.program.acts[point.verb].numbers
    end = _played(run, 0, numbers) if len(queue) <= MANY_HOOKS else None
    if end is None or any(_played(run, first, numbers) != end for first in range(1, len(queue))):
        return True
    run.tell(Unordered, point.span, len(queue))
    return False


def _played(run: Run, first: int, numbers: Sequence[int]) -> object:
    """Return the state, and some variables of the event, after all hooks were carried out, beginning with one of them.

    The result is None if there is a choice on the way.
    """
    mark, below, behind = run.mark(), _depth(run), run.pc
    run.lookahead += 1
    next_hook(run, first)
    key: object = None
    for _ in range(BUDGET):
        run.tick(1)
        at_hooks = _depth(run) == below
        if run.code is IDLE or (run.pc >= behind and at_hooks):
            key = run.memory_key(), *(run.env[place] for place in numbers if at_hooks)
            break
        stop: Stop | None = None
        if run.pc == behind - 1 and at_hooks and run.env[-1]:
            run.pc += 1
            next_hook(run, 0)
        else:
            stop = run.step()
        if stop is not None and stop is not CERTAIN:
            break
    run.lookahead -= 1
    run.undo(mark)
    return key


def _depth(run: Run) -> int:
    """Return the number of frames that wait; frames cannot be compared by identity, because removing a piece
    makes new ones."""
    return len(frames(run.parent))


# ---- answers in place of an event


class AnswerOrderChoice(_OrderChoice):
    """The first answer, chosen among the answers that wait to replace an event."""

    def decider(self, run: Run, point: OrderAnswers) -> int:
        cell = run.program.layout.fields.get(run.program.ruleset.orders)
        return max(run.memory[cell], 0) if cell is not None else affected(run, run.env, point.verb)

    def take(self, run: Run, point: OrderAnswers, candidate: int) -> Signal | None:
        queue = run.env[-1]
        self.note(run, queue[candidate])
        run.env = (*run.env[:-1], (queue[candidate], *queue[:candidate], *queue[candidate + 1 :]))
        return None


class AnswerChoice(_Chosen):
    """An answer that replaces an event."""

    def candidates(self, run: Run, env: Env, point: PickAnswer) -> Sequence[int]:
        asked = asked_answers(run, env, point.verb)
        return [DECLINE, *distinct(run, asked)] if is_optional(run, asked[0]) else [0]

    def decider(self, run: Run, point: PickAnswer) -> int:
        return _whose(run, run.env, point.verb, run.env[-1][0])

    def take(self, run: Run, point: PickAnswer, candidate: int) -> Signal | None:
        asked = asked_answers(run, run.env, point.verb)
        if candidate == DECLINE:
            self._decline(run, len(asked))
            return None
        pair = asked[candidate]
        if run.in_option and len(asked) > 1:
            if pair[1] >= 0:
                run.notes.append(("of", "piece", pair[1]))
            run.notes.append(("clause", "hook", pair[0]))
        if run.in_option and run.notes:
            run.notes.append((INSTEAD, run.program.acts[point.verb].verb.act, 0))
        run.tell(Replaced, run.program.hooks[pair[0]].hook.span)
        begin_answer(run, point.verb, pair, AT_END if run.alone and not is_fenced(run) else None)
        return None

    def _decline(self, run: Run, count: int) -> None:
        if run.in_option:
            run.notes.append(("act", DECLINED, 0))
        run.in_option = False
        left = run.env[-1][count:]
        run.env = (*run.env[:-1], left)
        if left:
            # Back to the choice among the remaining ones.
            run.pc -= 2


def begin_answer(run: Run, verb: int, pair: Pair, outs: Outs | None = None) -> None:
    """Begin an answer; the rest of the event is left out, unless the event is still due after the answer."""
    run.pc = run.code.replaced
    begin_hook(run, pair, outs_instead(run.program.acts[verb]) if outs is None else outs)


def can_answer(run: Run, verb: int, pair: Pair) -> bool:
    """Whether an answer can be carried out to its end here; the work below it is ignored."""
    if run.program.hooks[pair[0]].certain:
        return True
    mark = run.mark()
    begin_answer(run, verb, pair)
    able = can_finish(run)
    run.undo(mark)
    return able


def answers_for(run: Run, env: Env, verb: int) -> list[Pair]:
    """Return the answers that can replace an event, without the answers that have led to the event."""
    hooks, act = run.program.answers[verb]["instead"], run.program.acts[verb]
    return [pair for bound in hooks for pair in answering(run, env, act, bound) if not is_under_way(run, pair)]


def asked_answers(run: Run, env: Env, verb: int) -> tuple[Pair, ...]:
    """Return the answers that are decided next: all that wait, if they are offers to one player.

    Offers to one player need no order: whichever is made first, the player can take any of them, or none.
    """
    queue: tuple[Pair, ...] = env[-1]
    alone = len(queue) == 1 or not all(is_optional(run, pair) for pair in queue)
    return queue[:1] if alone or len({_whose(run, env, verb, pair) for pair in queue}) > 1 else queue


def is_optional(run: Run, pair: Pair) -> bool:
    """Whether an answer is offered rather than ordered."""
    return run.program.hooks[pair[0]].hook.optional


def _whose(run: Run, env: Env, verb: int, pair: Pair) -> int:
    """Return the player who decides about an answer: the player named by its offer.

    If it names no player, the player whose card gives it decides; for a rule of the game, the affected player.
    """
    bound = run.program.hooks[pair[0]]
    if bound.hook.asked is not None:
        asked: int = run.machine.functions.value(bound.hook.asked)(run, hook_env(run, env, bound, pair[1]))
        if asked >= 0:
            return asked
    return decider_of(run, pair[1]) if pair[1] != NOTHING else affected(run, env, verb)


def affected(run: Run, env: Env, verb: int) -> int:
    """Return the player who has the piece that an event is about; without an owner, the agent."""
    act = run.program.acts[verb]
    if act.affected != NOTHING and env[act.affected] != NOTHING:
        return decider_of(run, env[act.affected])
    return decider_of(run, env[AGENT]) if act.by_piece else env[AGENT]


def is_question(run: Run, point: ChoicePoint) -> bool:
    """Whether a point with a single candidate can still need a decision; the run must be at the point."""
    return not isinstance(point, PickAnswer) or is_optional(run, asked_answers(run, run.env, point.verb)[0])


CHOICES: Mapping[type, Choice] = {
    Pick: PickChoice(),
    PickBranch: BranchChoice(),
    PickMember: MemberChoice(),
    PickRole: RoleChoice(),
    PickWay: WayChoice(),
    PickKind: KindChoice(),
    PickHook: HookChoice(),
    OrderAnswers: AnswerOrderChoice(),
    PickAnswer: AnswerChoice(),
}
"""The behaviour of the machine at each kind of choice point."""


def weight_of(run: Run, point: Pick, candidate: int) -> int:
    """Return the number of equal things that a candidate of chance represents: tokens count by their number."""
    return run.memory[run.program.layout.tokens + candidate] if point.base == "token" else 1


def clause_of(run: Run, point: ChoicePoint) -> Span | None:
    """Return the text that asks for a choice; the run must be at its choice point."""
    if isinstance(point, PickAnswer):
        asked = asked_answers(run, run.env, point.verb)
        return run.program.hooks[asked[0][0]].hook.span if len(asked) == 1 else point.span
    return clause_ordered(point, run.ordering)


def clause_ordered(point: ChoicePoint, ordering: Span | None) -> Span | None:
    """Return the text that asks for a choice other than an answer, given the text that ordered the current work."""
    if isinstance(point, PickRole | PickWay | PickKind):
        # The text that orders the act asks for the choices that it leaves open.
        return ordering or point.span
    return point.span
