"""Packs of cards that nobody has written are played alike by both machines."""

from __future__ import annotations

from pathlib import Path
from random import Random

from lockstep_support import Seen, library_of, play_both, source_of
from native_support import skirmish_on_squares
from packs_support import FORTIFIED, NAMES, child, pack, played

from loaded import load_once
from warchest.native.library import NativeGame
from warchest.source.limits import MAX_SPACES

SEEDS = ("1",)
"""The packs that are played in each run; `make explore` plays many."""


def test_generated_packs_are_played_alike() -> None:
    seen, game = Seen(), load_once("war-chest")
    told = [played("war-chest", pack(game, seed, len(NAMES)), range(1, 3), seen) for seed in SEEDS]
    assert "played" in told and seen.decisions > 50
    assert pack(game, SEEDS[0], 2) == pack(game, SEEDS[0], 2)


def test_a_generated_pack_is_played_alike_under_sanitizers() -> None:
    told = child(len(NAMES), 1)
    assert told.returncode == 0, told.stdout + told.stderr[-3000:]
    assert "'played': 1}, 0 wrong" in told.stdout


def test_a_board_with_as_many_spaces_as_there_can_be_is_played_alike(tmp_path: Path) -> None:
    rows = ", ".join(f"{chr(ord('a') + number)}: 1-{MAX_SPACES // 16}" for number in range(16))
    seen, game = Seen(), skirmish_on_squares(tmp_path, rows)
    for seed in range(3):
        state = game.beginning().begin(seed)
        assert len(state.variant.board.spaces) == MAX_SPACES
        state.silent = True
        play_both(NativeGame(library_of(source_of(state.variant), FORTIFIED)), state, Random(seed), 50, seen)
    assert seen.decisions > 50
