"""Looks at every position of a small size, up to symmetry, and at all that comes of them within some decisions.

It says that a card breaks nothing in all of them, or that a property holds, counted; or shows the shortest way to where
it does not. A property is named by the document in which it stands, by FILE:LINE, or is said in a sentence.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from warchest.cli import common
from warchest.cli.diff import print_board
from warchest.cli.kit import (
    Budget,
    add_found,
    add_kit_arguments,
    budget_of,
    keep_ruling,
    properties_in,
)
from warchest.diagnostics.reports import ReportedCase, report_text
from warchest.parallel import side_by_side
from warchest.source.writing import yaml_text
from warchest.streams import say, say_lines

if TYPE_CHECKING:
    from warchest.game.game import Game
    from warchest.testing.positions import PositionData
    from warchest.testing.properties.reading import StatedProperty
    from warchest.testing.proving import Proof, SmallScope

NAME = "prove"
HELP = "look at every position of a small size for what breaks a game"
SPACES, PIECES, DEPTH, TOGETHER = 7, 2, 3, 10
"""The usual size of positions, and how many of them a process is given at a time."""
_DOCUMENT = "properties: Asked\nsource: asked on the command line\nsays: |\n  {}\n"
_VACUOUS = "VACUOUS: the property never applied"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("what", metavar="CARD|PROPERTY",
                        help="a card with pieces; or a property: a sentence, its document, or FILE:LINE")  # fmt: skip
    parser.add_argument("--others", metavar="A,B", default="",
                        help="the cards that stand beside it (default: those that a property names, else the two with "
                             "the fewest words)")  # fmt: skip
    parser.add_argument("--spaces", type=common.whole_number(1), default=SPACES, metavar="N",
                        help="the spaces they stand on, in the middle of the board (default: %(default)s)")
    parser.add_argument("--units", type=common.whole_number(1), default=PIECES, metavar="N",
                        help="the most pieces there are (default: %(default)s)")  # fmt: skip
    parser.add_argument("--depth", type=common.whole_number(1), default=DEPTH, metavar="N",
                        help="the decisions that are made from there on (default: %(default)s)")  # fmt: skip
    parser.add_argument("--law", action="append", default=[], metavar="NAME",
                        help="ask for this law as well, step by step, which takes longer; may be given again")
    parser.add_argument("--from", type=common.whole_number(0), default=0, metavar="N", dest="begin",
                        help="go on from this position (default: 0)")  # fmt: skip
    add_found(parser, "the fault that is found")
    add_kit_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Look at all of them; return the exit code."""
    from warchest.testing.laws import LAWS
    from warchest.testing.proving import Proof, SmallWorld

    with TemporaryDirectory() as folder:
        asked = _task(args, Path(folder))
        for name in args.law:
            common.check_known("law", name, [law.name for law in LAWS])
        budget, world = budget_of(args), SmallWorld(asked.game, asked.scope)
        positions = list(world.positions())
        told = [one for one in positions if one is not None]
        whole, done = Proof(turned=len(positions) - len(told)), args.begin
        with common.as_far_as_it_goes() as broken:
            for part in _parts(asked, args, told[args.begin :], budget):
                whole.add(part)
                if whole.fault is not None or not part.whole:
                    break
                done += TOGETHER
        whole.whole = whole.whole and done >= len(told)
        _print(args, asked, whole)
        if whole.fault is not None:
            _keep(args, asked, whole)
        elif not whole.whole:
            common.note(f"add `--from {done}` to go on, or a longer --budget")
        broken.again()
    return common.FINE if whole.fault is None and whole.whole and not asked.is_vacuous(whole) else common.FINDINGS


@dataclass(frozen=True)
class _ProofTask:
    """The question: a game, the positions to look at, and the properties that are to hold there."""

    game: Game
    scope: SmallScope
    properties: tuple[StatedProperty, ...] = ()

    def is_vacuous(self, proof: Proof) -> bool:
        """Whether the properties never applied, so that nothing is known of them."""
        return bool(self.properties) and not proof.times


def _task(args: argparse.Namespace, folder: Path) -> _ProofTask:
    """Return the question; raises UsageError. A sentence becomes a document in a folder."""
    from warchest.testing.proving import SmallScope

    game = common.load_game(args)
    known = [name for kind in game.piece_kinds for name in game.names(kind)]
    others = tuple(one.strip() for one in args.others.split(",") if one.strip())
    stated: tuple[StatedProperty, ...] = ()
    if args.what not in known:
        stated = _named(game, args.what)
        if not stated and " " in args.what.strip():
            document = _DOCUMENT.format(args.what.strip())
            _check(game, document)
            (folder / "asked.yaml").write_text(document, encoding="utf-8")
            args.cards.append(str(folder))
            game = common.load_game(args)
            stated = _named(game, str(folder / "asked.yaml"))
        if not stated:
            common.check_known("card with pieces, and no property,", args.what, known)
        said = " ".join(one.text for one in stated)
        named = [one for one in known if one in said]
        others = tuple(dict.fromkeys((*others, *named))) or tuple(_plainest(game, known))
    for name in others:
        common.check_known("card with pieces", name, known)
    first, *rest = (args.what, *others) if not stated else others
    return _ProofTask(game, SmallScope(first, tuple(rest), args.spaces, args.units, args.depth), stated)


