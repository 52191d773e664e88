"""A run of the machine: memory, stack, and the loop that carries out operations until somebody must choose.

Frames are immutable, so a stack is saved by keeping it and put back by a single assignment; every change of the
memory goes onto a trail, from which it is undone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from warchest.machine.layout import ENDED

if TYPE_CHECKING:
    from warchest.machine.program import Program
    from warchest.machine.risk import Risk
    from warchest.machine.sites import Site

Env: TypeAlias = tuple[Any, ...]
Outs: TypeAlias = tuple[tuple[int, int], ...]


class Frame(NamedTuple):
    """Pending work: what waits below it, its code, the next operation, its variables.

    `outs` says which of its variables go into which variables of the frame below when it is done.
    """

    parent: Frame | None
    code: Routine
    pc: int
    env: Env
    outs: Outs


class Routine:
    """Code made ready to run. `risky[pc]` tells whether what is left from there on can fail."""

    __slots__ = ("bases", "name", "ops", "origin", "risky", "size", "spans", "verb")

    def __init__(self, name: str, origin: str, verb: int, size: int, bases: tuple[str, ...]) -> None:
        self.name, self.origin, self.verb, self.size, self.bases = name, origin, verb, size, bases
        self.ops: list[Op] = []
        self.spans: list[Any] = []
        self.risky: list[Risk] = []


class Signal:
    """Why the machine stopped where nobody has to choose."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


FAIL = Signal("fail")
"""What is ordered cannot be done."""
DONE = Signal("done")
"""The game is over."""
EDGE = Signal("edge")
"""A trial has reached the end of what it is about."""

Stop: TypeAlias = "Signal | Site"
Op: TypeAlias = Callable[["Run", Frame], "Stop | None"]
Note: TypeAlias = tuple[str, str, int]
BUDGET = 200_000


class EndlessError(RuntimeError):
    """The rules go round in circles: no end after very many operations."""


class Run:
    """The state of a game under way, with what a trial needs to be taken back."""

    __slots__ = ("candidates", "events", "joined", "memory", "notes", "program", "top", "trail", "trying")

    def __init__(self, program: Program, memory: list[int], top: Frame | None) -> None:
        self.program, self.memory, self.top = program, memory, top
        self.trail: list[tuple[int, int]] = []
        self.notes: list[Note] = []
        self.events: list[tuple[Any, ...]] = []
        self.trying = 0
        self.joined = False
        self.candidates: Sequence[int] = ()

    def set(self, cell: int, value: int) -> None:
        """Change a cell; the old value goes onto the trail."""
        self.trail.append((cell, self.memory[cell]))
        self.memory[cell] = value

    def mark(self) -> tuple[Frame | None, int, int, bool]:
        """Return what `undo` needs to come back to this moment."""
        return self.top, len(self.trail), len(self.notes), self.joined

    def undo(self, mark: tuple[Frame | None, int, int, bool]) -> None:
        """Take back everything since `mark`."""
        self.top, length, notes, self.joined = mark
        trail, memory = self.trail, self.memory
        while len(trail) > length:
            cell, value = trail.pop()
            memory[cell] = value
        del self.notes[notes:]

    def go(self) -> Stop:
        """Carry out operations until somebody must choose, the game is over, or something cannot be done.

        Raises EndlessError when the rules do not come to an end.
        """
        memory = self.memory
        for _ in range(BUDGET):
            frame = self.top
            if frame is None or memory[ENDED]:
                return DONE
            stop = frame.code.ops[frame.pc](self, frame)
            if stop is not None:
                return stop
        raise EndlessError("the rules do not come to an end")
