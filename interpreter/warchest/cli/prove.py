"""Checks every position of a small size, up to symmetry, and every state reachable from it within some decisions.

Either a card breaks nothing in any of them, or a property holds, and the numbers and the fixed keys are reported; or a
shortest way to a fault is shown. A property is given as the name of its document, as FILE:LINE, or as a sentence.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from warchest.cli import common
from warchest.cli.diff import print_board
from warchest.cli.kit import add_found, add_from, add_kit_arguments, budget_of, keep_ruling, properties_in
from warchest.diagnostics.articles import many
from warchest.diagnostics.reports import ReportedCase, report_text
from warchest.parallel import side_by_side
from warchest.source.yaml_writing import yaml_text
from warchest.streams import say, say_lines
from warchest.testing.budget import Budget

if TYPE_CHECKING:
    from warchest.game.game import Game
    from warchest.testing.positions import PositionData
    from warchest.testing.properties.stated_properties import StatedProperty
    from warchest.testing.properties.watch import PropertyWatch
    from warchest.testing.proving import Proof
    from warchest.testing.scopes import SmallScope, SmallWorld

NAME = "prove"
HELP = "check every position of a small size for faults"
SPACES, PIECES, DEPTH, MARKS, TOGETHER = 3, 2, 2, 1, 10
"""The default size of positions, and the number of them that a process gets at a time."""
_DOCUMENT = "properties: Asked\nsource: asked on the command line\nsays: |\n  {}\n"
_VACUOUS = "VACUOUS: the property never applied"
_BY_ITSELF = "it has no errors, ends, and reaches no dead end"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "what",
        metavar="CARD|PROPERTY",
        help="a card with pieces; or a property: a sentence, its document, or FILE:LINE",
    )
    parser.add_argument(
        "--others",
        metavar="A,B",
        default="",
        help="the cards beside it (default: those that a property names, else the simplest cards, as "
        "many as are needed)",
    )
    common.add_number(
        parser, "--spaces", usual=SPACES, help="the number of spaces for pieces, in the middle of the board"
    )
    common.add_number(parser, "--units", usual=PIECES, help="the most pieces in a position")
    common.add_number(parser, "--depth", usual=DEPTH, help="the number of decisions from each position on")
    common.add_number(
        parser, "--marks", least=0, usual=MARKS, help="the most deviations from the usual position, beside the pieces"
    )
    _add_variation(parser)
    add_from(parser, "position")
    add_found(parser, "a ruling that shows the fault")
    add_kit_arguments(parser)


def _add_variation(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say what is varied and given in positions, and which laws are checked in them."""
    vary = "also vary these: keys of positions, or of the entries of pieces"
    parser.add_argument("--vary", type=_names, default=(), metavar="NAME,…", help=vary)
    parser.add_argument("--fix", type=_names, default=(), metavar="NAME,…", help="do not vary these")
    common.add_several(parser, "--upto", "NAME=N", "vary this number up to N", _amount)
    parser.add_argument(
        "--give",
        type=_names,
        metavar="NAME,…",
        help="the zones in which each player has a token of each of their pieces; `none` for none "
        "(default: those that the rules of the game mention)",
    )
    law = "also check this law, step by step, which takes longer; may be given again; the report says which laws are "
    common.add_several(parser, "--law", "NAME", f"{law}only searched or sampled")


def _names(written: str) -> tuple[str, ...]:
    """Return the names in a list, for argparse."""
    return tuple(one.strip() for one in written.split(",") if one.strip())


def _amount(written: str) -> tuple[str, int]:
    """Return a name and a number, for argparse."""
    name, _, number = written.partition("=")
    if not name or not number.isascii() or not number.isdigit() or len(number) > 4:
        raise argparse.ArgumentTypeError(f"a name and a number are needed, such as height=2, not {written[:40]!r}")
    return name.strip(), int(number)


def rewritten(arguments: list[str], parser: argparse.ArgumentParser) -> list[str]:
    """Return the arguments with unknown options that have a number, `--NAME N`, rewritten as `--upto NAME=N`.

    The names of numbers are only known when the game has been loaded, after parsing.
    """
    from warchest.diagnostics.suggest import nearest

    known = {name[2:] for action in parser._actions for name in action.option_strings}
    found = list[str]()
    for at, one in enumerate(arguments):
        before = found[-1] if found else ""
        if (
            one.isascii()
            and one.isdigit()
            and before == arguments[at - 1]
            and before.startswith("--")
            and before[2:] not in known
            and not nearest(before[2:], known)
            and "=" not in before
        ):
            found[-1:] = ["--upto", f"{before[2:]}={one}"]
        else:
            found.append(one)
    return found


