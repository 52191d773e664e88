"""Writes a first card, pack or game to change: a text with notes, and one ruling that passes.

The templates are in the folder `templates` of each game, in a folder for each kind. A document of a kind without a
template takes its values from another one of that kind.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from warchest.cli import common
from warchest.diagnostics.suggest import did_you_mean
from warchest.diagnostics.visible import visible
from warchest.game.game import folder_of, load_game, no_game
from warchest.source.data import GAME_FILE, folders_of
from warchest.source.replacing import replace_file
from warchest.source.text import slug
from warchest.streams import say

NAME = "new"
HELP = "write a first card, pack or game to change"
TEMPLATES, SUFFIX = "templates", ".template"
"""The folder of a game for templates, and the suffix of their files."""
LONGEST = 60
"""The most characters of a name."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9'’ -]*")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("kind", metavar="KIND", help="a kind of document of the game, `pack`, or `game`")
    parser.add_argument("name", metavar="NAME", nargs="+", help="the name that is printed on it")
    parser.add_argument("--in", dest="folder", metavar="DIR", type=Path, default=Path(),
                        help="the folder to write into (default: this one)")  # fmt: skip
    parser.add_argument("--game", default=common.USUAL_GAME, metavar="NAME",
                        help="the game, or with a slash the folder of one of your own (default: %(default)s)")


def run(args: argparse.Namespace) -> int:
    """Write the files of a template; return the exit code."""
    name = " ".join(" ".join(args.name).split())
    if not _NAME.fullmatch(name) or len(name) > LONGEST:
        raise common.UsageError(f"a name begins with a letter from A to Z, and has at most {LONGEST} of these letters, "
                                "digits, blanks, hyphens and apostrophes; "
                                f"{visible(name[:LONGEST])!r} is not one")  # fmt: skip
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


def _templates(game: str) -> dict[str, Path]:
    """Return the folders of the templates of a game, and of the games that it is based on, by their kinds."""
    named = Path(game) if os.sep in game else game
    folder = folder_of(named)
    if folder is None:
        raise common.UsageError(no_game(named))
    found: dict[str, Path] = {}
    for one in folders_of(folder):
        inside = one / TEMPLATES
        for kind in sorted(inside.iterdir()) if inside.is_dir() else ():
            found.setdefault(kind.name, kind)
    return found


def _texts(kind: str, name: str, game: str) -> dict[Path, str]:
    """Return the texts of new files by their paths: from the template of a kind, or from its declaration.

    Raises UsageError.
    """
    known = _templates(game)
    if kind in known:
        return dict(_filled(known[kind], name))
    from warchest.cli.sampled import kinds_of, sampled

    loaded = load_game(Path(game) if os.sep in game else game)
    kinds = sorted({*known, *kinds_of(loaded)})
    if kind not in kinds:
        help = did_you_mean(kind, kinds) or f"there are: {', '.join(kinds)}"
        raise common.UsageError(f"there is no kind of document {visible(kind)!r} in {game}; {help}")
    return sampled(loaded, kind, name, slug(name))


def _filled(folder: Path, name: str) -> Iterator[tuple[Path, str]]:
    """Yield the files of a template with a name filled in: their paths in the target folder, and their texts."""
    short = slug(name)
    said = {"{name}": name, "{file}": short, "{word}": short}
    for file in sorted(folder.rglob(f"*{SUFFIX}")):
        path, text = file.relative_to(folder).as_posix().removesuffix(SUFFIX), file.read_text(encoding="utf-8")
        for key, value in said.items():
            path, text = path.replace(key, value), text.replace(key, value)
        yield Path(path), text


def _check(texts: dict[Path, str], name: str, game: str) -> None:
    """Raise UsageError if the name cannot be used, because a document has it or it is a word of the rules."""
    from warchest.lint.main import findings_in

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
    common.note(f"check it: {shlex.join(['wc-lint', *check])}")
    common.note(f"test it: {shlex.join(['warchest', 'test', *test])}")
    common.note(f"play it: {shlex.join(['warchest', 'play', *play])}")
