"""Ratings of bots by games against each other: each pair plays each seed twice, once from either side.

The model is that of the strengths of cards (`strengths.py`), with seats and bots only: as each game is also played with
the sides exchanged, cards and seats favour no bot, and the ratings are about games with the cards that chance deals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, permutations
from math import inf

from warchest.balance.contests import DRAWN, WON, TeamContest
from warchest.balance.series import GameSeries, GameVersion
from warchest.balance.strengths import Fit, Strength, fitted, share_of
from warchest.diagnostics.articles import many
from warchest.game.game import Game
from warchest.game.setup.beginning import Beginning
from warchest.lowering.board import Seat
from warchest.testing.bot_games import BotTable
from warchest.testing.game_records import Record
from warchest.testing.tally import TallyTable

SPREAD_OF_BOTS = 4.0
"""The standard deviation of the strengths of bots before any game is known; they differ more than cards do."""
STEP_OF_BOTS = 25
"""The number of seeds between two comparisons of the intervals of bots."""


def round_robin(game: Game, beginning: Beginning, bots: Sequence[str]) -> GameVersion:
    """Return the tables at which each pair of some bots plays, once from either side."""
    seats = beginning.variant.board.seats
    return GameVersion("", tuple(BotTable(game, beginning, _seated(pair, seats)) for pair in permutations(bots, 2)))


def _seated(pair: tuple[str, str], seats: Sequence[Seat]) -> list[str]:
    """Return the bots of the seats: the teams alternate between the two bots."""
    teams = list(dict.fromkeys(seat.team for seat in seats))
    return [pair[teams.index(seat.team) % 2] for seat in seats]


class RatedSeries(GameSeries):
    """The games of bots at the tables of `round_robin`, by seeds; widths of intervals are points of a rating."""

    @property
    def step(self) -> int:
        """The number of seeds between two comparisons of the intervals."""
        return STEP_OF_BOTS

    def ended_within(self, within: float) -> str:
        """Return why a series ended whose intervals are narrow enough, in words."""
        return f"all ratings were within ±{within:g}"

    def played_at(self, version: GameVersion, seed: int) -> tuple[Record, ...]:
        """Play the games of a seed, one at each of the tables; no bot moves on to another seat."""
        return tuple(table.play(0, seed, self.limit) for table in version.tables)

    def contests(self, records: Iterable[Record]) -> list[TeamContest]:
        """Return the contests of some games, without the cards."""
        return [
            replace(one, first=replace(one.first, cards={}), second=replace(one.second, cards={}))
            for one in super().contests(records)
        ]

    @cached_property
    def fit(self) -> Fit:
        """The strengths of seats and bots by the games so far."""
        return fitted(self.contests(self.records()), SPREAD_OF_BOTS)

    @property
    def half_width(self) -> float:
        """Half the width of the widest interval of a rating; infinite as long as a bot has none."""
        count = len({name for table in self.versions[0].tables for name in table.names})
        found = [one.elo_half_width for one in self.fit.bots if one.games]
        return max(found) if len(found) == count else inf


@dataclass(frozen=True, slots=True)
class BotPair:
    """The games of two bots: the numbers that the first has won, drawn and lost, and its share by the ratings."""

    bot: str
    other: str
    won: int
    drawn: int
    lost: int
    expected: float

    @property
    def games(self) -> int:
        """The number of games that have ended."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float | None:
        """The share of the first bot, where draws count half; None without games."""
        return (self.won + self.drawn / 2) / self.games if self.games else None


@dataclass(frozen=True, slots=True)
class RatedBots:
    """The result of a series: the bots with their ratings, and the results of each pair of bots."""

    game: str
    seeds: int
    games: int
    ended: str
    """Why no more games were played, in words."""
    partial: bool
    fit: Fit
    bots: tuple[Strength, ...]
    """The bots, the strongest first."""
    pairs: tuple[BotPair, ...]
    remarks: tuple[str, ...]
    """The games that went otherwise than planned, in sentences."""

    def data(self) -> dict[str, object]:
        """Return it JSON-ready."""
        return {
            "game": self.game,
            "seeds": self.seeds,
            "games": self.games,
            "ended": self.ended,
            "partial": self.partial,
            "notes": list(self.remarks),
            "bots": {one.name: _rating_data(one) for one in self.bots},
            "seats": {one.name: {**_rating_data(one), "share": round(one.share, 4)} for one in self.fit.teams},
            "pairs": [_bot_pair_data(one) for one in self.pairs],
        }

    def tables(self) -> Iterator[TallyTable]:
        """Yield the result as tables: the ratings, and the games of each pair of bots."""
        rows = [(one.name, f"{one.elo:+.0f}", f"{one.elo_half_width:.0f}", str(one.games)) for one in self.bots]
        yield TallyTable(
            f"ratings of bots, by {many(self.games, 'game')} of {self.game}", ("", "rating", "±", "games"), (rows,)
        )
        columns = ("", "games", "won", "drawn", "lost", "share", "by ratings")
        yield TallyTable("each pair of bots", columns, ([_bot_pair_row(one) for one in self.pairs],))


def rated(series: RatedSeries) -> RatedBots:
    """Return the result of a series."""
    records = list(series.records())
    tally = series.tally(records)
    left = many(tally.unfinished, "game")
    remarks = [f"{left} had no end and {'says' if tally.unfinished == 1 else 'say'} nothing about bots"]
    bots = sorted(series.fit.bots, key=lambda one: (-one.value, one.name))
    contests = series.fit.contests
    return RatedBots(
        series.usual.game.name,
        len(series.played),
        len(records),
        series.ended,
        series.is_partial,
        series.fit,
        tuple(bots),
        tuple(_pair(one, other, contests) for one, other in combinations(bots, 2)),
        (*(remarks if tally.unfinished else ()), *tally.remarks()),
    )


def _pair(one: Strength, other: Strength, contests: Iterable[TeamContest]) -> BotPair:
    """Return the games of two bots among some contests."""
    scores = list[float]()
    for contest in contests:
        sides = next(iter(contest.first.bots)), next(iter(contest.second.bots))
        scores += [contest.score] if sides == (one.name, other.name) else []
        scores += [1 - contest.score] if sides == (other.name, one.name) else []
    won, drawn = scores.count(WON), scores.count(DRAWN)
    return BotPair(one.name, other.name, won, drawn, len(scores) - won - drawn, share_of(one.value - other.value))


# ---- rows and data


def _rating_data(one: Strength) -> dict[str, object]:
    low, high = one.elo - one.elo_half_width, one.elo + one.elo_half_width
    return {"games": one.games, "rating": round(one.elo, 1), "interval": [round(low, 1), round(high, 1)]}


def _bot_pair_row(one: BotPair) -> tuple[str, ...]:
    share = "-" if one.share is None else f"{one.share:.1%}"
    counts = (one.games, one.won, one.drawn, one.lost)
    return f"{one.bot} against {one.other}", *map(str, counts), share, f"{one.expected:.1%}"


def _bot_pair_data(one: BotPair) -> dict[str, object]:
    share = None if one.share is None else round(one.share, 4)
    counts = {"games": one.games, "won": one.won, "drawn": one.drawn, "lost": one.lost}
    return {"bots": [one.bot, one.other], **counts, "share": share, "expected": round(one.expected, 4)}
