"""States that the native machine holds: how they come to it, and the run of the reference machine that is the same.

The machine is made when somebody asks for it, never before. Without it the reference machine plays; a reason says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from warchest.engine.state import Frame, Machine, Run, frames
from warchest.lowering.code import LISTS
from warchest.lowering.layout import ENDED
from warchest.lowering.program import Program
from warchest.native.bench import Bench, Moment
from warchest.native.build import Unavailable
from warchest.native.cache import library_for
from warchest.native.generate import generate
from warchest.native.library import COUNTING, FrameAt, Game, Library, Standing
from warchest.native.places import Places
from warchest.native.unfit import Unfit
from warchest.rules.values import NOTHING

Chosen: TypeAlias = "tuple[Chosen | None, int]"
"""The numbers of the options that were taken, the last of them outside."""


@lru_cache(maxsize=8)
def library_of(program: Program, counting: bool = False) -> Library | Unavailable:
    """Return the native machine of a program, compiled or from the cache; or why there is none."""
    try:
        return library_for(generate(program), COUNTING if counting else ())
    except Unfit as error:
        return Unavailable(f"the native machine has no room for this game: {error}")


@lru_cache(maxsize=8)
def _bench_of(library: Library) -> Bench:
    return Bench(library)


# ---- to the native machine


def put(game: Game, run: Run) -> Standing:
    """Let a native game stand where a run stands; raises Unfit where it has no room for that."""
    places = game.library.places
    if run.memory[ENDED]:
        return game.put_ended(run.memory)
    pending = list(frames(run.top))
    outs = [(), *(frame.outs for frame in pending[:-1])]
    rows = [
        FrameAt(places.number[one.code.name], one.pc, tuple(cells_of_frame(places, one))) for one in pending
    ]
    return game.put(run.memory, rows, outs)


def cells_of_frame(places: Places, frame: Frame) -> list[int]:
    """Return the variables of a frame as cells of the native machine; raises Unfit where these are too few."""
    at = places.cells[places.number[frame.code.name]]
    found = [NOTHING] * at[-1]
    for number, (base, value) in enumerate(zip(frame.code.bases, frame.env, strict=True)):
        row = [value] if isinstance(value, int) else list(value)
        if base == "queue":
            row = [0] if isinstance(value, int) else [len(value), *(one for pair in value for one in pair)]
        elif base in LISTS:
            row = [NOTHING, NOTHING] if isinstance(value, int) else [value[0], len(value) - 1, *value[1:]]
        if len(row) > at[number + 1] - at[number]:
            raise Unfit("a list under way is too long")
        found[at[number] : at[number] + len(row)] = row
    return found


# ---- back from it


def run_at(moment: Moment, machine: Machine) -> Run:
    """Return the run of the reference machine at a moment."""
    top: Frame | None = None
    for waiting in reversed(moment.frames) if moment.standing is not Standing.OVER else ():
        top = _frame(moment.bench.library.places, waiting.frame, waiting.outs, top)
    return Run(machine, list(moment.memory), top)


def _frame(places: Places, at: FrameAt, outs: tuple[tuple[int, int], ...], below: Frame | None) -> Frame:
    routine, first = places.routines[at.routine], places.cells[at.routine]
    values = (_value(base, at.cells[first[number] :]) for number, base in enumerate(routine.bases))
    return Frame(below, routine, at.instruction, tuple(values), outs)


def _value(base: str, cells: tuple[int, ...]) -> Any:
    """Return the value of a variable that begins with some cells."""
    if base == "queue":
        return tuple(zip(cells[1 : 1 + 2 * cells[0] : 2], cells[2 : 2 + 2 * cells[0] : 2], strict=True))
    if base in LISTS:
        return NOTHING if cells[1] == NOTHING else (cells[0], *cells[2 : 2 + cells[1]])
    return cells[0]


# ---- what a state keeps


@dataclass(slots=True)
class Held:
    """The native part of a state: the moment at which it stands, and what was chosen since all was told of it."""

    moment: Moment
    silent: bool
    begun: Moment
    """The moment up to which the log tells what has happened."""
    chosen: Chosen | None = None

    def take(self, number: int) -> bool:
        """Take an option; return whether the machine could."""
        moment = self.moment.bench.choose(self.moment, number)
        if moment is None:
            return False
        self.moment = moment
        if not self.silent:
            self.chosen = self.chosen, number
        return True

    def copy(self) -> Held:
        """Return the native part of a copy of the state."""
        return Held(self.moment, self.silent, self.begun, self.chosen)

    def untold(self) -> Iterator[tuple[int, ...]]:
        """Yield the candidates of each option that was taken since all was told."""
        numbers, chosen = list[int](), self.chosen
        while chosen is not None:
            chosen, number = chosen
            numbers.append(number)
        moment = self.begun
        while numbers:
            number = numbers.pop()
            yield moment.choices[number].taken
            if numbers:
                further = moment.bench.choose(moment, number)
                assert further is not None, "the machine could do it before"
                moment = further

    def told(self) -> None:
        """Note that all that was chosen has been told."""
        self.begun, self.chosen = self.moment, None


def held_at(run: Run, silent: bool) -> Held | Unavailable:
    """Return the native part of a state whose run stands at a decision, or at the end; or why there is none."""
    library = library_of(run.program)
    if isinstance(library, Unavailable):
        return library
    try:
        moment = _bench_of(library).begin(lambda game: put(game, run))
    except Unfit as error:
        return Unavailable(f"the native machine has no room for this state: {error}")
    return Unavailable(f"natively {moment}") if isinstance(moment, str) else Held(moment, silent, moment)
