"""Print a position as one player may see it: hidden lists are replaced by their length."""

from __future__ import annotations

import argparse
from typing import Any

from warchest.cli.common import FINE, UsageError, add_common, load_game, print_json, read_state
from warchest.diagnostics.suggest import did_you_mean
from warchest.streams import say_lines

NAME = "view"
HELP = "print a position as one player may see it"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("position", metavar="POSITION", help="a file with a position; `-` is standard input")
    parser.add_argument("player", metavar="PLAYER", help="whose view it is")
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Print the view; return the exit code."""
    state = read_state(load_game(args), args.position)
    players = [seat.name for seat in state.variant.board.seats]
    if args.player not in players:
        hint = did_you_mean(args.player, players) or f"the players are {', '.join(players)}"
        raise UsageError(f"there is no player {args.player[:60]!r}; {hint}")
    view = state.view(args.player)
    if args.format == "json":
        print_json(view)
    else:
        say_lines(in_yaml(view))
    return FINE


def in_yaml(view: dict[str, Any]) -> str:
    """Return a mapping in YAML: a line for each key, and its contents on that line or in a list below."""
    from yaml import SafeDumper, dump

    class PlainDumper(SafeDumper):
        """Writes values that occur twice twice: other readers of positions take no aliases."""

        def ignore_aliases(self, data: Any) -> bool:
            return True

    written: str = dump(
        view, Dumper=PlainDumper, sort_keys=False, allow_unicode=True, default_flow_style=None, width=120
    )
    return written
