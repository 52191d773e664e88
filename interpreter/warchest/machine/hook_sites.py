"""The choices about hooks: in which order they act, and what happens instead of an event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from warchest.machine.run import BUDGET, DECLINED, IDLE, SURE, Env, Run, Signal, Stop
from warchest.machine.sites import DECLINE, Site
from warchest.machine.trial import can_finish
from warchest.rules.ruleset import AGENT

if TYPE_CHECKING:
    from warchest.machine.events import Events

MANY_HOOKS = 20
"""How many hooks can wait before their order is asked for without looking whether it matters."""


def _depth(run: Run) -> int:
    """Return how many frames wait; removing a piece makes new ones, so they cannot be told by identity."""
    frame, count = run.parent, 0
    while frame is not None:
        frame, count = frame.parent, count + 1
    return count


class Order(Site):
    """The choice of the hook that comes next, of those that wait in the queue of the frame."""

    __slots__ = ("events",)

    def __init__(self, events: Events, span: Any) -> None:
        super().__init__(span, "first")
        self.events = events

    def candidates(self, run: Run, env: Env) -> Sequence[int]:
        return self.events.distinct(env[-1])

    def decider(self, run: Run) -> int:
        return self.events.program.active(run)

    def note(self, run: Run, pair: tuple[int, int]) -> None:
        """Have an option say which hook comes first."""
        if run.joined:
            run.notes.append(("act", "first", 0))
            if pair[1] >= 0:
                run.notes.append(("of", "piece", pair[1]))
            run.notes.append(("clause", "hook", pair[0]))
        run.joined = False


class Drain(Order):
    """Carries out the hooks that wait, one after another; the active player orders them where it matters."""

    __slots__ = ()

    def __call__(self, run: Run, env: Env) -> Stop | None:
        """Take the next hook, or go on when none is left."""
        queue = env[-1]
        if not queue:
            return None
        if len(queue) > 1:
            choices = self.events.distinct(queue)
            if len(choices) > 1 and self._matters(run, queue):
                return self.of(run, choices)
        return self._next(run, 0)

    def take(self, run: Run, candidate: int) -> Signal | None:
        """Begin the hook that is chosen to be first."""
        self.note(run, run.env[-1][candidate])
        return self._next(run, candidate)

    def _next(self, run: Run, candidate: int) -> Signal | None:
        """Begin a hook, after which the rest of the queue follows; one that cannot be completed lapses as a whole."""
        queue = run.env[-1]
        pair = queue[candidate]
        bound = self.events.by_number[pair[0]]
        run.joined = False
        run.pc -= 1
        run.env = (*run.env[:-1], (*queue[:candidate], *queue[candidate + 1 :]))
        if bound.hook.stage == "after" and bound.hook.carrier >= 0 and pair[1] < 0:
            self.events.lapse(run, bound.hook.span)
            return None
        mark, told = run.mark(), len(run.events)
        if run.trying == run.telling:
            whose = self.events.program.told(run, pair[1]) if pair[1] >= 0 else None
            run.events.append(("answered", bound.hook.span, whose, bound.hook.carrier))
        self.events.begin(run, pair)
        if not bound.certain and not can_finish(run):
            run.undo(mark)
            del run.events[told:]
            self.events.lapse(run, bound.hook.span)
        return None

    def _matters(self, run: Run, queue: tuple[Any, ...]) -> bool:
        """Whether two orders lead to different states, or somebody has to choose or draw on the way."""
        end = self._played(run, 0) if len(queue) <= MANY_HOOKS else None
        if end is None or any(self._played(run, first) != end for first in range(1, len(queue))):
            return True
        if run.trying == run.telling:
            run.events.append(("order", self.span, (), len(queue)))
        return False

    def _played(self, run: Run, first: int) -> object:
        """Return the state after all hooks with this one first, or None if anything is asked on the way."""
        mark, below, behind = run.mark(), _depth(run), run.pc
        run.trying += 1
        self._next(run, first)
        key: object = None
        for _ in range(BUDGET):
            run.tick(1)
            if run.code is IDLE or (run.pc >= behind and _depth(run) == below):
                key = self.events.program.memory_key(run)
                break
            pc = run.pc
            run.pc = pc + 1
            here = pc == behind - 1 and _depth(run) == below
            if here and run.env[-1]:
                stop: Stop | None = self._next(run, 0)
            else:
                stop = run.code.ops[pc](run, run.env)
            if stop is not None and stop is not SURE:
                break
        run.trying -= 1
        run.undo(mark)
        return key


class AnswerOrder(Order):
    """Which answer comes first of those that wait to take the place of an event.

    Offers to one player need no order: whatever he is asked first, he can take either, or none.
    """

    __slots__ = ("answers",)

    def __init__(self, events: Events, answers: InsteadSite, span: Any) -> None:
        super().__init__(events, span)
        self.answers = answers

    def __call__(self, run: Run, env: Env) -> Stop | None:
        """Ask for the order where it can make a difference."""
        if len(self.answers.asked(run, env)) == len(env[-1]):
            return None
        return self.of(run, self.candidates(run, env))

    def take(self, run: Run, candidate: int) -> Signal | None:
        """Put the answer that is chosen in front of the others."""
        queue = run.env[-1]
        self.note(run, queue[candidate])
        run.env = (*run.env[:-1], (queue[candidate], *queue[:candidate], *queue[candidate + 1 :]))
        return None

    def decider(self, run: Run) -> int:
        program = self.events.program
        cell = program.layout.fields.get(program.ruleset.orders)
        return max(run.memory[cell], 0) if cell is not None else self.answers.affected(run, run.env)


class InsteadSite(Site):
    """The choice of an answer in place of an event: the first of the queue, or one of those that one player is offered.
    """

    __slots__ = ("events", "verb")

    def __init__(self, events: Events, verb: int, span: Any) -> None:
        super().__init__(span)
        self.events, self.verb = events, verb

    def asked(self, run: Run, env: Env) -> tuple[tuple[int, int], ...]:
        """Return the answers that are decided about next: all that wait, if they are offers to one player."""
        queue: tuple[tuple[int, int], ...] = env[-1]
        alone = len(queue) == 1 or not all(self._optional(pair) for pair in queue)
        return queue[:1] if alone or len({self._whose(run, env, pair) for pair in queue}) > 1 else queue

    def _optional(self, pair: tuple[int, int]) -> bool:
        return self.events.by_number[pair[0]].hook.optional

    def _whose(self, run: Run, env: Env, pair: tuple[int, int]) -> int:
        """Return who decides about an answer: whose card gives it, and of a rule of the game the affected."""
        return self.events.program.decider(run, pair[1]) if pair[1] >= 0 else self.affected(run, env)

    def is_question(self, run: Run) -> bool:
        return self._optional(self.asked(run, run.env)[0])

    def can(self, run: Run, pair: tuple[int, int]) -> bool:
        """Whether an answer could be given here, up to its end."""
        if self.events.by_number[pair[0]].certain:
            return True
        mark = run.mark()
        self._begin(run, pair)
        able = can_finish(run)
        run.undo(mark)
        return able

    def candidates(self, run: Run, env: Env) -> Sequence[int]:
        asked = self.asked(run, env)
        return [DECLINE, *self.events.distinct(asked)] if self._optional(asked[0]) else [0]

    def _begin(self, run: Run, pair: tuple[int, int]) -> None:
        """Begin the answer; the body of the event and everything after it are left out."""
        run.pc = len(run.code.ops) - 1
        self.events.begin(run, pair, self.events.outs_instead(self.verb))

    def take(self, run: Run, candidate: int) -> Signal | None:
        asked = self.asked(run, run.env)
        if candidate == DECLINE:
            if run.joined:
                run.notes.append(("act", DECLINED, 0))
            run.joined = False
            left = run.env[-1][len(asked) :]
            run.env = (*run.env[:-1], left)
            if left:
                # Back to the order of those that are left.
                run.pc -= 2
            return None
        pair = asked[candidate]
        if run.joined and len(asked) > 1:
            if pair[1] >= 0:
                run.notes.append(("of", "piece", pair[1]))
            run.notes.append(("clause", "hook", pair[0]))
        if run.trying == run.telling:
            run.events.append(("replaced", self.events.by_number[pair[0]].hook.span, (), 0))
        self._begin(run, pair)
        return None

    def clause(self, run: Run) -> Any:
        """Return the answer that is asked about, or of several the event that they are about."""
        asked = self.asked(run, run.env)
        return self.events.by_number[asked[0][0]].hook.span if len(asked) == 1 else self.span

    def decider(self, run: Run) -> int:
        return self._whose(run, run.env, run.env[-1][0])

    def affected(self, run: Run, env: Env) -> int:
        """Return who has the piece that the event is about; where it is nobody's, who acts."""
        act, program = self.events.program.acts[self.verb], self.events.program
        roles = zip(env[AGENT + 1 :], act.bases[AGENT + 1 :], strict=False)
        affected = [one for one, base in roles if base == "piece"]
        if affected and affected[0] >= 0:
            return program.decider(run, affected[0])
        return program.decider(run, env[AGENT]) if act.verb.by == "piece" else env[AGENT]
