"""Count the distinct positions reachable when a number of turns have been played to their end.

All choices of all players and all outcomes of chance are followed. A position in which the round or the game ends
earlier counts at every greater depth, too.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

from warchest.cli.common import (
    FINE,
    USUAL_OF_POSITIONS,
    add_common,
    add_machine,
    add_number,
    counted,
    game_and_state,
    note,
    print_json,
    progress,
)
from warchest.diagnostics.articles import many
from warchest.diagnostics.visible import json_text
from warchest.game.state import State
from warchest.game.turn_successors import digest_of, frontier
from warchest.streams import say

DEEP = 3
"""The lowest depth that is worth making the native machine for."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("position", metavar="POSITION", help="a file with a position, or `-` for standard input")
    add_number(parser, "--depth", least=0, usual=1, help="the number of turns")
    parser.add_argument("--list", action="store_true", help="also print the positions, as JSON, one per line")
    parser.add_argument(
        "--digest", action="store_true", help="also print a fingerprint of the positions, to compare two versions"
    )
    add_machine(parser, "count on the native machine (default from depth 3)", "count on the reference machine")
    add_common(parser, None, USUAL_OF_POSITIONS)


def run(args: argparse.Namespace) -> int:
    """Count, and list the states if requested; return the exit code."""
    state = game_and_state(args, args.position)[1]
    natively = not (args.list or args.digest or args.reference) and (args.native or args.depth >= DEEP)
    count = _counted(state, args.depth) if natively else None
    found = _frontier(state, args.depth) if count is None else []
    count = len(found) if count is None else count
    if args.format == "json":
        result: dict[str, object] = {"depth": args.depth, "count": count}
        if args.list:
            result["positions"] = [one.position() for one in found]
        if args.digest:
            result["digest"] = digest_of(found)
        print_json(result)
        return FINE
    if args.list:
        for one in found:
            say(json_text(one.position()))
    digest = f", digest {digest_of(found)}" if args.digest else ""
    say(f"{many(count, 'position')} at depth {args.depth}{digest}")
    return FINE


def _counted(state: State, depth: int) -> int | None:
    """Return the number of states after `depth` turns, counted natively; None, with a note, where that is impossible."""
    from warchest.game.native_games import perft
    from warchest.native.c_compiler import Unavailable

    found = perft(state, depth)
    if isinstance(found, Unavailable):
        note(f"the reference machine counts: {found.reason}")
        return None
    return found


def _frontier(state: State, depth: int) -> list[State]:
    """Return the states after `depth` turns, with progress shown."""
    with progress() as bar:
        reached = 0

        def watch(edge: Iterable[State]) -> Iterator[State]:
            nonlocal reached
            reached += 1
            states = list(edge)
            yield from counted(bar, states, len(states), f"depth {reached}")

        return frontier(state, depth, watch)
