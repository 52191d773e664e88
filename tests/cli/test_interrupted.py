"""Interrupted commands print their results so far, marked as partial, and leave no process running."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import warchest
from copied import Copy
from loaded import shipped
from warchest.cli import bench
from warchest.cli import test as ruling
from warchest.cli.main import main
from warchest.signals import EndedBySignal
from warchest.testing import bot_games

# The copies have the game that is loaded here.
pytestmark = pytest.mark.usefixtures("loads_once")

COMMANDS = {
    "sim": ("sim", "-n", "100000", "--cap", "20"),
    "bench": ("bench", "--seconds", "0.01", "--runs", "100000", "--cap", "20"),
    "test": ("test",),
}
BEGINS = {"sim": b'"seed": 2,', "bench": b"run 3 of", "test": b"case 30 is run"}
"""The output that shows that there are results."""


def broken_off(verb: str, how: signal.Signals, *further: str) -> tuple[int, str, str]:
    """The outcome of a command that gets a signal as soon as it has results, sent to all its processes."""

    def work() -> int:
        os.setsid()
        # Processes that a shell starts in the background ignore this signal, and so do their own children.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.stdout.reconfigure(write_through=True)  # type: ignore[union-attr]
        if verb == "test":
            slow_down()
        return main([*COMMANDS[verb], *further])

    shipped()
    with Copy(work) as begun:
        stream, said = (begun.stdout if verb == "sim" else begun.stderr), b""
        while BEGINS[verb] not in said:
            more = os.read(stream, 65536)
            assert more, said
            said += more
        asked = time.monotonic()
        os.killpg(begun.pid, how)
        out, err = begun.rest(begun.stdout), begun.rest(begun.stderr)
        code = begun.wait(30)
        assert time.monotonic() - asked < 10
    with pytest.raises(ProcessLookupError):
        os.killpg(begun.pid, 0)
    out, err = (said + out, err) if verb == "sim" else (out, said + err)
    assert b"Traceback" not in err and b"Process" not in err
    return code, out.decode(), err.decode()


def slow_down() -> None:
    """Let rulings, which are run quickly, take their time, and tell when some have been run."""
    changed: Any = ruling
    run, result, made = changed.run_case, changed.CaseResult, []

    def run_case(*given: Any) -> Any:
        time.sleep(0.02)
        return run(*given)

    class Counted(result):  # type: ignore[misc]
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.append(given)
            if len(made) == 30:
                print("case 30 is run", file=sys.stderr, flush=True)

    changed.run_case, changed.CaseResult = run_case, Counted


def rulings(folder: Path, count: int) -> None:
    """Write the given number of rulings that pass, one a line from the fourth on."""
    hands = "hand: {raven: [Archer], wolf: [Knight]}"
    case = f"position: {{to_act: raven, {hands}}}, do: [{{act: pass}}], then: {{to_act: wolf}}"
    lines = ["rulings: Some", "source: x", "cases:", *(f"  - {{name: Number {one}, {case}}}" for one in range(count))]
    (folder / "r.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is one process, and there are other signals")
@pytest.mark.parametrize(
    ("verb", "how", "jobs"),
    [
        ("sim", signal.SIGINT, "1"),
        ("sim", signal.SIGINT, "2"),
        ("sim", signal.SIGTERM, "2"),
        ("test", signal.SIGINT, "2"),
        ("test", signal.SIGTERM, "1"),
        ("bench", signal.SIGINT, ""),
    ],
)
def test_partial_results_are_printed_as_json(verb: str, how: signal.Signals, jobs: str, tmp_path: Path) -> None:
    rulings(tmp_path, 999)
    which = (str(tmp_path),) if verb == "test" else ()
    code, out, _ = broken_off(verb, how, *which, "--format", "json", *(("--jobs", jobs) if jobs else ()))
    assert code == 128 + how
    result = json.loads(out)
    if verb == "sim":
        *records, summary = result
        assert summary["partial"] is True and summary["games"] == len(records) >= 3
        assert [record["seed"] for record in records] == list(range(len(records)))
    elif verb == "test":
        assert result["partial"] is True and 29 <= len(result["cases"]) < 1000
        assert result["passed"] + result["failed"] + result["skipped"] == len(result["cases"])
    else:
        assert result["partial"] is True and 3 <= len(result["runs"]) < 100_000 and result["games_per_second"] > 0


# ---- the same in words


Lines = Callable[..., tuple[int, str, str]]


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Lines:
    """Run a command that is stopped after the given number of games, runs or rulings."""

    def run(stop: BaseException, after: int, *arguments: str) -> tuple[int, str, str]:
        done = 0

        def counted(work: Callable[..., Any]) -> Callable[..., Any]:
            def once(*given: Any, **named: Any) -> Any:
                nonlocal done
                done += 1
                if done > after:
                    raise stop
                return work(*given, **named)

            return once

        with monkeypatch.context() as patched:
            for module, work in ((bot_games, "played"), (bench, "played"), (ruling, "run_case")):
                patched.setattr(module, work, counted(getattr(module, work)))
            code = main([*arguments])
        return code, *capsys.readouterr()

    return run


@pytest.mark.parametrize(
    ("stop", "code"), [(KeyboardInterrupt(), 130), (EndedBySignal(15), 143), (ZeroDivisionError("oh"), 2)]
)
def test_partial_results_are_marked(stopped: Lines, stop: BaseException, code: int) -> None:
    sim = ("sim", "-n", "9", "--jobs", "1", "--cap", "20", "--seed", "5")
    got, out, err = stopped(stop, 3, *sim)
    assert got == code and "3 games of war-chest" in out and out.endswith("\nbroken off; 9 games were asked for\n")
    assert "broken off in the game of seed 8" in err
    assert ("interrupted" in err, "fault of the program" in err) == (code == 130, code == 2)
    got, out, _ = stopped(stop, 3, "bench", "--seconds", "0.001", "--runs", "5", "--cap", "20")
    assert got == code and "median of 3 runs (broken off; 5 were asked for)" in out


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_interruption_before_any_result_is_reported(stopped: Lines, form: str) -> None:
    for verb in ("sim", "bench"):
        jobs = ("--jobs", "1") if verb == "sim" else ()
        code, out, _ = stopped(KeyboardInterrupt(), 0, verb, "--format", form, *jobs)
        assert code == 130
        if form == "text":
            assert out == "broken off before a game was over\n"
            continue
        found = json.loads(out)
        assert (found[-1] if verb == "sim" else found)["partial"] is True


def test_rulings_that_were_not_run_are_counted(stopped: Lines, tmp_path: Path) -> None:
    rulings(tmp_path, 5)
    code, out, err = stopped(KeyboardInterrupt(), 2, "test", str(tmp_path), "--jobs", "1")
    assert code == 130 and "; broken off, 3 not run" in out
    assert f"broken off in Some: Number 2  ({tmp_path}/r.yaml:6)" in err


def test_a_ruling_that_raises_is_a_ruling_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fault of any kind and origin: the other cases are run, and it is reported with its case."""
    rulings(tmp_path, 3)
    position = warchest.Game.position

    def stumble(self: warchest.Game, mapping: Any) -> warchest.State:
        stumble.count += 1  # type: ignore[attr-defined]
        if stumble.count == 2:  # type: ignore[attr-defined]
            raise warchest.EndlessError(None, "it never ends")
        return position(self, mapping)

    stumble.count = 0  # type: ignore[attr-defined]
    monkeypatch.setattr(warchest.Game, "position", stumble)
    assert main(["test", str(tmp_path), "--jobs", "1", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [one["outcome"] for one in found["cases"]] == ["passed", "failed", "passed"]
    assert found["partial"] is False and "EndlessError: it never ends" in found["cases"][1]["message"]
