"""The past of a game is read once: a later reading takes time for new records only, also in copies and after `undo`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
from game_support import PLAYERS, game

from loaded import played
from warchest import State
from warchest.engine.history import Happened
from warchest.game.telling.log import LogWriter
from warchest.game.telling.past import Past, ReadAsIs
from warchest.game.telling.public_events import EventReader, events_of

READS: dict[str, Callable[[State], Sequence[Any]]] = {
    "log": lambda state: state.log,
    "log_for": lambda state: state.log_for("wolf"),
    "news_for": lambda state: state.news_for("wolf"),
    "news_entries": lambda state: state.news_entries("wolf"),
    "trace": lambda state: state.trace,
    "events": lambda state: state.events,
    "history": lambda state: state.history(),
}


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of records that are read each time."""
    counts: list[int] = []
    for reader in (LogWriter, EventReader, ReadAsIs):
        entries = reader.entries

        def counted(self: Any, events: Sequence[Happened], entries: Any = entries) -> Any:
            counts.append(len(events))
            return entries(self, events)

        monkeypatch.setattr(reader, "entries", counted)
    return counts


@pytest.mark.parametrize("name", READS)
def test_past_entries_are_read_once(name: str, read: list[int]) -> None:
    state = played(60)
    whole = READS[name](state)
    assert sum(read) > 100
    mark = state.mark()
    for _ in range(3):
        del read[:]
        copy = state.clone()
        assert READS[name](copy) == whole and READS[name](state) == whole and sum(read) == 0
        longer = READS[name](state.apply(0))
        assert longer[: len(whole)] == whole and len(longer) > len(whole) and 0 < sum(read) < 60
        assert READS[name](copy) == whole
        del read[:]
        state.undo(mark)
        assert READS[name](state) == whole and sum(read) == 0


@pytest.mark.parametrize("name", READS)
def test_branches_have_pasts_of_their_own(name: str) -> None:
    """In any order of earlier readings, each state gives the same results as when it is read at once."""
    rng, states = Random(5), [(game().new(seed=3), tuple[int, ...]())]
    for _ in range(60):
        state, taken = rng.choice(states)
        if state.decision is None:
            continue
        number = rng.randrange(len(state.decision.options))
        states.append((state.clone().apply(number), (*taken, number)))
        READS[name](rng.choice(states)[0]).copy() if rng.random() < 0.7 else None
    for state, taken in states:
        alone = game().new(seed=3)
        for number in taken:
            alone.apply(number)
        assert READS[name](state) == READS[name](alone)


def test_returned_lists_are_copies() -> None:
    state = played(30)
    for read in READS.values():
        before = list(read(state))
        handed: Any = read(state)
        handed.clear()
        assert read(state) == before


def test_events_are_those_of_the_history() -> None:
    state = played(50)
    half = state.clone().events
    assert events_of(state.history(), state.variant) == state.events == half


def test_threads_that_read_copies_of_a_state_read_the_same() -> None:
    state = played(40)
    assert state.log

    def told(number: int) -> list[list[str]]:
        copy = state.clone().apply(0)
        return [copy.log, *(copy.log_for(player) for player in PLAYERS)]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(told, range(40)))
    assert all(one == found[0] for one in found)


def test_a_long_past_is_read_and_let_go() -> None:
    past: Past | None = None
    for _ in range(200_000):
        past = Past(past, [])
    assert past is not None and past.read(ReadAsIs()) == []
    assert not [*past.backwards()]
    del past
