"""Moments that are alike: no later step reads a value in which they differ, so they go on in the same way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from warchest.engine.runs import Frame, Run, frames
from warchest.ir.ruleset import AGENT
from warchest.ir.values import NOTHING
from warchest.lowering.layout import DOCUMENT
from warchest.lowering.mattering import EVERYBODY

Likeness: TypeAlias = tuple[Any, ...]
"""The part of a moment that can still be read: the changes since an option began, and the pending work."""


def standing(run: Run, begun: int) -> Likeness:
    """Return the part of the moment of a run that can still be read; `begun` is the initial length of the undo log."""
    old = dict[int, int]()
    for cell, value in run.log[begun:]:
        old.setdefault(cell, value)
    memory = run.memory
    changes = sorted((cell, memory[cell]) for cell, value in old.items() if memory[cell] != value)
    return (tuple(changes), *(_mattering(run, frame) for frame in frames(run.top)))


def _mattering(run: Run, frame: Frame) -> Likeness:
    """Return the part of a frame that can still be read."""
    return frame.code.name, frame.pc, tuple(_variables(run, frame)), frame.outs


def _variables(run: Run, frame: Frame) -> Iterator[Any]:
    """Yield the variables of a frame, with `NOTHING` in place of variables that are not read any more."""
    matters = run.program.mattering
    dead = matters.dead[frame.code.name][min(frame.pc, len(frame.code.instructions) - 1)]
    asking = matters.asking(frame.code)
    for place, value in enumerate(frame.env):
        if place in dead and value >= 0 and (place != AGENT or _is_unknown(run, value, asking)):
            yield NOTHING
        else:
            yield value


def _is_unknown(run: Run, piece: int, asking: frozenset[int]) -> bool:
    """Whether no rule asks about a piece as an agent."""
    layout = run.program.layout
    document = run.memory[layout.pieces + piece * layout.stride + DOCUMENT]
    return EVERYBODY not in asking and document not in asking
