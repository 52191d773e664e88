"""Exhaustive checking of positions: faults in them, and in all states that are reachable within some decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from typing import TypeAlias

from warchest.game.errors import PositionError
from warchest.game.game import Game
from warchest.game.state import State
from warchest.testing.budget import Budget, OutOfTime, ending, look_at_clock
from warchest.testing.laws import Law, LawFault, breach_fault, fault_of, faults_in, faults_of, taken
from warchest.testing.positions import PositionData
from warchest.testing.properties.stated_properties import StatedProperty
from warchest.testing.properties.watch import PropertyWatch
from warchest.testing.scopes import SmallScope, SmallWorld
from warchest.testing.search import KitSearch, ShownProgress
from warchest.testing.shrinking import shrunk

SMALLER = 300
"""The most positions that are tried to shrink a position with a fault."""
TOGETHER = 10
"""The number of positions in a portion of a proof."""
ProofPortion: TypeAlias = tuple[int, Sequence[PositionData]]
"""Some positions, and the number of decisions that are followed from each."""


@dataclass(slots=True)
class Proof:
    """The result of a proof: the numbers of positions, of rotations that were left out, of states and of options, and
    the first fault.
    """

    positions: int = 0
    turned: int = 0
    states: int = 0
    steps: int = 0
    whole: bool = True
    times: Counter[str] = field(default_factory=Counter)
    """The number of times that each property applied, by its text."""
    fault: LawFault | None = None
    position: PositionData = field(default_factory=dict)

    @property
    def is_last(self) -> bool:
        """Whether this is the last part of a proof."""
        return self.fault is not None or not self.whole

    def add(self, other: Proof) -> None:
        """Add a part of the proof; the first fault stays."""
        self.positions += other.positions
        self.turned += other.turned
        self.states += other.states
        self.steps += other.steps
        self.times.update(other.times)
        self.whole = self.whole and other.whole
        if self.fault is None and other.fault is not None:
            self.fault, self.position = other.fault, other.position


@dataclass
class ProofSearch:
    """The search for a fault in all positions of a size: within one decision, then within two, and so on."""

    world: SmallWorld
    laws: Sequence[Law] = ()
    properties: Sequence[StatedProperty] = ()
    told: list[PositionData] = field(default_factory=list)
    within: list[Proof] = field(default_factory=list)
    """The proofs within one decision, within two, and so on."""
    done: int = 0
    """The number of the position to continue the search from."""
    turned: int = 0

    @property
    def whole(self) -> Proof:
        """The proof within the most decisions so far."""
        return self.within[-1] if self.within else Proof(whole=False)

    @property
    def vacuous(self) -> list[str]:
        """The texts of the properties that never applied; none if there is a fault."""
        whole = self.whole
        return [one.text for one in self.properties if not whole.times[one.text]] if whole.fault is None else []

    def look(self, begin: int, budget: Budget, shown: ShownProgress[Proof | None]) -> None:
        """Check all positions until there is a fault, or the time is over; the nearest faults are found first."""
        if not self._listed(budget):
            return
        starts = range(0, len(self.told), TOGETHER)
        depths = range(1, self.world.scope.depth + 1)
        search = KitSearch[ProofPortion, Proof](
            [(depth, self.told[first : first + TOGETHER]) for depth in depths for first in starts],
            partial(self._part, budget.deadline),
            replace(budget, seconds=inf),
            begin // TOGETHER,
            ends=lambda one: one.is_last,
        )
        self.done = begin
        try:
            search.run(self._add, shown)
        finally:
            self.done += search.done * TOGETHER
            self.whole.whole = self.whole.whole and not search.left
        if self.whole.fault is not None:
            self.within[-1] = smallest(self.world.game, self.whole, self.laws, budget.deadline, self._watch())

    def _listed(self, budget: Budget) -> bool:
        """List all positions; return whether there was enough time."""
        for one in self.world.positions():
            if budget.spent:
                self.told.clear()
                return False
            self.turned += one is None
            if one is not None:
                self.told.append(one)
        return True

    def _part(self, until: float, portion: ProofPortion) -> Proof:
        depth, told = portion
        return prove(self.world.game, told, depth, self.laws, until, self._watch())

    def _add(self, portion: ProofPortion, part: Proof) -> None:
        while len(self.within) < portion[0]:
            self.within.append(Proof(turned=self.turned))
        self.whole.add(part)

    def _watch(self) -> PropertyWatch | None:
        return PropertyWatch(self.world.game, self.properties, thorough=True) if self.properties else None


def prove(
    game: Game,
    told: Sequence[PositionData],
    depth: int,
    laws: Sequence[Law] = (),
    until: float = inf,
    watch: PropertyWatch | None = None,
) -> Proof:
    """Search for the first fault in some positions, and in all states that are reachable within `depth` decisions.

    Each step is checked for laws, and for the properties of a watch, except those that the position itself breaks. A
    state that is reached in several ways is checked once. `until` is a moment of `testing.budget.clock`.
    """
    walk = _ProofWalk(game, laws, watch)
    try:
        with ending(until):
            for position in told:
                walk.look_at(position, depth)
                if walk.proof.fault is not None:
                    break
    except OutOfTime:
        walk.proof.whole = False
    return walk.proof


class _ProofWalk:
    """The walk through positions and the states that are reachable from them, with the findings so far."""

    def __init__(self, game: Game, laws: Sequence[Law], watch: PropertyWatch | None) -> None:
        self.game, self.laws, self.watch = game, laws, watch
        self.proof, self._seen = Proof(), dict[State, int]()

    def look_at(self, position: PositionData, depth: int) -> None:
        """Check a position, if the game accepts it."""
        try:
            state = self.game.position(position)
        except PositionError:
            return
        state.silent = not self.laws
        if not self.laws and self.watch is None:
            # Only errors are looked for, and the native machine finds these faster.
            state.play_natively()
        fault = self._looked(state, depth)
        self.proof.positions += 1
        for one in self.watch.collected() if self.watch is not None else ():
            self.proof.times[one.text] += one.times
        if fault is not None:
            self.proof.fault, self.proof.position = fault, position

    def _looked(self, begun: State, depth: int) -> LawFault | None:
        """Find the nearest fault within `depth` decisions, by breadth-first search; return it and the options to it."""
        layer: list[tuple[State, tuple[int, ...]]] = [(begun, ())]
        for left in range(depth, 0, -1):
            further: list[tuple[State, tuple[int, ...]]] = []
            for state, path in layer:
                if self._seen.get(state, 0) >= left:
                    continue
                self._seen[state] = left
                self.proof.states += 1
                for fault in faults_in(state, self.laws):
                    return _behind(fault, _ids(begun, path))
                for number in range(state.decision.count if state.decision is not None else 0):
                    self.proof.steps += 1
                    found = self._after(state, number)
                    if isinstance(found, LawFault):
                        return _behind(found, _ids(begun, (*path, number)))
                    further.append((found, (*path, number)))
                    look_at_clock()
            layer = further
        return None

    def _after(self, state: State, number: int) -> State | LawFault:
        """Take the option with a number, and return the state after it, or the first fault."""
        if not self.laws:
            return self._applied(state, number)
        assert state.decision is not None
        step = taken(state, state.decision.options[number])
        if isinstance(step, LawFault):
            return step
        found = next(faults_of(step, self.laws), None)
        if found is None and self.watch is not None:
            after = self._applied(state, number)
            found = after if isinstance(after, LawFault) else None
        return found or step.after

    def _applied(self, state: State, number: int) -> State | LawFault:
        """Take an option, with a watch on the properties if there is one."""
        after, watch = state.clone(), self.watch
        try:
            if watch is None:
                return after.apply(number)
            assert state.decision is not None
            watch.begin_again(state)
            watch.take(after, state.decision.options[number], ahead=False)
        except Exception as error:
            return fault_of(error)
        return breach_fault(watch.breaches[0]) if watch.breaches else after


def smallest(
    game: Game, proof: Proof, laws: Sequence[Law] = (), until: float = inf, watch: PropertyWatch | None = None
) -> Proof:
    """Return a proof whose fault is shown in the smallest position found, after no more decisions than before."""
    fault = proof.fault
    assert fault is not None

    def shown(told: PositionData) -> LawFault | None:
        found = prove(game, [told], max(1, len(fault.path)), laws, until, watch).fault
        return found if found is not None and _is_same(found, fault) else None

    told = shrunk(proof.position, lambda told: shown(told) is not None, SMALLER, game)
    proof.fault, proof.position = shown(told) or fault, told
    return proof


def _is_same(one: LawFault, other: LawFault) -> bool:
    """Whether two faults are of the same kind; the places in their texts may differ."""
    subject, alike = ((fault.law, fault.clauses[:1], fault.about) for fault in (one, other))
    return subject == alike and bool(one.clauses or one.about or one.text == other.text)


def _ids(begun: State, path: Sequence[int]) -> tuple[str, ...]:
    """Return the ids of successive options that are given by their numbers."""
    state, found = begun.clone(), list[str]()
    for number in path:
        assert state.decision is not None
        found.append(state.decision.options[number].id)
        if len(found) < len(path):
            state.apply(number)
    return tuple(found)


def _behind(fault: LawFault, path: tuple[str, ...]) -> LawFault:
    """Return a fault with all the options that lead to it."""
    return LawFault(fault.law, fault.text, fault.clauses, path or fault.path, about=fault.about)


__all__ = ["Proof", "ProofSearch", "SmallScope", "SmallWorld", "prove", "smallest"]
