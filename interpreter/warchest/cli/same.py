"""Check whether two cards, or two versions, do the same.

The second card replaces the first one in the game, and both games are compared as in `warchest diff`.
"""

from __future__ import annotations

import argparse

from warchest.cli import common
from warchest.cli.diff import add_search_arguments, compare
from warchest.cli.kit import budget_of
from warchest.diagnostics.visible import visible


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("first", metavar="A", help="a card, or a version as in `warchest diff`")
    parser.add_argument("second", metavar="B", help="the card or version to compare with")
    parser.add_argument("--implies", action="store_true", help="only check that B offers every option that A offers")
    add_search_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Compare the cards; return the exit code."""
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
