"""The options of a decision: all acts that are possible now and can be completed.

An option is a path through the choices that belong together: a token, its use, the piece, the destination. Options are
enumerated depth first: the machine runs each path as far as steps can fail, and then undoes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from warchest.engine.alike import Likeness, standing
from warchest.engine.choices import active_of
from warchest.engine.lookahead import (
    Passed,
    answer_depth,
    answers_above,
    apart_from,
    closing,
    completes,
    completes_answer,
    decider_at,
    ends_option,
    fence_answer,
    is_answering,
    nesting,
    resume,
)
from warchest.engine.permissions import WAYS, can_begin
from warchest.engine.runs import (
    FAIL,
    MANY,
    NO_END,
    OPEN,
    TRY,
    DeepError,
    EndlessError,
    Frame,
    Run,
    Signal,
    Stop,
    frames,
)
from warchest.engine.ways import told_apart
from warchest.ir.ruleset import AGENT, THIS
from warchest.ir.steps import Call
from warchest.lowering.code import (
    DECLINE,
    DECLINED,
    INSTEAD,
    VERBS,
    WITHIN,
    WITHIN_ANY,
    ChoicePoint,
    Note,
    PickAnswer,
    PickBranch,
    PickKind,
    PickMember,
    PickWay,
)
from warchest.lowering.mattering import turn_of

ENOUGH, EVERYTHING = 2, 1 << 30
"""The number of paths that proves that there is a choice at all; and a number greater than any number of paths."""
TOO_MANY = 50_000
"""The limit on the number of paths; the games have some hundreds at most."""
DEEPEST_OPTION = 8
"""The greatest depth of recursion of code within one option."""
KnownPaths: TypeAlias = tuple[tuple[int, ...], ...]
"""The candidates that each path takes, where all paths that hold are known."""


class Path(NamedTuple):
    """The candidate to take at each choice point, the notes on the way (roles by name), and the verb of the act."""

    taken: tuple[int, ...]
    notes: tuple[Note, ...]
    act: str


class End(NamedTuple):
    """The end of a path that may still fail: its changes, the pending work, and the point of its last choice.

    The point is None if that choice has been made already. `declining`: see `Run`; `answer`: see `answer_depth`.
    """

    changes: tuple[tuple[int, int], ...]
    top: Frame | None
    in_option: bool
    declining: bool
    answer: int
    point: ChoicePoint | None


def act_of(notes: tuple[Note, ...]) -> str:
    """Return the verb of an option: the last one named before a document's own text took over."""
    own = notes[: next((place for place, note in enumerate(notes) if note in (WITHIN, WITHIN_ANY)), None)]
    for key, verb, _ in reversed(own):
        if key == "kind" or (key == "act" and verb != DECLINED):
            return verb
    return next((verb for key, verb, _ in own if key in VERBS and key != INSTEAD), "")


class OptionSet:
    """All paths from a choice point; paths that are `open` may still fail, and are explored on demand.

    A caller that takes one option does not need to check the others. `alike`: paths have cycles or forks, so that two
    paths can name the same things. The memory and the stack are kept unchanged.
    """

    __slots__ = ("_ends", "_machine", "_run", "alike", "memory", "open", "paths")

    def __init__(self, run: Run, point: ChoicePoint, enough: int, known: KnownPaths = ()) -> None:
        """Enumerate the paths at a point; the run must have stopped there with its candidates, and stays there.

        Paths are explored at least until `enough` are known to hold. If all paths that hold are `known`, the run first
        follows only these, except in an answer. Raises EndlessError if there are too many paths.
        """
        self.memory, self._machine = run.memory[:], run.machine
        self._run: Run | None = None
        answering = is_answering(run, point)
        # The paths of an answer do not show whether the work below it was considered.
        if known and not answering:
            self._look(run, point, 0, answering, False, known)
            if tuple([path.taken for path in self.paths]) == known:
                return
        is_others = answering and decider_at(run, point) != active_of(run)
        self._look(run, point, max(enough, ENOUGH) if is_others else enough, answering, False, ())
        if answering and all(is_others and path.taken == (DECLINE,) for path in self.paths):
            # Answers, and offers to other players, do not depend on the work below.
            self._look(run, point, enough, answering, True, ())

    def _look(self, run: Run, point: ChoicePoint, enough: int, answering: bool, alone: bool, known: KnownPaths) -> None:
        """Enumerate the paths; if `alone`, the work that waits below an answer is ignored."""
        walk = _walked(run, point, answering, alone, enough < EVERYTHING, known)
        if walk.tangled:
            walk = _walked(run, point, answering, alone, hasty=False)
        self.paths, self.open, self.alike, self._ends = walk.paths, walk.open, walk.alike, walk.ends
        self._find(enough)

    def holds(self, number: int) -> bool:
        """Whether the path with a number can be completed; a path that cannot is still in the list."""
        if number not in self.open:
            return True
        if self._run is None:
            self._run = Run(self._machine, self.memory[:])
        taken = self.paths[number].taken
        if not _goes_through(self._run, self._ends[taken], taken[-1]):
            return False
        self.open.discard(number)
        return True

    def settle(self) -> list[Path]:
        """Explore all paths that may still fail, and return all paths that hold, in a fixed order."""
        if self.open:
            self.paths = [path for number, path in enumerate(self.paths) if self.holds(number)]
            self.open = set()
        return self.paths

    def _find(self, enough: int) -> None:
        """Explore paths that may still fail, in order, until `enough` are complete; leave out the paths that fail."""
        sure, failed = len(self.paths) - len(self.open), set[int]()
        for number in sorted(self.open) if sure < enough else ():
            if self.holds(number):
                sure += 1
            else:
                failed.add(number)
            if sure == enough:
                break
        if failed:
            left = [number for number in range(len(self.paths)) if number not in failed]
            self.paths, self.open = _only(left, self.paths, self.open)


