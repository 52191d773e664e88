"""Looking ahead: can what is pending be completed by some choices of whoever chooses?

A trial runs the machine itself and takes everything back. It stops at chance, at the end of what it is about, and
where nothing that is left can fail.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from warchest.machine.risk import anything_can_fail
from warchest.machine.rounds import DEEPEST, MOST_VAIN, NESTED, Passed, is_round, nesting, passed
from warchest.machine.run import FAIL, TRY, Run, Signal, Stop
from warchest.machine.sites import Site

Proof: TypeAlias = tuple[tuple[Site, int], ...]
"""Choices one after the other, each with a candidate that leads to the next one, by which what is pending is completed.

Behind the last one nothing can fail, or it has been found otherwise that all ends well.
"""


class Way(NamedTuple):
    """The choices that a trial has come by, the last one first, and those that it has found to be in vain."""

    last: Passed
    before: Way | None
    vain: set[tuple[object, ...]]
    """Choices deep within themselves that were looked into, by their site, its variables and the memory."""


def completes(run: Run, stop: Stop, way: Way | None = None) -> Proof | None:
    """Return how the run that stopped with `stop` can be completed, None if it cannot; the run is left where it was.

    A path that comes back to a place on its `way` is not completed by that. Raises EndlessError where there is more to
    try than anybody could wait for.
    """
    if isinstance(stop, Signal):
        return None if stop is FAIL else ()
    if stop.by_chance:
        return ()
    run.tick(TRY, stop.span)
    if way is not None and _is_vain(run, stop, way):
        return None
    here = Way(passed(run, stop), way, way.vain if way is not None else set())
    for candidate in run.candidates:
        mark = run.mark()
        failed = stop.resume(run, candidate)
        further = completion(run, here) if failed is None else completes(run, failed, here)
        run.undo(mark)
        if further is not None:
            return ((stop, candidate), *further)
    return None


def _is_vain(run: Run, site: Site, way: Way) -> bool:
    """Whether a choice leads nowhere that has come up on a way: it goes round, or deeper and deeper."""
    before: Way | None = way
    again = 0
    while before is not None:
        if before.last[0] is site:
            if is_round(run, site, before.last):
                return True
            again += 1
        before = before.before
    if again < NESTED:
        return False
    deep = nesting(run)
    if deep < NESTED:
        return False
    here = site, run.env, tuple(run.memory)
    if deep > DEEPEST or len(way.vain) == MOST_VAIN or here in way.vain:
        return True
    way.vain.add(here)
    return False


def completion(run: Run, way: Way | None = None) -> Proof | None:
    """Return how what is pending can be carried out, None if it cannot; the run is left anywhere."""
    return completes(run, run.go(), way) if anything_can_fail(run) else ()


def can_reach(run: Run, pc: int, fence: int) -> bool:
    """Whether the routine that is being carried out can be carried on from `pc` up to the fence at `fence`."""
    mark = run.mark()
    run.pc, run.outs = pc, ((-1, fence),)
    run.trying += 1
    found = completion(run) is not None
    run.trying -= 1
    run.undo(mark)
    return found


def can_finish(run: Run) -> bool:
    """Whether what has just been begun, and all that waits below it, can be carried out."""
    mark = run.mark()
    run.trying += 1
    found = completion(run) is not None
    run.trying -= 1
    run.undo(mark)
    return found
