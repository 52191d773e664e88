"""Looking ahead: can what is pending be completed by some choices of whoever chooses?

A trial runs the machine itself and takes everything back. It stops at chance, at the end of what it is about, and
where nothing that is left can fail.
"""

from __future__ import annotations

from warchest.machine.risk import anything_can_fail
from warchest.machine.run import ENOUGH_TRIED, FAIL, EndlessError, Run, Signal, Stop


def completes(run: Run, stop: Stop) -> bool:
    """Whether the run that stopped with `stop` can be completed; the run is left where it was.

    Raises EndlessError where there is more to try than anybody could wait for.
    """
    if isinstance(stop, Signal):
        return stop is not FAIL
    if stop.by_chance:
        return True
    run.tried += 1
    if run.tried > ENOUGH_TRIED:
        raise EndlessError(run.clause, "there are too many ways to go on")
    endings = stop.endings
    for candidate in run.candidates:
        found = endings.look(run, candidate) if endings is not None else None
        if found is None:
            mark = run.mark()
            failed = stop.resume(run, candidate)
            found = failed is not FAIL if failed is not None else can_complete(run)
            run.undo(mark)
        if found:
            run.proof = stop, candidate
            return True
    return False


def can_complete(run: Run) -> bool:
    """Whether what is pending can be carried out; the run is left anywhere, the caller takes it back."""
    return not anything_can_fail(run) or completes(run, run.go())


def can_reach(run: Run, pc: int, fence: int) -> bool:
    """Whether the routine that is being carried out can be carried on from `pc` up to the fence at `fence`."""
    mark = run.mark()
    run.pc, run.outs = pc, ((-1, fence),)
    run.look_ahead()
    found = can_complete(run)
    run.trying -= 1
    run.undo(mark)
    return found


def can_finish(run: Run) -> bool:
    """Whether what has just been begun, and all that waits below it, can be carried out."""
    mark = run.mark()
    run.look_ahead()
    found = can_complete(run)
    run.trying -= 1
    run.undo(mark)
    return found
