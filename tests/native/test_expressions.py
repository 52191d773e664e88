"""C made of the rules says and does the same as the reference machine: all values, sets, conditions and plain steps."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest
from laws_support import study_of, super_card, understood
from native_support import (
    CONDITIONS,
    RUNTIME,
    SANITIZING,
    VALUES,
    Found,
    Moment,
    Pair,
    changed,
    compare,
    compare_parts,
    compiler,
    once_a_run,
)

import warchest
from loaded import load_once
from warchest.engine.effects import new_piece
from warchest.ir import steps as orders
from warchest.ir import values as ir
from warchest.ir.parts import nodes_in
from warchest.lowering.board import HEX_STEPS, Board, Space
from warchest.lowering.layout import Layout
from warchest.lowering.program import Program
from warchest.native.expressions import Expressions
from warchest.native.sheets import sheet_table

COUNT = int(os.environ.get("NATIVE_MOMENTS", "12"))
"""At how many moments of each sort of game everything is compared."""
VARIANTS = ("war-chest", "war-chest for four", "war-chest, other readings", "unigames", "unigames, other readings")
PLAIN = (
    orders.MoveToken,
    orders.MoveAll,
    orders.MakeTokens,
    orders.MovePiece,
    orders.SwapPlaces,
    orders.RemovePiece,
    orders.RaisePiece,
    orders.SetField,
    orders.Grant,
    orders.Prevail,
    orders.EndGrants,
    orders.ChangeForm,
    orders.ChangeOwner,
    orders.SwapForm,
    orders.BecomeKind,
    orders.Forget,
    orders.Keep,
    orders.See,
    orders.Win,
    orders.Clock,
    orders.Must,
)


@lru_cache
def states(variant: str) -> list[warchest.State]:
    name, _, rest = variant.partition(" ")
    game = load_once(name.rstrip(","))
    options = {option: values[-1] for option, values in game.choices.items()} if rest == "other readings" else None
    found: list[warchest.State] = []
    for seed in range(4):
        if name.startswith("war-chest"):
            setup = ("Four players random", "Four players draft")[seed % 2] if rest == "for four" else None
            found.append(game.new(seed=seed, setup=setup, sets="all", options=options))
        else:
            found.append(
                game.new(seed=seed, setup=("Ambush", "Conjurers", "Alternate reveal")[seed % 3], options=options)
            )
    return found


@once_a_run
def compared(variant: str) -> Found:
    name, _, rest = variant.partition(", ")
    # Other readings leave most of the rules as they are; for four all of them are elsewhere in another memory.
    pair = Pair(
        states(variant)[0].variant.program,
        known=states(name)[0].variant.program if rest else None,
        sparse=variant == "war-chest for four",
    )
    same = [state for state in states(variant) if state.variant.program.layout.size == pair.layout.size]
    return compare(pair, [state.clone() for state in same], 1, COUNT)


@pytest.mark.parametrize("variant", VARIANTS)
def test_all_parts_of_the_rules_agree(variant: str) -> None:
    found = compared(variant)
    assert not found.differences, f"{len(found.differences)}: {found.differences[:3]}"
    assert found.refused < sum(found.met.values()) / 20


def test_every_kind_of_part_is_met() -> None:
    met = sum((compared(variant).met for variant in VARIANTS), Counter[str]()) + built().met
    members = (ir.AllSpaces, ir.Ring, ir.Ray, ir.Pieces, ir.Tokens, ir.Everyone)
    kinds = {one.__name__ for one in (*VALUES, *CONDITIONS, *members, *PLAIN, ir.Set)}
    # Variables are met within all else; trails are changed step by step, as a step of SetField.
    assert kinds - met.keys() == {"Var", "Trail"}
    assert met.keys() <= kinds


# ---- what no shipped game asks for


@once_a_run
def built() -> Found:
    """The comparison of parts that are made here, as no shipped game has them."""
    program = states("unigames")[0].variant.program
    pair = Pair(program, parts_made(program), steps_made(), only=True)
    return compare(pair, [states("unigames")[1].clone()], 2, COUNT)


def parts_made(program: Program) -> list[object]:
    """Parts of the rules for every member of the kinds that only some games have, and in every shape that matters."""
    span = program.ruleset.state_rules[0].code.span
    piece, other, space = ir.Var(0, "piece"), ir.Var(3, "piece"), ir.Var(4, "space")
    member, way = ir.Var(ir.SET_VARIABLES, "space"), ir.Var(5, "direction")
    found: list[object] = [
        ir.Bearing(piece, other),
        ir.Bearing(space, other),
        ir.Distance(piece, other, False),
        *([ir.Distance(piece, space, True)] if program.ruleset.heading >= 0 else []),
        ir.Attribute("opposite", way, "direction"),
        ir.Attribute("left", ir.Var(1, "player"), "player"),
        ir.Attribute("right", ir.Var(1, "player"), "player"),
        ir.Attribute("team", ir.Var(1, "player"), "team"),
        *(ir.Tagged(tag, space, span) for tag in sorted({tag for one in program.board.spaces for tag in one.tags})),
        ir.Upholds(piece, other, -1, span),
        ir.KindIs(piece, (0, 1), span),
        ir.Any((), span),
        *(
            ir.Apart(low, high, piece, space, straight, turned, span)
            for low, high in ((0, 0), (0, 2), (1, 1), (2, 300))
            for straight in (False, True)
            for turned in ((None, way) if straight else (None,))
        ),
        ir.CausedBy((), piece, -1, other, span),
        ir.CausedBy((1, 2), None, 3, None, span),
    ]
    for members in (ir.AllSpaces(), ir.Ring(1, 3, piece), ir.Ray(2, 4, piece, None), ir.Ray(1, 9, space, way)):
        for straight in (False, True):
            there = ir.Var(ir.SET_VARIABLES + 1, "piece")
            stands = ir.Compare("==", ir.Attribute("space", there, "space"), member, span)
            empty = ir.Not(ir.Exists(ir.Set(there, ir.Pieces((0,)), (stands,), span), span), span)
            between = replace_space(empty, member, ir.Var(ir.SET_VARIABLES + 2, "space"))
            way_there = ir.Passable(1, 3, piece, member, straight, ir.Var(ir.SET_VARIABLES + 2, "space"), between, span)
            near = ir.Any(
                (ir.Apart(1, 2, member, other, False, None, span), ir.Compare("==", space, member, span)), span
            )
            for filters in ((), (empty,), (near,), (ir.Not(near, span), empty), (way_there,), (way_there, near)):
                found.append(ir.Set(member, members, filters, span))
    return found


def replace_space(condition: ir.Not, old: ir.Var, new: ir.Var) -> ir.Not:
    """The condition that a space is empty, about another space."""
    exists = condition.condition
    assert isinstance(exists, ir.Exists)
    (compared_with,) = exists.members.filters
    assert isinstance(compared_with, ir.Compare) and compared_with.right == old
    members = replace(exists.members, filters=(replace(compared_with, right=new),))
    return replace(condition, condition=replace(exists, members=members))


def steps_made() -> list[orders.Order]:
    """Plain steps that no shipped game has, or that are met too seldom."""
    rules = states("unigames")[0].variant.program.ruleset
    span, piece, player = rules.state_rules[0].code.span, ir.Var(0, "piece"), ir.Var(1, "player")
    prevailing = next(one for code in rules.codes() for one in nodes_in(code.steps) if isinstance(one, orders.Prevail))
    return [
        replace(prevailing, piece=piece, value=player, this=piece, you=player),
        orders.SwapPlaces(ir.Var(0, "piece"), ir.Var(3, "piece"), span=span),
        orders.ChangeOwner(ir.Var(0, "piece"), ir.Var(1, "player"), span=span),
        orders.ChangeForm(piece, ir.Attribute("document", ir.Var(3, "piece"), "document"), span=span),
    ]


def test_parts_that_no_game_has_agree_too() -> None:
    assert not built().differences, built().differences[:3]


# ---- boards, sheets, and places out of bounds


def large_board(board: Board, radius: int = 5) -> Board:
    """A board with more spaces than a number has bits."""
    around = range(-radius, radius + 1)
    cells = [(q, r) for q in around for r in around if abs(q + r) <= radius]
    assert len(cells) > 64 and set(HEX_STEPS) == set(board.steps)
    tags = [one.tags for one in board.spaces]
    spaces = tuple(Space(f"s{at}", *cell, tags[at % len(tags)]) for at, cell in enumerate(cells))
    return replace(board, spaces=spaces, start={})


def compare_on_a_board(program: Program, roots: Sequence[object], only: bool) -> Found:
    """Compare parts of the rules on a board with some pieces that no game has put there."""
    pair, rng, found = Pair(program, roots, only=only, sparse=not only), Random(3), Found()
    run = pair.run_at(Moment(pair.layout.blank(), None))
    documents = pair.layout.documents_of(("coin",))
    for _ in range(12):
        space = rng.randrange(len(pair.layout.board.spaces))
        if not run.memory[pair.layout.at + space]:
            new_piece(run, pair.layout, 0, rng.randrange(*documents), space, rng.randrange(2))
    assert program.play is not None
    run.begin(program.play)
    for _ in range(COUNT):
        compare_parts(pair, changed(pair, Moment(list(run.memory), run.top), rng), rng, found)
    return found


def test_boards_with_more_than_64_spaces() -> None:
    usual = states("war-chest")[0].variant.program
    program = Program(usual.given, large_board(usual.board))
    found = compare_on_a_board(program, parts_made(program), only=False)
    assert not found.differences, found.differences[:3]


def test_the_sentences_of_the_super_card() -> None:
    known = study_of("war-chest")
    meanings = [meaning for text in super_card() for meaning in understood(text) or ()]
    program = Program(known.desk.model.ruleset, states("war-chest")[0].variant.board)
    # The count of a limit has a field only where a card has the text.
    rules = [one.rule for one in meanings if not any(getattr(part, "per", "") for part in nodes_in(one.rule))]
    found = compare_on_a_board(program, rules, only=True)
    assert not found.differences, found.differences[:3]
    assert len(meanings) > 70 and len(found.met) > 15


def test_another_sheet_changes_no_code() -> None:
    program = Program(states("unigames")[0].variant.program.ruleset, states("unigames")[0].variant.program.board)
    sheets, key = program.ruleset.sheets, "attack"
    number = next(at for at, sheet in enumerate(sheets) if key in sheet.numbers)
    other = replace(sheets[number], numbers={**sheets[number].numbers, key: 77})
    changed_rules = replace(program.ruleset, sheets=[*sheets[:number], other, *sheets[number + 1 :]])
    texts, rows = [], []
    for ruleset in (program.ruleset, changed_rules):
        write = Expressions(Layout(ruleset, program.board))
        texts.append((write.value(ir.SheetNumber(key, ir.Var(0, "document"))), write.definitions()))
        rows.append(write.sheets.numbers())
        place = write.sheets.place(sheet_table("number", key)) + number
    assert texts[0] == texts[1]
    assert [at for at, (one, two) in enumerate(zip(*rows, strict=True)) if one != two] == [place]
    assert rows[1][place] == 77


TRIED = """
import os, sys
del os.environ["LD_PRELOAD"]  # the compiler is not under test
sys.path[:0] = {paths!r}
import native_support
from random import Random
from test_expressions import states
pair = native_support.Pair(states({variant!r})[0].variant.program, flags=native_support.SANITIZED, sparse=True)
found = native_support.compare(pair, [states({variant!r})[0].clone()], 3, 4)
assert not found.differences, found.differences[:3]
print("met", len(found.met))
"""


@pytest.mark.parametrize("variant", ["war-chest", "unigames"])
def test_nothing_goes_out_of_bounds(variant: str) -> None:
    library = subprocess.run([compiler(), "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    sanitizer = Path(library.stdout.strip())
    if not sanitizer.is_absolute():
        pytest.skip("the compiler brings no sanitizers")
    folder = Path(__file__).parent
    if variant == "unigames" and not os.environ.get("NATIVE_ALL"):
        pytest.skip("it takes long; NATIVE_ALL=1 runs it")
    tests = folder.parent
    paths = [str(folder), str(tests), str(tests / "laws"), str(tests / "docs"), str(RUNTIME.parents[1])]
    told = subprocess.run(
        [sys.executable, "-c", TRIED.format(paths=paths, variant=variant)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LD_PRELOAD": str(sanitizer), **SANITIZING},
    )
    assert told.returncode == 0 and told.stdout.startswith("met"), told.stderr[-3000:]
