"""Let bots play games against each other, and report the results.

The bots are given in the order of the seats; in each further game they move on by one seat, so that none keeps the
first. Game number k (from 0) uses the seed S + k: it is the same game on either machine, however many processes play.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from warchest.cli.begin_options import add_beginning, beginning_of
from warchest.cli.clusters import add_on, workers_of
from warchest.cli.common import (
    FINE,
    Broken,
    JsonList,
    add_common,
    add_first_seed,
    add_jobs,
    add_limits,
    add_machine,
    add_number,
    as_far_as_it_goes,
    bot_name,
    load_game,
    note,
    shown_by,
)
from warchest.cli.machine_notes import play_natively_or_note, wants_native
from warchest.cli.outputs import REPLAY, OutputFolder
from warchest.cli.row_files import rows_file, rows_into
from warchest.cli.tally_table import print_tally
from warchest.game.decision import Option
from warchest.game.game import Game
from warchest.game.state import State
from warchest.game.telling.motions import is_turning_point
from warchest.source.replacing import replace_file
from warchest.streams import console, say
from warchest.testing.bot_games import BotTable, GameLimit, GamesPart, SeededGames
from warchest.testing.budget import UNLIMITED
from warchest.testing.kept_games import game_file, kept_file
from warchest.testing.search import KitSearch
from warchest.testing.tally import BY, By, Tally

if TYPE_CHECKING:
    from rich.console import Console


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_number(parser, "-n", "--games", usual=100, help="the number of games")
    add_first_seed(parser)
    parser.add_argument(
        "--bots",
        type=_bots,
        default="policy-c",
        metavar="A,B",
        help="the bots, in the order of the seats (default: %(default)s)",
    )
    add_limits(parser)
    add_jobs(parser)
    add_on(parser)
    _add_outputs(parser)
    add_machine(parser, "play on the native machine (default from 50 games on)", "play on the reference machine")
    add_beginning(parser)
    add_common(parser)


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for tables, files and games that are shown."""
    parser.add_argument("--show", action="store_true", help="print each game's news, and the board at turning points")
    parser.add_argument(
        "--by",
        type=_sorts,
        default=(),
        metavar="A,B",
        help="also print the shares by `card`, by `pair` of cards or by `seat`",
    )
    parser.add_argument(
        "--rows",
        type=rows_file,
        metavar="FILE",
        help="write a row for each army of each game, as .csv, .jsonl or .parquet",
    )
    parser.add_argument(
        "--save",
        type=OutputFolder("game-*.json", REPLAY),
        metavar="DIR",
        help="save each game to this folder, for `warchest replay`; the reference machine plays them",
    )


def run(args: argparse.Namespace) -> int:
    """Play the games and report; return the exit code."""
    game = load_game(args)
    table = BotTable(game, beginning_of(game, args), args.bots)
    _prepare(table, args)
    begun = time.perf_counter()
    tally, listed = Tally(table.beginning.variant.board.seats, args.by), JsonList() if args.format == "json" else None
    broken = _played(args, table, tally, listed)
    for remark in tally.remarks():
        note(remark)
    # A single game that was shown needs no table.
    is_told = args.show and args.games == 1 and listed is None and not broken
    is_partial = bool(broken) and _games_of(tally) < args.games
    if not is_told:
        seconds = time.perf_counter() - begun
        note(f"{tally.games / seconds:.1f} games and {tally.decisions / seconds:.0f} decisions a second")
    if not is_told and (tally.games or not isinstance(broken.by, Exception)):
        _report(game, tally, listed, args.games if is_partial else None)
    if is_partial:
        note(f"broken off in the game of seed {args.seed + _games_of(tally)}")
    broken.again()
    return FINE


def _prepare(table: BotTable, args: argparse.Namespace) -> None:
    """Let a table play natively if that is worthwhile, and make the folder for saved games."""
    is_worth_it = table.searches or not (args.show or args.save)
    if is_worth_it and wants_native(args, [table], args.games):
        play_natively_or_note([table], args.games, args.seed, GameLimit(args.cap, args.turns))
    if args.save is not None:
        Path(args.save).mkdir(parents=True, exist_ok=True)


