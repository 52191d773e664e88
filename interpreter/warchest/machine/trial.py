"""Looking ahead: can what is pending be completed by some choices of whoever chooses?

A trial runs the machine itself and takes everything back. It stops at chance, at the end of what it is about, and
where nothing that is left can fail.
"""

from __future__ import annotations

from warchest.machine.risk import Risk
from warchest.machine.run import FAIL, Frame, Run, Signal, Stop


def can_fail(frame: Frame | None) -> bool:
    """Whether anything in a stack, from the next operation on, could turn out impossible."""
    while frame is not None:
        risk = frame.code.risky[frame.pc]
        if risk is not Risk.TOTAL:
            return risk is Risk.FAILS
        if frame.outs and frame.outs[0][0] == -1:
            return False
        frame = frame.parent
    return False


def completes(run: Run, stop: Stop) -> bool:
    """Whether the run that stopped with `stop` can be completed; the run is left where it was."""
    if isinstance(stop, Signal):
        return stop is not FAIL
    if stop.by_chance:
        return True
    for candidate in run.candidates:
        mark = run.mark()
        failed = stop.resume(run, candidate)
        if failed is None:
            found = not can_fail(run.top) or completes(run, run.go())
        else:
            found = failed is not FAIL
        run.undo(mark)
        if found:
            return True
    return False


def can_reach(run: Run, frame: Frame, fence: int) -> bool:
    """Whether a frame can be carried on up to the fence at operation `fence` of its code."""
    mark = run.mark()
    run.top = Frame(frame.parent, frame.code, frame.pc, frame.env, ((-1, fence),))
    run.trying += 1
    found = not can_fail(run.top) or completes(run, run.go())
    run.trying -= 1
    run.undo(mark)
    return found


def can_finish(run: Run, frame: Frame) -> bool:
    """Whether a new frame on top of the stack, and all that waits below it, can be carried out."""
    mark = run.mark()
    run.top = frame
    run.trying += 1
    found = not can_fail(frame) or completes(run, run.go())
    run.trying -= 1
    run.undo(mark)
    return found
