"""Whole games for the search for faults, played natively: the same ones as on the reference machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from lockstep_support import checked_for

from loaded import shipped
from warchest.game import held
from warchest.testing import playing
from warchest.testing.check import GameCheck
from warchest.testing.playing import PlayedGames


@contextmanager
def unavailable(*_: object) -> Iterator[None]:
    yield None


def test_games_go_the_same_way_natively(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "library_for", checked_for)
    held.native_machine.cache_clear()
    monkeypatch.setattr(playing, "CAP", 150)
    monkeypatch.setattr(playing, "SHORT", 150)
    monkeypatch.setattr(playing, "SLOW", 6)
    player = GameCheck(shipped()).player
    (state, *_) = player.starts(("Lancer", "Knight"), together=True, seed="0")
    if player.prepare():
        pytest.skip("there is no native machine here")
    natively = player.play(state, 6, seed=1)
    monkeypatch.setattr(playing, "counted_from", unavailable)
    slowly = player.play(state, 6, seed=1)
    assert isinstance(natively, PlayedGames) and natively.acted and natively.broken == []
    assert (natively.games, natively.unfinished) == (slowly.games, slowly.unfinished)
    held.native_machine.cache_clear()
