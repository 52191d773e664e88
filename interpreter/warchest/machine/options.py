"""The options of a decision: everything the player can do now that can be carried through to its end.

An option is a path through the sites that belong together: a coin, what to do with it, with whom, where to. The
machine walks every path by running it and taking it back; where only sure steps follow, it need not run them. Whoever
takes any one option need not know all of them: the ends that might still fail are looked into when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from warchest.machine.follow import Lead, can_follow, lead
from warchest.lowering.layout import DIRTY
from warchest.machine.moments import Moment
from warchest.machine.paths import Path, act_of, repeated
from warchest.machine.previews import Preview
from warchest.machine.risk import anything_below_can_fail, anything_can_fail
from warchest.machine.rounds import Passed, answers_above, is_round, nesting
from warchest.machine.run import (
    FAIL,
    MANY,
    NO_END,
    OPEN,
    TRY,
    DeepError,
    EndlessError,
    Frame,
    Note,
    Run,
    Signal,
    Stop,
)
from warchest.machine.sites import Site
from warchest.machine.trial import Proof, completes

_new = tuple.__new__
"""Makes a path at a third of the cost of its constructor; there are some thirty a decision."""


ENOUGH, EVERYTHING = 2, 1 << 30
"""How many paths tell that there is a choice at all; and more than there ever are."""
TOO_MANY = 50_000
"""How many paths are too many; the games have some hundreds at most."""
DEEPEST_OPTION = 8
"""How many times code can wait for itself in one option."""


class Walk:
    """Collects the paths from a site, each different one once."""

    __slots__ = ("decider", "found", "loops", "open", "paths", "run", "searched", "seen", "sites", "tangled", "way")

    def __init__(self, run: Run, decider: int) -> None:
        self.run, self.decider = run, decider
        self.paths: list[Path] = []
        self.open: set[int] = set()
        """The numbers of the paths that may still fail."""
        self.tangled = False
        """Whether what a path says of itself hangs on whether another one fails."""
        self.seen: set[object] = set()
        self.found: dict[tuple[Any, ...], tuple[list[Path], int, int, int]] = {}
        self.searched = 0
        """How many ends were looked into, or left open."""
        self.sites: list[Site] = []
        self.way: list[Passed] = []
        """The choices on the path that is walked, with the facts that tell whether they have come up again."""
        self.loops = False
        """Whether a site has come up again on its own path, or a text forks: then options can name the same."""

    def from_site(self, site: Site, taken: tuple[int, ...]) -> None:
        """Collect the paths that begin at a site; the run stands there with its candidates.

        Raises EndlessError where there are more paths than anybody could list.
        """
        run, sites = self.run, self.sites
        run.tick(TRY, site.span)
        if len(self.paths) > TOO_MANY:
            raise EndlessError(site.span, MANY)
        depth, way = len(taken), self.way
        if len(sites) > depth:
            del sites[depth:], way[depth:]
        if site in sites:
            self.loops = True
            if any([is_round(run, site, one) for one in way]) or nesting(run) > DEEPEST_OPTION:
                return
        self.loops |= site.forks
        sites.append(site)
        way.append((site, run.env, run.parent, len(run.trail)))
        candidates = site.promising(run, run.candidates)
        if site.leaf or (site.unless and site.ends(run)):
            fails = anything_can_fail(run, 1)
            if run.hasty or not fails:
                self._end_at(site, candidates, taken, fails)
                return
            self.searched += 1
        elif site.last and not run.memory[DIRTY] and not anything_below_can_fail(run):
            self._ends(site, candidates, taken)
            return
        self._walk(site, candidates, taken)

    def _end_at(self, site: Site, candidates: Sequence[int], taken: tuple[int, ...], fails: bool) -> None:
        """Collect a path for each candidate of a site that ends options, after which something may fail or not."""
        run = self.run
        if not fails:
            self._ends(site, candidates, taken)
            return
        self.searched += 1
        head, paths, seen = tuple(run.notes), self.paths, self.seen
        act = act_of(head) if head else None
        first, known = len(paths), len(seen)
        for candidate, said in zip(candidates, site.told(run, candidates), strict=True):
            path = (*taken, candidate)
            told = head + said or self._by_its_way(path)
            seen.add(told)
            paths.append(_new(Path, (path, told, act)))
        self.tangled |= len(seen) - known < len(paths) - first
        self.open.update(range(first, len(paths)))

    def _walk(self, site: Site, candidates: Iterable[int], taken: tuple[int, ...]) -> None:
        """Take each of some candidates, and collect the paths that go on from it.

        What has been found after a candidate is not looked for again where only a token differs.
        """
        run = self.run
        trail, notes, found = run.trail, run.notes, self.found
        parent, code, pc, env, outs, joined = run.parent, run.code, run.pc, run.env, run.outs, run.joined
        length, noted, previews, apart = len(trail), len(notes), site.previews, site.apart
        known: dict[int, tuple[Any, ...]] | None = {} if site.shares else None
        same, before, searched = None, 0, 0
        for candidate in candidates:
            if known is not None:
                same = site.shared(run, candidate, known)
                if same is not None:
                    if same in found:
                        self._repeat(site, candidate, taken, *found[same])
                        continue
                    before, searched = len(self.paths), self.searched
            preview, foreseen = previews.get(candidate // apart), False
            if preview is not None:
                seen = preview.look(run, env, candidate)
                foreseen = seen is not None and (not seen or self._foreseen(preview, seen, (*taken, candidate)))
                run.code, run.env = code, env
                del notes[noted:]
            if not foreseen:
                failed = site.resume(run, candidate)
                if failed is None and not run.joined and not anything_can_fail(run):
                    self._end((*taken, candidate), tuple(notes), None)
                else:
                    stop = failed if failed is not None else self._gone_on()
                    if stop is not FAIL:
                        self._after(stop, (*taken, candidate))
                    elif run.failure is NO_END and answers_above(run, parent):
                        # What answers it never ends; that is told to whoever takes it.
                        self._end((*taken, candidate), tuple(notes), None)
                # As `undo` does, for what has been kept above.
                run.parent, run.code, run.pc, run.env, run.outs, run.joined = parent, code, pc, env, outs, joined
                if len(trail) > length:
                    run.unwind(length)
                if len(notes) > noted:
                    del notes[noted:]
            if same is not None and self.searched == searched:
                found[same] = self.paths[before:], len(taken) + 1, noted, site.paid(run, candidate)

    def _gone_on(self) -> Stop:
        """Go on to the next stop; work without an end cannot be done."""
        run, depth = self.run, self.run.trying
        try:
            return run.go()
        except DeepError:
            run.trying = depth
            return FAIL

    def _foreseen(self, preview: Preview, found: Sequence[int], taken: tuple[int, ...]) -> bool:
        """Collect the paths that end with what a preview has found; False where they must be walked to be known."""
        run, end = self.run, preview.end
        fails = preview.fails if preview.fails is not None else anything_below_can_fail(run)
        if fails and not run.hasty:
            return False
        if end is None or len(found) == 1:
            notes = tuple(run.notes) if end is None else (*run.notes, *end.said(run, found[0]))
            if fails:
                self.searched += 1
                self._put_off(taken, notes, None)
            else:
                self._end(taken, notes, None)
            return True
        if (run.env[end.asks] if end.asks >= 0 else end.decider(run)) != self.decider:
            return False
        run.tick(TRY, end.span)
        del self.sites[len(taken) :], self.way[len(taken) :]
        self.loops |= end in self.sites
        self._end_at(end, found, taken, fails)
        return True

    def _repeat(
        self, site: Site, candidate: int, taken: tuple[int, ...],
        found: list[Path], behind: int, noted: int, paid: int,
    ) -> None:  # fmt: skip
        """Collect the paths that were found for another token once more, with this one in its place."""
        start = Path((*taken, candidate), tuple(self.run.notes), None)
        self.paths.extend(repeated(found, start, behind, noted, paid, site.paid(self.run, candidate)))

    def _put_off(self, taken: tuple[int, ...], notes: tuple[Note, ...], act: str | None) -> None:
        """Collect a path without looking whether it can be completed."""
        told, seen, paths = notes or self._by_its_way(taken), self.seen, self.paths
        known = len(seen)
        seen.add(told)
        self.tangled |= len(seen) == known
        self.open.add(len(paths))
        paths.append(_new(Path, (taken, told, act)))

    def _after(self, stop: Stop, taken: tuple[int, ...]) -> None:
        """Go on from where taking a candidate has led."""
        run = self.run
        if stop is OPEN:
            self.searched += 1
            self._put_off(taken, tuple(run.notes), None)
            return
        if not isinstance(stop, Signal):
            whose = run.env[stop.asks] if stop.asks >= 0 else stop.decider(run)
            if run.joined and whose == self.decider and not stop.by_chance:
                self.from_site(stop, taken)
                return
            if anything_can_fail(run):
                self.searched += 1
                if run.hasty:
                    self._put_off(taken, tuple(run.notes), None)
                    return
                if completes(run, stop) is None:
                    return
        notes = tuple(run.notes)
        self._end(taken, notes, None)

    def _ends(self, site: Site, candidates: Sequence[int], taken: tuple[int, ...]) -> None:
        """Collect a path for each candidate of a site after which nothing can fail any more."""
        notes, key, base = tuple(self.run.notes), site.key, site.base
        act, told = act_of(notes), [(*notes, (key, base, one)) for one in candidates]
        if key and self.seen.isdisjoint(told):
            self.seen.update(told)
            self.paths += [_new(Path, ((*taken, one), said, act)) for one, said in zip(candidates, told, strict=True)]
            return
        for one, said in zip(candidates, told, strict=True):
            self._end((*taken, one), said if key else notes, act)

    def _end(self, taken: tuple[int, ...], notes: tuple[Note, ...], act: str | None) -> None:
        """Collect a path that can be completed."""
        if not notes:
            notes, act = self._by_its_way(taken), None
        told, same = notes, 1
        while told in self.seen:
            # Another way that says the same of itself: it is told apart by a number.
            self.tangled |= any(self.paths[number].notes == told for number in self.open)
            same += 1
            told = (*notes, ("way", "number", same))
        self.seen.add(told)
        self.paths.append(_new(Path, (taken, told, act)))

    def _by_its_way(self, taken: tuple[int, ...]) -> tuple[Note, ...]:
        """Return what a path that says nothing of itself is called by: the last of the ways that it takes."""
        named = [site.named(one) for site, one in zip(self.sites, taken, strict=False)]
        return next(((("act", name, 0),) for name in reversed(named) if name), ())


class Listing:
    """The options at a site: all paths there may be, of which some are looked into only when they are asked for."""

    __slots__ = ("_top", "lead", "loops", "moment", "open", "paths", "proofs", "run", "site")

    def __init__(self, run: Run, site: Site, enough: int = ENOUGH, proof: Proof = ()) -> None:
        """List the paths; `proof` is what looking ahead has found for the choices that come next."""
        self.run, self.site, self.moment = run, site, Moment(run)
        self._top: Frame | None = None
        """What was pending, once the run has gone on; what is still open is then looked into in another run."""
        self.proofs: dict[tuple[int, ...], Proof] = {}
        """How paths that were looked into can go on at the choices that come next."""
        self.lead: Lead | None = None
        """Where the path leads that was drawn last."""
        walk = self._walk(hasty=enough < EVERYTHING)
        if walk.tangled:
            walk = self._walk(hasty=False)
        self.paths: list[Path] = walk.paths
        self.open = walk.open
        """The numbers of the paths that may still fail."""
        self.loops = walk.loops
        """Whether paths go round or fork, so that they can name the same things."""
        if proof and proof[0][0] is site:
            self._prove(proof)
        self._find(enough)

    def _prove(self, proof: Proof) -> None:
        """Know of the path that a proof goes along that it holds, and how it goes on from there."""
        way = tuple([candidate for _, candidate in proof])
        for number in self.open:
            taken = self.paths[number].taken
            if taken == way[: len(taken)]:
                self._proved(number, proof[len(taken) :])
                break

    def _find(self, enough: int) -> None:
        """Look into paths that may still fail, those first that stand first, until enough do not."""
        sure = len(self.paths) - len(self.open)
        failed = set()
        # The only path is taken without asking.
        hold = self.holds if len(self.paths) > 1 else self.draw
        for number in sorted(self.open) if sure < enough else ():
            if not hold(number):
                failed.add(number)
            else:
                sure += 1
                if sure == enough:
                    break
        if failed:
            left = [number for number in range(len(self.paths)) if number not in failed]
            self.open = {place for place, number in enumerate(left) if number in self.open}
            self.paths = [self.paths[number] for number in left]

    def _walk(self, hasty: bool) -> Walk:
        """Walk from the site; the run stays there. A `hasty` walk leaves open what follows options."""
        run, candidates, mark, depth = self.run, self.run.candidates, self.run.mark(), self.run.trying
        run.trying += 1
        run.joined, run.hasty = True, run.trying if hasty else 0
        run.notes[:] = self.site.context(run)
        walk = Walk(run, self.site.decider(run))
        try:
            walk.from_site(self.site, ())
        except BaseException as error:
            clause = run.clause
            run.undo(mark)
            run.trying, run.joined, run.hasty = depth, False, 0
            if isinstance(error, RecursionError):
                raise EndlessError(clause) from None
            raise
        run.joined = False
        run.trying -= 1
        run.hasty = 0
        # Sites on the way have listed theirs, and a second walk begins with these again.
        run.candidates = candidates
        return walk

    def leave(self, run: Run) -> None:
        """Know that a run goes on, so that this one's moment must be got back for what is still open."""
        if self.open and self.run is run:
            self._top = run.top

    def holds(self, number: int) -> bool:
        """Whether the path of a number can be carried through; one that cannot is still in the list."""
        if number not in self.open:
            return True
        return self._proved(number, can_follow(self._at_hand(), self.site, self.paths[number].taken))

    def draw(self, number: int) -> bool:
        """As `holds`, for a path that is to be taken if it can be: where it leads is kept."""
        if number not in self.open:
            return True
        found = lead(self._at_hand(), self.site, self.paths[number].taken)
        self.lead, proof = found or (None, None)
        return self._proved(number, proof)

    def _proved(self, number: int, proof: Proof | None) -> bool:
        """Keep how a path goes on that has been looked into; whether it can be carried through."""
        if proof is not None:
            self.open.discard(number)
            self.proofs[self.paths[number].taken] = proof
        return proof is not None

    def settle(self) -> list[Path]:
        """Look into all paths that may still fail, and return those that do not, in a fixed order."""
        if self.open:
            self.paths = [path for number, path in enumerate(self.paths) if self.holds(number)]
            self.open = set()
        return self.paths

    def _at_hand(self) -> Run:
        """Return a run that stands where this was listed."""
        if self._top is not None:
            self.run, self._top = Run(self.run.program, self.moment.memory[:], self._top), None
        return self.run


__all__ = ["ENOUGH", "EVERYTHING", "Listing", "Path", "Walk", "act_of"]
