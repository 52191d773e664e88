"""Every position of a small size, up to symmetry: what holds in all of them, and in all that comes of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, permutations, product
from math import inf
from typing import Any

from warchest.game.errors import PositionError
from warchest.game.game import Game
from warchest.game.position.keys import Shape
from warchest.game.state import State
from warchest.game.variant import Variant
from warchest.testing.budget import clock
from warchest.testing.laws import Law, LawFault, breach_fault, fault_of, faults_in, faults_of, taken
from warchest.testing.positions import PositionData
from warchest.testing.properties.watch import PropertyWatch
from warchest.testing.symmetry import canonical, symmetries_of

COMPANY = 2
"""The cards for company where none are named: those with the fewest words."""


@dataclass(frozen=True)
class SmallScope:
    """A size of positions: a card with so many pieces at most, together with `others`, on so many spaces.

    Everybody has a token of each own piece at hand, and games go on for so many decisions.
    """

    card: str
    others: tuple[str, ...] = ()
    spaces: int = 7
    pieces: int = 3
    depth: int = 2


@dataclass(slots=True)
class Proof:
    """The reach of a proof: positions, those left out as others turned round, states and options; and the fault."""

    positions: int = 0
    turned: int = 0
    states: int = 0
    steps: int = 0
    whole: bool = True
    times: int = 0
    """The times that the properties which were asked for applied."""
    fault: LawFault | None = None
    position: PositionData = field(default_factory=dict)

    def add(self, other: Proof) -> None:
        """Add a part of the proof; the first fault stays."""
        self.positions += other.positions
        self.turned += other.turned
        self.states += other.states
        self.steps += other.steps
        self.times += other.times
        self.whole = self.whole and other.whole
        if self.fault is None and other.fault is not None:
            self.fault, self.position = other.fault, other.position


class SmallWorld:
    """All positions of a size, those with the fewest pieces first."""

    def __init__(self, game: Game, scope: SmallScope) -> None:
        self.game, self.scope = game, scope
        self.variant: Variant = game.variant()
        self.ruleset, self.naming, self.board = self.variant.program.ruleset, self.variant.naming, self.variant.board
        self.shapes: Mapping[str, Shape] = self.variant.format.shapes

    @cached_property
    def pieces_key(self) -> tuple[str, Shape]:
        """The key of positions under which the pieces of the card stand; raises PositionError where it has none."""
        for key, shape in self.shapes.items():
            kind = next((one for one in self.ruleset.kinds if one.name == shape.get("pieces")), None)
            if kind is not None and any(one.kind == kind.sheet and one.name == self.scope.card
                                        for one in self.ruleset.sheets):  # fmt: skip
                return key, shape
        raise PositionError("card", f"{self.scope.card!r} has no pieces")

    @cached_property
    def others(self) -> tuple[str, ...]:
        """The cards for company."""
        if self.scope.others:
            return self.scope.others
        kind = next(one.kind for one in self.ruleset.sheets if one.name == self.scope.card)
        known = [one for one in self.game.library.of_kind(kind) if one.name != self.scope.card]
        known.sort(key=lambda one: (sum(len(str(value)) for value in one.values.values()), one.name))
        return tuple(one.name for one in known[:COMPANY])

    @cached_property
    def region(self) -> tuple[str, ...]:
        """The spaces that pieces stand on: one in the middle of the board, and those around it."""
        reach = self.board.distance
        count = len(self.board.spaces)
        middle = min(range(count), key=lambda one: (max(reach[one][other] for other in range(count)), one))
        nearest = sorted(range(count), key=lambda one: (reach[middle][one], one))
        return tuple(self.naming.spaces[one] for one in nearest[: self.scope.spaces])

    def positions(self) -> Iterator[PositionData | None]:
        """Yield all positions; None for each that is an earlier one, turned round."""
        symmetries, seen = symmetries_of(self.variant), set[str]()
        for told in self._all():
            images = [canonical(told), *(canonical(one.of(told)) for one in symmetries)]
            if symmetries and min(images) in seen:
                yield None
                continue
            seen.add(min(images))
            yield told

    def _all(self) -> Iterator[PositionData]:
        players = self.naming.players
        turn = next(key for key, shape in self.shapes.items() if "turn of" in shape)
        for count in range(self.scope.pieces):
            for company in combinations(self.others, min(count, len(self.others))):
                cards = (self.scope.card, *company)
                if len(cards) != count + 1:
                    continue
                for places in permutations(self.region, len(cards)):
                    for owners, acting in product(product(players, repeat=len(cards)), players):
                        for facings in product(self.facings, repeat=len(cards)):
                            yield {turn: acting, **self._standing(cards, places, owners, facings)}

    @cached_property
    def facings(self) -> list[PositionData]:
        """The directions that pieces can have, by the keys of their entries; one without any where they have none."""
        of_pieces, fields = self.variant.format.of_pieces, self.pieces_key[1].get("fields", {})
        keys = [key for key, name in fields.items()
                if isinstance(name, str) and self.ruleset.fields[of_pieces[name]].base == "direction"]  # fmt: skip
        return [dict(zip(keys, chosen, strict=True)) for chosen in product(self.board.directions, repeat=len(keys))]

    def _standing(
        self, cards: Sequence[str], places: Sequence[str], owners: Sequence[str], facings: Sequence[PositionData]
    ) -> PositionData:
        key, shape = self.pieces_key
        entries = []
        for card, place, owner, facing in zip(cards, places, owners, facings, strict=True):
            entry: dict[str, Any] = {shape["place"]: place, shape["document"]: card, **facing}
            if "owner" in shape:
                entry[shape["owner"]] = owner
            entries.append(entry)
        hands: dict[str, list[str]] = {}
        for card, owner in zip(cards, owners, strict=True):
            hands.setdefault(owner, []).append(card)
        return {key: entries, **({self.hand: hands} if self.hand else {})}

    @cached_property
    def hand(self) -> str:
        """The first key for tokens of players that can be those of the card; empty where there is none."""
        for key, shape in self.shapes.items():
            if "zone" in shape and not shape.get("gathered"):
                number = self.variant.format.zones[shape["zone"]]
                kinds = self.ruleset.kinds_in(number)
                if self.ruleset.zones[number].of_player and any(
                    one.kind in kinds and one.name == self.scope.card for one in self.ruleset.sheets
                ):
                    return key
        return ""


def prove(
    game: Game,
    told: Sequence[PositionData],
    depth: int,
    laws: Sequence[Law] = (),
    until: float = inf,
    watch: PropertyWatch | None = None,
) -> Proof:
    """Look at some positions, and at all that comes of them within so many decisions, for the first fault.

    Laws are asked of each step, and so are the properties of a watch, but for those that a position itself breaks. A
    state is looked at once, however it is come to.
    """
    proof, seen = Proof(), dict[State, int]()
    for position in told:
        try:
            state = game.position(position)
        except PositionError:
            continue
        state.silent = not laws
        if not laws and watch is None:
            # Whether anything is raised the native machine tells as well, and soon.
            state.play_natively()
        proof.positions += 1
        fault = _looked(state, depth, laws, watch, seen, proof, until)
        if watch is not None:
            proof.times += sum(one.times for one in watch.collected())
        if fault is not None:
            proof.fault, proof.position = fault, position
            return proof
        if clock() >= until:
            proof.whole = False
            return proof
    return proof


def _looked(
    begun: State,
    depth: int,
    laws: Sequence[Law],
    watch: PropertyWatch | None,
    seen: dict[State, int],
    proof: Proof,
    until: float,
) -> LawFault | None:
    """Return the first fault within so many decisions, the nearest first, with the options that lead to it."""
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
                proof.whole = False
                return None
        layer = further
    return None


def _after(state: State, number: int, laws: Sequence[Law], watch: PropertyWatch | None) -> State | LawFault:
    """Take the option of a number, and return the state behind it, or the first fault in that."""
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
        watch.begin(state)
        watch.take(after, state.decision.options[number])
    except Exception as error:
        return fault_of(error)
    return breach_fault(watch.breaches[0]) if watch.breaches else after


def _ids(begun: State, path: Sequence[int]) -> tuple[str, ...]:
    """Return the ids of options that are taken by their numbers, one after the other."""
    state, found = begun.clone(), list[str]()
    for number in path:
        assert state.decision is not None
        found.append(state.decision.options[number].id)
        if len(found) < len(path):
            state.apply(number)
    return tuple(found)


def _behind(fault: LawFault, path: tuple[str, ...]) -> LawFault:
    """Return a fault with all the options that lead to it."""
    return LawFault(fault.law, fault.text, fault.clauses, path or fault.path)


__all__ = ["Proof", "SmallScope", "SmallWorld", "prove"]
