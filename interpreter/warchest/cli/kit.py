"""The common parts of the commands that search games for faults: arguments, budgets, and forms of results."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from warchest.cli.cards import documents_in
from warchest.cli.clusters import workers_of
from warchest.cli.common import (
    CARDS_IN_USE,
    WORK,
    InputError,
    add_common,
    add_jobs,
    add_number,
    note,
    print_json,
    titled,
)
from warchest.cli.outputs import FINDINGS_FOLDER
from warchest.diagnostics.report_forms import FORMS
from warchest.diagnostics.reports import ReportedCase, report_text
from warchest.game.errors import CardError
from warchest.streams import say_lines
from warchest.testing.budget import Budget

if TYPE_CHECKING:
    from warchest.game.game import Game
    from warchest.resolve.stated import StatedProperty

FORMATS = ("text", "json", *FORMS)
"""The forms of the results of these commands."""
UNITS = {"s": 1, "m": 60, "h": 3600}
"""The seconds in each unit of time."""
LONGEST = 7 * 24 * 3600
"""The longest budget, in seconds."""
HOW_TO_KEEP = "nothing was written; add `--found DIR` to write rulings into a folder"
_TIME = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)([smh])")


def add_kit_arguments(parser: argparse.ArgumentParser, usual: str = "60s") -> None:
    """Add the arguments of commands that search; `usual` is the default time."""
    group = titled(parser, WORK)
    add_number(group, "--seed", least=0, usual=0, metavar="S", help="the seed of all random choices")
    group.add_argument(
        "--budget",
        type=seconds_of,
        default=seconds_of(usual),
        metavar="TIME",
        help=f"the processor time that each process may use, such as 60s or 2m (default: {usual})",
    )
    add_jobs(parser)
    add_common(parser, formats=FORMATS)


def add_found(
    parser: argparse.ArgumentParser, what: str, how: str = "write {} to this folder (default: only print them)"
) -> None:
    """Add the argument for the folder into which rulings are written; without it nothing is written."""
    parser.add_argument("--found", type=FINDINGS_FOLDER, metavar="DIR", help=how.format(what))


def tell(
    form: str,
    verb: str,
    record: Callable[[], object],
    text: Callable[[], object],
    cases: Callable[[], Iterable[ReportedCase]],
) -> None:
    """Print a result in the requested form: its record in JSON, its text, or its cases for other programs."""
    if form == "json":
        print_json(record())
    elif form == "text":
        text()
    else:
        say_lines(report_text(form, verb, cases()))


def note_left(how: str, number: int, told: str = "") -> None:
    """Print the option that continues an unfinished search."""
    note(f"{told}add `--{how} {number}` to go on, or a longer --budget")


def keep_case(args: argparse.Namespace, names: Sequence[str], title: str, case: Mapping[str, object]) -> None:
    """Write a case as `keep_ruling` does, into a file named after some names."""
    from warchest.testing.ruling_files import case_text, file_stem

    keep_ruling(args, file_stem(*names), case_text(title, case))


def keep_ruling(args: argparse.Namespace, stem: str, text: str) -> None:
    """Write a ruling into the folder of --found, under a name; without a folder, print it and how to write it."""
    from warchest.testing.ruling_files import write_ruling

    if args.found is not None:
        note(f"wrote {write_ruling(Path(args.found), stem, text)}")
        return
    if args.format == "text":
        say_lines(f"\nas a ruling:\n\n{text}")
    note(HOW_TO_KEEP)


def add_from(parser: argparse.ArgumentParser, unit: str) -> None:
    """Add the argument for the unit of work at which a search continues."""
    add_number(parser, "--from", least=0, usual=0, dest="begin", help=f"continue from {unit} N")


def add_sets(parser: argparse.ArgumentParser) -> None:
    """Add the argument for the sets of cards in use."""
    titled(parser, CARDS_IN_USE).add_argument(
        "--sets",
        metavar="A,B",
        help="the sets of cards in use, or `all` (default: the usual ones, and the sets of the cards in --cards)",
    )


def sets_in_use(args: argparse.Namespace, game: Game) -> tuple[str, ...]:
    """Return the requested sets, or the default sets and the sets of the cards of --cards; raises PositionError."""
    if args.sets is not None:
        return game.sets(args.sets)
    from warchest.testing.law_check import sets_with

    return sets_with(game, documents_in(game.library.documents, args.cards))


def budget_of(args: argparse.Namespace) -> Budget:
    """Return the budget that the arguments give, with the workers that do the work; its time starts now."""
    workers = workers_of(args)
    return Budget(args.budget, args.jobs if workers is None else workers.count, args.seed, workers)


def properties_in(game: Game) -> tuple[StatedProperty, ...]:
    """Return the properties of a game; raises InputError if one cannot be read."""
    from warchest.testing.properties.stated_properties import properties_of

    try:
        return properties_of(game)
    except CardError as error:
        raise InputError(list(error.diagnostics)) from None


def seconds_of(written: str) -> float:
    """Return the seconds of a time such as `60s`, `1.5m` or `2h`, for argparse."""
    found = _TIME.fullmatch(written.strip())
    if found is None:
        raise argparse.ArgumentTypeError(f"a time is needed, such as 60s or 2m, not {written[:40]!r}")
    seconds = float(found[1]) * UNITS[found[2]]
    if not seconds:
        raise argparse.ArgumentTypeError("a time has to be more than 0s")
    if seconds > LONGEST:
        raise argparse.ArgumentTypeError(f"a time is at most {LONGEST // 3600}h")
    return seconds
