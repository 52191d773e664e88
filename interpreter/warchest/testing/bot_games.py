"""Games between bots: they sit down at a table in turns, and each game has a record.

Game number k (from 0) is set up and rolled with the seed S + k. So it depends neither on the number of games at a
time nor on the machine that plays it; many games are played natively.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, NamedTuple, Protocol

from warchest.bots import Bot, Course, Mcts, bot_named, played
from warchest.bots.seated import seated
from warchest.game.decision import Option
from warchest.game.game import Game
from warchest.game.setup.beginning import Beginning
from warchest.game.state import State
from warchest.parallel import carried
from warchest.testing.game_records import Record, turns_played
from warchest.testing.tally import By, Tally

if TYPE_CHECKING:
    from warchest.game.native_games import NativeTable as NativeTable
    from warchest.testing.native_contests import NativeContests

MANY = 50
"""The least number of games for which the native machine is made without a request."""

AT_ONCE = 256
"""The most games that are played natively in one call: they take a moment, and their results little room."""


class GameLimit(NamedTuple):
    """The limits at which a game is given up: its decisions, and its turns (None for no limit)."""

    decisions: int
    turns: int | None = None


class GameTeller(Protocol):
    """An observer of games, one after the other."""

    def begin(self, state: State, number: int, seed: int, seating: Mapping[str, str]) -> None:
        """Note the beginning of a game, with its number, its seed and the bots by their seats."""

    def taking(self, player: str | None, option: Option) -> None:
        """Note the option that a player (None for chance) is about to take."""

    def tell(self) -> None:
        """Note the state after a decision."""

    def end(self, how: str) -> None:
        """Note the end of the game, or the fault that ended it early."""


@dataclass(slots=True)
class BotTable:
    """A game, its beginning, and the bots that play it."""

    game: Game
    beginning: Beginning
    names: Sequence[str]
    bots: dict[str, Bot] = field(init=False)
    natively: NativeTable | None = field(init=False, default=None)
    """The native table on which games are played, if they are."""
    held: bool = field(init=False, default=False)
    """Whether the states of games are held natively, where these cannot be played whole."""
    _contests: NativeContests | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.bots = {name: bot_named(name, self.game) for name in self.names}

    def __reduce__(self) -> tuple[object, ...]:
        return _arrived_table, (self.game, self.beginning, list(self.names), self.plays_natively)

    @property
    def plays_natively(self) -> bool:
        """Whether games are played natively, whole or decision by decision."""
        return self.natively is not None or self.held

    @property
    def searches(self) -> bool:
        """Whether any bot searches, which is slow on the reference machine."""
        return any(isinstance(bot, Mcts) for bot in self.bots.values())

    def play_natively(self) -> str:
        """Play natively from now on; return the reason if this is impossible."""
        from warchest.game.native_games import Unavailable, table_for

        found = table_for(self.beginning)
        if isinstance(found, Unavailable):
            return found.reason
        self.held = isinstance(seated(list(self.bots.values()), self.beginning.variant), str)
        self.natively = None if self.held else found
        return ""

    def seating(self, number: int) -> dict[str, str]:
        """Return the bots by their seats in the game of this number."""
        seats = self.beginning.variant.board.seats
        return {seat.name: self.names[(place + number) % len(self.names)] for place, seat in enumerate(seats)}

    def play(self, number: int, seed: int, limit: GameLimit, teller: GameTeller | None = None) -> Record:
        """Play a game to its end, or to the limit of its decisions or turns."""
        if self.natively is None:
            return self._play(number, seed, limit, teller)
        return next(self.records(number, (seed,), limit))

    def records(self, number: int, seeds: Sequence[int], limit: GameLimit) -> Iterator[Record]:
        """Yield the records of games, each as `play` plays it; `number` is that of the first.

        Many games are played natively in one call, except those that the native machine gives up.
        """
        if self.natively is None:
            for place, seed in enumerate(seeds):
                yield self.play(number + place, seed, limit)
            return
        contests = self._contests_on(self.natively, limit)
        for first in range(0, len(seeds), AT_ONCE):
            some = seeds[first : first + AT_ONCE]
            for place, found in enumerate(contests.records(number + first, some)):
                if isinstance(found, str):
                    yield self._play(number + first + place, some[place], limit, lost=found)
                else:
                    yield found

    def _contests_on(self, table: NativeTable, limit: GameLimit) -> NativeContests:
        """Return the games at a native table with a limit; they are reused while table and limit stay the same."""
        from warchest.testing.native_contests import NativeContests

        known = self._contests
        if known is None or known.table is not table or known.limit != limit:
            seatings = [self.seating(number) for number in range(len(self.names) if len(self.bots) > 1 else 1)]
            zone = str(self.game.document.values.get("armies", ""))
            known = NativeContests(table, self.beginning, seatings, self.bots, limit, zone)
            self._contests = known
        return known

    def _play(
        self, number: int, seed: int, limit: GameLimit, teller: GameTeller | None = None, lost: str = ""
    ) -> Record:
        """Play a game decision by decision; `lost` says why the native machine has given it up, if it has."""
        state = self.beginning.begin(seed)
        state.silent = teller is None
        if self.held:
            state.play_natively()
        brought = armies_of(self.game, state)
        seating, rng = self.seating(number), Random(seed)
        if teller is not None:
            teller.begin(state, number, seed, seating)
        bots = {seat: self.bots[name] for seat, name in seating.items()}
        told = (None, None) if teller is None else (teller.tell, teller.taking)
        course = played(state, bots, rng, *limit, *told)
        outcome = state.outcome
        winners, reason = (outcome.winners, outcome.reason) if outcome is not None else (None, "")
        if teller is not None:
            teller.end(reason or _broken_off(course))
        # Armies may have been chosen in the game itself, or may have left for the board since it began.
        armies = {player: army or brought[player] for player, army in armies_of(self.game, state).items()}
        turns = turns_played(state.turn, winners, limit.turns)
        ended = (winners, reason, turns, state.round, course.decisions)
        return Record(seed, armies, seating, *ended, course.endless, lost, course.full)


def _arrived_table(game: Game, beginning: Beginning, names: Sequence[str], plays_natively: bool) -> BotTable:
    """Return a table that has arrived in another process; its native machine is compiled there, if possible."""
    table = BotTable(game, beginning, names)
    if plays_natively:
        table.play_natively()
    return table


@dataclass(slots=True)
class GamesPart:
    """The result of consecutive games: their tally, and their records if requested."""

    tally: Tally
    records: list[Record] = field(default_factory=list)
    files: dict[int, bytes] = field(default_factory=dict)
    """The contents of files of the games by their seeds, where these are wanted."""
    error: BaseException | None = None
    """The error that has broken the next game off, if any."""


@dataclass(frozen=True, slots=True)
class SeededGames:
    """Games at a table from a seed on, played a number of them `together`."""

    table: BotTable
    seed: int
    games: int
    together: int
    limit: GameLimit
    by: tuple[By, ...] = ()
    keeps: bool = False
    """Whether the records of games are wanted."""
    teller: GameTeller | None = None
    kept: Callable[[BotTable, int, int, GameLimit], tuple[Record, bytes]] | None = None
    """Another way to play, which also returns the content of a file of the game."""

    @property
    def units(self) -> range:
        """The number of the first game of each part."""
        return range(0, self.games, self.together)

    def __call__(self, first: int) -> GamesPart:
        """Play a part of the games, up to one that an error breaks off."""
        part = GamesPart(Tally(self.table.beginning.variant.board.seats, self.by))
        try:
            for record in self._records(range(first, min(first + self.together, self.games)), part.files):
                part.tally.add(record)
                if self.keeps and not record.left_out:
                    part.records.append(record)
        except Exception as error:
            part.error = carried(error)
        return part

    def _records(self, numbers: range, files: dict[int, bytes]) -> Iterator[Record]:
        """Yield the records of the games with some numbers, and add the contents of their files to `files`."""
        seeds = range(self.seed + numbers.start, self.seed + numbers.stop)
        if self.teller is None and self.kept is None:
            yield from self.table.records(numbers.start, seeds, self.limit)
            return
        for number, seed in zip(numbers, seeds, strict=True):
            if self.kept is not None:
                record, files[seed] = self.kept(self.table, number, seed, self.limit)
                yield record
            else:
                yield self.table.play(number, seed, self.limit, self.teller)


def _broken_off(course: Course) -> str:
    """Return the fault that ended a game without an outcome."""
    if course.endless is not None:
        return f"broken off: {course.endless}"
    if course.full:
        return f"broken off: {course.full}"
    return f"given up after {course.decisions} decisions"


def armies_of(game: Game, state: State) -> dict[str, list[str]]:
    """Return the contents of the zone that holds the armies of the players; empty if the game has none."""
    zone, format_ = game.document.values.get("armies"), state.variant.format
    found: dict[str, list[str]] = format_.zone(state.run.memory, format_.zones[zone]) if zone else {}
    return found
