"""Tells whether two cards, or two versions, do the same: whether the first could stand in the place of the second.

The second card is put in the place of the first one, and both games are compared as `warchest diff` does.
"""

from __future__ import annotations

import argparse

from warchest.cli import common
from warchest.cli.diff import add_search_arguments, compare
from warchest.cli.kit import budget_of
from warchest.diagnostics.visible import visible

NAME = "same"
HELP = "tell whether two cards or versions do the same"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("first", metavar="A", help="a card, or a version as `warchest diff` takes it")
    parser.add_argument("second", metavar="B", help="another one")
    parser.add_argument(
        "--implies", action="store_true", help="ask only whether all that A offers is on offer with B as well"
    )
    add_search_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Compare them; return the exit code."""
    from warchest.testing.versions import NoVersionError, in_place_of, version_of

    budget, base = budget_of(args), common.load_game(args)
    try:
        first, second = version_of(base, args.first), version_of(base, args.second)
        if (len(first.cards) == 1) != (len(second.cards) == 1):
            raise NoVersionError("a card is compared with a card, and a version of the game with another one")
        if len(first.cards) == 1 and first.cards != second.cards:
            second = in_place_of(first, second)
    except NoVersionError as error:
        raise common.UsageError(visible(str(error))) from None
    return compare(args, budget, first, second, args.implies)
