"""Some of the attack in every test run, its earlier finds, and the proof that it finds planted faults."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import warchest
from attack import games, limits, texts, trees
from attack.__main__ import KINDS
from attack.cases import ACCEPTED, GROUP, Case, Kind, Verdict, digests
from attack.found import FOUND, keep, kept
from attack.judging import findings_placed, play, run
from attack.smaller import Smaller
from attack.supervising import tried
from loaded import shipped

HERE = Path(__file__).parent
COUNT = 32
_SUMMARY = re.compile(r"(\w+): (\d+) cases, (\d+) refused, (\d+) accepted, (\d+) decisions played, (\d+) failures")


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own, which can be copied freely."""
    known = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent), *sys.path]), **environment}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=known, timeout=600)


ATTACKING = """
import sys
from attack.__main__ import KINDS, main
from attack.cases import digests
print(digests(KINDS), flush=True)
sys.exit(main())
"""
"""The digests of cases in a line, and then the attack."""


def test_a_part_of_the_attack_and_all_former_cases_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are tried by one process, as it takes long to get ready.

    Cases are the same everywhere: in that process, in which sets have another order and nothing has been done before,
    and in this one.
    """
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    counted = ("--count", str(COUNT), "--jobs", "1", "--keep", str(tmp_path))
    done = python("-c", ATTACKING, "--again", str(FOUND), *counted, PYTHONHASHSEED=seed)
    assert done.returncode == 0, done.stdout + done.stderr
    made, *lines = done.stdout.splitlines()
    told = _SUMMARY.findall("\n".join(lines))
    assert [kind for kind, *_ in told] == list(KINDS)
    for _, *numbers in told:
        cases, refused, accepted, decisions, failures = map(int, numbers)
        assert cases == COUNT == refused + accepted and not failures
        assert refused > accepted > 0 and decisions > 0
    assert len(lines) == len(list(kept())) + len(told)
    monkeypatch.setattr(games, "_load", shipped)
    found = digests(KINDS)
    assert made == f"{found}"
    assert {kind: len(each) for kind, each in found.items()} == dict.fromkeys(KINDS, GROUP)


# ---- the oracle


class Planted(Kind):
    """A kind whose cases carry out the deeds that their data names."""

    name, extent = "planted", "lines"

    def __init__(self, **deeds: Callable[[], Any]) -> None:
        self.deeds = deeds

    def warm(self) -> None:
        """No resources are needed."""

    def make(self, seed: str, group: int) -> list[Case]:
        """Return a case for each deed."""
        return [Case(self.name, "none", name, name.encode()) for name in self.deeds]

    def judge(self, case: Case, folder: Path) -> Verdict:
        """Do it."""
        self.deeds[case.name]()
        return Verdict(ACCEPTED)


def verdicts(**deeds: Callable[[], Any]) -> dict[str, str]:
    """The outcomes of planted deeds, all tried together with harmless ones between them."""
    kind = Planted(**{name: deed for bad, deed in deeds.items() for name, deed in ((bad, deed), (f"{bad}_", int))})
    cases = kind.make("", 0)
    found = {case.name: verdict.sort for case, verdict in zip(cases, tried(cases, kind), strict=True)}
    assert all(found[f"{name}_"] == "" for name in deeds), "what comes behind a failure is tried all the same"
    return {name: found[name] for name in deeds}


def printing(out: str = "", err: str = "", code: int = 0) -> Callable[[], Any]:
    """Return the run of a command that prints something."""

    def main(arguments: Any) -> int:
        sys.stdout.write(out)
        sys.stderr.write(err)
        return code

    return lambda: run(main)


def hang() -> None:
    while True:
        pass


def crash() -> None:
    # The handler that pytest has put there for crashes would write into the test's own output.
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    ctypes.string_at(0)


def hoard() -> None:
    run(lambda arguments: len(bytearray(600 << 20)))


def test_planted_failures_are_caught_and_put_down_to_their_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.3)
    assert verdicts(hang=hang, crash=crash, hoard=hoard, leave=lambda: os._exit(3)) == {
        "hang": "more than 5 s of processor time",
        "crash": "killed by SIGSEGV",
        "hoard": "MemoryError in nothing of the package",
        "leave": "exit status 3",
    }


def test_output_and_exit_codes_of_commands_are_checked() -> None:
    assert verdicts(
        fine=printing("options\n  1 pass\n", "a note: naïve – 日本語 🙂\n", 1),
        escape=printing("\x1b[2J"),
        bell=printing(err="a\a"),
        c1=printing("\x9b2J"),
        turned=printing("a\u202eb"),
        hidden=printing(err="a\u200bb"),
        line=printing("a\u2028b"),
        tab=printing("a\tb"),
        code=printing(code=3),
        fault=printing(err="warchest: this is a fault of the program itself"),
        raises=lambda: run(lambda arguments: 1 // 0),
        left=lambda: run(lambda arguments: sys.exit(1)),
    ) == {
        "fine": "",
        "escape": "character U+001B in standard output",
        "bell": "character U+0007 in standard error",
        "c1": "character U+009B in standard output",
        "turned": "character U+202E in standard output",
        "hidden": "character U+200B in standard error",
        "line": "character U+2028 in standard output",
        "tab": "character U+0009 in standard output",
        "code": "exit code 3",
        "fault": "a fault of the program",
        "raises": "ZeroDivisionError in nothing of the package",
        "left": "SystemExit in nothing of the package",
    }


def test_findings_need_a_place() -> None:
    placed = "error[WC103] wrong-type: x\n --> a.yaml:2:8\n  |\n2 | x\n\nwarning[WC004] y\n --> b.yaml:1:1\n"
    assert findings_placed(placed) == 2
    assert verdicts(
        placed=lambda: findings_placed(placed),
        nowhere=lambda: findings_placed("error[WC103] wrong-type: x\n"),
        none=lambda: findings_placed("error[WC1] x\n --> (no file):1:1\n"),
        elsewhere=lambda: findings_placed(placed, "a.yaml"),
    ) == {
        "placed": "",
        "nowhere": "a finding without a place",
        "none": "a finding without a place",
        "elsewhere": "a finding without a place",
    }


class Spoilt:
    """A restorer of states that makes a mistake, once a few decisions have been taken."""

    def __init__(self, how: str) -> None:
        self.game, self.how, self.left = shipped(), how, 5

    def __call__(self, position: dict[str, Any]) -> warchest.State:
        """Return the state for a position, as it should be or not."""
        self.left -= 1
        if self.left > 0:
            return self.game.position(position)
        match self.how:
            case "refused":
                raise warchest.PositionError("hand.raven[0]", "there is no coin 'X'")
            case "other":
                return self.game.new(seed=99)
            case _:
                state = self.game.position(position)
                return state.apply(0)

    def played(self) -> int:
        """How many decisions are taken of a game whose states are restored so."""
        return play(self.game.new(seed=1), self, Random(1))


def test_states_that_cannot_be_restored_are_caught() -> None:
    assert play(shipped().new(seed=1), shipped().position, Random(1)) == 20
    found = verdicts(refused=Spoilt("refused").played, other=Spoilt("other").played, later=Spoilt("later").played)
    assert found["refused"] == "not restored: PositionError: there is no coin …"
    assert found["other"].startswith("restored otherwise: ") and found["later"].startswith("restored otherwise: ")


# ---- the material of cases, and their outcomes


def test_failures_are_made_smaller_and_kept(tmp_path: Path) -> None:
    lines = "".join(f"line {number} of many\n" for number in range(40)).encode()
    bad = lines + b"this is, at last, the bad word here\n" + lines
    small = Smaller(lambda data: b"bad" in data).of(bad, "lines")
    assert small == b"bad"
    told = b'{"a": [1, {"bad": 2, "b": [3, 4]}], "c": {"d": 5}}'
    assert Smaller(lambda data: b"bad" in data).of(told, "branches") == b'{"a": [{"bad": 2}]}'
    case = Case("cards", "war-chest", "units/archer.yaml", small)
    file = keep(tmp_path, case, "killed by SIGSEGV")
    assert [(one.kind, one.game, one.name, one.data) for one in kept(tmp_path)] == [
        (case.kind, case.game, case.name, case.data)
    ]
    assert file.read_bytes() == small


def test_mutations_are_many_and_end() -> None:
    card = (HERE.parents[1] / "cards" / "war-chest" / "units" / "archer.yaml").read_text(encoding="utf-8")
    stock = texts.stock_of([card, "unit: X\ntactic: |\n  bolster this.\n"])
    for way in ("byte", "token", "line", "sentence"):
        made = {texts.mutated(card, Random(seed), stock, {way: 1}) for seed in range(60)}
        assert len(made) > 30 and max(map(len, made)) < 100 * len(card), way
    value = {"units": [{"at": "f4", "coins": 2}], "pending": {"stack": [{"at": 1, "values": [None, 1]}]}}
    began = time.process_time()
    trees_made = {repr(trees.mutated(value, Random(seed), [value], "pending")) for seed in range(200)}
    assert len(trees_made) > 100 and time.process_time() - began < 5
    assert value["pending"] == {"stack": [{"at": 1, "values": [None, 1]}]}, "what is mutated is left alone"
