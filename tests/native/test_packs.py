"""Packs of cards that nobody has written are played alike by both machines."""

from __future__ import annotations

from lockstep_support import Seen
from packs_support import NAMES, child, pack, played

from loaded import load_once

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
