"""The options of a decision: everything the player can do now that can be carried through to its end.

An option is a path through the sites that belong together: a coin, what to do with it, with whom, where to. The
machine walks every path by running it and taking it back; where only sure steps follow, it need not run them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from warchest.machine.risk import anything_can_fail
from warchest.machine.run import DECLINED, FAIL, VERBS, Note, Run, Signal, Stop
from warchest.machine.sites import Site
from warchest.machine.trial import completes


class Path(NamedTuple):
    """What to take at each site that asks, what was noted on the way (roles by name), and the verb it comes to."""

    taken: tuple[int, ...]
    notes: tuple[Note, ...]
    act: str


_new = tuple.__new__
"""Makes a path at a third of the cost of its constructor; there are some thirty a decision."""


class Walk:
    """Collects the paths from a site, each different one once."""

    def __init__(self, run: Run, decider: int) -> None:
        self.run, self.decider = run, decider
        self.paths: list[Path] = []
        self.seen: set[object] = set()
        self.found: dict[tuple[Any, ...], tuple[list[Path], int, int, int]] = {}
        self.searched = 0
        self.sites: list[Site] = []
        self.loops = False
        """Whether a site has come up again on its own path, so that options can name the same thing twice."""

    def from_site(self, site: Site, taken: tuple[int, ...]) -> None:
        """Collect the paths that begin at a site; the run stands there with its candidates."""
        run = self.run
        candidates = run.candidates
        del self.sites[len(taken) :]
        self.loops |= site in self.sites
        self.sites.append(site)
        if site.leaf:
            if not _fails_after(run):
                self._leaves(site, taken)
                return
            self.searched += 1
        known: dict[int, tuple[Any, ...]] = {}
        for candidate in site.promising(run, candidates):
            same = site.shared(run, candidate, known) if site.shares else None
            if same is None:
                self._walk(site, candidate, taken)
            elif same in self.found:
                self._repeat(site, candidate, taken, *self.found[same])
            else:
                before, searched = len(self.paths), self.searched
                self._walk(site, candidate, taken)
                if self.searched == searched:
                    found = self.paths[before:]
                    self.found[same] = (found, len(taken) + 1, len(run.notes), site.paid(run, candidate))

    def _walk(self, site: Site, candidate: int, taken: tuple[int, ...]) -> None:
        run = self.run
        mark = run.mark()
        failed = site.resume(run, candidate)
        if failed is not FAIL:
            self._after(failed if failed is not None else run.go(), (*taken, candidate))
        run.undo(mark)

    def _repeat(
        self, site: Site, candidate: int, taken: tuple[int, ...],
        found: list[Path], behind: int, noted: int, paid: int,
    ) -> None:  # fmt: skip
        """Collect the paths that were found for another token once more, with this one in its place."""
        token, head, start = site.paid(self.run, candidate), tuple(self.run.notes), (*taken, candidate)
        swapped: dict[Note, Note] = {}
        for path in found:
            tail = []
            for note in path.notes[noted:]:
                if note[2] == paid and note[1] == "token":
                    note = swapped.setdefault(note, (note[0], "token", token))
                tail.append(note)
            self.paths.append(Path(start + path.taken[behind:], (*head, *tail), path.act))

    def _leaves(self, site: Site, taken: tuple[int, ...]) -> None:
        """Collect a path for each candidate of a site that ends options."""
        notes, key, base = tuple(self.run.notes), site.key, site.base
        act = act_of(notes)
        if (notes, key) not in self.seen:
            self.seen.add((notes, key))
            self.paths.extend(
                [_new(Path, ((*taken, one), (*notes, (key, base, one)), act)) for one in self.run.candidates]
            )

    def _after(self, stop: Stop, taken: tuple[int, ...]) -> None:
        """Go on from where taking a candidate has led."""
        run = self.run
        if stop is FAIL:
            return
        if not isinstance(stop, Signal):
            if run.joined and not stop.by_chance and stop.decider(run) == self.decider:
                self.from_site(stop, taken)
                return
            if anything_can_fail(run):
                self.searched += 1
                if not completes(run, stop):
                    return
        notes = told = tuple(run.notes)
        same = 1
        while told in self.seen:
            # Another way that says the same of itself: it is told apart by a number.
            same += 1
            told = (*notes, ("way", "number", same))
        self.seen.add(told)
        self.paths.append(Path(taken, told, act_of(notes)))


def act_of(notes: tuple[Note, ...]) -> str:
    """Return the verb of an option: the last one named before a document's own text took over."""
    act = ""
    for key, value, _ in notes:
        if key not in VERBS:
            continue
        if key == "within":
            break
        if not act or (key == "act" and value != DECLINED) or key == "kind":
            act = value
    return act


def _fails_after(run: Run) -> bool:
    """Whether what follows the site, in its own routine or below, could fail."""
    run.pc += 1
    found = anything_can_fail(run)
    run.pc -= 1
    return found


def paths_from(run: Run, site: Site) -> tuple[list[Path], bool]:
    """Return all options at a site, each once, in a fixed order, and whether they go round; the run stays there."""
    run.trying += 1
    run.joined = True
    run.notes[:] = site.context(run)
    walk = Walk(run, site.decider(run))
    walk.from_site(site, ())
    run.joined = False
    run.trying -= 1
    return walk.paths, walk.loops


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
