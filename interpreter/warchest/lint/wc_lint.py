"""The command `wc-lint`. Modules that are slow to import are imported when they are needed."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from warchest.diagnostics.diagnostic import Diagnostic

CLEAN, FOUND, FAILED = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    from warchest.signals import INTERRUPTED, SIGNALLED, EndedBySignal, told_to_end
    from warchest.source.garbage import uncollected
    from warchest.streams import printing, say

    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        with told_to_end(), uncollected():
            return printing("wc-lint", lambda: _run(arguments), enough=FOUND)
    except KeyboardInterrupt:
        return INTERRUPTED
    except EndedBySignal as ended:
        return SIGNALLED + ended.number
    except Exception as error:
        if os.environ.get("WARCHEST_DEBUG"):
            raise
        say(f"wc-lint: this is a fault of the program itself: {_told(error)}", error=True)
        return FAILED


def _told(error: Exception) -> str:
    from warchest.lint.jobs import Unlinted

    return str(error) if isinstance(error, Unlinted) else f"{type(error).__name__}: {error}"


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["explain"]:
        return _explain(arguments[1:])
    if arguments[:1] == ["fmt"]:
        from warchest.lint import formatting

        return formatting.run(arguments[1:])
    from warchest.lint.arguments import parser

    told = parser().parse_args(arguments)
    from warchest.lint.command import run

    return run(told)


def explain_parser() -> argparse.ArgumentParser:
    """Return the parser of `wc-lint explain`."""
    from warchest.streams import CommandParser

    parser = CommandParser(prog="wc-lint explain", description="Explain a code, with examples.")
    parser.add_argument(
        "code", nargs="?", metavar="CODE", help="a code or its name: WC204 or no-antecedent (default: all)"
    )
    return parser


def _explain(arguments: list[str]) -> int:
    from warchest.lint.explanations import explain, listing
    from warchest.streams import say, say_lines

    code: str | None = explain_parser().parse_args(arguments).code
    if code is None:
        say_lines(listing())
        return CLEAN
    try:
        say_lines(explain(code))
    except KeyError as error:
        say(f"wc-lint: {error.args[0]}", error=True)
        return FAILED
    return CLEAN


def findings_in(paths: Sequence[Path], game: str | None = None) -> list[Diagnostic]:
    """Return the findings in files and folders, in the order in which the command would show them."""
    from warchest.diagnostics.render import ordered
    from warchest.lint.jobs import jobs
    from warchest.lint.run import lint

    return ordered(dict.fromkeys(found for job in jobs(paths, game, ()) for found in lint(job).findings))


if __name__ == "__main__":
    sys.exit(main())
