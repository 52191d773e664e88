"""Compile the native machine of a game, or show or delete the compiled code.

The native machine plays games some hundred times faster than the reference machine. It is compiled when it is first
needed, by the system's C compiler or that of the package ziglang; without a compiler the reference machine plays.
"""

from __future__ import annotations

import argparse
import time

from warchest.cli import common
from warchest.cli.begin_options import add_beginning, beginning_of
from warchest.streams import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--show", action="store_true", help="print the folder of compiled code and its size")
    what.add_argument("--clear", action="store_true", help="delete all compiled code")
    add_beginning(parser)
    common.add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Compile, show or delete the code; return the exit code."""
    from warchest.native.c_compiler import Unavailable
    from warchest.native.libraries import native_cache

    cache = native_cache()
    if isinstance(cache, Unavailable):
        return _say(args, {"native": False, "reason": cache.reason}, f"no native machine: {cache.reason}")
    if args.clear:
        count = cache.clear()
        return _say(args, {"cleared": count}, f"{count} files let go")
    if args.show:
        kept = [path.stat().st_size for path in cache.records()]
        told = f"{len(kept)} files, {sum(kept) / 2**20:.1f} MB, in {cache.folder}"
        return _say(args, {"folder": str(cache.folder), "files": len(kept), "bytes": sum(kept)}, told)
    return _compile(args)


def _compile(args: argparse.Namespace) -> int:
    from warchest.game.native_games import native_machine
    from warchest.native.c_compiler import Unavailable

    beginning = beginning_of(common.load_game(args), args)
    begun = time.monotonic()
    machine = native_machine(beginning.variant)
    seconds = time.monotonic() - begun
    if isinstance(machine, Unavailable):
        _say(args, {"native": False, "reason": machine.reason}, f"no native machine: {machine.reason}")
        return common.FINDINGS
    return _say(args, {"native": True, "seconds": round(seconds, 2)}, f"the native machine is there ({seconds:.1f} s)")


def _say(args: argparse.Namespace, data: dict[str, object], text: str) -> int:
    if args.format == "json":
        common.print_json(data)
    else:
        say(text)
    return common.FINE
