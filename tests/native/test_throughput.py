"""A gate on throughput: native games, measured by the time of a program that is compiled and run beside them."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from statistics import median
from time import process_time

import pytest
from lockstep_support import checked_for, library_for
from native_support import Made

from loaded import load_once
from warchest.game.native_engine import made_of
from warchest.native.c_compiler import Unavailable, compile_units, compiler, link
from warchest.native.compiled import NativeLibrary, NativeTable, PlayCourse

UNITS, GAMES, ROUNDS, CAP = 500, 80, 9, 400
"""The units and the games of a round, the number of rounds, and the most decisions of a game."""
LEAST = 0.5
"""The least share of the recorded throughput: neighbours who fill the caches of a shared computer slow the games down
by up to a third more than the calibrator."""
RECORDED = {"war-chest": 0.215, "unigames": 0.065}
"""Games for each unit of the calibrator, as `pytest -s` prints them."""
SETUPS = {"war-chest": "Random armies", "unigames": "Alternate reveal"}


@cache
def calibrator() -> ctypes.CDLL:
    """Return the calibrator, compiled as the native machine is."""
    found = compiler()
    if isinstance(found, Unavailable):
        pytest.skip(found.reason)
    text = Path(__file__).with_name("calibrator.c").read_text(encoding="utf-8")

    def make(target: Path) -> None:
        part = target.with_suffix(".o")
        problem = compile_units(found, [(text, part)], target.parent) or link(found, [part], target, target.parent)
        assert problem is None, problem

    return ctypes.CDLL(str(Made.once([text, found.identity], make)))


def throughput(name: str, library: NativeLibrary, games: int = GAMES) -> float:
    """Return the number of games in the time of a unit of the calibrator, the median of some rounds."""
    begun, code, found = load_once(name).beginning(setup=SETUPS[name]), calibrator(), list[float]()
    table = NativeTable(library, begun.prepared().memory, SETUPS[name])
    course = PlayCourse((frozenset({"control"}),) * 2, CAP, None, range(0))
    for turn in range(ROUNDS):
        first = process_time()
        code.calibrate(UNITS)
        between = process_time()
        for seed in range(turn * games, (turn + 1) * games):
            table.play(seed, course)
        found.append((between - first) / UNITS * games / (process_time() - between))
    return median(found)


ATTEMPTS = 20
"""The most measurements: others at work on the computer slow some of them down, and none makes one faster."""


@pytest.mark.parametrize("name", RECORDED)
def test_games_are_played_as_fast_as_before(name: str) -> None:
    variant = load_once(name).beginning(setup=SETUPS[name]).variant
    library, found = library_for(variant.program, made_of(variant)), 0.0
    for _ in range(ATTEMPTS):
        found = max(found, throughput(name, library))
        if found > LEAST * RECORDED[name]:
            break
    print(f"{name}: {found:.4f} games a unit")
    assert found > LEAST * RECORDED[name], f"{found:.4f} games a unit, and there were {RECORDED[name]}"


def test_a_slow_machine_is_found() -> None:
    variant = load_once("war-chest").beginning(setup=SETUPS["war-chest"]).variant
    slow = checked_for(variant.program, made_of(variant))
    assert throughput("war-chest", slow, GAMES // 8) < LEAST * RECORDED["war-chest"]
