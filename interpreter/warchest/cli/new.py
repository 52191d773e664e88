"""Write a first card, pack or game for you to change: a text with notes, and one ruling that passes."""

from __future__ import annotations

import argparse
import os
import shlex
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from warchest.cli import common
from warchest.game.game import load_game
from warchest.game.game_files import folder_of, no_game
from warchest.source.data import GAME_FILE
from warchest.source.replacing import replace_file
from warchest.streams import say
from warchest.templates.filling import TemplateError, name_of, new_texts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("kind", metavar="KIND", help="a kind of document that the game declares, `pack`, or `game`")
    parser.add_argument("name", metavar="NAME", nargs="+", help="the printed name of the card, pack or game")
    parser.add_argument(
        "--in",
        dest="folder",
        metavar="DIR",
        type=Path,
        default=Path(),
        help="the folder to write to (default: the current one)",
    )
    common.add_game(parser)


def run(args: argparse.Namespace) -> int:
    """Write the files of a template; return the exit code."""
    try:
        name = name_of(" ".join(args.name))
    except TemplateError as error:
        raise common.UsageError(str(error)) from None
    texts = _texts(args.kind, name, args.game)
    for file in texts:
        if os.path.lexists(args.folder / file):
            raise common.UsageError(f"{args.folder / file} is there already; choose another name, or another --in")
    _check(texts, name, args.game)
    for file, text in texts.items():
        target = args.folder / file
        target.parent.mkdir(parents=True, exist_ok=True)
        replace_file(target, text.encode())
        say(str(target))
    _advise(args, texts)
    return common.FINE


def _texts(kind: str, name: str, game: str) -> dict[Path, str]:
    """Return the texts of new files by their paths; raises UsageError."""
    named = Path(game) if os.sep in game else game
    folder = folder_of(named)
    if folder is None:
        raise common.UsageError(no_game(named))
    try:
        return new_texts(folder, partial(load_game, named), kind, name, game)
    except TemplateError as error:
        raise common.UsageError(str(error)) from None


def _check(texts: dict[Path, str], name: str, game: str) -> None:
    """Raise UsageError if the name cannot be used, because a document has it or it is a word of the rules."""
    from warchest.lint.wc_lint import findings_in

    with TemporaryDirectory() as folder:
        for file, text in texts.items():
            (Path(folder) / file).parent.mkdir(parents=True, exist_ok=True)
            replace_file(Path(folder) / file, text.encode())
        wrong = [one for one in findings_in([Path(folder)], game) if one.severity == "error"]
    if wrong:
        help = f"; {wrong[0].help}" if wrong[0].help else ""
        raise common.UsageError(f"it cannot be called {name!r}: {wrong[0].message}{help}")


def _advise(args: argparse.Namespace, texts: dict[Path, str]) -> None:
    """Print the commands that check, test and play the new files."""
    first = args.folder / min(texts, key=lambda file: len(file.parts))
    game = [] if args.game == common.USUAL_GAME else ["--game", args.game]
    if first.name == GAME_FILE:
        own = f"./{first.parent}/"
        check, test, play = [str(first.parent)], ["--game", own], ["--game", own]
    else:
        folder = str(first.parent)
        check, test, play = [*game, str(first)], [*game, "--cards", folder, str(first)], [*game, "--cards", folder]
        common.note(f"have it explained: {shlex.join(['warchest', 'read', *play, ' '.join(args.name)])}")
    common.note(f"check it: {shlex.join(['wc-lint', *check])}")
    common.note(f"test it: {shlex.join(['warchest', 'test', *test])}")
    common.note(f"play it: {shlex.join(['warchest', 'play', *play])}")
