"""Open the studio: a page to write cards, to see how they are read, and to play with them."""

from __future__ import annotations

import argparse
import secrets
import webbrowser
from pathlib import Path

from warchest.cli import common
from warchest.diagnostics.visible import visible
from warchest.streams import say

_LIBRARIES = ("starlette", "uvicorn", "watchfiles", "websockets", "anyio")
_NEEDED = "the studio needs libraries that come with: pip install 'warchest[studio]'"
_UNBUILT = "the editor of the studio is not built in this checkout; `make studio` builds it, and opens the studio"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        nargs="?",
        type=Path,
        default=Path(),
        help="the folder with your cards (default: the current one)",
    )
    common.add_number(parser, "--port", least=0, usual=0, help="the port to listen on (default: any free one)")
    parser.add_argument(
        "--export",
        type=Path,
        metavar="DIR",
        help="write the page as files for any web host, with Python in it, and exit",
    )
    parser.add_argument("--no-browser", action="store_true", help="print the address, and open no browser")


def run(args: argparse.Namespace) -> int:
    """Serve the page until the command is interrupted, or export it; return the exit code."""
    if args.export is not None:
        return _export(args.export)
    if not args.folder.is_dir():
        raise common.UsageError(f"there is no folder {visible(str(args.folder))}")
    try:
        from warchest.studio.local_server import listening, serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _LIBRARIES:
            raise
        raise common.UsageError(_NEEDED) from None
    from warchest.studio.bundle import is_current

    if not is_current():
        raise common.UsageError(_UNBUILT)
    try:
        socket = listening(args.port)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or "a port is a number up to 65535"
        raise common.UsageError(f"the studio cannot listen at port {args.port}: {reason}") from None
    with socket:
        token, port = secrets.token_urlsafe(16), socket.getsockname()[1]
        address = f"http://127.0.0.1:{port}/?token={token}"
        say(f"the studio is at {address}")
        say("Ctrl-C ends it")
        if not args.no_browser:
            webbrowser.open_new_tab(address)
        serve(args.folder, token, socket)
    return common.FINE


def _export(target: Path) -> int:
    from warchest.studio.bundle import Unbuilt
    from warchest.studio.export import export

    try:
        size = export(target, lambda step: say(step, error=True))
    except Unbuilt as error:
        raise common.UsageError(str(error).strip()) from None
    say(f"{visible(str(target))} holds the studio: {size:,} bytes")
    return common.FINE