def run(args: argparse.Namespace) -> int:
    """Check all positions and report; return the exit code."""
    from warchest.testing.laws import LAWS
    from warchest.testing.scopes import SmallWorld

    budget = budget_of(args)
    with TemporaryDirectory() as folder:
        asked = _task(args, Path(folder))
        for name in args.law:
            common.check_known("law", name, [law.name for law in LAWS if law.of_state or law.of_step])
        world = SmallWorld(asked.game, asked.scope)
        with common.as_far_as_it_goes() as broken:
            reach = _ProofReach(world)
            reach.look(asked, args, budget)
        whole = reach.whole
        _print(args, asked, reach)
        if whole.fault is not None:
            _keep(args, asked, whole)
        elif not whole.whole and reach.told:
            common.note(f"add `--from {reach.done}` to go on, or a longer --budget")
        broken.again()
    fine = whole.fault is None and whole.whole and not asked.vacuous(whole)
    return common.FINE if fine else common.FINDINGS


@dataclass
class _ProofReach:
    """The progress of a proof: all positions of a size within one decision, then within two, and so on."""

    world: SmallWorld
    told: list[PositionData] = field(default_factory=list)
    within: list[Proof] = field(default_factory=list)
    """The proofs within one decision, within two, and so on."""
    done: int = 0
    turned: int = 0

    @property
    def whole(self) -> Proof:
        """The proof that goes furthest."""
        from warchest.testing.proving import Proof

        return self.within[-1] if self.within else Proof(whole=False)

    def look(self, asked: _ProofTask, args: argparse.Namespace, budget: Budget) -> None:
        """Check all positions until there is a fault, or the time is over; the nearest faults are found first."""
        from warchest.testing.proving import Proof

        if not self._listed(budget):
            return
        self.done = args.begin
        portions = [
            (depth, self.told[first : first + TOGETHER])
            for depth in range(1, args.depth + 1)
            for first in range(0, len(self.told), TOGETHER)
        ]
        left = portions[args.begin // TOGETHER :]
        # The processes are made before anything shows progress.
        looked = side_by_side(partial(_portion, asked, args, budget.deadline), left, budget.jobs)
        with common.progress() as bar:
            for (depth, _), part in zip(left, common.counted(bar, looked, len(left), "proving"), strict=False):
                while len(self.within) < depth:
                    self.within.append(Proof(turned=self.turned))
                self.whole.add(part)
                if part.fault is not None or not part.whole:
                    break
                self.done += TOGETHER
        self.whole.whole = self.whole.whole and self.done >= len(portions) * TOGETHER
        if self.whole.fault is not None:
            self._make_small(asked, args, budget)

    def _listed(self, budget: Budget) -> bool:
        """List all positions; return whether there was enough time."""
        for one in self.world.positions():
            if budget.spent:
                self.told.clear()
                return False
            self.turned += one is None
            if one is not None:
                self.told.append(one)
        return True

    def _make_small(self, asked: _ProofTask, args: argparse.Namespace, budget: Budget) -> None:
        from warchest.testing.laws import law_named
        from warchest.testing.proving import smallest

        laws = [law_named(name) for name in args.law]
        self.within[-1] = smallest(asked.game, self.whole, laws, budget.deadline, asked.watch())


@dataclass(frozen=True)
class _ProofTask:
    """The task: a game, the size of the positions to check, and the properties to check in them."""

    game: Game
    scope: SmallScope
    properties: tuple[StatedProperty, ...] = ()

    def vacuous(self, proof: Proof) -> list[str]:
        """Return the texts of the properties that never applied; none if there is a fault."""
        return [one.text for one in self.properties if not proof.times[one.text]] if proof.fault is None else []

    def watch(self) -> PropertyWatch | None:
        """Return a watch on the properties, if there are any."""
        from warchest.testing.properties.watch import PropertyWatch

        return PropertyWatch(self.game, self.properties, thorough=True) if self.properties else None


def _task(args: argparse.Namespace, folder: Path) -> _ProofTask:
    """Return the task that the arguments give; raises UsageError. A sentence becomes a document in the folder."""
    from warchest.testing.scopes import SmallScope

    game = common.load_game(args)
    known = [name for kind in game.piece_kinds for name in game.names(kind)]
    others = tuple(one.strip() for one in args.others.split(",") if one.strip())
    stated: tuple[StatedProperty, ...] = ()
    if args.what not in known:
        stated = _named(game, args.what)
        if not stated and " " in args.what.strip():
            document = _DOCUMENT.format(f"{args.what.strip().removesuffix('.')}.")
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
    give = args.give if args.give != ("none",) else ()
    scope = SmallScope(
        first, tuple(rest), args.spaces, args.units, args.depth, args.marks, args.vary, args.fix, tuple(args.upto), give
    )
    return _ProofTask(game, scope, stated)


def _check(game: Game, document: str) -> None:
    """Raise InputError if a document of properties has errors."""
    from warchest.documents.load import from_source
    from warchest.documents.schemas import read_schemas
    from warchest.game.game import model_of
    from warchest.resolve.resolve import new_reader
    from warchest.resolve.stated import stated
    from warchest.source.text import Source

    library = from_source(Source("<property>", document), game.library.schemas or read_schemas())
    found = stated(new_reader(model_of(game, game.variant())), library.of_kind("properties"))
    findings = [*library.findings, *found.findings]
    if findings:
        raise common.InputError(findings)


def _named(game: Game, what: str) -> tuple[StatedProperty, ...]:
    """Return the properties of a document, or those at a place: a file, or FILE:LINE."""
    found = properties_in(game)
    path, _, line = what.rpartition(":")
    number, file = (int(line), Path(path)) if path and line.isdigit() else (0, Path(what))
    return tuple(
        one
        for one in found
        if one.document == what
        or (Path(one.sentence.span.path).resolve() == file.resolve() and number in (0, one.sentence.span.line))
    )


def _plainest(game: Game, known: Sequence[str]) -> list[str]:
    """Return the card with the fewest words, for a property that names none."""
    documents = [one for one in game.library.documents if one.name in known and one.kind in game.piece_kinds]
    return [min(documents, key=lambda one: (sum(len(str(value)) for value in one.values.values()), one.name)).name]


def _portion(
    asked: _ProofTask, args: argparse.Namespace, until: float, portion: tuple[int, Sequence[PositionData]]
) -> Proof:
    from warchest.testing.laws import law_named
    from warchest.testing.proving import prove

    depth, told = portion
    return prove(asked.game, told, depth, [law_named(name) for name in args.law], until, asked.watch())


def _keep(args: argparse.Namespace, asked: _ProofTask, proof: Proof) -> None:
    """Write or print the ruling that shows a fault."""
    from warchest.testing.law_check import CheckTask, Finding
    from warchest.testing.ruled import stem_of, text_of

    assert proof.fault is not None
    finding = Finding(CheckTask((asked.scope.card,)), proof.fault, proof.position)
    keep_ruling(args, stem_of(finding), text_of(asked.game, finding, args.seed))


# ---- reporting


def _print(args: argparse.Namespace, asked: _ProofTask, reach: _ProofReach) -> None:
    proof = reach.whole
    if args.format == "json":
        common.print_json(
            {
                **_record(proof),
                "fixed": reach.world.fixed_words(),
                "varied": reach.world.varied_words(),
                "vacuous": bool(asked.vacuous(proof)),
            }
        )
    elif args.format == "text":
        _tell(args, asked, reach)
    else:
        document = next(one for one in asked.game.library.documents if one.name == asked.scope.card)
        fault = _VACUOUS if asked.vacuous(proof) else ""
        fault = fault if proof.fault is None else f"{proof.fault.law}: {proof.fault.text}"
        case = ReportedCase.at(args.what, document.span, fault, "" if proof.whole else "the time was over")
        say_lines(report_text(args.format, NAME, [case]))


def _tell(args: argparse.Namespace, asked: _ProofTask, reach: _ProofReach) -> None:
    proof, scope = reach.whole, asked.scope
    if proof.fault is not None:
        _show(asked.game, proof)
        return
    size = (
        f"{many(proof.positions, 'position')} of at most {many(scope.pieces, 'piece')} on {many(scope.spaces, 'space')}"
    )
    if proof.turned:
        size += f" ({proof.turned:,} more are rotations of these)"
    depth = len(reach.within)
    came = f"{many(proof.steps, 'option')} within {many(depth, 'decision')}"
    fixed = f"; fixed: {reach.world.fixed_words()}"
    vacuous = asked.vacuous(proof)
    if not proof.whole:
        _tell_reach(reach, f"{size}, and {came}{fixed}")
    elif vacuous:
        named = f": {'; '.join(vacuous)}" if len(asked.properties) > 1 else ""
        say(f"{_VACUOUS} in {size}, and {came}{named}{fixed}")
        say("name cards with --others, or vary more: --spaces, --units, --depth, --marks, --vary, --upto")
    else:
        told = [f"{one.text} (applied {many(proof.times[one.text], 'time')})" for one in asked.properties]
        said = "; ".join(told) or ", ".join([_BY_ITSELF, *map(_law_told, args.law)])
        say(f"holds for all {size}, and {came}: {said}{fixed}")
    say(f"varied: {reach.world.varied_words()}")


def _tell_reach(reach: _ProofReach, came: str) -> None:
    """Print the progress of a proof that ran out of time."""
    if not reach.told:
        say("not proven: the time was over before all positions were listed; give more --budget, or a smaller size")
        return
    say(f"not proven: the time was over after {came}")
    if len(reach.within) > 1 and reach.within[-2].positions:
        before = reach.within[-2]
        depth = many(len(reach.within) - 1, "decision")
        say(
            f"before, all {many(before.positions, 'position')} held within {depth}, with {many(before.steps, 'option')}"
        )
    say("give a longer --budget, or a smaller size")


def _law_told(name: str) -> str:
    """Return the name of a law, with the way in which it is checked if that is not complete."""
    from warchest.testing.laws import law_named

    asked = law_named(name).asked
    return f"{name} ({asked} only)" if asked else name


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
        "positions": proof.positions,
        "turned": proof.turned,
        "states": proof.states,
        "options": proof.steps,
        "whole": proof.whole,
        "fault": None
        if fault is None
        else {
            "law": fault.law,
            "text": fault.text,
            "position": proof.position,
            "path": list(fault.path),
            "clauses": [{"text": one.text, "file": one.path, "line": one.line} for one in fault.clauses],
        },
    }
