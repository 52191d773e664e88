"""What is done side by side comes to the same as one after the other."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from warchest import parallel

COPIES = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere one after the other is the only way")
ROOT = Path(__file__).parents[2]


def alone(*arguments: str) -> str:
    """What a process of its own prints, in which there are no threads."""
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout


@COPIES
@pytest.mark.parametrize(
    "verb",
    [
        ("sim", "-n", "5", "--cap", "40", "--seed", "3", "--format", "json"),
        ("test", "cards/war-chest/rulings/pikeman.yaml", "--verbose"),
    ],
    ids=["sim", "test"],
)
def test_a_verb_says_the_same_however_many_jobs_there_are(verb: Sequence[str]) -> None:
    told = [alone("-m", "warchest.cli.main", *verb, "--jobs", jobs) for jobs in ("1", "3")]
    assert told[0] == told[1] and len(told[0].splitlines()) > 3


WORK = """
import os, sys
from warchest import parallel
parallel.processors = lambda: 3
def work(number):
    if number == 7: raise ValueError(f"{number} is too many")
    return number, os.getpid() != first
first = os.getpid()
found = parallel.side_by_side(work, range(9), 3, together=2)
try:
    for number, is_copy in found: print(number, is_copy)
except ValueError as error:
    print(error)
"""


@COPIES
def test_results_come_in_order_and_errors_in_their_turn() -> None:
    # The last portion is 6 and 7, which is lost as a whole.
    assert alone("-c", WORK).splitlines() == [*(f"{number} True" for number in range(6)), "7 is too many"]


def test_among_threads_nothing_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel.threading, "active_count", lambda: 2)
    assert parallel.processors() == 1
    assert list(parallel.side_by_side(lambda number: number + 1, range(3), 4)) == [1, 2, 3]
    assert parallel._work == []
