"""Look-aheads into texts that any equal piece can carry out: one look-ahead serves for all equal pieces."""

from __future__ import annotations

from collections.abc import Iterator

from warchest.ir import steps as ir
from warchest.ir import values
from warchest.ir.ruleset import AGENT, FIXED
from warchest.lowering.code import CallAct, Instruction, PerformBlock, Plain
from warchest.native.c_units import Unit
from warchest.native.list_frames import LookFrame, LookSpot


def alike_test(unit: Unit, spot: LookSpot, one: PerformBlock) -> str:
    """Return the expression for whether a look-ahead for another piece already covers the text: `looked_alike`.

    It is 2 if, according to the code, a value in the waiting frames can differ from piece to piece.
    """
    if not one.of_piece:
        return "2"
    alive, frame, pc = list[str](), spot.frame, spot.pc
    while True:
        *before, order = frame.routine.instructions[: pc + 1]
        if any(map(_keeps, before)) or _hands_on(order):
            return "2"
        if frame.staged is not None:
            act, stages = frame.staged, frame.staged.stages
            if stages is None or act.judges or "piece" in act.bases[FIXED:]:
                return "2"
            alive.append(f"!is_unknown(r, {unit.places.number[stages.name]}, next[0])")
        alive += _asking(unit, frame, pc + 1)
        if frame.below is None:
            return f"looked_alike(r, begun, next[0], deeper, {' || '.join(alive) or '0'})"
        frame, pc = frame.below, frame.behind - 1


def _asking(unit: Unit, frame: LookFrame, pc: int) -> Iterator[str]:
    """Yield the tests that code from an instruction on may depend on the piece that carries out the text."""
    matters, routine = unit.program.mattering, frame.routine
    for cell, base in enumerate(routine.bases):
        if base == "piece":
            is_it = f"e{frame.number}[{unit.places.cell(routine, cell)}] == next[0]"
            if cell not in matters.dead[routine.name][pc]:
                yield is_it
            elif cell == AGENT and matters.asking(routine):
                yield f"({is_it} && !is_unknown(r, {unit.places.number[routine.name]}, next[0]))"


def _keeps(one: Instruction) -> bool:
    """Whether an instruction keeps a result in a variable."""
    return (isinstance(one, CallAct) and bool(one.outs)) or (isinstance(one, Plain) and isinstance(one.step, ir.Keep))


def _hands_on(one: Instruction) -> bool:
    """Whether an order passes a value that can differ between equal pieces."""
    return isinstance(one, CallAct) and not all(
        isinstance(value, values.Var | values.Const)
        or (isinstance(value, values.Attribute) and value.what in ("decider", "document", "team"))
        for value in one.variables
    )
