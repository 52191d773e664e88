"""Machines that a compiler makes by counts of executed code: they play as others do, and are always the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from lockstep_support import library_for
from native_support import SKIRMISH

from loaded import load_once
from warchest.bots.training_games import train
from warchest.game.native_engine import made_of
from warchest.native.c_compiler import Compiler, Unavailable, compiler
from warchest.native.compiled import NativeLibrary, NativeTable, PlayCourse
from warchest.native.legend import recalled
from warchest.native.libraries import ship
from warchest.source.cache import Cache

BEGINNING = load_once(SKIRMISH).beginning()
PROGRAM, MADE_OF = BEGINNING.variant.program, made_of(BEGINNING.variant)


def games(library: NativeLibrary) -> list[object]:
    """Return the results of some games."""
    table = NativeTable(library, BEGINNING.prepared().memory, BEGINNING.setup.name)
    course = PlayCourse((frozenset[str](),) * len(BEGINNING.variant.board.seats), 200, None, range(0))
    return [table.play(seed, course) for seed in range(30)]


def shipped(folder: Path, found: Compiler, training: Callable[[NativeLibrary], None]) -> NativeLibrary:
    """Return the machine that a compiler makes to be shipped."""
    folder.mkdir()
    files = ship(folder, PROGRAM, MADE_OF, found, training)
    assert isinstance(files, list)
    library, legend = recalled(Cache(folder).read_plain(files[1].name), PROGRAM)
    return NativeLibrary(folder / library, legend)


@pytest.fixture
def gnu() -> Compiler:
    found = compiler()
    if isinstance(found, Unavailable) or not found.learns:
        pytest.skip("there is no compiler that learns")
    return found


def test_a_trained_machine_plays_the_same_games_and_is_always_the_same(tmp_path: Path, gnu: Compiler) -> None:
    made = [
        shipped(tmp_path / name, gnu, partial(train, load_once(SKIRMISH), [BEGINNING])) for name in ("one", "other")
    ]
    assert made[0].path.name == made[1].path.name
    assert made[0].path.read_bytes() == made[1].path.read_bytes()
    plain = library_for(PROGRAM, MADE_OF)
    assert made[0].path.read_bytes() != plain.path.read_bytes()
    assert games(made[0]) == games(plain)
    assert not hasattr(made[0].code, "game_trained")


def test_a_compiler_that_cannot_learn_makes_the_plain_machine(tmp_path: Path, gnu: Compiler) -> None:
    clang = replace(gnu, version="clang version 17.0.6")
    made = shipped(tmp_path / "plain", clang, lambda _: pytest.fail("it is trained for nothing"))
    assert games(made) == games(library_for(PROGRAM, MADE_OF))
