"""Work done side by side has the same results as work in sequence."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from warchest import parallel

COPIES = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere one after the other is the only way")
ROOT = Path(__file__).parents[2]


def alone(*arguments: str) -> str:
    """The output of a process of its own, in which there are no threads."""
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=True, cwd=ROOT, timeout=60
    )
    return done.stdout


@COPIES
@pytest.mark.parametrize(
    "verb",
    [
        ("sim", "-n", "5", "--cap", "40", "--seed", "3", "--format", "json"),
        ("test", ROOT / "cards/war-chest/rulings/pikeman.yaml", "--verbose"),
    ],
    ids=["sim", "test"],
)
def test_a_verb_says_the_same_however_many_jobs_there_are(
    run: Any, verb: Sequence[str | Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "processors", lambda: 3)
    fork, begun = os.fork, []

    def counted() -> int:
        begun.append(verb)
        return fork()

    monkeypatch.setattr(os, "fork", counted)
    told = [run(*verb, "--jobs", jobs).out for jobs in ("1", "3")]
    assert told[0] == told[1] and len(told[0].splitlines()) > 3 and len(begun) == 3


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
def test_results_are_in_order_and_errors_in_their_turn() -> None:
    assert alone("-c", WORK).splitlines() == [*(f"{number} True" for number in range(7)), "7 is too many"]


def test_no_process_is_copied_among_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel.threading, "active_count", lambda: 2)
    assert parallel.processors() == 1
    assert list(parallel.side_by_side(lambda number: number + 1, range(3), 4)) == [1, 2, 3]


def crew(work: str, workers: int = 2) -> str:
    """The outcome of tasks 0 to 4, where the work is some lines in a function of a number."""
    return alone(
        "-c",
        f"""
import os, signal, sys, time
from warchest import parallel
from warchest.game.errors import PositionError
parallel.processors = lambda: {workers}
class Odd(Exception):
    def __init__(self, one, other): super().__init__(f"{{one}} and {{other}}")
def work(number):
{work}
    return number
try:
    for number in parallel.side_by_side(work, range(5), {workers}): print(number)
except Exception as error:
    print(type(error).__name__, error)
""",
    )


@COPIES
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("if number == 3: raise PositionError('units.2', 'no such unit')", "PositionError units.2: no such unit"),
        ("if number == 3: raise Odd('this', 'that')", "RuntimeError Odd: this and that"),
        ("if number == 3: return lambda: 0", "local object 'work.<locals>.<lambda>'"),
        ("if number == 3: os._exit(9)", "WorkLostError the process at work on it has ended too early (exit code 9)"),
        (
            "if number == 3: os.kill(os.getpid(), signal.SIGSEGV)",
            "WorkLostError the process at work on it has ended too early (Segmentation fault)",
        ),
    ],
)
def test_every_failure_is_reported_in_its_turn(line: str, told: str) -> None:
    first, second, third, last = crew(f"    {line}").splitlines()
    assert (first, second, third) == ("0", "1", "2") and told in last


@COPIES
def test_the_signals_of_a_terminal_are_for_the_first_process() -> None:
    work = "    for one in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT): os.kill(os.getpid(), one)"
    assert crew(work).splitlines() == ["0", "1", "2", "3", "4"]


@COPIES
def test_no_process_outlives_the_first() -> None:
    """Also where that one is killed, and could not end the others."""
    work = """
    os.write(1, b"%d\\n" % os.getpid())
    if number == 1:
        time.sleep(0.1)
        os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(0.2)"""
    with pytest.raises(subprocess.CalledProcessError) as killed:
        crew(work)
    begun = [int(line) for line in killed.value.stdout.split()]
    assert len(begun) >= 2
    waited = 0.0
    while any(Path(f"/proc/{one}").exists() for one in begun) and waited < 10:
        waited += 0.05
        time.sleep(0.05)
    assert waited < 10


@COPIES
def test_the_number_of_tasks_begun_ahead_has_a_bound() -> None:
    """The first task is done last; the work done meanwhile is bounded, however many tasks there are."""
    out = alone(
        "-c",
        """
import time
from warchest import parallel
parallel.processors = lambda: 2
def work(number):
    if number == 0: time.sleep(0.5)
    return number
found = parallel.side_by_side(work, range(10**15), 2)
crew = found._found.gi_frame.f_locals["self"]
next(found)
print(crew.begun <= 2 * parallel.KEPT, len(crew.done) >= parallel.KEPT)
""",
    )
    assert out == "True True\n"
