"""Steps that keep an unused value: a value with a name is rejected, a step that the reader added is removed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.parts import nodes_in, with_branches
from warchest.ir.values import Var
from warchest.resolve.types import Variables, flaw


def finished(steps: ir.Steps, variables: Variables) -> ir.Steps:
    """Return the steps of a whole piece of code without idle joins; raises Flaw for an idle name."""
    parts = nodes_in(steps)
    mentioned = Counter(part.id for part in parts if isinstance(part, Var))
    for number, (word, span) in variables.named.items():
        if mentioned[number] == 1:
            help = f"use `that {word}` in a later step, or leave this step out"
            raise flaw("says-nothing", f"nothing takes up {quoted(word)}", span, help=help)
    for part in parts:
        if isinstance(part, ir.Call) and part.result is not None and mentioned[part.result.id] == 1:
            help = f"say where it goes: `…, then put that {part.result.noun} into …`"
            message = f"nothing takes up the {part.result.noun}, which is nowhere then"
            raise flaw("says-nothing", message, part.span, help)
    return without_idle(steps, variables.joined)


def without_idle(steps: ir.Steps, joined: Collection[int]) -> ir.Steps:
    """Return steps, except steps that keep an unused value in one of the variables `joined`."""
    if not joined:
        return steps
    parts = nodes_in(steps)
    counts = Counter(part.id for part in parts if isinstance(part, Var) and part.id in joined)
    kept = Counter(part.var.id for part in parts if isinstance(part, ir.Keep))
    idle = {number for number in joined if counts[number] == kept[number]}
    return _without(steps, idle) if idle else steps


def _without(steps: ir.Steps, idle: set[int]) -> ir.Steps:
    kept = (step for step in steps if not (isinstance(step, ir.Keep) and step.var.id in idle))
    return tuple(with_branches(step, lambda branch: _without(branch, idle)) for step in kept)
