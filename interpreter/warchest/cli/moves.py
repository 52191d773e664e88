"""List the options of the pending decision in a position."""

from __future__ import annotations

import argparse

from warchest.cli.common import FINE, USUAL_OF_POSITIONS, add_common, game_and_state, print_json
from warchest.game.decision import Decision
from warchest.streams import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("position", metavar="POSITION", help="a file with a position, or `-` for standard input")
    add_common(parser, None, USUAL_OF_POSITIONS)


def run(args: argparse.Namespace) -> int:
    """List the options; return the exit code."""
    decision = game_and_state(args, args.position)[1].decision
    if args.format == "json":
        print_json(_record(decision))
    elif decision is None:
        say("the game is over")
    else:
        say(decision.prompt)
        width = len(str(len(decision.options)))
        for number, option in enumerate(decision.options, 1):
            chance = f"   {option.probability}" if decision.is_chance else ""
            say(f"{number:>{width}}  {option.label}{chance}")
    return FINE


def _record(decision: Decision | None) -> dict[str, object]:
    """Return a decision as JSON-ready data: outcomes of chance have a probability; a finished game gives no data."""
    if decision is None:
        return {"player": None, "prompt": "", "is_chance": False, "options": []}
    chance = decision.is_chance
    options = [
        {"label": option.label, "data": option.data, "probability": str(option.probability) if chance else None}
        for option in decision.options
    ]
    return {"player": decision.player, "prompt": decision.prompt, "is_chance": decision.is_chance, "options": options}
