"""States that the native machine holds: how it gets them, and the run of the reference machine that is the same.

The machine is made when somebody asks for it, never before. Without it the reference machine plays; a reason says why.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from warchest.engine.runs import Frame, Machine, Run, frames
from warchest.game.variant import Variant
from warchest.ir.values import NOTHING
from warchest.lowering.code import LISTS
from warchest.lowering.gone import GONE
from warchest.lowering.layout import ENDED
from warchest.native.c_compiler import Unavailable
from warchest.native.cache import library_for
from warchest.native.code_places import Places
from warchest.native.compiled import FrameAt, NativeGame, NativeLibrary, Standing
from warchest.native.definitions import LARGEST, codes_fit
from warchest.native.shared_game import Bench, Moment
from warchest.native.unfit import Unfit
from warchest.source.beside import build_digest
from warchest.source.data import data_folder

MAKERS = ("source", "documents", "syntax", "resolve", "ir", "lowering", "native", "game")
"""The packages that make C of documents; this one chooses boards, options and room."""
NAMING = ("piece", "pieces", "queue")
"""The kinds of variables in which codes of pieces that have gone can stand."""
Chosen: TypeAlias = "tuple[Chosen | None, int]"
"""The numbers of the options that were taken, the last of them outside."""


@lru_cache(maxsize=8)
def native_machine(variant: Variant, counting: bool = False) -> NativeLibrary | Unavailable:
    """Return the native machine of a variant, compiled or from the cache; or why there is none.

    One that is `counting` tells what it has done and asked of each clause, and is slower.
    """
    try:
        return library_for(variant.program, made_of(variant), (), counting)
    except Unfit as error:
        return Unavailable(f"the native machine has no room for this game: {error}")


def is_made(variant: Variant) -> bool:
    """Whether the native machine of a variant is there, so that nobody has to wait for it."""
    return not isinstance(library_for(variant.program, made_of(variant), made_only=True), Unavailable)


def made_of(variant: Variant) -> str:
    """Return a text with all that the program of a variant, and the C for it, are made of."""
    origin, further = variant.origin, variant.program.layout.further
    # Sheets in the room for further ones are only read.
    texts = origin.digest_without_sheets if further else origin.digest
    options = json.dumps(variant.options, sort_keys=True)
    parts = (*_makers(), texts, variant.board.name, options, str(further))
    return "\0".join(parts)


@cache
def _makers() -> tuple[str, ...]:
    """Return digests of all that has a say in how texts become code, but for the texts."""
    if build_digest():
        return (build_digest(),)
    package = Path(__file__).resolve().parent.parent
    folders = [*(package / name for name in MAKERS), data_folder("grammar")]
    return tuple(
        sha256(file.read_bytes()).hexdigest()
        for folder in folders
        for file in sorted(folder.rglob("*"))
        if file.suffix in (".py", ".c", ".h", ".lark")
    )


@lru_cache(maxsize=8)
def _bench_of(library: NativeLibrary) -> Bench:
    return Bench(library)


# ---- to the native machine


def put(game: NativeGame, run: Run) -> Standing:
    """Let a native game stand where a run stands; raises Unfit where it has no room for that."""
    places = game.library.places
    if run.memory[ENDED]:
        return game.put_ended(run.memory)
    pending = list(frames(run.top))
    outs = [(), *(frame.outs for frame in pending[:-1])]
    rows = [FrameAt(places.number[one.code.name], one.pc, tuple(cells_of_frame(places, one))) for one in pending]
    return game.put(run.memory, rows, outs)


def cells_of_frame(places: Places, frame: Frame) -> list[int]:
    """Return the variables of a frame as cells of the native machine; raises Unfit if they do not fit."""
    at, fit = places.cells[places.number[frame.code.name]], codes_fit(places.program.layout)
    found = [NOTHING] * at[-1]
    for number, (base, value) in enumerate(zip(frame.code.bases, frame.env, strict=True)):
        row = [value] if isinstance(value, int) else list(value)
        if base == "queue":
            row = [0] if isinstance(value, int) else [len(value), *(one for pair in value for one in pair)]
        elif base in LISTS:
            row = [NOTHING, NOTHING] if isinstance(value, int) else [value[0], len(value) - 1, *value[1:]]
        if len(row) > at[number + 1] - at[number]:
            raise Unfit("a list under way is too long")
        if any(abs(one) > (LARGEST if base not in NAMING else 2**31 - 1) for one in row):
            raise Unfit("a number under way is too large")
        # The numbers of hooks in a queue can be as low as the codes of pieces.
        if base in NAMING and min(row[2::2] if base == "queue" else row, default=0) <= -GONE and not fit:
            raise Unfit("a variable holds a removed piece")
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
    """The native part of a state: its moment, and the options taken since the log was last told."""

    moment: Moment
    silent: bool
    begun: Moment
    """The moment up to which the log tells the history."""
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


def held_at(variant: Variant, run: Run, silent: bool, counting: bool = False) -> Held | Unavailable:
    """Return the native part of a state whose run stands at a decision, or at the end; or why there is none.

    Its machine is one that is `counting`, if asked for.
    """
    library = native_machine(variant, counting)
    if isinstance(library, Unavailable):
        return library
    try:
        moment = _bench_of(library).begin(lambda game: put(game, run))
    except Unfit as error:
        return Unavailable(f"the native machine has no room for this state: {error}")
    return Unavailable(f"natively {moment}") if isinstance(moment, str) else Held(moment, silent, moment)
