"""Run line scripts: positions and moves, one per line, each of which must hold.

Of each script, the first line that does not hold is shown with its place and the reason.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from warchest.cli.common import FINDINGS, FINE, STANDARD_INPUT, WRONG, UsageError, add_common, load_game, print_json
from warchest.diagnostics.render import text, to_json
from warchest.game.game import Game
from warchest.scripts.line_script import ScriptResult, run_script
from warchest.scripts.notation import KIND, notation_of
from warchest.source.characters import odd_characters
from warchest.source.data import shipped_games
from warchest.source.file_reading import Read, decode, read_source
from warchest.source.limits import MAX_BYTES
from warchest.streams import say, say_lines, wants_color

_BEGINS = re.compile(rf"^{KIND}:", re.MULTILINE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file with a script, or `-` for standard input")
    add_common(parser, None, "the game that has a notation for scripts")


def run(args: argparse.Namespace) -> int:
    """Run the scripts and report; exit code 1 if a line does not hold, 2 if a file cannot be read."""
    read = [(path, _read(path)) for path in args.files]
    args.game = args.game or _usual()
    game = load_game(args)
    if notation_of(game.library) is None:
        raise UsageError(f"{game.name} has no notation for scripts")
    results = [(one.source.path if one.source else path, _run(game, one)) for path, one in read]
    if args.format == "json":
        print_json([_record(file, result) for file, result in results])
    else:
        _print(results)
    if any(one.source is None for _, one in read):
        return WRONG
    return FINDINGS if any(result.finding for _, result in results) else FINE


def _run(game: Game, read: Read) -> ScriptResult:
    """Run a script; for a file that cannot be read or has invisible characters, return that finding."""
    source = read.source
    wrong = read.diagnostics if source is None else odd_characters(source)
    if source is None or wrong:
        return ScriptResult(wrong[0])
    return run_script(game, source.span(0, len(source.text)))


def _read(path: str) -> Read:
    piped = path == STANDARD_INPUT
    return decode(sys.stdin.buffer.read(MAX_BYTES + 1), "standard input") if piped else read_source(Path(path))


def _usual() -> str:
    """Return the shipped game that has a notation; raises UsageError unless there is exactly one."""
    found = [folder.name for folder in shipped_games() if _has_notation(folder)]
    if len(found) != 1:
        raise UsageError(f"name the game with --game; a notation for scripts have: {', '.join(found) or 'none'}")
    return found[0]


def _has_notation(folder: Path) -> bool:
    return any(_BEGINS.search(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.yaml")))


def _record(file: str, result: ScriptResult) -> dict[str, object]:
    finding = to_json([result.finding])[0] if result.finding is not None else None
    return {"file": file, "holds": finding is None, "lines": result.lines, "finding": finding}


def _print(results: Sequence[tuple[str, ScriptResult]]) -> None:
    for file, result in results:
        if result.finding is None:
            say(f"{file}: all {result.lines} lines hold")
        else:
            say_lines(text([result.finding], wants_color()), painted=True)
