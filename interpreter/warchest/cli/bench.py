"""Measure how many games a bot plays in a second of processor time: the median of several runs.

The default bot, `policy-c`, takes a random option of the acts that the game's bots prefer, or else any option. Each run
plays other games, so that a few long games do not decide the result; they are the same whenever it is measured.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

from warchest.bots import Bot, bot_named, played
from warchest.bots.seated import seated
from warchest.cli.begin_options import add_beginning, beginning_of
from warchest.cli.common import (
    FINE,
    add_common,
    add_limits,
    add_machine,
    add_number,
    as_far_as_it_goes,
    bot_name,
    load_game,
    note,
    print_json,
)
from warchest.cli.machine_notes import note_reference
from warchest.diagnostics.articles import many
from warchest.game.setup.beginning import Beginning
from warchest.streams import say
from warchest.testing.bot_games import BotTable, GameLimit

if TYPE_CHECKING:
    from warchest.game.game import Game
    from warchest.native.compiled import NativeTable, PlayCourse


USUAL = "policy-c"
NATIVE_GAMES = 200
"""The number of games that are played natively between readings of the clock."""
SEEDS = 100_000
"""The distance between the first seeds of two runs."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=3.0,
        metavar="S",
        help="the shortest time of a run, in seconds (default: %(default)s)",
    )
    add_number(parser, "--runs", usual=7, help="the number of runs")
    add_machine(parser, "play on the native machine", "play on the reference machine (default)")
    parser.add_argument(
        "--bot", default=USUAL, type=bot_name, metavar="NAME", help="the bot that plays (default: %(default)s)"
    )
    add_limits(parser)
    add_beginning(parser)
    add_common(parser)


@dataclass(slots=True)
class BenchRun:
    """The measurements of one run so far."""

    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    endless: Counter[str] = field(default_factory=Counter)
    """The rules that did not terminate, each with the number of games that it ended."""

    def data(self) -> dict[str, Any]:
        """Return the measurements JSON-ready."""
        return {
            "games": self.games,
            "decisions": self.decisions,
            "seconds": round(self.seconds, 3),
            "games_per_second": round(self.games / self.seconds, 3),
            "decisions_per_second": round(self.decisions / self.seconds, 1),
            "endless": self.endless.total(),
        }


def run(args: argparse.Namespace) -> int:
    """Measure and report; return the exit code."""
    game = load_game(args)
    beginning = beginning_of(game, args)
    bot, runs = bot_named(args.bot, game), list[BenchRun]()
    native = _native(game, bot, beginning, args) if args.native else None
    with as_far_as_it_goes() as broken:
        for number in range(1, args.runs + 1):
            runs.append(BenchRun())
            if native is not None:
                native(runs[-1], number * SEEDS)
            else:
                _fill(runs[-1], bot, beginning, number * SEEDS, args)
            note(f"run {number} of {args.runs}: {runs[-1].games / runs[-1].seconds:.2f} games/s")
            for reason, count in runs[-1].endless.items():
                note(f"{many(count, 'game')} broken off: {reason}")
    runs = [one for one in runs if one.games]
    if runs or not isinstance(broken.by, Exception):
        _report(_result(runs, beginning, args, partial=bool(broken)), args)
    broken.again()
    return FINE


def _native(
    game: Game, bot: Bot, beginning: Beginning, args: argparse.Namespace
) -> Callable[[BenchRun, int], None] | None:
    """Return a native function that fills runs with games; None, after a note on the reason, if that is impossible."""
    from warchest.game.native_games import table_for
    from warchest.native.c_compiler import Unavailable
    from warchest.native.compiled import PlayCourse

    table = table_for(beginning)
    if isinstance(table, Unavailable):
        played_at = BotTable(game, beginning, [args.bot])
        note_reference(table.reason, [played_at], SEEDS, GameLimit(args.cap, args.turns))
        return None
    those = seated([bot] * len(beginning.variant.board.seats), beginning.variant)
    if isinstance(those, str):
        note(f"games are played decision by decision: {those}")
        return None
    course = PlayCourse(those.favourites, args.cap, args.turns, range(0), those.looks, those.valuation)
    play = _quickest(table, course, beginning)

    def fill(run: BenchRun, first: int) -> None:
        start, games = time.process_time(), 0
        while run.seconds < args.seconds:
            found = play(range(first + games, first + games + NATIVE_GAMES))
            games += NATIVE_GAMES
            run.games += len(found)
            run.decisions += sum(found)
            run.seconds = max(time.process_time() - start, 1e-9)
        if run.games < games:
            note(f"{games - run.games} of {games} games left out: the native machine has given them up")

    return fill


