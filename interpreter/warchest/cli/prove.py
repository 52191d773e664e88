"""Looks at every position of a small size, up to symmetry, and at all that comes of them within some decisions.

It says that a card breaks nothing in all of them, counted, or shows the shortest way to where it does.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from warchest.cli import common
from warchest.cli.diff import print_board
from warchest.cli.kit import KitCase, add_kit_arguments, budget_of, github, junit
from warchest.parallel import side_by_side
from warchest.source.writing import yaml_text
from warchest.streams import say, say_lines

if TYPE_CHECKING:
    from warchest.game.game import Game
    from warchest.testing.positions import PositionData
    from warchest.testing.proving import Proof, SmallScope

NAME = "prove"
HELP = "look at every position of a small size for what breaks a game"
SPACES, PIECES, DEPTH, TOGETHER = 7, 2, 3, 10
"""The usual size of positions, and how many of them a process is given at a time."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("card", metavar="CARD", help="a card with pieces")
    parser.add_argument("--others", metavar="A,B", default="",
                        help="the cards that stand beside it (default: the two with the fewest words)")  # fmt: skip
    parser.add_argument("--spaces", type=common.whole_number(1), default=SPACES, metavar="N",
                        help="the spaces they stand on, in the middle of the board (default: %(default)s)")
    parser.add_argument("--units", type=common.whole_number(1), default=PIECES, metavar="N",
                        help="the most pieces there are (default: %(default)s)")  # fmt: skip
    parser.add_argument("--depth", type=common.whole_number(1), default=DEPTH, metavar="N",
                        help="the decisions that are made from there on (default: %(default)s)")  # fmt: skip
    parser.add_argument("--law", action="append", default=[], metavar="NAME",
                        help="ask for this law as well, step by step, which takes longer; may be given again")
    add_kit_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Look at all of them; return the exit code."""
    from warchest.testing.laws import LAWS
    from warchest.testing.proving import Proof, SmallScope, SmallWorld

    game, budget = common.load_game(args), budget_of(args)
    others = tuple(one.strip() for one in args.others.split(",") if one.strip())
    known = [name for kind in game.piece_kinds for name in game.names(kind)]
    for name in (args.card, *others):
        common.check_known("card with pieces", name, known)
    for name in args.law:
        common.check_known("law", name, [law.name for law in LAWS])
    scope = SmallScope(args.card, others, args.spaces, args.units, args.depth)
    world = SmallWorld(game, scope)
    positions = list(world.positions())
    told = [one for one in positions if one is not None]
    portions = [told[first : first + TOGETHER] for first in range(0, len(told), TOGETHER)]
    whole = Proof(turned=len(positions) - len(told))
    looked = side_by_side(partial(_portion, game, args.depth, args.law, budget.deadline), portions, budget.jobs)
    with common.progress() as bar:
        for part in common.counted(bar, looked, len(portions), "proving"):
            whole.add(part)
            if whole.fault is not None:
                break
    _print(args, game, scope, whole)
    return common.FINE if whole.fault is None and whole.whole else common.FINDINGS


def _portion(
    game: Game, depth: int, named: Sequence[str], until: float, portion: Sequence[PositionData]
) -> Proof:
    from warchest.testing.laws import law_named
    from warchest.testing.proving import prove

    return prove(game, portion, depth, [law_named(name) for name in named], (), until)


# ---- telling


def _print(args: argparse.Namespace, game: Game, scope: SmallScope, proof: Proof) -> None:
    if args.format == "json":
        common.print_json(_record(proof))
    elif args.format == "text":
        _tell(args, game, scope, proof)
    else:
        document = next(one for one in game.library.documents if one.name == scope.card)
        fault = "" if proof.fault is None else f"{proof.fault.law}: {proof.fault.text}"
        case = KitCase.at(scope.card, document.span, fault, "" if proof.whole else "the time was over")
        say_lines("\n".join(github([case]) if args.format == "github" else junit(NAME, [case])))


def _tell(args: argparse.Namespace, game: Game, scope: SmallScope, proof: Proof) -> None:
    size = f"{proof.positions:,} positions of at most {scope.pieces} pieces on {scope.spaces} spaces"
    if proof.turned:
        size += f" ({proof.turned:,} more are these turned round)"
    came = f"{proof.steps:,} options within {scope.depth} decisions"
    if proof.fault is not None:
        _show(game, proof)
    elif proof.whole:
        asked = ", ".join(["it never errors, ends, and comes to no dead end", *args.law])
        say(f"holds for all {size}, and {came}: {asked}")
    else:
        say(f"not proven: the time was over after {size}, and {came}; give a longer --budget, or a smaller size")


def _show(game: Game, proof: Proof) -> None:
    assert proof.fault is not None
    say(f"{proof.fault.law}: {proof.fault.text}")
    for clause in proof.fault.clauses:
        say(f"  {clause.path}:{clause.line}: {' '.join(clause.text.split())}")
    say("")
    say_lines(yaml_text(proof.position).rstrip())
    state = game.position(proof.position)
    print_board(state)
    for number, chosen in enumerate(proof.fault.path):
        say(f"then: {chosen}")
        if number < len(proof.fault.path) - 1:
            assert state.decision is not None
            state.apply(state.decision.by_id(chosen))
    if len(proof.fault.path) > 1:
        print_board(state)


def _record(proof: Proof) -> dict[str, Any]:
    fault = proof.fault
    return {
        "positions": proof.positions, "turned": proof.turned, "states": proof.states, "options": proof.steps,
        "whole": proof.whole,
        "fault": None if fault is None else {
            "law": fault.law, "text": fault.text, "position": proof.position, "path": list(fault.path),
            "clauses": [{"text": one.text, "file": one.path, "line": one.line} for one in fault.clauses],
        },
    }  # fmt: skip