def _only(kept: Sequence[int], paths: Sequence[Path], unsure: set[int]) -> tuple[list[Path], set[int]]:
    """Return the paths with some numbers, and the new numbers of the paths that may still fail."""
    return [paths[number] for number in kept], {place for place, number in enumerate(kept) if number in unsure}


def _walked(run: Run, point: ChoicePoint, answering: bool, alone: bool, hasty: bool, known: KnownPaths = ()) -> _Walk:
    """Return the walk of all paths from a point; the run is left there."""
    candidates, mark, depth = run.candidates, run.mark(), run.lookahead
    run.lookahead += 1
    run.declining = not answering
    run.in_option, run.hasty = True, run.lookahead if hasty else 0
    run.notes[:] = run.machine.choices[type(point)].context(run, point)
    walk = _Walk(run, decider_at(run, point), answer_depth(run, point), known)
    if alone:
        run.alone = True
        fence_answer(run, walk.decider)
    try:
        walk.from_point(point, ())
        run.undo(mark)
        walk.leave_out_given()
        walk.tell_apart(point)
    except RecursionError:
        raise EndlessError(run.clause) from None
    finally:
        run.undo(mark)
        run.lookahead, run.in_option, run.hasty, run.declining, run.alone = depth, False, 0, False, False
        # Points on the way have listed their candidates already.
        run.candidates = candidates
        del run.notes[:]
    return walk


def _goes_through(run: Run, end: End, candidate: int) -> bool:
    """Whether a path can be completed from its end; the run stays where it is. A path that never ends cannot."""
    mark, depth = run.mark(), run.lookahead
    run.lookahead += 1
    try:
        for cell, value in end.changes:
            run.set(cell, value)
        run.put_back(end.top)
        run.in_option, run.declining = end.in_option, end.declining
        failed = resume(run, end.point, candidate) if end.point is not None else None
        stop = failed if failed is not None else run.go()
        if isinstance(stop, Signal) or not run.can_fail():
            return stop is not FAIL
        candidates = run.candidates
        if not completes_answer(run, stop, end.answer):
            return False
        run.candidates = candidates
        return completes(run, stop)
    except (DeepError, RecursionError):
        return False
    finally:
        # Rules that do not terminate end the look-aheads within this one, too.
        run.lookahead, run.declining = depth, False
        run.undo(mark)


def follow(run: Run, point: ChoicePoint, path: tuple[int, ...]) -> Stop:
    """Take the candidates of a path, one at each point, and go on to the next stop."""
    run.in_option = True
    del run.notes[:]
    stop: Stop = point
    for candidate in path:
        assert not isinstance(stop, Signal)
        failed = resume(run, stop, candidate)
        stop = failed if failed is not None else run.go()
    return stop


