"""Comparison of two games: the smallest position in which their options, or the results of an option, differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from math import inf
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeAlias, TypeVar

from warchest.game.decision import Option
from warchest.game.errors import PositionError
from warchest.game.game import Game
from warchest.game.position.whole import facts_in
from warchest.game.state import EndlessError, State
from warchest.rulings.compare import PartDifference, unlike_parts
from warchest.rulings.runner import CHANCE, NOBODY
from warchest.testing.budget import OutOfTime, clock, ending, look_at_clock
from warchest.testing.draws import RandomDraws, one_of
from warchest.testing.paths import RecordedPlay, rests_of
from warchest.testing.positions import NoPositionError, PositionData, PositionSampler, Sampling, drawn_near, state_told
from warchest.testing.shrinking import OptionPath, shrunk_way

WALK = 4
"""The number of successive decisions from each position on, while the games agree."""
MOST_REASONS = 3
"""The most reasons that are listed for an option that is not on offer."""
_OfferedByBoth: TypeAlias = tuple[dict[str, Option], dict[str, Option]]
"""The options of two states by their ids."""
_UnlikeParts: TypeAlias = tuple[PartDifference, ...]
_StatePair: TypeAlias = tuple[State, State]
_Of = TypeVar("_Of")
"""The type of a value that is computed for each game."""
EASY = 30
"""The number of positions on the usual board before others are tried."""
SIZES = ((2, 1), (3, 2), (5, 2))
"""The pieces in positions, and the tokens in zones, in increasing order, since most differences need few."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A position where the behaviour of two games differs.

    `path` has the ids of the options that are taken in both games from there on. After it, either some options are on
    offer in `only` one game, or the results of the last option differ in some `parts`: the values of the first game are
    the expected ones.
    """

    position: PositionData
    path: tuple[str, ...] = ()
    only: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    parts: _UnlikeParts = ()

    @property
    def sort(self) -> Literal["options", "outcome"]:
        """The sort of the difference: in the options on offer, or in the results of an option."""
        return "options" if any(self.only) else "outcome"

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that say how the results differ."""
        return tuple(one.line for one in self.parts)

    @property
    def keys(self) -> set[str]:
        """The keys of the parts that differ, and `then` if the deciders differ."""
        return {one.key for one in self.parts}


@dataclass(slots=True)
class Compared:
    """The numbers of positions and steps compared, and of positions that differ, and the first difference found."""

    positions: int = 0
    steps: int = 0
    differing: int = 0
    found: Difference | None = None
    whole: bool = True
    """Whether the comparison was completed, or a difference found, before the time was over."""

    @property
    def is_last(self) -> bool:
        """Whether this is the last part of a comparison."""
        return self.found is not None or not self.whole

    def add(self, other: Compared) -> None:
        """Add the numbers of further positions; the difference that was found first stays."""
        self.positions += other.positions
        self.steps += other.steps
        self.differing += other.differing
        self.found = self.found or other.found
        self.whole = self.whole and other.whole


