"""The tests that `make test` leaves out: only those listed as slow, by their times, and never all of a folder."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slow_tests import LIST, chosen, listed, mark_slow, measured, name_of_test, spread

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
KEPT = listed(LIST.read_text(encoding="utf-8"))
NAMES = st.builds("tests/{}/test_{}.py::test_{}".format, *[st.sampled_from("abc")] * 3)
TIMES = st.dictionaries(NAMES, st.lists(st.floats(0, 9, width=16), min_size=1, max_size=9), min_size=1)


class Item:
    """A case of a test, as far as marks go."""

    def __init__(self, nodeid: str, *marks: str) -> None:
        self.nodeid, self.marks = nodeid, [*marks]

    def add_marker(self, mark: str) -> None:
        self.marks.append(mark)

    def get_closest_marker(self, mark: str) -> str | None:
        return mark if mark in self.marks else None


def functions_in(file: Path) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    """The tests of a file, by their names in the list."""
    defined = ast.parse(file.read_text(encoding="utf-8")).body
    functions = [one for one in defined if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    path = file.relative_to(ROOT).as_posix()
    return {f"{path}::{one.name}": one for one in functions if one.name.startswith("test_")}


TESTS = {name: node for file in sorted(ROOT.glob("tests/**/test_*.py")) for name, node in functions_in(file).items()}


def is_slow(name: str) -> bool:
    """Whether all cases of a test are left out."""
    marks = [ast.unparse(one) for one in TESTS[name].decorator_list]
    return KEPT.get(name) == 0 or "pytest.mark.slow" in marks


# ---- the list


def test_listed_tests_exist_and_are_in_order() -> None:
    assert [name for name in KEPT if name not in TESTS] == [], "the tests have other names now: correct the list"
    assert [*KEPT] == sorted(KEPT) and all(count >= 0 for count in KEPT.values())


def test_each_folder_has_a_test_that_is_not_slow() -> None:
    folders: dict[Path, list[str]] = defaultdict(list)
    for name in TESTS:
        folders[Path(name.partition("::")[0]).parent].append(name)
    assert len(folders) > 30
    assert [folder for folder, names in folders.items() if all(map(is_slow, names))] == []


def test_everything_is_tested_before_a_change_is_taken() -> None:
    recipes = dict(
        re.findall(r"^(test[a-z-]*):.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    )
    assert '$(TESTS) -m "not slow"' in recipes["test"] and " -m" not in recipes["test-all"].replace("$(PY) -m", "")
    assert "make test-all" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


# ---- how it is made


@given(TIMES, st.floats(0.1, 40))
def test_kept_cases_fit_into_the_time(times: dict[str, list[float]], seconds: float) -> None:
    kept = {name: len(one) for name, one in times.items()} | chosen(times, seconds)
    folders: dict[str, list[float]] = defaultdict(list)
    for name, one in times.items():
        folders[name.rpartition("/")[0]].append(sum(one[number] for number in spread(len(one), kept[name])))
        assert 0 <= kept[name] <= len(one)
    assert len(folders) == len({name.rpartition("/")[0] for name in times if kept[name]})
    assert sum(sum(one) for one in folders.values() if one.count(0) < len(one) - 1) <= seconds + 1e-6


@given(TIMES)
def test_no_test_is_left_out_without_need(times: dict[str, list[float]]) -> None:
    assert chosen(times, sum(map(sum, times.values())) + 1) == {}


@given(TIMES, st.floats(0.1, 20), st.floats(0, 20))
def test_with_more_time_no_test_has_fewer_cases(times: dict[str, list[float]], seconds: float, more: float) -> None:
    all_of = {name: len(one) for name, one in times.items()}
    less, most = all_of | chosen(times, seconds), all_of | chosen(times, seconds + more)
    assert all(most[name] >= less[name] or less[name] == 1 for name in times)


@given(st.integers(1, 50), st.integers(0, 60))
def test_cases_are_spread(cases: int, kept: int) -> None:
    found = spread(cases, kept)
    assert len(found) == min(cases, kept) and all(0 <= one < cases for one in found)
    steps = {after - before for before, after in pairwise([*found, *([cases] if found else [])])}
    assert len(steps) == 0 or max(steps) - min(steps) <= 1


@given(st.dictionaries(NAMES, st.tuples(st.integers(1, 9), st.integers(0, 9)), min_size=1), st.randoms())
def test_the_number_of_marked_cases_does_not_depend_on_their_order(
    counts: dict[str, tuple[int, int]], rng: Any
) -> None:
    items = [Item(f"{name}[{number}]") for name, (cases, _) in counts.items() for number in range(cases)]
    quick, other = Item("tests/a/test_a.py::test_quick[1]", "quick"), Item("tests/a/test_a.py::test_other")
    given_items = [*items, quick, other]
    rng.shuffle(given_items)
    mark_slow(given_items, {name: kept for name, (_, kept) in counts.items()} | {name_of_test(quick.nodeid): 0})
    for name, (cases, kept) in counts.items():
        assert sum(one.marks == [] for one in items if name_of_test(one.nodeid) == name) == min(cases, kept)
    assert (quick.marks, other.marks) == (["quick"], [])


def test_times_are_read_from_a_report() -> None:
    run = {"test_it[b.c]": "2.5", "test_it[a]": "0.5", "test_that": "4"}
    cases = [f'<testcase classname="tests.cli.test_new" name="{name}" time="{time}"/>' for name, time in run.items()]
    cases.append('<testcase classname="tests.cli.test_new" name="test_it[b]" time="9"><skipped/></testcase>')
    assert measured(f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>") == {
        "tests/cli/test_new.py::test_it": [0.5, 2.5],
        "tests/cli/test_new.py::test_that": [4.0],
    }
