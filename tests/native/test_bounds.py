"""Bounds on a stranger's game in the native machine, and signals in a long call."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from native_support import SKIRMISH

from lint.lint_support import codes
from loaded import shipped
from machine.machine_support import card, game, position, refused, take
from warchest import State
from warchest.lowering.program import Program
from warchest.native import c_compiler, size_bounds
from warchest.native.c_compiler import Compiler, Unavailable, compiler
from warchest.native.generate import generate
from warchest.native.unfit import Unfit
from warchest.source.limits import MAX_OF_A_KIND
from warchest.source.programs import program as program_of

PLAYING = """
import pathlib, signal, sys
import warchest
from warchest.native.c_compiler import Unavailable
from warchest.native.libraries import library_for
signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
begun = warchest.load(pathlib.Path(sys.argv[1])).beginning()
library = library_for(begun.variant.program, "a test of signals")
if isinstance(library, Unavailable):
    sys.exit(8)
print("now", flush=True)
library.playouts(begun.prepared().memory, "Skirmish", "move", 2**31 - 1, range(2_000_000))
print("to the end", flush=True)
"""


def program() -> Program:
    return shipped("war-chest").beginning().variant.program


@pytest.mark.parametrize(
    ("bound", "why"),
    [
        ("MOST_CELLS", "the memory has"),
        ("MOST_CANDIDATES", "one choice can be among"),
        ("MOST_OF_UNIT", "too much C"),
        ("MOST_OF_CODE", "too much C"),
    ],
)
def test_a_game_beyond_a_bound_is_not_played_natively(monkeypatch: pytest.MonkeyPatch, bound: str, why: str) -> None:
    monkeypatch.setattr(size_bounds, bound, 500)
    with pytest.raises(Unfit, match=why):
        generate(program())


def test_the_shipped_games_are_far_within_the_bounds() -> None:
    source = generate(program())
    assert 3 * max(map(len, source.units)) < size_bounds.MOST_OF_UNIT
    assert 3 * sum(map(len, (*source.units, source.machine))) < size_bounds.MOST_OF_CODE


def test_a_compiler_is_called_within_limits(tmp_path: Path) -> None:
    script = tmp_path / "cc"
    script.write_text("#!/bin/sh\necho $(ulimit -v) $(ulimit -t)\nexit 1\n", encoding="utf-8")
    script.chmod(0o755)
    told = c_compiler.call(Compiler((str(script),), (), "1"), [], tmp_path, time.monotonic() + 10)
    assert isinstance(told, Unavailable)
    assert told.reason.endswith(f": {c_compiler.COMPILER_MEMORY // 1024} {c_compiler.COMPILER_SECONDS}")


@pytest.mark.skipif(isinstance(compiler(), Unavailable), reason="there is no C compiler")
def test_a_signal_ends_a_long_call(tmp_path: Path) -> None:
    environment = {**os.environ, "WARCHEST_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", PLAYING, str(SKIRMISH)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as playing:
        assert playing.stdout is not None and playing.stdout.readline() == "now\n"
        time.sleep(0.5)
        sent = time.monotonic()
        playing.send_signal(signal.SIGTERM)
        assert playing.wait(timeout=60) == 7 and playing.stdout.read() == ""
        assert time.monotonic() - sent < 20


# ---- amounts


MAKES = "put 6000 new Flooders into your bag"


def flooder(tactic: str) -> State:
    """Return a state in which a unit with a tactic is to act."""
    return game(card("Flooder", tactic=tactic)).position(position("Flooder f4", "Flooder, Flooder"))


def test_new_tokens_are_made_and_logged_by_number() -> None:
    state = take(flooder(f"{MAKES}, then move."), act="tactic", to="f5")
    (made,) = [one for one in state.events if one.kind == "token" and "number" in one.roles]
    assert made.roles["number"] == 6000
    assert sum("6000 Flooders" in one.text for one in state.trace) == 1


def test_a_step_without_room_for_its_tokens_lapses() -> None:
    state = take(flooder(f"{MAKES}. {MAKES}. move."), act="tactic", to="f5")
    assert [one.text for one in state.trace].count("  it is not possible, and is left out") == 1
    assert state.position()["bag"]["raven"].count("Flooder") == 6000 <= MAX_OF_A_KIND


def test_a_sentence_makes_no_more_than_there_is_room_for() -> None:
    assert codes(refused(card("Flooder", tactic="put 10001 new Flooders into your bag."))) == ["number-of-things"]


def test_no_compiler_of_a_strangers_folder_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cc", "gcc", "clang"):
        (tmp_path / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.pathsep.join((".", "")))
    assert program_of("cc") is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program_of("cc") == str(tmp_path / "cc")
