"""The tests that take long, which `make test` leaves out and `make test-all` runs: they are listed in `slow_tests.txt`.

`make slow` measures all tests and writes the list again. No test may use much more of a run than others: those that do
are left out, or all but some of their cases, which are spread over them. A folder keeps a test in any case. Tests
marked `quick` are never left out, such as some of the tests of pages in a browser, which are all slow; a test that is
not listed yet can be marked `slow` by itself.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from pathlib import Path
from xml.etree import ElementTree

import pytest

LIST = Path(__file__).with_name("slow_tests.txt")
HEAD = """\
# The tests that take long, and how many of the cases of each `make test` runs. `make slow` writes this file.
"""
SECONDS = 200
"""The time that all the tests of `make test` may take together, on one processor."""

Times = Mapping[str, Sequence[float]]
"""The seconds that each case of each test took, in the order of their names."""


def listed(text: str) -> dict[str, int]:
    """Return the number of cases that are still run of each test in a list."""
    lines = (line.rsplit(maxsplit=1) for line in text.splitlines() if not line.startswith("#"))
    return {name: int(count) for name, count in lines}


def name_of_test(case: str) -> str:
    """Return the name of the test of a case."""
    return case.partition("[")[0]


def spread(cases: int, kept: int) -> list[int]:
    """Return the numbers of the cases that are kept, from the first on and in even steps."""
    kept = min(kept, cases)
    return [number * cases // kept for number in range(kept)]


def mark_slow(items: Iterable[pytest.Item], kept: Mapping[str, int]) -> None:
    """Mark the tests of a list, without the cases that are kept of them, and without those that are quick."""
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in sorted(items, key=lambda one: one.nodeid):
        cases[name_of_test(item.nodeid)].append(item)
    for name in cases.keys() & kept.keys():
        still = spread(len(cases[name]), kept[name])
        for number, item in enumerate(cases[name]):
            if number not in still and item.get_closest_marker("quick") is None:
                item.add_marker("slow")


def chosen(times: Times, seconds: float) -> dict[str, int]:
    """Return the tests that are slow, with the number of cases kept of each, so that the rest fits into a time.

    Each test is given the same time at most, as much as is possible, and one with four times as many cases twice that.
    """
    costs = {
        name: [sum(one[number] for number in spread(len(one), kept)) for kept in range(len(one) + 1)]
        for name, one in times.items()
    }
    low, high = 0.0, seconds
    for _ in range(30):
        each = (low + high) / 2
        if sum(costs[name][count] for name, count in _kept(costs, each).items()) <= seconds:
            low = each
        else:
            high = each
    kept = _kept(costs, low)
    kept |= {min(bare, key=lambda name: costs[name][1]): 1 for bare in _bare(kept)}
    return {name: count for name, count in sorted(kept.items()) if count < len(times[name])}


def _kept(costs: Times, each: float) -> dict[str, int]:
    """Return the most cases of each test that fit into its time; `costs` has the seconds for each number of cases."""
    return {
        name: max(kept for kept, cost in enumerate(one) if cost <= each * sqrt(len(one) - 1))
        for name, one in costs.items()
    }


def _bare(kept: Mapping[str, int]) -> list[list[str]]:
    """Return the tests of each folder without a kept test."""
    folders: dict[str, list[str]] = defaultdict(list)
    for name in kept:
        folders[name.partition("::")[0].rpartition("/")[0]].append(name)
    return [names for names in folders.values() if not any(kept[name] for name in names)]


def measured(report: str) -> Times:
    """Return the times of all tests that were run, from a report of pytest in the form of JUnit."""
    times: dict[str, dict[str, float]] = defaultdict(dict)
    for case in ElementTree.fromstring(report).iter("testcase"):
        name = f"{case.attrib['classname'].replace('.', '/')}.py::{case.attrib['name']}"
        if case.find("skipped") is None:
            times[name_of_test(name)][name] = float(case.attrib["time"])
    return {name: [seconds for _, seconds in sorted(cases.items())] for name, cases in times.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the list again, from a report of a run of all tests; those that were not run remain as they are listed."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("report", type=Path)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    given = parser.parse_args(arguments)
    times = measured(given.report.read_text(encoding="utf-8"))
    unknown = {name: kept for name, kept in listed(LIST.read_text(encoding="utf-8")).items() if name not in times}
    slow = sorted((unknown | chosen(times, given.seconds)).items())
    LIST.write_text(HEAD + "".join(f"{name} {kept}\n" for name, kept in slow), encoding="utf-8")


if __name__ == "__main__":
    main()
