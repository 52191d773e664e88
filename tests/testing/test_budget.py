"""Budgets of processor time: one clock for a process and its copies, and work that ends when its time is over."""

from __future__ import annotations

import time

import pytest

from loaded import load_once, shipped
from warchest.engine.runs import ENOUGH, LOOK, EndlessError
from warchest.parallel import processors, side_by_side
from warchest.testing.budget import OutOfTime, clock, ending, look_at_clock
from warchest.testing.law_check import CheckTask, GameCheck

pytestmark = pytest.mark.quick


def test_the_clock_counts_work_and_no_waiting() -> None:
    begun = clock()
    time.sleep(0.05)
    waited = clock() - begun
    while clock() - begun < waited + 0.02:
        pass
    assert waited < 0.04


def test_the_clock_goes_on_in_copies_of_a_process() -> None:
    if processors() < 2:
        pytest.skip("this process cannot be copied")
    before = clock()
    told = list(side_by_side(lambda _: clock(), range(4), 2))
    assert all(before < one < before + 5 for one in told)


def test_the_clock_counts_the_work_of_copies_once_they_are_done() -> None:
    if processors() < 2:
        pytest.skip("this process cannot be copied")

    def work(_: int) -> float:
        begun = clock()
        while clock() < begun + 0.2:
            pass
        return clock()

    for _ in range(2):
        before = clock()
        ends = list(side_by_side(work, range(4), 2))
        # Two of the four were done one after the other by each of two processes.
        assert before + 0.4 <= max(ends) <= clock() < before + 0.9


def test_work_ends_at_the_earliest_end() -> None:
    with ending(clock() + 100):
        look_at_clock()
        with pytest.raises(OutOfTime), ending(0.0):
            look_at_clock()
        with pytest.raises(OutOfTime), ending(0.0), ending(clock() + 100):
            look_at_clock()
        look_at_clock()
    look_at_clock()


def test_many_short_queries_do_not_overstep_the_time() -> None:
    state = load_once("war-chest").new(seed=1)
    with pytest.raises(OutOfTime), ending(0.0):
        for number in range(2000):
            after = state.clone()
            assert after.decision is not None
            after.apply(number % after.decision.count)


def test_rules_without_an_end_do_not_overstep_the_time(impatient: None) -> None:
    """The faults that were found before are reported."""
    game = shipped("unigames")
    aims = game.library.named("action", "Aims")
    assert aims is not None
    cost = "    the first figure becomes disabled if the first figure aids or boosts a figure,\n    then "
    assert cost in aims.span.source.text
    text = aims.span.source.text.replace(cost, "    ", 1)
    check = GameCheck(game.with_text(aims.span.path, text))
    begun = clock()
    outcome = check.look(CheckTask(("Dwarf Drummer",)), begun + 2, begun + 2.1)
    assert clock() - begun < 2.4
    assert "ends by choice" in [one.fault.law for one in outcome.findings]


def test_queries_before_the_time_was_limited_do_not_count() -> None:
    run = shipped().new(seed=1).run
    for _ in range(3):
        run.begin_work()
        run.tick(LOOK)
        run.end_work()
    with ending(0.0):
        run.begin_work()
        with ending(0.0):
            run.begin_work()
        run.tick(LOOK)
        run.end_work()
        run.begin_work()
        run.tick(1)
        run.end_work()
        with pytest.raises(OutOfTime), ending(0.0):
            run.begin_work()


def test_long_work_of_the_machine_is_broken_off_and_no_other() -> None:
    run = shipped().new(seed=1).run
    with ending(0.0):
        run.begin_work()
        run.tick(LOOK)
        with pytest.raises(OutOfTime):
            run.tick(1)
    run.begin_work()
    for _ in range(ENOUGH // LOOK):
        run.tick(LOOK)
    with pytest.raises(EndlessError):
        run.tick(1)
