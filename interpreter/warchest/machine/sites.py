"""Places in the code where somebody must choose.

A site is an operation: it lists its candidates, goes on by itself where there is only one, and otherwise stops the
machine. `resume` takes one candidate up. `leaf` sites end an option: what follows them is a new decision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from warchest.machine.layout import ASK
from warchest.machine.run import FAIL, Frame, Run, Signal, Stop
from warchest.rules.values import NOTHING

if TYPE_CHECKING:
    from warchest.machine.bind_values import Evaluate, Gather

DECLINE = -1
"""The candidate of an offer that stands for taking nothing."""


class Site:
    """A choice. Subclasses list candidates and take them up."""

    __slots__ = ("key", "leaf", "span")
    base = "branch"
    by_chance = False

    def __init__(self, span: Any, key: str = "", leaf: bool = False) -> None:
        self.span, self.key, self.leaf = span, key, leaf

    def __call__(self, run: Run, frame: Frame) -> Stop | None:
        """Stop for a choice, or take the only candidate at once; FAIL where there is none."""
        found = self.candidates(run, frame)
        if not found:
            return FAIL
        if len(found) == 1 and not run.memory[ASK]:
            return self.resume(run, found[0])
        run.candidates = found
        return self

    def candidates(self, run: Run, frame: Frame) -> Sequence[int]:
        """Return what can be chosen, without looking further ahead."""
        raise NotImplementedError

    def resume(self, run: Run, candidate: int) -> Signal | None:
        """Take a candidate up; the frame of the site is on top of the stack."""
        if run.memory[ASK]:
            run.set(ASK, 0)
        if self.leaf:
            run.joined = False
        return self.take(run, candidate)

    def take(self, run: Run, candidate: int) -> Signal | None:
        """Put the candidate where it belongs."""
        raise NotImplementedError

    def decider(self, run: Run) -> int:
        """Return the player who chooses, or -1 for chance."""
        raise NotImplementedError


def advanced(frame: Frame, env: tuple[Any, ...]) -> Frame:
    """Return the frame after its operation, with new variables."""
    return Frame(frame.parent, frame.code, frame.pc + 1, env, frame.outs)


def jumped(frame: Frame, pc: int) -> Frame:
    """Return the frame at another operation."""
    return Frame(frame.parent, frame.code, pc, frame.env, frame.outs)


class PickSite(Site):
    """A member of a set goes into a variable; with `chance` nobody decides, and tokens count by their number."""

    __slots__ = ("allowed", "base", "by_chance", "chooser", "gather", "place", "weigh")

    def __init__(
        self, span: Any, key: str, leaf: bool, place: int, base: str, gather: Gather, chooser: Evaluate | None
    ) -> None:
        super().__init__(span, key, leaf)
        self.place, self.base, self.gather = place, base, gather
        self.chooser, self.by_chance = chooser, chooser is None
        self.allowed: Callable[[Run, Frame, int], bool] | None = None
        self.weigh: Callable[[Run, int], int] | None = None

    def candidates(self, run: Run, frame: Frame) -> Sequence[int]:
        found = self.gather(run, frame.env)
        if self.allowed is not None:
            allowed = self.allowed
            return [candidate for candidate in found if allowed(run, frame, candidate)]
        return found

    def take(self, run: Run, candidate: int) -> Signal | None:
        frame = run.top
        assert frame is not None
        if self.key:
            run.notes.append((self.key, self.base, candidate))
        env = frame.env[: self.place] + (candidate,) + frame.env[self.place + 1 :]
        run.top = Frame(frame.parent, frame.code, frame.pc + 1, env, frame.outs)
        return None

    def decider(self, run: Run) -> int:
        assert run.top is not None
        return NOTHING if self.chooser is None else self.chooser(run, run.top.env)

    def weight(self, run: Run, candidate: int) -> int:
        """Return how many equal things a candidate stands for."""
        return 1 if self.weigh is None else self.weigh(run, candidate)


class BranchSite(Site):
    """One of several ways to go on in the code; an offer can be declined too."""

    __slots__ = ("chooser", "declined", "targets")

    def __init__(self, span: Any, chooser: Evaluate) -> None:
        super().__init__(span)
        self.chooser = chooser
        self.targets: list[int] = []
        self.declined: int | None = None

    def candidates(self, run: Run, frame: Frame) -> Sequence[int]:
        branches = range(len(self.targets))
        return branches if self.declined is None else (DECLINE, *branches)

    def take(self, run: Run, candidate: int) -> Signal | None:
        frame = run.top
        assert frame is not None
        if candidate == DECLINE:
            assert self.declined is not None
            run.notes.append(("act", "decline", 0))
            run.joined = False
            run.top = jumped(frame, self.declined)
        else:
            run.top = jumped(frame, self.targets[candidate])
        return None

    def decider(self, run: Run) -> int:
        assert run.top is not None
        return self.chooser(run, run.top.env)


class MemberSite(Site):
    """The member of a fixed set that acts next, of those that can act now."""

    __slots__ = ("base", "chooser", "done", "place", "remaining", "test")

    def __init__(self, span: Any, place: int, remaining: int, base: str, chooser: Evaluate) -> None:
        super().__init__(span, "each")
        self.place, self.remaining, self.base, self.chooser = place, remaining, base, chooser
        self.done = 0
        self.test: Callable[[Run, Frame], bool] = lambda run, frame: True

    def __call__(self, run: Run, frame: Frame) -> Stop | None:
        """Choose among those that can act; when none can, go on, but fail if none has acted yet."""
        state = frame.env[self.remaining]
        members = self.candidates(run, frame)
        if members:
            if len(members) == 1 and not run.memory[ASK]:
                return self.resume(run, members[0])
            run.candidates = members
            return self
        if not state[0]:
            return FAIL
        run.top = jumped(frame, self.done)
        return None

    def candidates(self, run: Run, frame: Frame) -> Sequence[int]:
        return [
            member
            for member in frame.env[self.remaining][1:]
            if member >= 0 and self.test(run, self._with(frame, member))
        ]

    def _with(self, frame: Frame, member: int) -> Frame:
        left = tuple(other for other in frame.env[self.remaining][1:] if other != member)
        env = list(frame.env)
        env[self.place], env[self.remaining] = member, (1, *left)
        return Frame(frame.parent, frame.code, frame.pc + 1, tuple(env), frame.outs)

    def take(self, run: Run, candidate: int) -> Signal | None:
        assert run.top is not None
        run.notes.append((self.key, self.base, candidate))
        run.top = self._with(run.top, candidate)
        return None

    def decider(self, run: Run) -> int:
        assert run.top is not None
        return self.chooser(run, run.top.env)
