"""Check all positions of a small size, up to symmetry, and all states reachable from them within some decisions.

The result is either that the card breaks nothing, or that the property holds, with the number of positions and the keys
that were the same in all of them; or a shortest way to a fault. The exit code is 1 for a fault, and if time ran out.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from warchest.cli import common
from warchest.cli.diff import print_board
from warchest.cli.kit import (
    add_found,
    add_from,
    add_kit_arguments,
    budget_of,
    keep_ruling,
    note_left,
    properties_in,
    tell,
)
from warchest.diagnostics.articles import many
from warchest.diagnostics.reports import ReportedCase
from warchest.source.yaml_writing import yaml_text
from warchest.streams import say, say_lines

if TYPE_CHECKING:
    from warchest.game.game import Game
    from warchest.testing.properties.stated_properties import StatedProperty
    from warchest.testing.proving import Proof, ProofSearch
    from warchest.testing.scopes import SmallScope

NAME = "exhaust"
SPACES, PIECES, DEPTH, MARKS = 3, 2, 2, 1
"""The default size of positions."""
_DOCUMENT = "properties: Asked\nsource: asked on the command line\nsays: |\n  {}\n"
_VACUOUS = "VACUOUS: the property never applied"
_BY_ITSELF = "it has no errors, ends, and reaches no dead end"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "what",
        metavar="CARD|PROPERTY",
        help="a card with pieces; or a property: a sentence, the name of its document, or FILE:LINE",
    )
    parser.add_argument(
        "--others",
        metavar="A,B",
        default="",
        help="the cards beside it (default: those that the property names, or else as many of the simplest cards as "
        "are needed)",
    )
    common.add_number(
        parser, "--spaces", usual=SPACES, help="the number of spaces for pieces, in the middle of the board"
    )
    common.add_number(parser, "--units", usual=PIECES, help="the most pieces in a position")
    common.add_number(parser, "--depth", usual=DEPTH, help="the number of decisions to search from each position")
    common.add_number(
        parser,
        "--marks",
        least=0,
        usual=MARKS,
        help="the most deviations from the usual position, apart from the pieces",
    )
    _add_variation(parser)
    add_from(parser, "position")
    add_found(parser, "rulings that show the fault")
    add_kit_arguments(parser)


def _add_variation(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the parts of positions that vary or are given, and for the laws that are checked."""
    vary = "also vary these keys of positions, or of the entries of pieces"
    parser.add_argument("--vary", type=_names, default=(), metavar="NAME,…", help=vary)
    parser.add_argument("--fix", type=_names, default=(), metavar="NAME,…", help="do not vary these keys")
    common.add_several(
        parser,
        "--upto",
        "NAME=N",
        "vary this number up to N, as in --upto size=3, or --size 3 for short; may be repeated",
        _amount,
    )
    parser.add_argument(
        "--give",
        type=_names,
        metavar="NAME,…",
        help="the zones in which each player has a token of each of their pieces, or `none` (default: the zones that "
        "the rules of the game mention)",
    )
    law = "also check this law at every step, which takes longer; may be repeated; the report names the laws "
    common.add_several(parser, "--law", "NAME", f"{law}that are only searched or sampled")


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
    """Return the arguments with each unknown option that has a number, `--NAME N`, rewritten as `--upto NAME=N`.

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
    from warchest.testing.laws import LAWS, law_named
    from warchest.testing.proving import ProofSearch
    from warchest.testing.scopes import SmallWorld

    budget = budget_of(args)
    with TemporaryDirectory() as folder:
        game, scope, properties = _task(args, Path(folder))
        for name in args.law:
            common.check_known("law", name, [law.name for law in LAWS if law.of_state or law.of_step])
        search = ProofSearch(SmallWorld(game, scope), [law_named(name) for name in args.law], properties)
        with common.as_far_as_it_goes() as broken:
            search.look(args.begin, budget, common.shown("proving"))
        whole = search.whole
        tell(args.format, NAME, lambda: _record(search), lambda: _tell(search), lambda: [_case(args.what, search)])
        if whole.fault is not None:
            _keep(args, search)
        elif not whole.whole and search.told:
            note_left("from", search.done)
        broken.again()
    fine = whole.fault is None and whole.whole and not search.vacuous
    return common.FINE if fine else common.FINDINGS


def _task(args: argparse.Namespace, folder: Path) -> tuple[Game, SmallScope, tuple[StatedProperty, ...]]:
    """Return the game, the size of positions, and the properties to check in them; raises UsageError.

    A sentence becomes a document in the folder.
    """
    from warchest.testing.scopes import SmallScope

    game = common.load_game(args)
    known = [name for kind in game.piece_kinds for name in game.names(kind)]
    others = _names(args.others)
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
    upto = tuple(args.upto)
    scope = SmallScope(
        first, tuple(rest), args.spaces, args.units, args.depth, args.marks, args.vary, args.fix, upto, give
    )
    return game, scope, stated


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
    """Return the properties of a document with a name, or at a place: a file, or FILE:LINE."""
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


def _keep(args: argparse.Namespace, search: ProofSearch) -> None:
    """Write or print the ruling that shows a fault."""
    from warchest.testing.law_check import CheckTask, Finding
    from warchest.testing.law_rulings import stem_of, text_of

    whole, world = search.whole, search.world
    assert whole.fault is not None
    finding = Finding(CheckTask((world.scope.card,)), whole.fault, whole.position)
    keep_ruling(args, stem_of(finding), text_of(world.game, finding, args.seed))


# ---- reporting


def _case(what: str, search: ProofSearch) -> ReportedCase:
    proof, world = search.whole, search.world
    document = next(one for one in world.game.library.documents if one.name == world.scope.card)
    fault = _VACUOUS if search.vacuous else ""
    fault = fault if proof.fault is None else f"{proof.fault.law}: {proof.fault.text}"
    return ReportedCase.at(what, document.span, fault, "" if proof.whole else "the time was over")


def _tell(search: ProofSearch) -> None:
    proof, scope, vacuous = search.whole, search.world.scope, search.vacuous
    if proof.fault is not None:
        _show(search.world.game, proof)
        return
    size = (
        f"{many(proof.positions, 'position')} of at most {many(scope.pieces, 'piece')} on {many(scope.spaces, 'space')}"
    )
    if proof.turned:
        size += f" ({proof.turned:,} more are rotations of these)"
    came = f"{many(proof.steps, 'option')} within {many(len(search.within), 'decision')}"
    fixed = f"; fixed: {search.world.fixed_words()}"
    if not proof.whole:
        _tell_reach(search, f"{size}, and {came}{fixed}")
    elif vacuous:
        named = f": {'; '.join(vacuous)}" if len(search.properties) > 1 else ""
        say(f"{_VACUOUS} in {size}, and {came}{named}{fixed}")
        say("name cards with --others, or vary more: --spaces, --units, --depth, --marks, --vary, --upto")
    else:
        told = [f"{one.text} (applied {many(proof.times[one.text], 'time')})" for one in search.properties]
        laws = (f"{one.name} ({one.asked} only)" if one.asked else one.name for one in search.laws)
        said = "; ".join(told) or ", ".join([_BY_ITSELF, *laws])
        say(f"holds for all {size}, and {came}: {said}{fixed}")
    say(f"varied: {search.world.varied_words()}")


def _tell_reach(search: ProofSearch, came: str) -> None:
    """Print the part of a proof that was completed before the time ran out."""
    if not search.told:
        say("not proven: the time was over before all positions were listed; give more --budget, or a smaller size")
        return
    say(f"not proven: the time was over after {came}")
    if len(search.within) > 1 and search.within[-2].positions:
        before = search.within[-2]
        depth = many(len(search.within) - 1, "decision")
        say(
            f"before, all {many(before.positions, 'position')} held within {depth}, with {many(before.steps, 'option')}"
        )
    say("give a longer --budget, or a smaller size")


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


def _record(search: ProofSearch) -> dict[str, object]:
    proof, fault = search.whole, search.whole.fault
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
        "fixed": search.world.fixed_words(),
        "varied": search.world.varied_words(),
        "vacuous": bool(search.vacuous),
    }
