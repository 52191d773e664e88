"""Choice points in general, and looking ahead: can the pending work be completed by some choices of the players?

A look-ahead runs the machine itself and takes everything back. It stops at chance, at the end of its work, and where no
pending work can fail. A path that repeats a choice in an unchanged state completes nothing. Optional answers to an act
count as declined when it begins: it must be possible without them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from warchest.engine.runs import CERTAIN, FAIL, FENCED, TRY, Env, Frame, Run, Signal, Stop, frames
from warchest.ir.ruleset import AGENT, YOU
from warchest.lowering.code import DECLINE, ChoicePoint, Outs, PickAnswer, PickBranch
from warchest.lowering.failure import Failure
from warchest.lowering.layout import MUST_ASK, SCRATCH

NESTED = 2
"""The least depth of recursion at which failed choices within the code are remembered."""
DEEPEST = 40
"""The greatest depth of recursion of code; no sensible rules go deeper."""
MOST_VAIN = 300
"""The number of failed choices that are tried before the search is assumed to be endless."""
AT_END: Outs = ((FENCED, FENCED),)
"""The copy-out of a routine that is tried by itself, up to its end."""
ANSWERS = ("hook", "state")
"""The origins of code that is not ordered by other code."""


class Passed(NamedTuple):
    """A choice on the way: its point, the variables there, the work that waited below, and the length of the undo log.

    `candidate` is the candidate that was taken.
    """

    point: ChoicePoint
    env: Env
    parent: Frame | None
    changes: int
    candidate: int


# ---- choice points


def resume(run: Run, point: ChoicePoint, candidate: int) -> Signal | None:
    """Take a candidate; the run must be at the point."""
    if run.memory[MUST_ASK]:
        run.set(MUST_ASK, 0)
    run.pc += 1
    failed = run.machine.choices[type(point)].take(run, point, candidate)
    if (point.ends or point.unless) and ends_option(run, point):
        run.in_option = False
    return failed


def ends_option(run: Run, point: ChoicePoint) -> bool:
    """Whether the choice at a point completes an option; the run must be at the point, or after it."""
    if not point.unless:
        return point.ends
    first, agent = run.program.layout.of_document, run.env[AGENT]
    return not any(run.memory[first + one] >> agent & 1 for one in point.unless)


def candidates_of(run: Run, point: ChoicePoint) -> Sequence[int]:
    """Return the candidates at a point; the run must be at the point."""
    return run.machine.choices[type(point)].candidates(run, run.env, point)


def decider_at(run: Run, point: ChoicePoint) -> int:
    """Return the player who chooses at a point, or -1 for chance; the run must be at the point."""
    return run.machine.choices[type(point)].decider(run, point)


# ---- offers, and answers of others


def is_free_offer(run: Run, point: ChoicePoint) -> bool:
    """Whether a point offers an answer, or the rest of an answer; the run must be at the point."""
    if isinstance(point, PickAnswer):
        return run.candidates[0] == DECLINE
    return isinstance(point, PickBranch) and point.declined >= 0 and run.code.origin == "hook"


def is_declined(run: Run, point: ChoicePoint) -> bool:
    """Whether a look-ahead treats an offer as declined; the run must be at the point of the offer."""
    in_window = isinstance(point, PickBranch) and point.in_window
    return in_window or (run.declining and is_free_offer(run, point))


def is_answering(run: Run, point: ChoicePoint) -> bool:
    """Whether the choice at a point is made within or about an answer; the run must be at the point."""
    return isinstance(point, PickAnswer) or any(frame.code.origin == "hook" for frame in frames(run.top))


def fence_answer(run: Run, player: int) -> None:
    """Fence the answer under way while a player chooses who is not responsible for the work below the answer.

    The fence is put around the player's own outermost answer; if the player has none, around the innermost answer.
    """
    above = list[Frame]()
    found = -1
    for number, frame in enumerate(frames(run.top)):
        above.append(frame)
        if frame.code.origin == "hook" and (found < 0 or frame.env[YOU] == player):
            found = number
    if found < 0:
        return
    below = above[found]._replace(outs=AT_END)
    for frame in reversed(above[:found]):
        below = frame._replace(parent=below)
    run.put_back(below)


def answer_depth(run: Run, point: ChoicePoint) -> int:
    """Return the number of frames below the innermost answer that a choice belongs to; -1 without such an answer."""
    found = [frame.code.origin == "hook" for frame in frames(run.top)]
    return -1 if isinstance(point, PickAnswer) or True not in found else len(found) - 1 - found.index(True)


def completes_answer(run: Run, stop: Stop, depth: int) -> bool:
    """Whether an answer above `depth` frames can be completed from the stop of a run, with no offer accepted.

    An answer that has ended is complete.
    """
    above = list(frames(run.top))
    which = len(above) - 1 - depth
    if depth < 0 or which < 0 or above[which].code.origin != "hook":
        return True
    mark, declining = run.mark(), run.declining
    below = above[which]._replace(outs=AT_END)
    for frame in reversed(above[:which]):
        below = frame._replace(parent=below)
    run.put_back(below)
    run.declining = True
    done = not run.can_fail() or completes(run, stop)
    run.undo(mark)
    run.declining = declining
    return done


def is_fenced(run: Run) -> bool:
    """Whether any frame of the work under way has a fence around it."""
    return any(frame.outs[:1] == AT_END for frame in frames(run.top))


# ---- looking ahead


class Witness(NamedTuple):
    """The choices on the path of a look-ahead, the last one first, and the choices that it has found to fail."""

    last: Passed
    before: Witness | None
    vain: set[tuple[object, ...]]
    """Explored choices that are deeply nested in themselves, by their point, its variables and the memory."""


def completes(run: Run, stop: Stop, way: Witness | None = None) -> bool:
    """Whether the run that stopped with `stop` can be completed; it is left at the same place.

    A path that returns to a place on its `way` does not count as complete. Raises EndlessError if the search exceeds
    its budget.
    """
    if isinstance(stop, Signal):
        return stop is not FAIL
    if stop.by_chance:
        return True
    run.tick(TRY, stop.span)
    if way is not None and _is_vain(run, stop, way):
        return False
    vain = way.vain if way is not None else set()
    candidates = (DECLINE,) if is_declined(run, stop) else run.candidates
    for candidate in apart_from(candidates, closing(run, stop, _ways(way))):
        here = Witness(Passed(stop, run.env, run.parent, len(run.log), candidate), way, vain)
        mark = run.mark()
        failed = resume(run, stop, candidate)
        done = _completion(run, here) if failed is None else completes(run, failed, here)
        run.undo(mark)
        if done:
            return True
    return False


def _completion(run: Run, way: Witness | None = None) -> bool:
    """Whether the pending work can be carried out; the run may be left in any state."""
    return completes(run, run.go(), way) if run.can_fail() else True


def can_reach(run: Run, pc: int, fence: int) -> bool:
    """Whether the routine under way can go on from `pc` up to the fence at `fence`."""
    mark = run.mark()
    run.pc, run.outs = pc, ((FENCED, fence),)
    found = _looked(run)
    run.undo(mark)
    return found


def can_finish(run: Run) -> bool:
    """Whether the routine that has just begun can be carried out, whether or not the frames below it can."""
    mark = run.mark()
    run.outs = AT_END
    found = _looked(run)
    run.undo(mark)
    return found


def _looked(run: Run) -> bool:
    """Whether a part of a routine that is tried by itself can be carried out; the run may be left in any state.

    Even work that can only fail by chance needs a candidate to draw.
    """
    declining, run.declining = run.declining, True
    run.lookahead += 1
    is_sure = run.code.instructions[run.pc].failure is Failure.NEVER
    found = is_sure or completes(run, run.go())
    run.lookahead -= 1
    run.declining = declining
    return found


def is_over(run: Run) -> Signal | None:
    """Return the signal to end a look-ahead if no pending work can fail; None if it goes on."""
    return CERTAIN if run.lookahead and not run.in_option and not run.can_fail() else None


# ---- going round


def closing(run: Run, point: ChoicePoint, way: Iterable[Passed]) -> set[int]:
    """Return the candidates that close a cycle: they were taken before at this point, and nothing has changed since."""
    return {one.candidate for one in way if _is_round(run, point, one)}


def apart_from(candidates: Sequence[int], closed: set[int]) -> Sequence[int]:
    """Return candidates without the candidates that close a cycle."""
    return [one for one in candidates if one not in closed] if closed else candidates


def _ways(way: Witness | None) -> Iterator[Passed]:
    while way is not None:
        yield way.last
        way = way.before


def _is_round(run: Run, point: ChoicePoint, before: Passed) -> bool:
    """Whether a run at a point has returned to a choice that it passed before."""
    return (
        before.point is point
        and before.env == run.env
        and _is_within(run, before.parent)
        and _is_unchanged(run, before.changes)
    )


def _is_within(run: Run, parent: Frame | None) -> bool:
    """Whether the work that began above a frame is still under way; its frame may have been replaced by its last step."""
    return parent is None or any(frame is parent for frame in frames(run.parent))


def _is_unchanged(run: Run, length: int) -> bool:
    """Whether the memory is as it was when the undo log had the given length; cells that play no part may differ."""
    memory, old = run.memory, dict[int, int]()
    for cell, value in run.log[length:]:
        old.setdefault(cell, value)
    return all(memory[cell] == value or cell in SCRATCH for cell, value in old.items())


def _is_vain(run: Run, point: ChoicePoint, way: Witness) -> bool:
    """Whether a choice on a way leads only into ever deeper recursion."""
    if sum(one.point is point for one in _ways(way)) < NESTED:
        return False
    deep = nesting(run)
    if deep < NESTED:
        return False
    here = point, run.env, tuple(run.memory)
    if deep > DEEPEST or len(way.vain) == MOST_VAIN or here in way.vain:
        return True
    way.vain.add(here)
    return False


def nesting(run: Run) -> int:
    """Return the greatest number of waiting frames that are at the same instruction of the same code."""
    waiting, most = dict[tuple[int, int], int](), 0
    for frame in frames(run.parent):
        key = id(frame.code), frame.pc
        waiting[key] = count = waiting.get(key, 0) + 1
        most = max(most, count)
    return most


def answers_above(run: Run, parent: Frame | None) -> bool:
    """Whether the work under way above a frame is an answer, or a consequence of one."""
    for frame in frames(run.top):
        if frame.code.origin in ANSWERS:
            return True
        if frame.parent is parent:
            return False
    return False
