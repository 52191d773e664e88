"""Print a script that lets a shell complete commands, options, values and names of files.

Add `eval "$(warchest completions bash)"` to ~/.bashrc, or the same with zsh to ~/.zshrc. For fish, write the script to
~/.config/fish/completions/warchest.fish.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from importlib.util import find_spec

from warchest.cli import common
from warchest.cli.commands import whole_parser
from warchest.streams import say_lines

SHELLS = ("bash", "zsh", "fish")
PROGRAMS = ("warchest", "wc-lint")
LIBRARY = "shtab"
"""The library that writes the scripts."""
FILES, FOLDERS = ("FILE", "PATH", "POSITION", "CARD|POSITION"), ("DIR", "FOLDER")
"""The placeholders of values that are names of files, and of folders."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help="bash, zsh or fish")
    parser.add_argument(
        "program",
        metavar="PROGRAM",
        nargs="?",
        choices=PROGRAMS,
        default=PROGRAMS[0],
        help="warchest or wc-lint (default: %(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    """Print the script; return the exit code. Raises UsageError without the library."""
    if find_spec(LIBRARY) is None:
        raise common.UsageError(f"completion needs {LIBRARY}: pip install 'warchest[shell]'")
    import shtab

    parser = _parser(args.program)
    for one in _actions(parser):
        if one.metavar in FILES or one.metavar in FOLDERS:
            one.complete = shtab.FILE if one.metavar in FILES else shtab.DIRECTORY  # type: ignore[attr-defined]
        elif one.option_strings:
            one.choices = one.choices or _names(one.option_strings)
    say_lines(shtab.complete(parser, args.shell))
    return common.FINE


def _parser(program: str) -> argparse.ArgumentParser:
    """Return the parser of a program; for `warchest`, with all its commands."""
    if program == "wc-lint":
        from warchest.lint.arguments import parser as of_linter

        return of_linter()
    return whole_parser()


def _actions(parser: argparse.ArgumentParser) -> Iterable[argparse.Action]:
    """Yield the arguments of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)


def _names(options: Iterable[str]) -> Sequence[str] | None:
    """Return the choices of an option whose values are names; None for other options."""
    from warchest.bots.choose import BOTS
    from warchest.source.data import shipped_games

    if "--game" in options:
        return [game.name for game in shipped_games()]
    return BOTS if {"--bot", "--bots"} & {*options} else None
