"""Fresh processes on this machine do the same as this one, where it cannot be copied."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from itertools import islice

import pytest
from cluster_support import in_a_copy
from loky import get_reusable_executor

from loaded import shipped
from warchest import parallel
from warchest.parallel import Results, WorkLostError
from warchest.testing.bot_games import BotTable, GameLimit, SeededGames
from warchest.workers import here, processes
from warchest.workers.processes import fresh_results


def fresh(work: Callable[[int], object], count: int = 8, together: int = 2) -> Results[object]:
    """The results of some work on numbers, all from two fresh processes."""
    return Results(lambda hear: fresh_results(work, range(count), 2, together, hear, patience=0))


def test_fresh_processes_work_and_report() -> None:
    """One test, for processes take long to begin; in a copy, for they come with threads."""

    def work() -> int:
        first, heard, found = os.getpid(), list[object](), list[object]()
        results = fresh(lambda number: (number, os.getpid() == first))
        results.heard = heard.append
        assert list(results) == sorted(heard, key=str) == [(number, False) for number in range(8)]
        with pytest.raises(ZeroDivisionError):
            list(fresh(lambda number: 1 // (3 - number)))
        table = BotTable(shipped(), shipped().beginning(), ["random"])
        games = SeededGames(table, 3, 4, 2, GameLimit(30), keeps=True)
        # The games are played by the documents that were sent.
        assert [one.records for one in fresh(games, 4, 1)] == [games(one).records for one in range(4)]
        with pytest.raises(WorkLostError, match="has ended too early"):
            found.extend(fresh(lambda number: os.kill(os.getpid(), signal.SIGKILL) if number == 5 else number, 8, 1))
        assert found == list(range(len(found))) and len(found) <= 5
        get_reusable_executor().shutdown(kill_workers=True)
        return 7

    assert in_a_copy(work) == 7


def test_short_tasks_are_done_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def unwanted(count: int) -> None:
        raise AssertionError("no process is needed")

    monkeypatch.setattr(processes, "get_reusable_executor", unwanted)
    monkeypatch.setattr(here.sys, "platform", "darwin")
    monkeypatch.setattr(parallel, "processors", lambda: 2)
    results = here.Jobs(2).results(lambda number: (number, os.getpid()), range(9), together=4)
    assert list(islice(results, 9)) == [(number, os.getpid()) for number in range(9)]
