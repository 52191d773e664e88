"""Exhaustive checking of positions: faults in them, and in all states that are reachable within some decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

from warchest.game.errors import PositionError
from warchest.game.game import Game
from warchest.game.state import State
from warchest.testing.budget import OutOfTime, clock, ending
from warchest.testing.laws import Law, LawFault, breach_fault, fault_of, faults_in, faults_of, taken
from warchest.testing.positions import PositionData
from warchest.testing.properties.watch import PropertyWatch
from warchest.testing.scopes import SmallScope, SmallWorld
from warchest.testing.shrinking import shrunk

SMALLER = 300
"""The most positions that are tried to shrink a position with a fault."""


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


def prove(
    game: Game,
    told: Sequence[PositionData],
    depth: int,
    laws: Sequence[Law] = (),
    until: float = inf,
    watch: PropertyWatch | None = None,
) -> Proof:
    """Look for the first fault in some positions, and in all states that are reachable within `depth` decisions.

    Each step is checked for laws, and for the properties of a watch, except those that the position itself breaks. A
    state that is reached in several ways is checked once. `until` is a moment of `testing.budget.clock`.
    """
    proof, seen = Proof(), dict[State, int]()
    try:
        with ending(until):
            for position in told:
                _look_at(game, position, depth, laws, until, watch, seen, proof)
                if proof.fault is not None or not proof.whole:
                    break
    except OutOfTime:
        proof.whole = False
    return proof


def _look_at(
    game: Game,
    position: PositionData,
    depth: int,
    laws: Sequence[Law],
    until: float,
    watch: PropertyWatch | None,
    seen: dict[State, int],
    proof: Proof,
) -> None:
    """Check a position, if the game accepts it."""
    try:
        state = game.position(position)
    except PositionError:
        return
    state.silent = not laws
    if not laws and watch is None:
        # Only errors are looked for, and the native machine finds these faster.
        state.play_natively()
    fault = _looked(state, depth, laws, watch, seen, proof, until)
    proof.positions += proof.whole
    for one in watch.collected() if watch is not None else ():
        proof.times[one.text] += one.times
    if fault is not None:
        proof.fault, proof.position = fault, position


def smallest(
    game: Game, proof: Proof, laws: Sequence[Law] = (), until: float = inf, watch: PropertyWatch | None = None
) -> Proof:
    """Return a proof whose fault is shown in the smallest position found, with at most as many decisions."""
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


def _looked(
    begun: State,
    depth: int,
    laws: Sequence[Law],
    watch: PropertyWatch | None,
    seen: dict[State, int],
    proof: Proof,
    until: float,
) -> LawFault | None:
    """Return the nearest fault within `depth` decisions, by breadth-first search, with the options that lead to it."""
    layer: list[tuple[State, tuple[int, ...]]] = [(begun, ())]
    for left in range(depth, 0, -1):
        further: list[tuple[State, tuple[int, ...]]] = []
        for state, path in layer:
            if seen.get(state, 0) >= left:
                continue
            seen[state] = left
            proof.states += 1
            for fault in faults_in(state, laws):
                return _behind(fault, _ids(begun, path))
            for number in range(state.decision.count if state.decision is not None else 0):
                proof.steps += 1
                found = _after(state, number, laws, watch)
                if isinstance(found, LawFault):
                    return _behind(found, _ids(begun, (*path, number)))
                further.append((found, (*path, number)))
                if clock() >= until:
                    raise OutOfTime
        layer = further
    return None


def _after(state: State, number: int, laws: Sequence[Law], watch: PropertyWatch | None) -> State | LawFault:
    """Take the option of a number, and return the state after it, or the first fault."""
    if not laws:
        return _applied(state, number, watch)
    assert state.decision is not None
    step = taken(state, state.decision.options[number])
    if isinstance(step, LawFault):
        return step
    found = next(faults_of(step, laws), None)
    if found is None and watch is not None:
        after = _applied(state, number, watch)
        found = after if isinstance(after, LawFault) else None
    return found or step.after


def _applied(state: State, number: int, watch: PropertyWatch | None) -> State | LawFault:
    """Take an option, with a watch on the properties if there is one."""
    after = state.clone()
    try:
        if watch is None:
            return after.apply(number)
        assert state.decision is not None
        watch.begin_again(state)
        watch.take(after, state.decision.options[number], ahead=False)
    except Exception as error:
        return fault_of(error)
    return breach_fault(watch.breaches[0]) if watch.breaches else after


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


__all__ = ["Proof", "SmallScope", "SmallWorld", "prove", "smallest"]
