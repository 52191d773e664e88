"""Portions of work come back in order, in whatever order workers finish, and also where workers fail."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warchest.parallel import KEPT, WorkLostError
from warchest.workers.doing import outcomes
from warchest.workers.portions import Portions
from warchest.workers.sending import sent


class ScriptedCrew:
    """A crew that ends a portion when it is asked, the one that a script says; the portions `lost` are lost."""

    def __init__(self, count: int, script: Sequence[int], lost: frozenset[int] = frozenset()) -> None:
        self.count, self.script, self.losing = count, list(script), lost
        self.told = sent(lambda number: (-number, 1 / (number - 50)))
        self.given: list[list[int]] = []
        self.ahead: list[tuple[Future[bytes], int]] = []
        self.most = 0

    def submit(self, tasks: Sequence[int]) -> Future[bytes]:
        future: Future[bytes] = Future()
        self.ahead.append((future, len(self.given)))
        self.given.append(list(tasks))
        self.most = max(self.most, len(self.ahead))
        if len(self.ahead) >= self.count:
            self.look()
        return future

    def look(self) -> None:
        """End one of the portions that are under way."""
        if self.ahead:
            self.end(self.script.pop() % len(self.ahead) if self.script else 0)

    def lost(self, error: BaseException) -> BaseException:
        return WorkLostError(str(error))

    def end(self, place: int) -> None:
        future, number = self.ahead.pop(place)
        if number in self.losing:
            future.set_exception(OSError("gone"))
        else:
            future.set_result(outcomes(self.told, self.given[number]))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warchest.workers.portions.BEAT", 0.001)


@settings(max_examples=30)
@given(
    st.integers(0, 49), st.integers(1, 7), st.integers(1, 5), st.lists(st.integers(0, 9)), st.none() | st.integers(0, 9)
)
def test_results_are_in_order_and_errors_in_their_turn(
    tasks: int, together: int, count: int, script: list[int], lost: int | None
) -> None:
    crew = ScriptedCrew(count, script, frozenset() if lost is None else frozenset((lost,)))
    heard, found = list[object](), list[object]()
    portions = Portions[int, object](crew, range(tasks), together, heard.append)
    expected = [(-number, 1 / (number - 50)) for number in range(tasks)]
    if lost is not None and lost * together < tasks:
        with pytest.raises(WorkLostError, match="gone"):
            found.extend(portions.results())
        assert found == [] or found == expected[: len(found)]
    else:
        found.extend(portions.results())
        assert found == expected and sorted(heard, key=str) == sorted(expected, key=str)
        assert [one for given in crew.given for one in given] == list(range(tasks))
    assert crew.most <= 2 * count


def test_an_error_of_a_task_is_raised_after_the_results_before_it() -> None:
    found = list[object]()
    with pytest.raises(ZeroDivisionError):
        found.extend(Portions[int, object](ScriptedCrew(2, [1, 0, 1]), range(45, 60), 2, found.append).results())
    assert {one[0] for one in found if isinstance(one, tuple)} >= {-45, -46, -47, -48, -49}


def test_the_number_of_portions_handed_out_ahead_has_a_bound() -> None:
    class StuckCrew(ScriptedCrew):
        """A crew whose first portion is never done."""

        def look(self) -> None:
            if len(self.ahead) > 1:
                self.end(1)

    portions = Portions[int, object](StuckCrew(1, []), range(10**15), 1, lambda _: None)
    for _ in range(KEPT * 3):
        portions._hand_out(0)
        portions._listen()
    assert portions.begun == KEPT
