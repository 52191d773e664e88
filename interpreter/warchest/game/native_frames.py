"""Frames of the reference machine as cells of the native machine, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from warchest.engine.runs import Frame, Machine, Run
from warchest.ir.values import NOTHING
from warchest.lowering.code import LISTS
from warchest.lowering.gone import GONE
from warchest.lowering.program import Program
from warchest.native.code_places import Places
from warchest.native.definitions import LARGEST, codes_fit
from warchest.native.shared_game import Moment, WaitingFrame
from warchest.native.unfit import Unfit

NAMING = ("piece", "pieces", "queue")
"""The kinds of variables that can hold codes of pieces that have gone."""


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


def run_at(moment: Moment, machine: Machine) -> Run:
    """Return the run of the reference machine at a moment."""
    return Run(machine, list(moment.memory), top_of(moment, machine.program))


def top_of(moment: Moment, program: Program) -> Frame | None:
    """Return the work under way at a moment of a program, the innermost frame; None where the game is over."""
    top: Frame | None = None
    for waiting in reversed(moment.frames) if not moment.is_over else ():
        top = _frame(moment.bench.library.places, waiting, top, program)
    return top


def _frame(places: Places, at: WaitingFrame, below: Frame | None, program: Program) -> Frame:
    # The library may have been made for another program of the same texts, and probes need the instructions of this one.
    routine, first = program.routines[places.routines[at.routine].name], places.cells[at.routine]
    values: Iterable[Any] = at.cells
    if first[-1] > len(routine.bases):
        values = (_value(base, at.cells[first[number] :]) for number, base in enumerate(routine.bases))
    return Frame(below, routine, at.instruction, tuple(values), at.outs)


def _value(base: str, cells: list[int]) -> Any:
    """Return the value of a variable that begins with some cells."""
    if base == "queue":
        return tuple(zip(cells[1 : 1 + 2 * cells[0] : 2], cells[2 : 2 + 2 * cells[0] : 2], strict=True))
    if base in LISTS:
        return NOTHING if cells[1] == NOTHING else (cells[0], *cells[2 : 2 + cells[1]])
    return cells[0]
