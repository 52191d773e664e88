"""The commands of `warchest`, in groups: their names, one line about each, and their parsers."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from warchest.streams import CommandParser


@dataclass(frozen=True)
class CommandGroup:
    """Commands for one purpose, each with the line that `warchest --help` prints about it."""

    name: str
    purpose: str
    commands: dict[str, str]


GROUPS = (
    CommandGroup(
        "play",
        "play games, and let bots play them",
        {
            "play": "play against a bot at the terminal",
            "replay": "step through a saved game, or make pictures or a page of it",
            "sim": "let bots play games, and report the results",
            "rate": "rate bots by games against each other",
            "balance": "estimate the strength of cards, and propose numbers for them",
        },
    ),
    CommandGroup(
        "cards",
        "write, read and print cards",
        {
            "new": "write a first card, pack or game for you to change",
            "studio": "open a page to write cards and play with them",
            "show": "show a card with its rulings, or a position as a picture",
            "read": "read a card or a sentence back with nothing left unsaid",
            "errata": "list errata and printings, and whether they are in use",
            "rulings": "list rulings, or questions that the printed rules leave open",
            "print": "print cards, tokens, a board or a summary of the rules on paper",
            "schema": "print a JSON Schema for the documents of a game",
        },
    ),
    CommandGroup(
        "check",
        "test cards, and look for faults",
        {
            "test": "run rulings: small cases with the expected results",
            "script": "run line scripts: positions and moves with the expected results",
            "check": "search random positions and games for broken laws",
            "exhaust": "check all positions of a small size for a counterexample",
            "cover": "report which parts of the rules are covered by rulings",
            "mutants": "change words of cards, and report changes that no ruling notices",
            "diff": "compare two versions of a card or a game in play",
            "same": "check whether two cards do the same",
            "quiz": "answer questions that tell similar readings of a card apart",
        },
    ),
    CommandGroup(
        "states",
        "inspect positions",
        {
            "moves": "list the options in a position",
            "view": "print a position as one player may see it",
            "perft": "count the distinct positions reachable after a number of turns",
        },
    ),
    CommandGroup(
        "machine",
        "inspect, compile and time the program itself",
        {
            "dis": "print the code of a card or of a verb of the game",
            "native": "compile the native machine of a game, or manage compiled code",
            "bench": "measure how many games a bot plays in a second",
            "completions": "print a script that completes commands in bash, zsh or fish",
        },
    ),
)
COMMANDS = {name: about for group in GROUPS for name, about in group.commands.items()}
"""The line about each command, by name."""
RENAMED = {"prove": "exhaust", "means": "quiz"}
"""The present name of each renamed command; the old name still works."""


class CommandModule(Protocol):
    """The contents of the module of a command, which has the command's name; `__doc__` describes it."""

    __doc__: str | None

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's own arguments."""

    def run(self, args: argparse.Namespace) -> int:
        """Run the command; return the exit code."""


def command_module(name: str) -> CommandModule | None:
    """Return the module of a command, or None if this installation lacks it."""
    try:
        return cast(CommandModule, import_module(f"warchest.cli.{name}"))
    except ImportError:
        if os.environ.get("WARCHEST_DEBUG"):
            raise
        return None


def command_parser(name: str, command: CommandModule) -> CommandParser:
    """Return the parser of a command."""
    parser = CommandParser(prog=f"warchest {name}", description=command.__doc__, allow_abbrev=False)
    command.add_arguments(parser)
    return parser


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `warchest` itself."""
    parser.add_argument("--version", action="store_true", help="show the version and exit")


def whole_parser() -> CommandParser:
    """Return a parser of `warchest` with all installed commands, for scripts that complete them."""
    whole = CommandParser(prog="warchest", allow_abbrev=False)
    add_options(whole)
    parsers = whole.add_subparsers()
    for name, about in COMMANDS.items():
        command = command_module(name)
        if command is not None:
            command.add_arguments(parsers.add_parser(name, help=about, allow_abbrev=False))
    return whole
