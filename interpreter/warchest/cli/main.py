"""The entry of `warchest`: finds the command, and turns every error into a line and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from warchest.cli.commands import COMMANDS, GROUPS, RENAMED, add_options, command_module, command_parser
from warchest.diagnostics.suggest import did_you_mean
from warchest.signals import INTERRUPTED, SIGNALLED, EndedBySignal, told_to_end
from warchest.streams import CommandParser, printing, say

FINE, FINDINGS, WRONG = 0, 1, 2
OTHER_PROGRAMS = {"lint": "wc-lint", "fmt": "wc-lint fmt", "explain": "wc-lint explain", "lsp": "wc-lsp"}
"""The commands of other programs that users look for here."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code: 0 no findings, 1 findings, 2 wrong usage or unreadable input."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        with told_to_end():
            return printing("warchest", lambda: _main(arguments), enough=FINE)
    except SystemExit as stop:  # raised by argparse after help or an error
        return stop.code if isinstance(stop.code, int) else WRONG
    except KeyboardInterrupt:
        say("interrupted", error=True)
        return INTERRUPTED
    except EndedBySignal as ended:
        return SIGNALLED + ended.number


def _main(arguments: list[str]) -> int:
    if not arguments or arguments[0].startswith("-"):
        return _top(arguments)
    if arguments[0] == "help":
        return _main([*arguments[1:2], "--help"])
    name = RENAMED.get(arguments[0], arguments[0])
    if name not in COMMANDS:
        return _unknown(name)
    if name != arguments[0]:
        say(f"warchest: `{arguments[0]}` is now called `{name}`", error=True)
    command = command_module(name)
    if command is None:
        say(f"warchest: this installation lacks `{name}`", error=True)
        return WRONG
    parser = command_parser(name, command)
    rewritten = getattr(command, "rewritten", None)
    args = parser.parse_args(rewritten(arguments[1:], parser) if rewritten is not None else arguments[1:])
    from warchest.cli.common import guarded

    return guarded(lambda: command.run(args), args)


def _top(arguments: list[str]) -> int:
    parser = CommandParser(
        prog="warchest",
        usage="warchest COMMAND …",
        description=f"Board games that are written as text.\n\n{_listing()}",
        epilog="`warchest COMMAND --help` describes a command.",
        allow_abbrev=False,
    )
    add_options(parser)
    args = parser.parse_args(arguments)
    if args.version:
        from warchest import __version__

        say(f"warchest {__version__}")
        return FINE
    parser.print_help_as_error()
    return WRONG


def _listing() -> str:
    width = max(map(len, COMMANDS))
    lines = []
    for group in GROUPS:
        lines += [f"{group.name}: {group.purpose}"]
        lines += [f"  {name:<{width}}  {about}" for name, about in group.commands.items()]
        lines += [""]
    return "\n".join(lines)


def _unknown(name: str) -> int:
    say(f"warchest: there is no command {name[:60]!r}; {_meant(name)}", error=True)
    return WRONG


def _meant(name: str) -> str:
    """Return a hint that names the command that an unknown name probably means."""
    if name in OTHER_PROGRAMS:
        return f"that is `{OTHER_PROGRAMS[name]}`"
    alike = (one for one in COMMANDS if len(name) >= 3 and one[: len(name)][:4] == name[: len(one)][:4])
    near = did_you_mean(name, COMMANDS) or next((f"did you mean `{one}`?" for one in alike), "")
    return near or "`warchest --help` lists the commands"


if __name__ == "__main__":
    sys.exit(main())
