"""Following a path: for good, or first to see whether it can be carried through.

Whoever has drawn an option and seen that it holds most often takes it next. So what looking ahead has done is kept,
with what the log is told of it, and is not worked out again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from warchest.machine.previews import BENT
from warchest.machine.risk import anything_can_fail
from warchest.machine.run import DONE, SILENT, DeepError, Run, Signal, Stop
from warchest.machine.sites import Site
from warchest.machine.trial import Proof, completes


class Lead(NamedTuple):
    """Where a path leads, as far as it had to be followed: what is different there, and what was told on the way."""

    taken: tuple[int, ...]
    stop: Stop
    changes: tuple[tuple[int, int], ...]
    """Cells with what they have come to hold."""
    registers: tuple[Any, ...]
    events: tuple[tuple[Any, ...], ...]

    def go(self, run: Run) -> Stop:
        """Go there at once, from where the path begins, and on to the next stop."""
        memory = run.memory
        run.trail += [(cell, memory[cell]) for cell, _ in self.changes]
        for cell, value in self.changes:
            memory[cell] = value
        run.events += self.events
        run.parent, run.code, run.pc, run.env, run.outs, run.joined, run.candidates = self.registers
        return self.stop if self.stop is DONE or not isinstance(self.stop, Signal) else run.go()


def follow(run: Run, site: Site, path: tuple[int, ...], known: Lead | None = None) -> Stop:
    """Take the candidates of a path, one at each site, and go on to the next stop; `known` is where some path leads."""
    if known is not None and known.taken == path:
        return known.go(run)
    run.joined = True
    del run.notes[:]
    stop: Stop = site
    for left, candidate in zip(range(len(path) - 1, -1, -1), path, strict=True):
        assert not isinstance(stop, Signal)
        failed = _both(run, stop, candidate, path[-1]) if left == 1 else BENT
        if failed is not BENT:
            return failed if failed is not None else run.go()
        failed = stop.resume(run, candidate)
        stop = failed if failed is not None else run.go()
    return stop


def _both(run: Run, site: Site, candidate: int, last: int) -> Stop | None:
    """Take a candidate, and at once the last one of the path; BENT where that cannot be done at once."""
    preview = site.previews.get(candidate // site.apart)
    if preview is None or preview.take is None:
        return BENT
    env = run.env
    failed = preview.take(run, env, last)
    if failed is BENT:
        run.env = env
    return failed


def can_follow(run: Run, site: Site, path: tuple[int, ...]) -> Proof | None:
    """Return how all can be completed behind a path, None if it cannot be carried through; the run stays here.

    A path without an end cannot be carried through. Raises EndlessError where there is too much to try.
    """
    mark, depth = run.mark(), run.trying
    run.trying += 1
    try:
        return _completed(run, follow(run, site, path))
    except (DeepError, RecursionError):
        return None
    finally:
        # Rules that do not end break off trials within this one, too.
        run.trying = depth
        run.undo(mark)


def lead(run: Run, site: Site, path: tuple[int, ...]) -> tuple[Lead, Proof] | None:
    """As `can_follow`, but return where the path leads, too."""
    mark, depth, told = run.mark(), run.trying, len(run.events)
    run.trying += 1
    try:
        found = _told_on_the_way(run, site, path, len(run.trail), told)
        proof = _completed(run, found.stop)
        return (found, proof) if proof is not None else None
    except (DeepError, RecursionError):
        return None
    finally:
        del run.events[told:]
        run.trying = depth
        run.undo(mark)


def _told_on_the_way(run: Run, site: Site, path: tuple[int, ...], changed: int, told: int) -> Lead:
    """Follow a path in a trial that tells the log of what happens."""
    kept, run.keeping = run.keeping, run.trying
    if run.telling != SILENT:
        run.telling = run.keeping
    try:
        stop = follow(run, site, path)
    finally:
        run.keeping = kept
        if run.telling != SILENT:
            run.telling = kept
    memory = run.memory
    changes = tuple([(cell, memory[cell]) for cell, _ in run.trail[changed:]])
    there = (run.parent, run.code, run.pc, run.env, run.outs, run.joined, run.candidates)
    return Lead(path, stop, changes, there, tuple(run.events[told:]))


def _completed(run: Run, stop: Stop) -> Proof | None:
    """Return how all can be completed from a stop on, None if it cannot."""
    return completes(run, stop) if isinstance(stop, Signal) or anything_can_fail(run) else ()
