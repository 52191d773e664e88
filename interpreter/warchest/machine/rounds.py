"""Going round: coming back to a choice in the middle of its own consequences, with nothing changed meanwhile.

A path that goes round comes to no end by it, however often it does so; so it completes nothing. Where something changes
each time it can still go deeper and deeper; the depth is bounded, and a way that was in vain is not tried again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from warchest.lowering.layout import SCRATCH
from warchest.machine.run import Env, Frame, Run, frames

if TYPE_CHECKING:
    from warchest.machine.sites import Site

Passed: TypeAlias = tuple["Site", Env, "Frame | None", int]
"""A choice on the way: its site, the variables there, the work that waited below, and how many changes had been made.
"""

NESTED = 2
"""How many times code must wait for itself for choices in it to be remembered that were in vain."""
DEEPEST = 40
"""How many times code can wait for itself; no sensible rules go deeper."""

MOST_VAIN = 300
"""How many of them are looked into before it is taken that there is no end."""
ANSWERS = ("hook", "state")
"""The origins of code that nobody orders."""


def passed(run: Run, site: Site) -> Passed:
    """Return the facts of a choice that tell later whether it has come up again."""
    return site, run.env, run.parent, len(run.trail)


def is_round(run: Run, site: Site, before: Passed) -> bool:
    """Whether a run that stands at a site has come back to a choice that it passed before."""
    return (
        before[0] is site
        and before[1] == run.env
        and _is_within(run, before[2])
        and _is_unchanged(run, before[3])
    )  # fmt: skip


def _is_within(run: Run, parent: Frame | None) -> bool:
    """Whether the work begun above a frame is still under way: it may have given way to its last step."""
    below: Frame | None = run.parent
    while below is not None and below is not parent:
        below = below.parent
    return below is parent


def _is_unchanged(run: Run, length: int) -> bool:
    """Whether the memory is as it was when so many changes had been made; cells that play no part may differ."""
    memory, old = run.memory, dict[int, int]()
    for cell, value in run.trail[length:]:
        old.setdefault(cell, value)
    return all(memory[cell] == value or cell in SCRATCH for cell, value in old.items())


def nesting(run: Run) -> int:
    """Return how many times the same code waits at the same place for the work that is being carried out."""
    waiting, most = dict[tuple[int, int], int](), 0
    for frame in frames(run.parent):
        key = id(frame.code), frame.pc
        waiting[key] = count = waiting.get(key, 0) + 1
        most = max(most, count)
    return most


def answers_above(run: Run, parent: Frame | None) -> bool:
    """Whether the work that is being carried out above a frame answers something, or follows from it."""
    for frame in frames(run.top):
        if frame.code.origin in ANSWERS:
            return True
        if frame.parent is parent:
            return False
    return False
