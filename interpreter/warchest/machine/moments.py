"""Moments of a run: what stood in the memory then, for whoever asks when the run has gone on.

Nothing is copied until then. A run notes what it changes, in a leg for each decision, and a leg knows the one after it;
so a moment is got back by undoing all that has come since. Legs that no moment needs any more are forgotten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warchest.machine.run import Run


class Leg:
    """What a run has changed between two decisions: cells with their old values, and the leg after it."""

    __slots__ = ("after", "changes")

    def __init__(self) -> None:
        self.changes: list[tuple[int, int]] = []
        self.after: Leg | None = None


class Moment:
    """Where a run stood at some time, between two operations."""

    __slots__ = ("_leg", "_memory", "_run", "_size")

    def __init__(self, run: Run) -> None:
        self._run, self._leg, self._size = run, run.leg, len(run.trail)
        self._memory: list[int] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _kept, (self.memory,)

    @property
    def memory(self) -> list[int]:
        """The memory as it was; a copy, which nobody may change."""
        if self._memory is None:
            self._memory = self._got_back()
        return self._memory

    def _got_back(self) -> list[int]:
        memory, later = self._run.memory[:], self._leg.changes[self._size :]
        leg = self._leg.after
        while leg is not None:
            later += leg.changes
            leg = leg.after
        for cell, value in reversed(later):
            memory[cell] = value
        return memory


def _kept(memory: list[int]) -> Moment:
    """Return a moment of a run that has not come along."""
    moment = Moment.__new__(Moment)
    moment._memory = memory
    return moment
