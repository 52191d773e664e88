"""The one search of the kit: its work, its order, its end, and its continuation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import inf

import pytest

from warchest.testing.budget import UNLIMITED, Budget, OutOfTime
from warchest.testing.search import KitSearch


def squared(number: int) -> int:
    """Return the square of a number; 13 has none."""
    if number == 13:
        raise OutOfTime
    return number * number


def run(search: KitSearch[int, int]) -> dict[int, int]:
    """Return the results of running a search."""
    found = dict[int, int]()
    search.run(found.__setitem__)
    return found


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("together", [1, 3])
def test_each_unit_is_done_once_and_in_order(jobs: int, together: int) -> None:
    search = KitSearch(range(12), squared, replace(UNLIMITED, jobs=jobs), 2, together)
    assert list(run(search).items()) == [(one, one * one) for one in range(2, 12)]
    assert (search.done, search.left, search.further) == (10, 0, 12)


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_unit_that_ends_it_counts_but_is_not_done(jobs: int) -> None:
    search = KitSearch(range(12), squared, replace(UNLIMITED, jobs=jobs), ends=lambda one: one >= 16)
    assert list(run(search)) == [0, 1, 2, 3, 4]
    assert (search.done, search.left, search.further) == (4, 8, 4)


@pytest.mark.parametrize("seconds", [inf, 300])
def test_a_unit_without_a_result_ends_it(seconds: float) -> None:
    search = KitSearch(range(10, 20), squared, Budget(seconds))
    assert list(run(search)) == [10, 11, 12]
    assert (search.done, search.left, search.further) == (3, 7, 3)


def test_no_task_is_done_when_the_time_is_over() -> None:
    search = KitSearch(range(3), squared, Budget(0.0))
    assert not run(search) and search.left == 3


def test_it_goes_on_where_it_was_interrupted() -> None:
    search, found = KitSearch(range(5), squared), list[int]()

    def interrupted(parts: Iterable[int | None], total: int) -> Iterator[int | None]:
        assert total == 5 - len(found)
        for part in parts:
            yield part
            if len(found) == 2:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.run(lambda _, part: found.append(part), interrupted)
    assert (found, search.done, search.left) == ([0, 1], 2, 3)
    search.run(lambda _, part: found.append(part), lambda parts, _: iter(parts))
    assert found == [0, 1, 4, 9, 16] and not search.left


@pytest.mark.parametrize("jobs", [1, 2])
def test_all_finished_parts_are_shown(jobs: int) -> None:
    said = list[int]()

    def shown(parts: Iterable[int | None], total: int) -> Iterator[int | None]:
        for number, part in enumerate(parts, 1):
            yield part
            said.append(number)

    KitSearch(range(4), squared, replace(UNLIMITED, jobs=jobs)).run(lambda *_: None, shown)
    assert said == [1, 2, 3, 4]


def test_a_search_that_begins_after_its_last_task_is_over() -> None:
    search = KitSearch(range(3), squared, begin=7)
    assert not run(search) and not search.left
