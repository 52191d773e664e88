"""The options of a decision: everything the player can do now that can be carried through to its end.

An option is a path through the sites that belong together: a coin, what to do with it, with whom, where to. The
machine walks every path by running it and taking it back; where only sure steps follow, it need not run them.
"""

from __future__ import annotations

from dataclasses import dataclass

from warchest.machine.run import FAIL, Frame, Note, Run, Signal, Stop
from warchest.machine.sites import Site
from warchest.machine.trial import can_fail, completes


@dataclass(frozen=True, slots=True)
class Path:
    """What to take at each site that asks, and what was noted on the way (roles by name, for the reader)."""

    taken: tuple[int, ...]
    notes: tuple[Note, ...]


class Walk:
    """Collects the paths from a site."""

    def __init__(self, run: Run, decider: int) -> None:
        self.run, self.decider = run, decider
        self.paths: list[Path] = []

    def from_site(self, site: Site, taken: tuple[int, ...]) -> None:
        """Collect the paths that begin at a site; the run stands there with its candidates."""
        run = self.run
        candidates = run.candidates
        if site.leaf and not _fails_after(run, site):
            notes = tuple(run.notes)
            base = site.base
            self.paths.extend(
                [Path((*taken, candidate), (*notes, (site.key, base, candidate))) for candidate in candidates]
            )
            return
        for candidate in candidates:
            mark = run.mark()
            failed = site.resume(run, candidate)
            if failed is not FAIL:
                self._after(failed if failed is not None else run.go(), (*taken, candidate))
            run.undo(mark)

    def _after(self, stop: Stop, taken: tuple[int, ...]) -> None:
        """Go on from where taking a candidate has led."""
        run = self.run
        if stop is FAIL:
            return
        if (
            not isinstance(stop, Signal)
            and run.joined
            and not stop.by_chance
            and stop.decider(run) == self.decider
        ):
            self.from_site(stop, taken)
        elif not can_fail(run.top) or completes(run, stop):
            self.paths.append(Path(taken, tuple(run.notes)))


def _fails_after(run: Run, site: Site) -> bool:
    """Whether what follows the site, in its own frame or below, could fail."""
    top = run.top
    assert top is not None
    return can_fail(Frame(top.parent, top.code, top.pc + 1, top.env, top.outs))


def paths_from(run: Run, site: Site) -> list[Path]:
    """Return all options at a site, each once, in a fixed order; the run is left where it was."""
    run.trying += 1
    run.joined = True
    del run.notes[:]
    walk = Walk(run, site.decider(run))
    walk.from_site(site, ())
    run.joined = False
    run.trying -= 1
    return walk.paths


def follow(run: Run, site: Site, path: Path) -> Stop:
    """Take a path for good, and go on to the next stop."""
    run.joined = True
    del run.notes[:]
    stop: Stop = site
    for candidate in path.taken:
        assert not isinstance(stop, Signal)
        failed = stop.resume(run, candidate)
        stop = failed if failed is not None else run.go()
    return stop
