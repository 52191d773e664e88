"""Print the code that a card or a verb of the game is lowered to, with the sentence above its instructions."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from warchest.cli import common
from warchest.cli.begin_options import add_choice, choice_of
from warchest.cli.cards import documents_named, hint
from warchest.lowering.disassembly import answering, disassembled, permissions
from warchest.streams import say, say_lines

if TYPE_CHECKING:
    from warchest.game.game import Game
    from warchest.lowering.program import Program

Lines = list[tuple[str, str]]
"""Lines of code, each with the text that it comes from."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("what", metavar="CARD|VERB", nargs="+", help="the name of a card, or a verb of the game")
    add_choice(parser)
    common.add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Print the code; return the exit code."""
    what = " ".join(args.what).strip()
    game = common.load_game(args)
    options = choice_of(game, args)
    program = game.variant(options).program
    parts = list(_parts(game, program, what))
    if not parts:
        raise common.UsageError(f"{what!r} is neither a card nor a verb with code; {hint(game, what)}")
    if args.format == "json":
        common.print_json([[{"code": code, "text": text} for code, text in lines] for lines in parts])
        return common.FINE
    for index, lines in enumerate(parts):
        if index:
            say()
        say_lines("\n".join(_with_texts(lines)))
    return common.FINE


def _with_texts(lines: Lines) -> Iterator[str]:
    """Yield lines of code, with each text of a card before the first line that comes from it."""
    told = ""
    for code, text in lines:
        if text not in ("", told):
            told = text
            yield f"       # {text}"
        yield code


def _parts(game: Game, program: Program, what: str) -> Iterator[Lines]:
    """Yield the code of a card: its blocks, its definitions, its hooks, its permissions; or the code of a verb."""
    ruleset = program.ruleset
    carriers = {ruleset.sheet_number(one.name, (one.kind,)) for one in documents_named(game, what)} - {-1}
    verbs = {act.number for act in program.acts if what in (act.verb.name, act.verb.act)}
    for number in sorted(carriers):
        yield from (disassembled(program, routine) for routine in program.blocks[number].values())
    for act in program.acts:
        said = permissions(program, act, None if act.number in verbs else carriers)
        if said:
            yield said
        if act.number in verbs:
            yield from (disassembled(program, one) for one in (act.routine, act.stages) if one is not None)
        ways = [way for way in act.ways if act.number in verbs or way.carrier in carriers]
        yield from (disassembled(program, way.routine) for way in ways)
    seen = set[str]()
    for bound in program.hooks:
        if bound.hook.carrier in carriers and bound.routine.name not in seen:
            seen.add(bound.routine.name)
            yield [answering(program, bound), *disassembled(program, bound.routine)]