def _played(args: argparse.Namespace, table: BotTable, tally: Tally, listed: JsonList | None) -> Broken:
    """Play the games, and count, list and write them; return the error that ended them."""
    budget = replace(UNLIMITED, jobs=1 if args.show else args.jobs, workers=workers_of(args))
    # Where the reference machine plays, or a bot thinks, a game takes long enough to be handed out by itself.
    together = 1 if table.natively is None else budget.portion_of(args.games)
    teller = _Teller(table.game, _showing(args.format)) if args.show else None
    limit, keeps = GameLimit(args.cap, args.turns), listed is not None or args.rows is not None
    folder = Path(args.save) if args.save is not None else None
    together, kept = (together, None) if folder is None else (1, kept_file)
    games = SeededGames(table, args.seed, args.games, together, limit, args.by, keeps, teller, kept)
    with ExitStack() as files:
        write = files.enter_context(rows_into(args.rows))

        def add(_: int, part: GamesPart) -> None:
            for seed, content in part.files.items():
                assert folder is not None
                replace_file(game_file(folder, seed), content)
            tally.merge(part.tally)
            for record in part.records:
                for row in record.rows(tally.seats):
                    write(row)
                if listed is not None:
                    listed.add(record.data())
            if part.error is not None:
                raise part.error

        show = shown_by("games", args.games, _games_in, listed is not None or args.show)
        # Rows that cannot be written end the games, too, even the last row when the file is closed.
        with as_far_as_it_goes() as broken, files.pop_all():
            KitSearch(games.units, games, budget).run(add, show)
    return broken


def _games_in(part: GamesPart | None) -> int:
    return _games_of(part.tally) if part is not None else 0


def _games_of(tally: Tally) -> int:
    """Return the number of games, including those that were left out."""
    return tally.games + tally.left_out.total()


def _showing(form: str) -> Console:
    """Return the console for games that are shown; with JSON, standard output is for the result alone."""
    return console(error=form == "json")


def _bots(written: str) -> list[str]:
    return [bot_name(name.strip()) for name in written.split(",")]


def _sorts(written: str) -> tuple[By, ...]:
    told = [name.strip() for name in written.split(",")]
    unknown = [name for name in told if name not in BY]
    if unknown:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(BY)}")
    return tuple(one for one in BY if one in told)


class _Teller:
    """Shows a game: the news of each round, and the board if pieces have left it or a space has changed hands."""

    def __init__(self, game: Game, show: Console) -> None:
        self.show = show

    def begin(self, state: State, number: int, seed: int, seating: Mapping[str, str]) -> None:
        """Print the number and the seed of the game, and its players."""
        self.state, self.round, self.lines, self.records = state, state.round, 0, 0
        who = ", ".join(f"{seat} is {bot}" for seat, bot in seating.items())
        self.show.print(f"game {number + 1}, seed {seed}: {who}", soft_wrap=True)

    def taking(self, player: str | None, option: Option) -> None:
        """Do nothing: the log reports the option afterwards."""

    def tell(self) -> None:
        """Show the news if a round has ended, with the board at a turning point."""
        if self.state.round != self.round:
            self._news()
            if self._has_turned():
                self._board()
            self.show.print(f"round {self.round} has ended\n", style="bold")
            self.round = self.state.round

    def end(self, how: str) -> None:
        """Show the rest of the news, the board, and the end of the game."""
        self._news()
        self._board()
        self.show.print(f"{how}\n", style="bold")

    def _has_turned(self) -> bool:
        """Whether a piece has left the board, or a space has changed its value, since the last call."""
        history = self.state.history()
        fresh, self.records = history[self.records :], len(history)
        return is_turning_point(fresh, self.state.variant)

    def _news(self) -> None:
        entries = self.state.news_entries(None)
        for entry in entries[self.lines :]:
            self.show.print(entry.text, soft_wrap=True, style="dim" if entry.text.startswith(" ") else "bold")
        self.lines = len(entries)

    def _board(self) -> None:
        from warchest.picture import text

        self.show.print()
        self.show.print(text(self.state))


# ---- the report


def _report(game: Game, tally: Tally, listed: JsonList | None, wanted: int | None) -> None:
    """Print the outcome of the games; `wanted` is the planned number of games, if they were interrupted."""
    if listed is not None:
        listed.add(tally.data(wanted is not None))
        listed.end()
    elif tally.games:
        print_tally(tally, game.name)
        if wanted is not None:
            say(f"broken off; {wanted} games were asked for")
    elif tally.left_out:
        say("no game could be played to its end")
    else:
        say("broken off before a game was over")
