"""Whole games for the search for faults, played natively: the same ones as on the reference machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from loaded import shipped
from warchest.native.c_compiler import Unavailable
from warchest.testing import playing
from warchest.testing.law_check import GameCheck
from warchest.testing.playing import PlayedGames


@contextmanager
def unavailable(*_: object) -> Iterator[Unavailable]:
    yield Unavailable("there is no compiler")


@pytest.mark.usefixtures("compiled_for_tests")
def test_games_go_the_same_way_natively(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "SHORT", 150)
    monkeypatch.setattr(playing, "SLOW", 6)
    player = GameCheck(shipped()).player
    (state, *_) = player.starts(("Lancer", "Knight"), together=True, seed="0")
    if player.prepare():
        pytest.skip("there is no native machine here")
    natively = player.play(state, 6, seed=1, cap=150)
    monkeypatch.setattr(playing, "counted_from", unavailable)
    slowly = player.play(state, 6, seed=1, cap=150)
    assert isinstance(natively, PlayedGames) and natively.acted and natively.broken == []
    assert (natively.games, natively.unfinished) == (slowly.games, slowly.unfinished)
