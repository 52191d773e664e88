"""The choices about hooks: in which order they act, and what happens instead of an event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from warchest.machine.run import BUDGET, DECLINED, IDLE, SURE, Env, Run, Signal, Stop, frames
from warchest.machine.sites import DECLINE, Site
from warchest.machine.trial import can_finish
from warchest.rules.ruleset import AGENT, THIS

if TYPE_CHECKING:
    from warchest.machine.events import Events


def _depth(run: Run) -> int:
    """Return how many frames wait; removing a piece makes new ones, so they cannot be told by identity."""
    frame, count = run.parent, 0
    while frame is not None:
        frame, count = frame.parent, count + 1
    return count


class Drain(Site):
    """Carries out the hooks that wait, one after another; the active player orders them where it matters."""

    __slots__ = ("events",)

    def __init__(self, events: Events, span: Any) -> None:
        super().__init__(span, "first")
        self.events = events

    def __call__(self, run: Run, env: Env) -> Stop | None:
        """Take the next hook, or go on when none is left."""
        queue = env[-1]
        if not queue:
            return None
        if len(queue) > 1 and self._matters(run, queue):
            return self.of(run, range(len(queue)))
        return self._next(run, 0)

    def candidates(self, run: Run, env: Env) -> Sequence[int]:
        return range(len(env[-1]))

    def take(self, run: Run, candidate: int) -> Signal | None:
        """Begin the hook that is chosen to be first."""
        pair = run.env[-1][candidate]
        if run.joined:
            run.notes.append(("act", "first", 0))
            if pair[1] >= 0:
                run.notes.append(("of", "piece", pair[1]))
            run.notes.append(("clause", "hook", pair[0]))
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

    def decider(self, run: Run) -> int:
        return self.events.program.active(run)

    def _matters(self, run: Run, queue: tuple[Any, ...]) -> bool:
        """Whether two orders lead to different states, or somebody has to choose or draw on the way."""
        ends = {self._played(run, first) for first in range(len(queue))}
        if None in ends or len(ends) > 1:
            return True
        if run.trying == run.telling:
            run.events.append(("order", self.span, (), len(queue)))
        return False

    def _played(self, run: Run, first: int) -> object:
        """Return the state after all hooks with this one first, or None if anything is asked on the way."""
        mark, below, behind = run.mark(), _depth(run), run.pc
        run.look_ahead()
        self._next(run, first)
        key: object = None
        for _ in range(BUDGET):
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


class InsteadSite(Site):
    """What happens in place of an event.

    Who has the affected piece chooses among his own answers; if he declines them, the others are asked for theirs, in
    turn order. What has been declined stands in the queue of the frame.
    """

    __slots__ = ("events", "verb")

    def __init__(self, events: Events, verb: int, span: Any) -> None:
        super().__init__(span)
        self.events, self.verb = events, verb

    def _pairs(self, run: Run, env: Env) -> list[tuple[int, int]]:
        hooks = self.events.hooks[self.verb].get("instead", ())
        pairs = [pair for bound in hooks for pair in self.events.answers(run, env, bound)]
        return [pair for pair in pairs if pair not in env[-1] and not self._under_way(run, pair)]

    def _asked(self, run: Run, env: Env) -> list[tuple[int, int]]:
        """Return the answers of whoever is asked next."""
        pairs = self._pairs(run, env)
        first = self._first(run, env, pairs)
        return [pair for pair in pairs if self._whose(run, env, pair) == first]

    def _whose(self, run: Run, env: Env, pair: tuple[int, int]) -> int:
        """Return who decides about an answer: what is offered, whose card offers it; what is ordered, the affected."""
        offered = pair[1] >= 0 and self.events.by_number[pair[0]].hook.optional
        return self.events.program.decider(run, pair[1]) if offered else self._affected(run, env)

    def _first(self, run: Run, env: Env, pairs: Sequence[tuple[int, int]]) -> int:
        """Return who is asked first: who has the affected piece, else the next in turn order."""
        whose = {self._whose(run, env, pair) for pair in pairs}
        affected, active = self._affected(run, env), self.events.program.active(run)
        if affected in whose or not whose:
            return affected
        players = self.events.program.layout.players
        return min(whose, key=lambda player: (player - active) % players)

    def _under_way(self, run: Run, pair: tuple[int, int]) -> bool:
        """Whether the event comes from this very answer: what it puts in an event's place it does not answer again."""
        routine = self.events.by_number[pair[0]].routine
        return any(frame.code is routine and frame.env[THIS] == pair[1] for frame in frames(run.parent))

    def __call__(self, run: Run, env: Env) -> Stop | None:
        """Ask for an answer, or go on with the event where there is none."""
        if self.events.program.acts[self.verb].verb.by == "piece" and env[AGENT] < 0:
            self.events.lapse(run, self.span)
            run.pc = len(run.code.ops) - 1
            return None
        return super().__call__(run, env) if self._pairs(run, env) else None

    def candidates(self, run: Run, env: Env) -> Sequence[int]:
        pairs = self._asked(run, env)
        able = [index for index, pair in enumerate(pairs) if self._can(run, pair)]
        optional = all(self.events.by_number[pairs[index][0]].hook.optional for index in able)
        return [DECLINE, *able] if optional else able

    def _can(self, run: Run, pair: tuple[int, int]) -> bool:
        if self.events.by_number[pair[0]].certain:
            return True
        mark = run.mark()
        self._begin(run, pair)
        able = can_finish(run)
        run.undo(mark)
        return able

    def _lapse(self, run: Run) -> None:
        """Write into the log which answers, though they are ordered, could not be given."""
        for number, _ in self._asked(run, run.env):
            hook = self.events.by_number[number].hook
            if not hook.optional:
                self.events.lapse(run, hook.span)

    def _begin(self, run: Run, pair: tuple[int, int]) -> None:
        """Begin the answer; the body of the event and everything after it are left out."""
        run.pc = len(run.code.ops) - 1
        self.events.begin(run, pair)

    def take(self, run: Run, candidate: int) -> Signal | None:
        if candidate == DECLINE:
            if run.joined:
                run.notes.append(("act", DECLINED, 0))
            run.joined = False
            if run.trying == run.telling:
                self._lapse(run)
            self._decline(run)
        else:
            pairs = self._asked(run, run.env)
            pair = pairs[candidate]
            if run.joined and len(pairs) > 1:
                if pair[1] >= 0:
                    run.notes.append(("of", "piece", pair[1]))
                run.notes.append(("clause", "hook", pair[0]))
            if run.trying == run.telling:
                run.events.append(("replaced", self.events.by_number[pair[0]].hook.span, (), 0))
            self._begin(run, pair)
        return None

    def _decline(self, run: Run) -> None:
        """Go on with those who have not been asked yet, or with the event."""
        declined = tuple(self._asked(run, run.env))
        env = (*run.env[:-1], (*run.env[-1], *declined))
        if self._pairs(run, env):
            run.env = env
            run.pc -= 1
        else:
            run.env = (*env[:-1], ())

    def clause(self, run: Run) -> Any:
        """Return the answer that is asked about, or of several the event that they are about."""
        pairs = self._asked(run, run.env)
        return self.events.by_number[pairs[0][0]].hook.span if len(pairs) == 1 else self.span

    def decider(self, run: Run) -> int:
        return self._first(run, run.env, self._pairs(run, run.env))

    def _affected(self, run: Run, env: Env) -> int:
        """Return who has the piece that the event is about; where it is nobody's, who acts."""
        act, program = self.events.program.acts[self.verb], self.events.program
        roles = zip(env[AGENT + 1 :], act.bases[AGENT + 1 :], strict=False)
        affected = [one for one, base in roles if base == "piece"]
        if affected and affected[0] >= 0:
            return program.decider(run, affected[0])
        return program.decider(run, env[AGENT]) if act.verb.by == "piece" else env[AGENT]
