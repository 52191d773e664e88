"""Looking ahead: can what is pending be completed by some choices of whoever chooses?

A trial runs the machine itself and takes everything back. It stops at chance, at the end of what it is about, and
where nothing that is left can fail.
"""

from __future__ import annotations

from typing import TypeAlias

from warchest.machine.risk import anything_can_fail
from warchest.machine.run import ENOUGH_TRIED, FAIL, EndlessError, Run, Signal, Stop
from warchest.machine.sites import Site

Proof: TypeAlias = tuple[tuple[Site, int], ...]
"""Choices one after the other, each with a candidate that leads to the next one, by which what is pending is completed.

Behind the last one nothing can fail, or it has been found otherwise that all ends well.
"""


def completes(run: Run, stop: Stop) -> Proof | None:
    """Return how the run that stopped with `stop` can be completed, None if it cannot; the run is left where it was.

    Raises EndlessError where there is more to try than anybody could wait for.
    """
    if isinstance(stop, Signal):
        return None if stop is FAIL else ()
    if stop.by_chance:
        return ()
    run.tried += 1
    if run.tried > ENOUGH_TRIED:
        raise EndlessError(run.clause, "there are too many ways to go on")
    endings = stop.endings
    for candidate in run.candidates:
        known = endings.look(run, candidate) if endings is not None else None
        if known:
            return ((stop, candidate),)
        if known is None:
            mark = run.mark()
            failed = stop.resume(run, candidate)
            further = completion(run) if failed is None else completes(run, failed)
            run.undo(mark)
            if further is not None:
                return ((stop, candidate), *further)
    return None


def completion(run: Run) -> Proof | None:
    """Return how what is pending can be carried out, None if it cannot; the run is left anywhere."""
    return completes(run, run.go()) if anything_can_fail(run) else ()


def can_reach(run: Run, pc: int, fence: int) -> bool:
    """Whether the routine that is being carried out can be carried on from `pc` up to the fence at `fence`."""
    mark = run.mark()
    run.pc, run.outs = pc, ((-1, fence),)
    run.look_ahead()
    found = completion(run) is not None
    run.trying -= 1
    run.undo(mark)
    return found


def can_finish(run: Run) -> bool:
    """Whether what has just been begun, and all that waits below it, can be carried out."""
    mark = run.mark()
    run.look_ahead()
    found = completion(run) is not None
    run.trying -= 1
    run.undo(mark)
    return found
