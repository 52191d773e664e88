"""Branches that are no more than one quiet act, so that nothing is said of an option after them.

Whoever takes one of these comes straight to the next round of a loop, which is a decision of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warchest.machine.sites import BranchSite
from warchest.machine.starts import Start
from warchest.rules import steps as ir

if TYPE_CHECKING:
    from warchest.machine.program import Program
    from warchest.machine.run import Routine


def find_closings(program: Program) -> None:
    """Let the choices among branches know which of them end an option."""
    for routine in program.routines.values():
        for op in routine.ops:
            if isinstance(op, BranchSite):
                op.closing = {
                    number: first.announce()
                    for number, target in enumerate(op.targets)
                    if isinstance(first := routine.ops[target], Start) and _closes(program, routine, target, first)
                }


def _closes(program: Program, routine: Routine, target: int, first: Start) -> bool:
    act = first.act
    return (
        target + 1 in routine.rounds
        and act.direct
        and not act.rules
        and not program.events.hooks[act.number]
        and not first.outs
        and bool(act.plain)
        and all(_is_quiet(program, step) for step in act.verb.definitions[0].code.steps)
    )


def _is_quiet(program: Program, step: ir.Order) -> bool:
    """Whether nothing follows at once from a step."""
    return isinstance(step, ir.SetField) and step.field not in program.watched.fields
