"""Rate bots by games against each other: every pair of bots plays each seed twice, once from either side.

The ratings are those of Elo, about a mean of 0, with the confidence interval of each (95 %). Games are played until all
intervals are narrow enough.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from warchest.balance.needed_libraries import missing
from warchest.bots import read_name
from warchest.cli import common
from warchest.cli.begin_options import beginning_of
from warchest.cli.game_series import add_playing, add_seed_and_budget, note_interruption, series_budget
from warchest.cli.machine_notes import play_natively_or_note, wants_native
from warchest.cli.tally_table import print_table
from warchest.diagnostics.articles import many
from warchest.streams import console, say
from warchest.testing.bot_games import GameLimit

if TYPE_CHECKING:
    from warchest.balance.bot_ratings import RatedBots, RatedSeries
    from warchest.game.game import Game

GAMES, WITHIN = 500, 25


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("bots", metavar="BOT", nargs="+", type=common.bot_name, help="the bots, two or more")
    common.add_number(
        parser, "-n", "--games", usual=GAMES, help="the most seeds to play, each from either side by every pair of bots"
    )
    common.add_number(
        parser,
        "--within",
        usual=WITHIN,
        metavar="POINTS",
        help=f"stop when all ratings are known to within this many points (default: {WITHIN})",
    )
    add_seed_and_budget(parser)
    add_playing(parser)


def run(args: argparse.Namespace) -> int:
    """Play the games and report; return the exit code."""
    if lacking := missing():
        raise common.UsageError(lacking)
    _check_bots(args.bots)
    budget = series_budget(args)
    from warchest.balance.bot_ratings import rated

    series = _series(common.load_game(args), args)
    tables = series.versions[0].tables
    if wants_native(args, tables, args.games * len(tables)):
        play_natively_or_note(tables, args.games, args.seed, series.limit)
    with common.as_far_as_it_goes() as broken:
        series.run(args.games, args.within, budget, common.shown)
    note_interruption(series, broken)
    _tell(rated(series), args.format)
    broken.again()
    return common.FINE


def _check_bots(bots: list[str]) -> None:
    """Raise UsageError for a single bot, and for one that is named twice."""
    if len(bots) == 1:
        raise common.UsageError(f"name two bots or more: there is no other bot than {bots[0]}")
    known: dict[object, str] = {}
    for name in bots:
        other = known.get(meant := read_name(name))
        if other is not None:
            raise common.UsageError(
                f"{name} is named twice" if name == other else f"{other} and {name} are the same bot"
            )
        known[meant] = name


def _series(game: Game, args: argparse.Namespace) -> RatedSeries:
    """Return the games that are to be played; raises UsageError, PositionError or InputError."""
    from warchest.balance.bot_ratings import RatedSeries, round_robin

    beginning = beginning_of(game, args)
    if len({seat.team for seat in beginning.variant.board.seats}) == 1:
        raise common.UsageError("the setup has one side only, so no bot can play against another")
    return RatedSeries([round_robin(game, beginning, args.bots)], (), args.seed, GameLimit(args.cap, args.turns))


def _tell(result: RatedBots, form: str) -> None:
    if form == "json":
        common.print_json(result.data())
        return
    out = console()
    if result.bots:
        for table in result.tables():
            print_table(out, table)
    else:
        say("no game has ended")
    for line in result.remarks:
        say(line)
    say(f"{many(result.games, 'game')} by {many(result.seeds, 'seed')}; {result.ended}")
