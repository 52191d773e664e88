"""Print one JSON Schema for all kinds of document of a game, for editors without a language server."""

from __future__ import annotations

import argparse
from pathlib import Path

from warchest.cli import common
from warchest.documents.joint import joint
from warchest.documents.load import declared
from warchest.game.errors import CardError
from warchest.source.data import folders_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    common.add_common(parser, formats=("json",))


def run(args: argparse.Namespace) -> int:
    """Print the schema; return the exit code. Raises UsageError, or CardError for wrong declarations."""
    folder = common.folder_of_game(args)
    cards = [Path(one) for one in args.cards]
    for one in cards:
        if not one.exists():
            raise common.UsageError(f"--cards: there is no folder {str(one)!r}")
    library = declared([*folders_of(folder), *cards])
    wrong = [found for found in library.findings if found.severity == "error"]
    if wrong or library.schemas is None:
        raise CardError(wrong)
    common.print_json(joint(library.schemas, folder.resolve().name))
    return common.FINE