class _Walk:
    """Collects the different paths from a choice point."""

    __slots__ = (
        "alike",
        "answer",
        "begun",
        "decider",
        "ends",
        "given",
        "known",
        "met",
        "open",
        "paths",
        "points",
        "run",
        "said",
        "same",
        "tangled",
        "way",
    )

    def __init__(self, run: Run, decider: int, answer: int, known: KnownPaths) -> None:
        self.run, self.decider, self.answer, self.begun = run, decider, answer, len(run.log)
        self.known: dict[tuple[int, ...], dict[int, None]] = {}
        """The candidates to take next, in order, by those taken before, where all paths are known."""
        for taken in known:
            for depth, candidate in enumerate(taken):
                self.known.setdefault(taken[:depth], {})[candidate] = None
        self.paths: list[Path] = []
        self.open: set[int] = set()
        """The numbers of the paths that may still fail."""
        self.ends: dict[tuple[int, ...], End] = {}
        """The ends of these paths, by their candidates."""
        self.tangled = False
        """Whether the description of a path depends on the failure of another path."""
        self.same: dict[tuple[Note, ...], list[int]] = {}
        """The numbers of the paths, by their notes; paths with the same notes read the same."""
        self.points: list[ChoicePoint] = []
        self.way: list[Passed] = []
        """The choices on the path under way, with the facts that show whether they recur."""
        self.said: list[int] = []
        """The number of notes at each choice on the path that is walked."""
        self.met: dict[Likeness, tuple[int, ...]] = {}
        """The moments at which a text that any equal piece can carry out began, with the first candidates there."""
        self.given: set[tuple[int, ...]] = set()
        """The first candidates of paths to leave out, which were collected again for the piece that goes first."""
        self.alike = False

    def _met_before(self, taken: tuple[int, ...]) -> tuple[int, ...] | None:
        """Return the candidates that first led to this moment; None unless a text for any equal piece has begun."""
        run, depth = self.run, len(taken)
        if WITHIN_ANY not in run.notes[self.said[depth - 1] if depth else 0 :]:
            return None
        before = self.met.setdefault(standing(run, self.begun), taken)
        return before if before is not taken else None

    def _left_to_it(self, point: ChoicePoint, candidates: Sequence[int], before: tuple[int, ...]) -> Sequence[int]:
        """Return the candidates to explore here, given that an equal moment was already explored for another piece.

        Where pieces take turns, each piece that goes first does so by its own text, not by another piece's text.
        """
        texts = self.run.program.mattering.anyones
        text = next((one for one in frames(self.run.top) if one.code.name in texts), None)
        if text is None:
            return ()
        own, turn = text.env[THIS], turn_of(text.code)
        if isinstance(point, PickMember) and self.run.code is text.code:
            self.given.add((*before, own))
            return (own,) if own in candidates else ()
        if turn is None or text.env[turn] != own:
            return ()
        self.given.add(before)
        return candidates

    def leave_out_given(self) -> None:
        """Leave out paths that were collected again by the text of the piece that goes first."""
        if not self.given:
            return
        kept = [
            number
            for number, path in enumerate(self.paths)
            if not any(path.taken[: len(one)] == one for one in self.given)
        ]
        self.paths, self.open = _only(kept, self.paths, self.open)
        self.same.clear()
        for number, path in enumerate(self.paths):
            self.same.setdefault(path.notes, []).append(number)

    def from_point(self, point: ChoicePoint, taken: tuple[int, ...]) -> None:
        """Collect the paths that begin at a point; the run is there with its candidates."""
        run = self.run
        run.tick(TRY, point.span)
        if len(self.paths) > TOO_MANY:
            raise EndlessError(point.span, MANY)
        depth, candidates = len(taken), list(self.known[taken]) if self.known else run.candidates
        before = self._met_before(taken) if not self.known else None
        if before is not None:
            candidates = self._left_to_it(point, candidates, before)
            if not candidates:
                return
        del self.points[depth:], self.way[depth:], self.said[depth:]
        if any(one is point for one in self.points):
            self.alike = True
            if nesting(run) > DEEPEST_OPTION:
                return
            candidates = apart_from(candidates, closing(run, point, self.way))
        self.alike |= isinstance(point, PickBranch)
        self.points.append(point)
        self.said.append(len(run.notes))
        if (point.ends or point.unless) and ends_option(run, point):
            fails = not self.known and self._can_fail_behind()
            if run.hasty or not fails:
                self._ends(point, candidates, taken, fails)
                return
        self._walk(point, candidates, taken)

    def _can_fail_behind(self) -> bool:
        """Whether any pending work after the point where the run is could prove impossible."""
        run = self.run
        run.pc += 1
        fails = run.can_fail()
        run.pc -= 1
        return fails

    def _ends(self, point: ChoicePoint, candidates: Sequence[int], taken: tuple[int, ...], fails: bool) -> None:
        """Collect a path for each candidate of a point that ends options; `fails`: whether it can fail afterwards."""
        notes = tuple(self.run.notes)
        act, end = act_of(notes) if notes else None, self._here(point) if fails else None
        for one in candidates:
            said = (*notes, (point.key, point.base, one)) if point.key else notes
            self._end((*taken, one), said, act, end)

    def _walk(self, point: ChoicePoint, candidates: Sequence[int], taken: tuple[int, ...]) -> None:
        """Take each of some candidates, and collect the paths that go on from it."""
        run = self.run
        if isinstance(point, PickKind):
            # Most kinds are only for bearers of a document; the others would fail at their beginning.
            acts, agent = run.program.acts, run.env[AGENT]
            candidates = [one for one in candidates if can_begin(run, agent, acts[point.kinds[one]])]
        mark, parent, depth, lookahead = run.mark(), run.parent, len(taken), run.lookahead
        for candidate in candidates:
            self.way[depth:] = [Passed(point, run.env, parent, len(run.log), candidate)]
            failed = resume(run, point, candidate)
            sure = self.known or (run.alone and candidate == DECLINE and isinstance(point, PickAnswer))
            is_known = self.known and (*taken, candidate) not in self.known
            if failed is None and not run.in_option and (sure or not run.can_fail()):
                self._end((*taken, candidate), tuple(run.notes), None)
            else:
                try:
                    stop = failed if failed is not None else run.go()
                except DeepError:
                    # Endless work is never complete.
                    run.lookahead, stop = lookahead, FAIL
                if is_known or (stop is FAIL and run.failure is NO_END and answers_above(run, parent)):
                    # If its answers never end, the player who takes it gets that message.
                    self._end((*taken, candidate), tuple(run.notes), None)
                elif stop is not FAIL:
                    self._after(stop, (*taken, candidate))
            run.undo(mark)

    def _after(self, stop: Stop, taken: tuple[int, ...]) -> None:
        """Continue from the stop that was reached by taking a candidate."""
        run, fails = self.run, stop is OPEN
        point = stop if not isinstance(stop, Signal) and run.in_option and not stop.by_chance else None
        if point is not None and decider_at(run, point) == self.decider:
            self.from_point(point, taken)
            return
        if self._met_before(taken) is not None:
            return
        if not isinstance(stop, Signal):
            fails = run.can_fail()
            if fails and not run.hasty:
                candidates = run.candidates
                if not completes_answer(run, stop, self.answer):
                    return
                run.candidates = candidates
                if not completes(run, stop):
                    return
                fails = False
        self._end(taken, tuple(run.notes), None, self._here(None) if fails else None)

    def _here(self, point: ChoicePoint | None) -> End:
        """Return the end of a path at the present place of the run."""
        run = self.run
        changes = [(cell, run.memory[cell]) for cell, _ in run.log[self.begun :]]
        return End(tuple(changes), run.top, run.in_option, run.declining, self.answer, point)

    def _end(self, taken: tuple[int, ...], notes: tuple[Note, ...], act: str | None, end: End | None = None) -> None:
        """Collect a path that can be completed or, with `end`, a path that may still fail after that end."""
        if not notes:
            notes, act = self._by_its_way(taken), None
        same = self.same.setdefault(notes, [])
        if same:
            # Another path with the same notes. If one may fail, the words of the others depend on that.
            self.tangled |= end is not None or not self.open.isdisjoint(same)
        same.append(len(self.paths))
        if end is not None:
            self.open.add(len(self.paths))
            self.ends[taken] = end
        self.paths.append(Path(taken, notes, act_of(notes) if act is None else act))

    def tell_apart(self, point: ChoicePoint) -> None:
        """Make the descriptions of paths from a point distinct; the run must be at the point."""
        self.alike |= any(note[0] == INSTEAD for path in self.paths for note in path.notes)
        for notes, numbers in self.same.items():
            if len(numbers) == 1:
                continue
            self.run.in_option = True
            told = told_apart(self.run, point, [self.paths[number].taken for number in numbers])
            for number, note in zip(numbers, told, strict=True):
                self.paths[number] = self.paths[number]._replace(notes=(*notes, note))

    def _by_its_way(self, taken: tuple[int, ...]) -> tuple[Note, ...]:
        """Return the verb that names a path without a description: the verb of the last definition on the path."""
        named = [self._named(point, one) for point, one in zip(self.points, taken, strict=False)]
        return next(((("act", name, 0),) for name in reversed(named) if name), ())

    def _named(self, point: ChoicePoint, candidate: int) -> str:
        """Return the first act in the chosen definition; if it begins with none, the act that it defines."""
        if not isinstance(point, PickWay):
            return ""
        acts = self.run.program.acts
        verb = acts[point.verb].verb
        first = verb.definitions[candidate // WAYS].code.steps[0]
        begun = acts[first.verb].verb if isinstance(first, Call) else verb
        return verb.act if begun.by == "game" else begun.act
