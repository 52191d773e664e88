"""Games between bots: they sit down at a table in turns, and each game has a record.

Game number k (from 0) is set up and rolled with the seed S + k, so that it is the same however many are played at a
time, and on whichever machine: many games are played natively.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, NamedTuple, Protocol

from warchest.bots import Bot, Course, Mcts, bot_named, played
from warchest.bots.seated import Seated, seated
from warchest.game.decision import Option
from warchest.game.game import Game
from warchest.game.setup.beginning import Beginning
from warchest.game.state import State
from warchest.parallel import carried
from warchest.testing.game_records import Record
from warchest.testing.tally import By, Tally

if TYPE_CHECKING:
    from warchest.game.native_games import NativeTable as NativeTable

MANY = 50
"""The number of games that are worth making the native machine for, where nobody asks for it."""


class GameLimit(NamedTuple):
    """The limits at which a game is given up: its decisions, and its turns (None for no limit)."""

    decisions: int
    turns: int | None = None


class GameTeller(Protocol):
    """Tells how games go, one after the other."""

    def begin(self, state: State, number: int, seed: int, seating: Mapping[str, str]) -> None:
        """Begin to tell a game with its number, its seed and the bots by their seats."""

    def taking(self, player: str | None, option: Option) -> None:
        """Tell the option that a player (None for chance) is about to take."""

    def tell(self) -> None:
        """Tell the state after a decision."""

    def end(self, how: str) -> None:
        """Tell the end of the game, or why it was broken off."""


@dataclass(slots=True)
class BotTable:
    """A game, how it begins, and those who play it."""

    game: Game
    beginning: Beginning
    names: Sequence[str]
    bots: dict[str, Bot] = field(init=False)
    natively: NativeTable | None = field(init=False, default=None)
    """The native table on which games are played, if they are."""
    held: bool = field(init=False, default=False)
    """Whether the states of games are held natively, where these cannot be played whole."""

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
        """Play natively from now on; return why that cannot be, if it cannot."""
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
        lost = ""
        if self.natively is not None:
            found = self._native(self.natively, number, seed, limit)
            if isinstance(found, Record):
                return found
            lost = found
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
        turns = _turns(state.turn, winners, limit)
        return Record(
            seed, armies, seating, winners, reason, turns, state.round, course.decisions, course.endless, lost
        )

    def _native(self, table: NativeTable, number: int, seed: int, limit: GameLimit) -> Record | str:
        """Return the record of a game that is played natively, or the reason it was given up."""
        from warchest.game.native_games import PlayCourse, cells_of_zone, outcome_of, zone_in

        variant, zone = self.beginning.variant, str(self.game.document.values.get("armies", ""))
        seating, cells = self.seating(number), cells_of_zone(variant, zone)
        those = seated([self.bots[name] for name in seating.values()], variant)
        assert isinstance(those, Seated)
        found = table.play(seed, PlayCourse(those.favourites, *limit, cells, those.looks, those.valuation))
        if found is None:
            return table.game.why
        brought, left = (zone_in(variant, zone, cells, values) for values in (found.begun, found.ended))
        armies = {player: army or brought[player] for player, army in left.items()}
        outcome, played = outcome_of(variant, found.played), found.played
        winners, reason = (outcome.winners, outcome.reason) if outcome is not None else (None, "")
        turns = _turns(played.turns, winners, limit)
        return Record(seed, armies, seating, winners, reason, turns, played.rounds, played.decisions)


def _arrived_table(game: Game, beginning: Beginning, names: Sequence[str], plays_natively: bool) -> BotTable:
    """Return a table that has arrived in another process; its native machine is compiled there, where that can be."""
    table = BotTable(game, beginning, names)
    if plays_natively:
        table.play_natively()
    return table


@dataclass(slots=True)
class GamesPart:
    """The result of games one after the other: their tally, and their records where these are wanted."""

    tally: Tally
    records: list[Record] = field(default_factory=list)
    error: BaseException | None = None
    """The error that has broken the next game off, if any has."""


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
    kept: Callable[[BotTable, int, int, GameLimit], Record] | None = None
    """Another way to play, which keeps the games."""

    @property
    def units(self) -> range:
        """The numbers of the games with which the parts begin."""
        return range(0, self.games, self.together)

    def __call__(self, first: int) -> GamesPart:
        """Play a part of the games, up to one that an error breaks off."""
        part = GamesPart(Tally(self.table.beginning.variant.board.seats, self.by))
        for number in range(first, min(first + self.together, self.games)):
            try:
                record = self._record(number)
            except Exception as error:
                part.error = carried(error)
                break
            part.tally.add(record)
            if self.keeps:
                part.records.append(record)
        return part

    def _record(self, number: int) -> Record:
        if self.kept is not None:
            return self.kept(self.table, number, self.seed + number, self.limit)
        return self.table.play(number, self.seed + number, self.limit, self.teller)


def _turns(begun: int, winners: tuple[str, ...] | None, limit: GameLimit) -> int:
    """Return the turns that have been played of those begun: with the one beyond the limit a game is given up."""
    return begun if winners is not None or limit.turns is None else min(begun, limit.turns)


def _broken_off(course: Course) -> str:
    """Return why a game has no outcome."""
    if course.endless is not None:
        return f"broken off: {course.endless}"
    return f"given up after {course.decisions} decisions"


def armies_of(game: Game, state: State) -> dict[str, list[str]]:
    """Return the contents of the zone that holds the armies of the players; nothing where the game has none."""
    zone, format_ = game.document.values.get("armies"), state.variant.format
    found: dict[str, list[str]] = format_.zone(state.run.memory, format_.zones[zone]) if zone else {}
    return found


__all__ = ["MANY", "BotTable", "GameLimit", "GameTeller", "GamesPart", "SeededGames", "armies_of"]