@dataclass(frozen=True)
class GameComparison:
    """A comparison of two games. `implied`: only options of the first game that the second one lacks are a difference."""

    first: Game
    second: Game
    options: tuple[Mapping[str, str], Mapping[str, str]] = field(default=({}, {}))
    implied: bool = False

    def look(
        self,
        cards: Sequence[str] = (),
        others: Sequence[str] = (),
        seed: int = 0,
        most: int = 1000,
        until: float | None = None,
        every: bool = False,
        known: Sequence[PositionData | RecordedPlay] = (),
        near: Sequence[PositionData] = (),
        before: int = 0,
        small: bool = True,
    ) -> Compared:
        """Compare at most `most` positions, until a moment of `testing.budget.clock`; shrink the first difference.

        The `known` positions come first; they can be the beginnings of setups, or plays, which are followed. Then come
        random positions: most have the `cards` on the board and some of the `others` (empty: any), and some are `near`
        given ones. The comparison stops at the first difference, unless `every` one is to be counted. `before` is the
        number of positions that were compared in earlier calls. Without `small` the difference is not shrunk.
        """
        compared = Compared()
        try:
            with ending(inf if until is None else until):
                draws = RandomDraws(Random(f"compare {seed}"))
                drawn = self._positions(draws, Sampling(tuple(cards), tuple(others)), near, before, most - len(known))
                for told in chain(known[:most], drawn):
                    look_at_clock()
                    compared.positions += 1
                    play = told if isinstance(told, RecordedPlay) else RecordedPlay(told)
                    found = self._walked(play, draws, compared)
                    if found is not None:
                        compared.differing += 1
                        compared.found = compared.found or (self.smallest(found) if small else found)
                        if not every:
                            break
        except OutOfTime:
            compared.whole = compared.found is not None and not every
        return compared

    def smallest(self, found: Difference) -> Difference:
        """Return a difference of the same sort, in the same keys, in the smallest position found within the time."""
        best = found

        def holds(told: PositionData, way: OptionPath) -> bool:
            nonlocal best
            other = self.at(told, way)
            if other is None or other.sort != found.sort or not other.keys <= found.keys:
                return False
            best = other
            return True

        with suppress(OutOfTime):
            best = self._sooner(found)
            shrunk_way(best.position, tuple(best.path), holds, game=self.first)
        return best

    def _sooner(self, found: Difference) -> Difference:
        """Return a difference with a shorter path, which begins from a position on the path, if there is one."""
        if not found.path:
            return found
        begun = self._state(0, found.position)
        for told, rest in rests_of(begun, found.path, last=found.sort == "options"):
            other = self.at(told, rest)
            found = other if other is not None and other.sort == found.sort else found
        return found

    def at(self, told: PositionData, path: Sequence[str] = ()) -> Difference | None:
        """Return the difference at the end of a path from a position; None if there is none, or no such path."""
        pair, parts = self._begun(told)
        offers, unlike = self._offers(pair)
        for number, chosen in enumerate(path):
            if pair is None or offers is None or any(self._only(offers)) or not all(chosen in one for one in offers):
                return None
            pair, parts = self._taken(pair, offers, chosen)
            if parts and number < len(path) - 1:
                return None
            offers, unlike = self._offers(pair)
        only = self._only(offers) if offers is not None and not parts else ((), ())
        return Difference(told, tuple(path), only, parts or unlike) if parts or unlike or any(only) else None

    def reasons(self, found: Difference) -> Iterator[str]:
        """Yield lines with the reasons why an option of one game is not on offer in the other one, with clauses."""
        pair, _ = self._begun(found.position)
        offers, _ = self._offers(pair)
        for chosen in found.path:
            pair = self._taken(pair, offers, chosen)[0] if pair is not None and offers is not None else None
            offers, _ = self._offers(pair)
        if pair is None or offers is None:
            return
        for number, options in enumerate(found.only):
            if options:
                data = offers[number][options[0]].data
                yield f"`{options[0]}` is not on offer in the other one:"
                for reason in pair[1 - number].why_not(data)[:MOST_REASONS]:
                    place = f" ({Path(reason['file']).name}:{reason['line']})" if reason["file"] else ""
                    yield f"  {reason['reason']}{place}"

    # ---- positions

    def _positions(
        self, draws: RandomDraws, wishes: Sampling, near: Sequence[PositionData], before: int, most: int
    ) -> Iterator[PositionData]:
        usual, crowded = (
            [
                PositionSampler(
                    self.first, replace(wishes, pieces=pieces, tokens=tokens, aimed=True), self.options[0], board
                )
                for pieces, tokens, board in sizes
            ]
            for sizes in (((*size, None) for size in SIZES), self._crowds())
        )
        refused = 0
        for number in range(most):
            # The board for few players is easier to read, and shows most differences.
            samplers = usual if before + number < EASY else usual + crowded
            try:
                yield drawn_near(samplers, number, draws, near)
            except NoPositionError:
                refused += 1
                if refused > WALK and refused == number + 1:
                    raise

    def _crowds(self) -> Iterator[tuple[int, int, str]]:
        """Yield the sizes of positions on the board for the most players, if the usual board is for fewer."""
        boards = self.first.boards.boards
        name, board = max(boards.items(), key=lambda one: len(one[1].seats))
        if len(board.seats) > len(self.first.variant().board.seats):
            yield from ((*size, name) for size in SIZES[1:])

    def _begun(self, told: PositionData) -> tuple[_StatePair | None, _UnlikeParts]:
        """Return both games' states for a position (None if one refuses it), and differing parts; see `_for_both`."""
        try:
            return self._for_both(lambda number: self._state(number, told))
        except PositionError:
            return None, ()

    def _offers(self, pair: _StatePair | None) -> tuple[_OfferedByBoth | None, _UnlikeParts]:
        """Return the options of both states (None if there are no states), and the differing parts; see `_for_both`."""
        return self._for_both(lambda number: _offered(pair[number])) if pair is not None else (None, ())

    def _for_both(self, work: Callable[[int], _Of]) -> tuple[tuple[_Of, _Of] | None, _UnlikeParts]:
        """Return the results of some work in both games, or None if it is endless in one of them; and differing parts.

        There are such parts only if the work ends in exactly one of the games.
        """
        found, ended = list[_Of](), list[PartDifference]()
        for number in range(2):
            try:
                found.append(work(number))
                ended.append(PartDifference("this", "this ends"))
            except EndlessError:
                ended.append(PartDifference("this", "this does not end"))
        if len(found) == 2:
            return (found[0], found[1]), ()
        return None, tuple(ended) if found and not self.implied else ()

    def state_of(self, told: PositionData) -> State | None:
        """Return the state of a position in the first game, or else in the second one; None if both refuse it."""
        for number in range(2):
            with suppress(PositionError, EndlessError):
                return self._state(number, told)
        return None

    def _state(self, number: int, told: PositionData) -> State:
        options, game = self.options[number], (self.first, self.second)[number]
        state = state_told(game, {**told, "options": {**told.get("options", {}), **options}} if options else told)
        state.silent = True
        return state

    # ---- comparing

    def _walked(self, play: RecordedPlay, draws: RandomDraws, compared: Compared) -> Difference | None:
        """Return the first difference on a walk from a position: all options are compared, and one of them is taken.

        That is the next option of the play that both games offer, or a random one at the end of the play. Options of
        the play that are not on offer are skipped, because a game does not ask for a forced choice.
        """
        path, ahead = list[str](), iter(play.path)
        pair, parts = self._begun(play.position)
        for _ in range(max(WALK, len(play.path) + 1)):
            offers, unlike = self._offers(pair)
            if parts or unlike:
                return Difference(play.position, tuple(path), parts=parts or unlike)
            if pair is None or offers is None or not any(offers):
                return None
            only = self._only(offers)
            if any(only):
                return Difference(play.position, tuple(path), only)
            further, common = None, [one for one in offers[0] if one in offers[1]]
            wanted = next((one for one in ahead if one in common), "") or (one_of(draws, common) if common else "")
            for chosen in common:
                compared.steps += 1
                after, parts = self._taken(pair, offers, chosen)
                if parts:
                    return Difference(play.position, (*path, chosen), parts=parts)
                if chosen == wanted:
                    further = after
            pair = further
            path.append(wanted)
        return None

    def _only(self, offers: _OfferedByBoth) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the options that only one of two states offers, by their ids."""
        here, there = (tuple(one for one in ids if one not in other) for ids, other in (offers, offers[::-1]))
        return (here, ()) if self.implied else (here, there)

    def _taken(self, pair: _StatePair, offers: _OfferedByBoth, chosen: str) -> tuple[_StatePair | None, _UnlikeParts]:
        """Take an option in both states; return the states after it, and the parts that differ."""
        after, parts = self._for_both(lambda number: pair[number].clone().apply(offers[number][chosen]))
        return after, tuple(_parts_of(*after)) if after is not None and not self.implied else parts


def differences(
    first: Game, second: Game, cards: Sequence[str] = (), seed: int = 0, most: int = 1000, seconds: float | None = None
) -> Compared:
    """Compare two games in at most `most` random positions, or for `seconds`; most have the `cards` on the board.

    `found` of the result is a difference in the smallest position found that shows one; None if there is none.
    """
    until = None if seconds is None else clock() + seconds
    return GameComparison(first, second).look(cards, seed=seed, most=most, until=until)


def _offered(state: State) -> dict[str, Option]:
    """Return the options on offer by their ids; none where the game is over."""
    decision = state.decision
    return {} if decision is None else {one.id: one for one in decision.options}


def _parts_of(first: State, second: State) -> Iterator[PartDifference]:
    """Yield the parts in which two states differ, apart from pending work."""
    decides, otherwise = decider_of(first), decider_of(second)
    if decides != otherwise:
        yield PartDifference("then", f"then {decides} decides, or {otherwise}")
    if not (_are_laid_out_alike(first, second) and first.run.memory == second.run.memory):
        positions = first.position(), second.position()
        told, other = (facts_in(one) for one in positions)
        if told != other:
            yield from unlike_parts(told, other, shapes=first.variant.format.shapes)
        yield from _bonuses_of(*(one.get("pending", {}).get("bonuses", {}).get("sums", {}) for one in positions))


def _bonuses_of(first: Mapping[str, Any], second: Mapping[str, Any]) -> Iterator[PartDifference]:
    """Yield the parts in which the permanent bonuses of pieces differ, by the places of the pieces."""
    for place in dict.fromkeys((*first, *second)):
        mine, others = first.get(place, {}), second.get(place, {})
        both = ({f"bonuses.{place}": {one: told.get(one, 0) for one in (*mine, *others)}} for told in (mine, others))
        yield from unlike_parts(*both)


def _are_laid_out_alike(first: State, second: State) -> bool:
    """Whether a cell of the memory means the same in both states."""
    one, other = (state.variant.program.layout for state in (first, second))
    rules, others = one.ruleset, other.ruleset
    return one is other or (
        len(first.run.memory) == len(second.run.memory)
        and first.variant.naming.documents == second.variant.naming.documents
        and first.variant.naming.spaces == second.variant.naming.spaces
        and (rules.zones, rules.fields, rules.kinds) == (others.zones, others.fields, others.kinds)
    )


def decider_of(state: State) -> str:
    """Return the decider of a state in the words of rulings: a player, `chance` or `nobody`."""
    return NOBODY if state.decision is None else state.decision.player or CHANCE


def facts_of(state: State) -> dict[str, object]:
    """Return the position of a state, without the keys about the form of texts."""
    return facts_in(state.position())
