"""Many games between bots, as columns for arrays and tables."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from warchest.bots.bot import CAP
from warchest.game.errors import OptionError, PositionError
from warchest.game.game import Game
from warchest.game.setup.armies import Armies
from warchest.testing.bot_games import MANY, BotTable, GameLimit
from warchest.testing.game_records import Record, is_won

if TYPE_CHECKING:
    import pyarrow

DRAWN, UNDECIDED = -1, -2
"""The winners of a game that nobody has won, and of one that was not played to its end."""
ARROW = "pyarrow"


@dataclass(frozen=True, slots=True)
class Contests:
    """Games between bots as columns; each game has the same index in all of them.

    Columns of numbers are arrays that numpy reads without a copy, as in `numpy.asarray(found.turns)`.
    """

    teams: tuple[str, ...]
    seeds: tuple[int, ...]
    winners: array[int]
    """The numbers of the teams that have won; -1 for a draw, -2 for a game that was not played to its end."""
    decisions: array[int]
    rounds: array[int]
    turns: array[int]
    bots: dict[str, list[str]]
    """The bots, by their seats."""
    armies: dict[str, list[Sequence[str]]]
    """The armies, by their seats; empty ones where the game has none."""

    def __len__(self) -> int:
        return len(self.seeds)

    def share(self, team: str) -> float:
        """Return the share of the games played to their end that a team has won; raises OptionError.

        It is `nan` if no game was played to its end.
        """
        if team not in self.teams:
            raise OptionError("team", f"there is no team {team!r}; there are: {', '.join(self.teams)}")
        ended = len(self) - self.winners.count(UNDECIDED)
        return self.winners.count(self.teams.index(team)) / ended if ended else float("nan")

    def arrow(self) -> pyarrow.Table:
        """Return the columns as an Arrow table; raises OptionError where pyarrow is missing.

        Seeds are texts where any has more than 64 bits. The column `winner` has the name of the team, "" for a draw,
        and null for a game that was not played to its end.
        """
        if find_spec(ARROW) is None:
            raise OptionError("", f"Arrow tables need {ARROW}: pip install 'warchest[parquet]'")
        import pyarrow as arrow

        names = {**dict(enumerate(self.teams)), DRAWN: "", UNDECIDED: None}
        is_small = all(-(2**63) <= seed < 2**63 for seed in self.seeds)
        columns = {
            "seed": arrow.array(self.seeds if is_small else map(str, self.seeds)),
            "winner": arrow.array([names[number] for number in self.winners], arrow.string()),
        }
        for name in ("decisions", "rounds", "turns"):
            columns[name] = arrow.array(getattr(self, name).tolist(), arrow.int32())
        for seat, bots in self.bots.items():
            columns[f"bot {seat}"] = arrow.array(bots, arrow.string())
        for seat, armies in self.armies.items():
            columns[f"army {seat}"] = arrow.array(armies, arrow.list_(arrow.string()))
        return arrow.table(columns)


def contests(
    game: Game,
    seeds: Iterable[int],
    bots: Sequence[str] | str = "policy-c",
    *,
    cap: int = CAP,
    turns: int | None = None,
    armies: Armies | None = None,
    options: Mapping[str, str] | None = None,
    setup: str | None = None,
    players: int | None = None,
    sets: Iterable[str] | str | None = None,
) -> Contests:
    """Play games between bots, one for each seed, and return the results as columns.

    Bots are given in the order of the seats, as a list or by commas; in each further game they move on by one seat.
    `cap` and `turns` are the most decisions and turns of a game; the rest determines how games begin, as for
    `game.new`. Many games are played natively, if possible, with the same results; `warchest sim` plays the same games.
    Raises OptionError for unknown bots, and PositionError for impossible beginnings.
    """
    names = [name.strip() for name in bots.split(",")] if isinstance(bots, str) else list(bots)
    if not names:
        raise OptionError("bots", "name at least one, such as 'greedy'")
    for what, most in (("cap", cap), ("turns", turns)):
        if most is not None and (not isinstance(most, int) or most < 1):
            raise OptionError(what, f"a whole number from 1 on is needed, not {most!r}")
    wanted, begun = _seeds(seeds), game.beginning(armies, options, setup, players, sets)
    table = BotTable(game, begun, names)
    if table.searches or len(wanted) >= MANY:
        # Where it cannot, the reference machine plays the same games.
        table.play_natively()
    seats = table.beginning.variant.board.seats
    found = Contests(
        tuple(dict.fromkeys(seat.team for seat in seats)),
        wanted,
        winners=array("i"),
        decisions=array("i"),
        rounds=array("i"),
        turns=array("i"),
        bots={seat.name: [] for seat in seats},
        armies={seat.name: [] for seat in seats},
    )
    for record in table.records(0, wanted, GameLimit(cap, turns)):
        _add(found, record, {seat.team: is_won(seat, record.winners) for seat in seats})
    return found


def _seeds(given: Iterable[int]) -> tuple[int, ...]:
    try:
        seeds = tuple(given)
    except TypeError:
        raise PositionError("seeds", f"whole numbers are needed, such as range(1000), not {given!r}") from None
    for seed in seeds:
        if not isinstance(seed, int):
            raise PositionError("seeds", f"a whole number is needed, not {seed!r}")
    return seeds


def _add(found: Contests, record: Record, won: dict[str, bool]) -> None:
    """Add a game to the columns."""
    ended = DRAWN if record.winners is not None else UNDECIDED
    found.winners.append(next((number for number, team in enumerate(found.teams) if won[team]), ended))
    found.decisions.append(record.decisions)
    found.rounds.append(record.rounds)
    found.turns.append(record.turns)
    for seat, bot in record.bots.items():
        found.bots[seat].append(bot)
        found.armies[seat].append(record.armies.get(seat, ()))


__all__ = ["DRAWN", "UNDECIDED", "Contests", "contests"]
