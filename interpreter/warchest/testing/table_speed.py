"""The speed of the reference machine at tables of bots, measured by the first moments of their games."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from random import Random
from time import perf_counter

from warchest.bots import Bot, Mcts, played
from warchest.game.decision import Option
from warchest.testing.bot_games import BotTable, GameLimit
from warchest.testing.budget import OutOfTime, clock, ending, look_at_clock

PATIENCE = 2.0
"""The most seconds of processor time that a measurement takes."""
_HOUR, _LONG = 3600, 5400


@dataclass(slots=True)
class TableSpeed:
    """The numbers of games, decisions and seconds of a measurement; `ended` if all games were over in time."""

    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    ended: bool = False

    def told(self, games: int = 0) -> str:
        """Return the speed in words, with the time that a number of such games takes, if a number is given."""
        if not self.ended and not self.decisions:
            return f"the first decision takes more than {self.seconds:.0f} s"
        if not self.ended:
            return f"{self.decisions / self.seconds:.2g} decisions a second"
        each = self.seconds / self.games
        whole = f", so {games:,} take about {_time_told(each * games)} of processor time" if games else ""
        return f"{each:.2g} s a game{whole}"


def table_speed(tables: Sequence[BotTable], seed: int, limit: GameLimit) -> TableSpeed:
    """Measure the reference machine for a short time, by the game of a seed at each of the tables."""
    found, begun = TableSpeed(), clock()
    with suppress(OutOfTime), ending(begun + PATIENCE):
        for table in tables:
            _play_one(table, seed, limit, found)
        found.ended = True
    found.seconds = max(clock() - begun, 1e-9)
    return found


def _play_one(table: BotTable, seed: int, limit: GameLimit, found: TableSpeed) -> None:
    """Play a game, and count the game and the decisions of its players, except a decision that takes too long."""
    begun = perf_counter()

    def count(player: str | None, _: Option) -> None:
        look_at_clock()
        if perf_counter() - begun >= PATIENCE:
            # A search is ended by the time of day, which on a busy machine is over before the processor time.
            raise OutOfTime
        found.decisions += player is not None

    state = table.beginning.begin(seed)
    state.silent = True
    bots = {seat: _in_time(table.bots[name]) for seat, name in table.seating(0).items()}
    played(state, bots, Random(seed), *limit, taking=count)
    found.games += 1


def _in_time(bot: Bot) -> Bot:
    """Return a bot whose thinking time is at most that of the measurement: a search does not read the work clock."""
    if not isinstance(bot, Mcts):
        return bot
    hasty = copy(bot)
    hasty.time = replace(bot.time, seconds=min(bot.time.seconds, PATIENCE))
    return hasty


def _time_told(seconds: float) -> str:
    if seconds > _LONG:
        return f"{seconds / _HOUR:,.1f} hours"
    return f"{seconds / 60:.0f} minutes" if seconds > 90 else f"{seconds:.0f} seconds"
