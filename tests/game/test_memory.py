"""The size of a state, also late in a game, and the history that copies share."""

from __future__ import annotations

import gc
import tracemalloc
from typing import Any

import pytest

from loaded import played, shipped
from warchest import OptionError, State
from warchest.engine.options import OptionSet

MOST = 20_000
COPIES = 200


def test_a_state_takes_less_than_twenty_kilobytes_late_in_a_game() -> None:
    state = played(300)
    assert state.decision is not None
    copies: list[State] = []
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    copies.extend(state.clone() for _ in range(COPIES))
    taken = (tracemalloc.get_traced_memory()[0] - before) / COPIES
    tracemalloc.stop()
    assert taken < MOST


def test_copies_share_their_history_and_go_their_own_ways() -> None:
    state = played(40)
    before = state.log
    one, other = state.clone(), state.clone()
    assert one.log == other.log == state.log == before
    one.apply(0)
    other.apply(len(other.decision.options) - 1)  # type: ignore[union-attr]
    assert state.log == before
    assert one.log[: len(before)] == other.log[: len(before)] == before
    assert len(one.log) > len(before) and one.log != other.log
    state.apply(0)
    assert state.log == one.log and state.clone().clone().log == state.log


@pytest.mark.parametrize("name", ["war-chest", "unigames"])
def test_listed_options_are_freed_with_their_decision(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No circle holds it that Python would have to look for."""
    listed, made, make = set[int](), 0, OptionSet.__init__

    def begun(self: OptionSet, *given: Any) -> None:
        nonlocal made
        listed.add(id(self))
        made += 1
        make(self, *given)

    shipped(name)
    gc.disable()
    try:
        monkeypatch.setattr(OptionSet, "__init__", begun)
        monkeypatch.setattr(OptionSet, "__del__", lambda self: listed.discard(id(self)), raising=False)
        state = played(40, name)
        assert made > 10 and len(listed) <= 1
        assert state.decision is not None
    finally:
        gc.enable()


@pytest.mark.parametrize("name", ["war-chest", "unigames"])
def test_a_silent_game_is_the_same_without_a_log(name: str) -> None:
    told, silent = played(80, name), played(80, name, silent=True)
    assert silent.position() == told.position() and silent.key() == told.key()
    assert told.log and silent.log == silent.history() == []


def test_a_copy_is_as_silent_as_its_original() -> None:
    state = played(20, silent=True)
    copy = state.clone()
    assert copy.silent and copy.apply(0).log == []
    copy.silent = False
    assert copy.apply(0).log and state.silent


def test_a_refused_option_leaves_a_game_silent() -> None:
    state = played(20, silent=True)
    with pytest.raises(OptionError):
        state.apply(1000)
    assert state.silent and state.apply(0).log == []