def _quickest(table: NativeTable, course: PlayCourse, beginning: Beginning) -> Callable[[Sequence[int]], list[int]]:
    """Return a function that plays the games of some seeds and returns the numbers of decisions of those not given up.

    If possible, the machine draws in its own way, which is quicker than that of the reference machine.
    """
    from warchest.game.native_games import playouts
    from warchest.native.compiled import ContestNumber, Standing

    acts = course.favourites[0]

    def as_the_reference_plays(seeds: Sequence[int]) -> list[int]:
        rows = table.contests(seeds, course)
        told = zip(rows.column(ContestNumber.STANDING), rows.column(ContestNumber.DECISIONS), strict=True)
        return [decisions for standing, decisions in told if standing != Standing.LOST]

    def in_its_own_way(seeds: Sequence[int]) -> list[int]:
        rows = playouts(beginning, next(iter(acts), ""), course.cap, seeds)
        assert isinstance(rows, list)
        return [row.decisions for row in rows if row.standing is not Standing.LOST]

    plain = len(acts) <= 1 and course.turns is None and course.valuation is None
    own = plain and in_its_own_way([0])
    return in_its_own_way if own else as_the_reference_plays


def _result(
    runs: Sequence[BenchRun], beginning: Beginning, args: argparse.Namespace, partial: bool
) -> dict[str, object]:
    """Return the result JSON-ready; `partial` if the runs were interrupted, perhaps during the last one."""
    return {
        "games_per_second": round(median(one.games / one.seconds for one in runs), 3) if runs else None,
        "decisions_per_second": round(median(one.decisions / one.seconds for one in runs), 1) if runs else None,
        "runs": [one.data() for one in runs],
        "partial": partial,
        "policy": _policy(args.bot),
        "setup": beginning.setup.name,
        "sets": sorted(beginning.sets),
        "cap": args.cap,
        "turns": args.turns,
    }


def _report(result: dict[str, Any], args: argparse.Namespace) -> None:
    if args.format == "json":
        print_json(result)
    elif not result["runs"]:
        say("broken off before a game was over")
    else:
        say(f"{result['games_per_second']} games/s, {result['decisions_per_second']} decisions/s")
        sets = ", ".join(result["sets"]) or "none"
        limits = f"cap {args.cap}" + (f", at most {args.turns} turns" if args.turns else "")
        how = f" (broken off; {args.runs} were asked for)" if result["partial"] else ""
        runs = many(len(result["runs"]), "run")
        say(f"median of {runs}{how}, policy {result['policy']}, {limits}, sets: {sets}")


def _policy(bot: str) -> str:
    """Return the name of a bot's policy in a report."""
    return "C" if bot == USUAL else bot


def _fill(run: BenchRun, bot: Bot, beginning: Beginning, first: int, args: argparse.Namespace) -> None:
    """Play games, beginning with the first seed, until the time is over; the last game is finished."""
    bots = dict.fromkeys((seat.name for seat in beginning.variant.board.seats), bot)
    start = time.process_time()
    for seed in count(first):
        rng = Random(seed)
        state = beginning.begin(seed)
        state.silent = True
        if args.native:
            state.play_natively()
        course = played(state, bots, rng, args.cap, args.turns)
        run.decisions += course.decisions
        if course.endless is not None:
            run.endless[str(course.endless)] += 1
        run.games += 1
        run.seconds = max(time.process_time() - start, 1e-9)
        if run.seconds >= args.seconds:
            break


def _seconds(written: str) -> float:
    try:
        seconds = float(written)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= 86400:
        raise argparse.ArgumentTypeError(f"a number of seconds is needed, not {written[:40]!r}")
    return seconds
