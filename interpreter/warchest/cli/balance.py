"""Estimate the strength of cards, apart from the bots that play them, their seats and their partners.

Bots play games, and a model (Bradley and Terry's) finds the strengths of the cards that explain the results best, with
their confidence intervals. Games are played until all intervals are narrow enough. `--if` plays the same seeds with
another text of a card, or another number on it; `--tune` proposes numbers.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from warchest.balance.needed_libraries import missing
from warchest.cli import common
from warchest.cli.begin_options import begun_with
from warchest.cli.game_series import add_playing, add_seed_and_budget, note_interruption, series_budget
from warchest.cli.machine_notes import play_natively_or_note, wants_native
from warchest.cli.outputs import HTML, OutputFolder
from warchest.cli.row_files import rows_file, rows_into
from warchest.cli.tally_table import print_table
from warchest.diagnostics.articles import many
from warchest.source.replacing import replace_file
from warchest.streams import console, say
from warchest.testing.bot_games import GameLimit
from warchest.testing.budget import Budget, OutOfTime

if TYPE_CHECKING:
    from warchest.balance.asked_versions import TableMaker
    from warchest.balance.judging_numbers import NumberJudge
    from warchest.balance.result import JudgedCards
    from warchest.balance.series import GameSeries, PlayedSeed
    from warchest.balance.tuning import JudgedNumbers
    from warchest.game.game import Game
    from warchest.game.setup.beginning import Beginning

NAME = "balance"
GAMES, WITHIN, TRIALS, TARGET = 3000, 3.0, 12, 50.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("names", metavar="CARD", nargs="*", help="the cards whose strength is reported (default: all)")
    common.add_number(parser, "-n", "--games", usual=GAMES, help="the most seeds to play")
    parser.add_argument(
        "--within",
        type=_percents(0.1, 50),
        default=WITHIN / 100,
        metavar="POINTS",
        help=f"stop when all shares are known to within this many percentage points (default: {WITHIN:g})",
    )
    add_seed_and_budget(parser)
    parser.add_argument(
        "--bots", type=_bots, default="greedy", metavar="A,B", help="the bots that play (default: %(default)s)"
    )
    parser.add_argument(
        "--apart", action="store_true", help="let each bot play only against itself, and report each by itself"
    )
    _add_changes(parser)
    _add_outputs(parser)
    add_playing(parser)


def _add_changes(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for other texts and numbers of cards."""
    what = "also play the same seeds with a change: size=3 of the card, FILE, REV:FILE, or NAME=VALUE of an erratum"
    common.add_several(parser, "--if", "WHAT", what)
    parser.add_argument(
        "--tune", metavar="A,B", help="propose other numbers for the card, such as `size` or `size=2-6`"
    )
    parser.add_argument(
        "--target",
        type=_percents(1, 99),
        default=TARGET / 100,
        metavar="PERCENT",
        help=f"the percentage of games that the card should win with the numbers (default: {TARGET:g})",
    )
    common.add_number(parser, "--trials", usual=TRIALS, help="the number of values to try")


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the files that are written."""
    parser.add_argument("--report", type=HTML, metavar="FILE", help="write a self-contained page with charts")
    parser.add_argument(
        "--save",
        type=OutputFolder("game-*.html", HTML),
        metavar="DIR",
        help="write the games that show pairs to a folder, as pages",
    )
    parser.add_argument(
        "--rows", type=rows_file, metavar="FILE", help="write rows of games, as `warchest sim --rows` does"
    )


def run(args: argparse.Namespace) -> int:
    """Play the games and report; return the exit code."""
    if lacking := missing():
        raise common.UsageError(lacking)
    budget = series_budget(args)
    game = common.load_game(args)
    from warchest.balance.asked_versions import AskedError

    try:
        return _run(game, args, budget)
    except AskedError as error:
        raise common.UsageError(str(error)) from None


def _run(game: Game, args: argparse.Namespace, budget: Budget) -> int:
    from warchest.balance.asked_versions import TableMaker
    from warchest.balance.judging_numbers import NumberJudge
    from warchest.balance.result import result_of
    from warchest.balance.tuning import nearest_first

    how = begun_with(game, args)
    # A folder that cannot be made is reported before the games are played.
    for folder in filter(None, (args.save, Path(args.report).parent if args.report else None)):
        Path(folder).mkdir(parents=True, exist_ok=True)

    def begin(played: Game, options: Mapping[str, str]) -> Beginning:
        return played.beginning(**{**how, "options": {**how["options"], **options}})

    maker = TableMaker(begin, args.bots, args.apart)
    series = _series(game, args, maker)
    tables = [table for version in series.versions for table in version.tables]
    native = wants_native(args, tables, args.games)
    native = native and play_natively_or_note(tables, args.games, args.seed, series.limit)
    tuned: list[JudgedNumbers] = []
    with common.as_far_as_it_goes() as broken, _rows(args, series) as add:
        series.run(args.games, args.within, budget, common.shown, add)
        if args.tune is not None:
            judge = NumberJudge(series, game, maker, args.within, budget, native, common.shown)
            _tune(game, args, series, judge, tuned)
    note_interruption(series, broken)
    result = result_of(series, nearest_first(tuned, args.target), args.target)
    _tell(result, args.format)
    if not isinstance(broken.by, OSError):
        _write(game, args, series, result)
    broken.again()
    return common.FINE


# ---- games


def _series(game: Game, args: argparse.Namespace, maker: TableMaker) -> GameSeries:
    """Return the games to be played, by the arguments; raises AskedError, UsageError or CardError."""
    from warchest.balance.asked_versions import card_named, other_version, ranges_of
    from warchest.balance.series import GameSeries

    if not game.document.values.get("armies"):
        raise common.UsageError(f"{game.name} gives its players no armies of cards, so there is nothing to compare")
    cards = tuple(dict.fromkeys(card_named(game, name).name for name in args.names))
    others = getattr(args, "if")
    if others and not cards:
        raise common.UsageError("--if: name the cards that it is about")
    if args.tune is not None and len(cards) != 1:
        raise common.UsageError("--tune: name the one card whose numbers are to be tuned")
    if args.tune is not None:
        ranges_of(game, cards[0], args.tune)
    versions = [maker.version(game), *(other_version(maker, game, cards, one) for one in others)]
    return GameSeries(versions, cards, args.seed, GameLimit(args.cap, args.turns))


def _tune(
    game: Game, args: argparse.Namespace, series: GameSeries, judge: NumberJudge, known: list[JudgedNumbers]
) -> None:
    """Try numbers for the card of a series; each judged number is added to the known ones."""
    from warchest.balance.asked_versions import ranges_of
    from warchest.balance.series import TIME_OVER
    from warchest.balance.tuning import tuned

    card = series.cards[0]
    if series.fit.card(card) is None:
        common.note(f"{card} was in no game that has ended, so its numbers cannot be judged")
        return

    def judged(numbers: Mapping[str, int]) -> JudgedNumbers:
        known.append(judge(numbers))
        return known[-1]

    ranges = ranges_of(game, card, args.tune)
    try:
        tuned(ranges, args.target, args.trials, args.seed, judged, lambda: not judge.budget.spent)
    except OutOfTime:
        series.ended = TIME_OVER


@contextmanager
def _rows(args: argparse.Namespace, series: GameSeries) -> Iterator[Callable[[PlayedSeed], None]]:
    """Open the file of rows, if there is one; yield the writer for the game as it is."""
    seats = series.usual.beginning.variant.board.seats
    with rows_into(args.rows) as write:

        def add(found: PlayedSeed) -> None:
            for record in found[0]:
                for row in record.rows(seats):
                    write(row)

        yield add


# ---- output


def _tell(result: JudgedCards, form: str) -> None:
    if form == "json":
        common.print_json(result.data())
        return
    out = console()
    for table in result.tables():
        print_table(out, table)
    if not result.told:
        say("no game has ended with a card that was asked about")
    for line in result.notes():
        say(line)
    say(f"{many(result.games, 'game')}; {result.ended}")


def _write(game: Game, args: argparse.Namespace, series: GameSeries, result: JudgedCards) -> None:
    """Write the requested pages of games, and the report."""
    links: dict[int, str] = {}
    with common.as_far_as_it_goes() as broken:
        if args.save is not None:
            _save(args, series, result, links)
    if args.report is not None:
        from warchest.balance.report_page import faces_for, report_page

        faces = faces_for(game, dict(series.usual.beginning.variant.options), result)
        replace_file(args.report, report_page(replace(result, links=links), faces, _command(args)).encode())
        common.note(f"wrote {args.report}")
    broken.again()


def _save(args: argparse.Namespace, series: GameSeries, result: JudgedCards, links: dict[int, str]) -> None:
    """Write the games that show pairs as pages into a folder, and add the links to them by their seeds."""
    from warchest.replay.page import PageTooLarge, replay_page
    from warchest.testing.kept_games import kept_game

    folder, beside = Path(args.save), Path(args.report).parent if args.report else Path()
    for seed in sorted({seed for pair in result.pairs for seed in pair.seeds}):
        _, replay = kept_game(series.usual, seed - series.first, seed, series.limit)
        file = folder / f"game-{seed}.html"
        try:
            page = replay_page(series.usual.game, replay, path=file.name)
        except PageTooLarge as error:
            common.note(f"the game of seed {seed} has no page: {error}")
            continue
        replace_file(file, page.encode())
        links[seed] = _link(file, beside)
    common.note(f"wrote {many(len(links), 'game')} into {args.save}")


def _link(file: Path, beside: Path) -> str:
    """Return the relative address of a file, for a page in a folder."""
    from os.path import relpath

    whole = PurePosixPath("/", Path(relpath(file, beside)).as_posix()).as_uri()
    return whole.removeprefix("file:///")


def _command(args: argparse.Namespace) -> str:
    """Return the command that plays the same games again."""
    words = ["warchest", NAME, *args.names, "--game", args.game, "--seed", str(args.seed), "--games", str(args.games)]
    words += ["--within", f"{100 * args.within:g}", "--bots", ",".join(args.bots), *(["--apart"] if args.apart else [])]
    words += [word for one in getattr(args, "if") for word in ("--if", one)]
    words += ["--tune", args.tune] if args.tune else []
    return shlex.join([*words, *common.words_for_cards(args)])


# ---- arguments


def _bots(written: str) -> list[str]:
    return [common.bot_name(name.strip()) for name in written.split(",")]


def _percents(least: float, most: float) -> Callable[[str], float]:
    """Return a reader of percentages within bounds, for argparse; it returns the share."""

    def read(written: str) -> float:
        try:
            value = float(written.strip().removesuffix("%"))
        except ValueError:
            raise argparse.ArgumentTypeError(f"a number of points is needed, not {written[:40]!r}") from None
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"it is from {least:g} to {most:g}")
        return value / 100

    return read
