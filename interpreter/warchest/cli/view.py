"""Print a position as one player may see it: hidden lists are replaced by their length."""

from __future__ import annotations

import argparse

from warchest.cli.common import FINE, USUAL_OF_POSITIONS, UsageError, add_common, game_and_state, print_json
from warchest.diagnostics.suggest import did_you_mean
from warchest.source.yaml_writing import yaml_text
from warchest.streams import say_lines


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("position", metavar="POSITION", help="a file with a position, or `-` for standard input")
    parser.add_argument("player", metavar="PLAYER", help="the player whose view is printed")
    add_common(parser, None, USUAL_OF_POSITIONS)


def run(args: argparse.Namespace) -> int:
    """Print the view; return the exit code."""
    state = game_and_state(args, args.position)[1]
    players = [seat.name for seat in state.variant.board.seats]
    if args.player not in players:
        hint = did_you_mean(args.player, players) or f"the players are {', '.join(players)}"
        raise UsageError(f"there is no player {args.player[:60]!r}; {hint}")
    view = state.view(args.player)
    if args.format == "json":
        print_json(view)
    else:
        say_lines(yaml_text(view))
    return FINE
