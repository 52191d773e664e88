"""The entry of `warchest`: finds the verb, and turns every error into a line and an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Protocol, cast

from warchest.signals import INTERRUPTED, SIGNALLED, EndedBySignal, told_to_end
from warchest.streams import CommandParser, printing, say, say_lines

VERBS = (
    "new",
    "moves",
    "perft",
    "test",
    "play",
    "show",
    "print",
    "read",
    "dis",
    "replay",
    "sim",
    "balance",
    "bench",
    "native",
    "studio",
    "view",
    "errata",
    "rulings",
    "script",
    "check",
    "cover",
    "mutants",
    "diff",
    "same",
    "prove",
    "means",
    "schema",
)

FINE, FINDINGS, WRONG = 0, 1, 2


class VerbModule(Protocol):
    """The parts that a module of this package offers for its verb."""

    NAME: str
    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the verb's own arguments."""

    def run(self, args: argparse.Namespace) -> int:
        """Do it; return the exit code."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 fine, 1 findings, 2 wrong usage or unreadable input."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        with told_to_end():
            return printing("warchest", lambda: _main(arguments), enough=FINE)
    except SystemExit as stop:  # argparse leaves by it, with help or with an error
        return stop.code if isinstance(stop.code, int) else WRONG
    except KeyboardInterrupt:
        say("interrupted", error=True)
        return INTERRUPTED
    except EndedBySignal as ended:
        return SIGNALLED + ended.number


def _main(arguments: list[str]) -> int:
    if not arguments or arguments[0].startswith("-"):
        return _top(arguments)
    name = arguments[0]
    if name not in VERBS:
        return _unknown(name)
    verb = _verb(name)
    if verb is None:
        say(f"warchest: this installation lacks `{name}`", error=True)
        return WRONG
    parser = CommandParser(prog=f"warchest {name}", description=verb.__doc__, allow_abbrev=False)
    verb.add_arguments(parser)
    rewritten = getattr(verb, "rewritten", None)
    args = parser.parse_args(rewritten(arguments[1:], parser) if rewritten is not None else arguments[1:])
    from warchest.cli.common import guarded

    return guarded(lambda: verb.run(args), args)


def _top(arguments: list[str]) -> int:
    parser = CommandParser(
        prog="warchest",
        usage="warchest VERB …",
        description="Plays board games that are written as text.",
        epilog="`warchest VERB --help` tells more about a verb.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    if "-h" in arguments or "--help" in arguments or not arguments:
        parser.description = f"{parser.description}\n\n{_listing()}"
    args = parser.parse_args(arguments)
    if args.version:
        from warchest import __version__

        say(f"warchest {__version__}")
        return FINE
    say_lines(parser.format_help(), error=True)
    return WRONG


def _listing() -> str:
    verbs = [verb for verb in map(_verb, VERBS) if verb is not None]
    width = max((len(verb.NAME) for verb in verbs), default=0)
    return "\n".join(["verbs:", *(f"  {verb.NAME:<{width}}  {verb.HELP}" for verb in verbs)])


def _unknown(name: str) -> int:
    near = get_close_matches(name, VERBS, n=1)
    hint = f"did you mean `{near[0]}`?" if near else f"the verbs are {', '.join(VERBS)}"
    say(f"warchest: there is no verb {name[:60]!r}; {hint}", error=True)
    return WRONG


def _verb(name: str) -> VerbModule | None:
    """Return the module of a verb, or None if this installation lacks it."""
    try:
        return cast(VerbModule, import_module(f"warchest.cli.{name}"))
    except ImportError:
        if os.environ.get("WARCHEST_DEBUG"):
            raise
        return None


if __name__ == "__main__":
    sys.exit(main())