def _check(game: Game, document: str) -> None:
    """Raise InputError where a document of properties cannot be understood."""
    from warchest.documents.load import from_source
    from warchest.documents.schemas import read_schemas
    from warchest.game.game import model_of
    from warchest.resolve.resolve import BoundedReader
    from warchest.resolve.stated import stated
    from warchest.source.text import Source

    library = from_source(Source("<property>", document), game.library.schemas or read_schemas())
    found = stated(BoundedReader(model_of(game, game.variant())), library.of_kind("properties"))
    findings = [*library.findings, *found.findings]
    if findings:
        raise common.InputError(findings)


def _named(game: Game, what: str) -> tuple[StatedProperty, ...]:
    """Return the properties of a document, or those at a place: a file, or FILE:LINE."""
    found = properties_in(game)
    path, _, line = what.rpartition(":")
    number, file = (int(line), Path(path)) if path and line.isdigit() else (0, Path(what))
    return tuple(one for one in found if one.document == what or (
        Path(one.sentence.span.path).resolve() == file.resolve() and number in (0, one.sentence.span.line)
    ))  # fmt: skip


def _plainest(game: Game, known: Sequence[str]) -> list[str]:
    """Return the card with the fewest words, for a property that names none."""
    documents = [one for one in game.library.documents if one.name in known and one.kind in game.piece_kinds]
    return [min(documents, key=lambda one: (sum(len(str(value)) for value in one.values.values()), one.name)).name]


def _parts(
    asked: _ProofTask, args: argparse.Namespace, told: Sequence[PositionData], budget: Budget
) -> Iterator[Proof]:
    """Yield the proofs of portions of positions, in their order."""
    portions = [told[first : first + TOGETHER] for first in range(0, len(told), TOGETHER)]
    # The processes are made before anything shows progress.
    looked = side_by_side(partial(_portion, asked, args, budget.deadline), portions, budget.jobs)
    with common.progress() as bar:
        yield from common.counted(bar, looked, len(portions), "proving")


def _portion(asked: _ProofTask, args: argparse.Namespace, until: float, portion: Sequence[PositionData]) -> Proof:
    from warchest.testing.laws import law_named
    from warchest.testing.properties.watch import PropertyWatch
    from warchest.testing.proving import prove

    watch = PropertyWatch(asked.game, asked.properties) if asked.properties else None
    return prove(asked.game, portion, args.depth, [law_named(name) for name in args.law], until, watch)


def _keep(args: argparse.Namespace, asked: _ProofTask, proof: Proof) -> None:
    """Keep the ruling of a fault."""
    from warchest.testing.check import CheckTask, Finding
    from warchest.testing.ruled import stem_of, text_of

    assert proof.fault is not None
    finding = Finding(CheckTask((asked.scope.card,)), proof.fault, proof.position)
    keep_ruling(args, stem_of(finding), text_of(asked.game, finding, args.seed))


# ---- telling


def _print(args: argparse.Namespace, asked: _ProofTask, proof: Proof) -> None:
    if args.format == "json":
        common.print_json({**_record(proof), "vacuous": asked.is_vacuous(proof)})
    elif args.format == "text":
        _tell(args, asked, proof)
    else:
        document = next(one for one in asked.game.library.documents if one.name == asked.scope.card)
        fault = _VACUOUS if asked.is_vacuous(proof) else ""
        fault = fault if proof.fault is None else f"{proof.fault.law}: {proof.fault.text}"
        case = ReportedCase.at(args.what, document.span, fault, "" if proof.whole else "the time was over")
        say_lines(report_text(args.format, NAME, [case]))


def _tell(args: argparse.Namespace, asked: _ProofTask, proof: Proof) -> None:
    game, scope = asked.game, asked.scope
    size = f"{proof.positions:,} positions of at most {scope.pieces} pieces on {scope.spaces} spaces"
    if proof.turned:
        size += f" ({proof.turned:,} more are these turned round)"
    came = f"{proof.steps:,} options within {scope.depth} decision{'' if scope.depth == 1 else 's'}"
    if proof.fault is not None:
        _show(game, proof)
    elif asked.is_vacuous(proof):
        say(f"{_VACUOUS} in {size}, and {came}; name cards with --others, or look at larger positions")
    elif proof.whole:
        laws = ", ".join(["it never errors, ends, and comes to no dead end", *args.law])
        said = " ".join(one.text for one in asked.properties)
        say(f"holds for all {size}, and {came}: {f'{said} (applied {proof.times:,} times)' if said else laws}")
    else:
        say(f"not proven: the time was over after {size}, and {came}; give a longer --budget, or a smaller size")


def _show(game: Game, proof: Proof) -> None:
    """Print a fault, and the way to it in pictures."""
    from warchest.testing.paths import along

    assert proof.fault is not None
    say(f"{proof.fault.law}: {proof.fault.text}")
    for clause in proof.fault.clauses:
        say(f"  {clause.path}:{clause.line}: {' '.join(clause.text.split())}")
    say("")
    say_lines(yaml_text(proof.position).rstrip())
    begun = game.position(proof.position)
    print_board(begun)
    for _, option, after in along(begun, proof.fault.path):
        say(f"then: {option.id}")
        if after is not None:
            print_board(after)


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
