"""The command `wc-lsp`: the language server, over standard input and output, TCP or a WebSocket."""

from __future__ import annotations

import argparse
import secrets
import sys

from warchest import __version__

ABOUT = """The language server for card files: diagnostics, completion, rulings and play, for editors and pages.

Without options it serves the editor that has started it, over standard input and output.
"""
HOST = "127.0.0.1"
MISUSED = 2
"""The exit code for arguments that are invalid."""
_NEEDED = "--websocket needs the library websockets, which comes with: pip install 'warchest[lsp-web]'"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command."""
    from warchest.streams import CommandParser

    made = CommandParser(prog="wc-lsp", description=ABOUT)
    how = made.add_mutually_exclusive_group()
    how.add_argument("--stdio", action="store_true", help="serve standard input and output (the default)")
    how.add_argument(
        "--tcp",
        metavar="[HOST:]PORT",
        type=_address,
        help=f"listen for editors that connect by TCP (default: {HOST}; port 0: a free one)",
    )
    how.add_argument(
        "--websocket",
        metavar="PORT",
        type=_port,
        help="listen for pages of this computer that connect by WebSocket, and write the address, with its token",
    )
    made.add_argument(
        "--token",
        metavar="TEXT",
        type=_token,
        help="with --websocket: the token, of letters, digits, - and _ (default: a new one)",
    )
    made.add_argument(
        "--origin",
        metavar="URL",
        action="append",
        default=[],
        help="with --websocket: a further origin of pages, such as https://example.org",
    )
    made.add_argument("--version", action="version", version=f"wc-lsp {__version__}", help="show the version and exit")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit code."""
    from warchest.signals import INTERRUPTED

    given = sys.argv[1:] if arguments is None else arguments
    try:
        if not given:  # as editors call it: at once
            from warchest.lsp.stdio import serve_process

            return serve_process()
        made = parser()
        args = made.parse_args(given)
        if args.websocket is None and (args.token is not None or args.origin):
            made.error("--token and --origin go together with --websocket")
        return _run(args)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return 1


def _run(given: argparse.Namespace) -> int:
    from warchest.lsp.sockets import PlainWire, listening, serve
    from warchest.lsp.stdio import serve_process
    from warchest.streams import say

    if given.tcp is None and given.websocket is None:
        return serve_process()
    host, port = given.tcp if given.tcp is not None else (HOST, given.websocket)
    wire, token = PlainWire, given.token or secrets.token_urlsafe(16)
    if given.websocket is not None:
        try:
            from warchest.lsp.websocket import WebSocketWire
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] != "websockets":
                raise
            say(_NEEDED, error=True)
            return MISUSED
    try:
        door = listening(host, port)
    except OSError as error:
        say(f"wc-lsp cannot listen at {host}:{port}: {error.strerror or error}", error=True)
        return MISUSED
    with door:
        there = "{}:{}".format(*door.getsockname()[:2])
        if given.websocket is None:
            say(f"listening at {there}")
            serve(door, wire)
        else:
            say(f"listening at ws://{there}/?token={token}")
            serve(door, lambda: WebSocketWire(token, given.origin))
    return 0


def _address(said: str) -> tuple[str, int]:
    host, _, port = said.rpartition(":")
    return host.strip("[]") or HOST, _port(port)


def _token(said: str) -> str:
    if not said.isascii() or not said.replace("-", "").replace("_", "").isalnum():
        raise argparse.ArgumentTypeError(f"a token has letters, digits, - and _ only, not {said!r}")
    return said


def _port(said: str) -> int:
    if not said.isascii() or not said.isdigit() or int(said[:9]) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number up to 65535, not {said!r}")
    return int(said)


if __name__ == "__main__":
    sys.exit(main())
