"""The common parts of the commands that play a series of games until their estimates are precise enough."""

from __future__ import annotations

import argparse
from math import inf
from typing import TYPE_CHECKING

from warchest.cli import common
from warchest.cli.begin_options import add_beginning
from warchest.cli.clusters import add_on, workers_of
from warchest.cli.kit import seconds_of
from warchest.testing.budget import Budget

if TYPE_CHECKING:
    from warchest.balance.series import GameSeries


def add_seed_and_budget(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the first seed, and for the time."""
    common.add_first_seed(parser)
    parser.add_argument(
        "--budget", type=seconds_of, metavar="TIME", help="stop after this time, such as 60s or 2m (default: never)"
    )


def add_playing(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the limits of a game, the processes and the machine, the beginning, and the cards."""
    common.add_limits(parser)
    common.add_jobs(parser)
    add_on(parser)
    common.add_machine(parser, "play on the native machine (default from 50 games on)", "play on the reference machine")
    add_beginning(parser)
    common.add_common(parser)


def series_budget(args: argparse.Namespace) -> Budget:
    """Return the budget of a series, which begins now."""
    return Budget(args.budget or inf, args.jobs, args.seed, workers_of(args))


def note_interruption(series: GameSeries, broken: common.Broken) -> None:
    """Note in a series that it was interrupted; if no seed was played, raise the interruption again."""
    from warchest.balance.series import BROKEN_OFF

    if broken:
        series.ended = BROKEN_OFF
    if not series.played:
        broken.again()
