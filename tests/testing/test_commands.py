"""The commands of the kit side by side: the same options, the same forms of results, and findings are kept."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from warchest.cli import common
from warchest.cli.kit import FORMATS, LONGEST
from warchest.cli.main import main
from warchest.testing import law_check
from warchest.testing.differences import GameComparison
from warchest.testing.meanings import MeaningSearch
from warchest.testing.mutants.trying import TextLinter

RULING = """\
rulings: Charges
cases:
  - name: A Lancer charges
    source: a test
    position: {to_act: raven, units: [{at: f4, unit: Lancer, owner: raven}], hand: {raven: [Lancer]}}
    do: [{act: move, coin: Lancer, to: f5}]
  - name: A Lancer waits
    source: a test
    position: {to_act: raven, units: [{at: f4, unit: Lancer, owner: raven}], hand: {raven: [Lancer]}}
    do: [{act: pass, coin: Lancer}]
"""
COMMANDS: dict[str, tuple[str, ...]] = {
    "check": ("check", "Lancer", "--alone"),
    "cover": ("cover", "charges.yaml"),
    "mutants": ("mutants", "Wayfarer", "--positions", "0", "--from", "5"),
    "diff": ("diff", "royal_guard=original", "royal_guard=revised", "--positions", "1"),
    "same": ("same", "Archer", "Lancer", "--implies", "--positions", "5"),
    "exhaust": ("exhaust", "Lancer", "--spaces", "2", "--units", "1", "--depth", "1"),
    "quiz": ("quiz", "Lancer"),
    "rulings": ("rulings", "--impact", "Lancer", "--positions", "1", "--games", "0"),
}
"""For each command of the kit arguments that leave it little work."""
USUAL = ("--game", "war-chest", "--cards", "cards", "--seed", "3", "--budget", "30s", "--jobs", "1")
"""The options that each of them takes."""
_FROM, _SEED = r"add `--from \d+` to go on", r"add `--seed \d+` to go on"
GOES_ON = {
    "check": _FROM,
    "mutants": _FROM,
    "exhaust": _FROM,
    "diff": _SEED,
    "same": _SEED,
    "cover": "broken off: these are the facts so far",
    "rulings": "broken off; to go on: warchest rulings",
    "quiz": "interrupted: these are the readings found so far",
}
"""The words of each about going on after an interruption."""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the commands are called; the same one, so that its cards are read once."""
    folder = tmp_path_factory.mktemp("place")
    (folder / "cards").mkdir()
    (folder / "cards" / "wayfarer.yaml").write_text("unit: Wayfarer\ncoins: 4\ntactic: |\n  move.\n", encoding="utf-8")
    (folder / "charges.yaml").write_text(RULING, encoding="utf-8")
    return folder


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], loads_once: None, hasty: None, place: Path, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Return a function that calls a command with the usual options: its exit code, and its output."""
    monkeypatch.chdir(place)
    monkeypatch.setattr(law_check, "POSITIONS", 1)
    # A difference is reported in any form, however large it is, and a mutant whatever its findings are.
    monkeypatch.setattr(GameComparison, "smallest", lambda _, found: found)
    monkeypatch.setattr(TextLinter, "new_in", lambda *_: "")
    monkeypatch.setattr(MeaningSearch, "left", [0])
    monkeypatch.setattr(MeaningSearch, "round", lambda *_: iter([0]))

    def called(name: str, form: str) -> tuple[int, str, str]:
        code = main([*COMMANDS[name], *USUAL, "--format", form])
        said = capsys.readouterr()
        return code, said.out, said.err

    return called


def understood(form: str, code: int, out: str) -> bool:
    """Whether a result is in the requested form, and has failures if its exit code says so."""
    if form == "json":
        json.loads(out)
    elif form == "junit":
        suite = ElementTree.fromstring(out.encode()).find("testsuite")
        assert suite is not None and (int(suite.attrib["failures"]) > 0) == (code == 1)
    elif form == "github":
        assert all(
            re.match(r"::(error|warning|notice) file=[^,]+,line=\d+,col=\d+::.", line)
            for line in out.splitlines()
            if line
        )
    return form == "github" or bool(out.strip())


@pytest.mark.parametrize("name", COMMANDS)
def test_each_has_the_usual_options_and_all_forms(run: Run, name: str) -> None:
    codes = set()
    for form in FORMATS:
        code, out, err = run(name, form)
        assert understood(form, code, out), f"{form}: {out}{err}"
        codes.add(code)
    assert len(codes) == 1 and codes <= {0, 1}, "the form of the result is none of its matter"


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--budget", "60"), "a time is needed"),
        (("--jobs", "0"), "it is at least 1"),
        (("--format", "html"), "invalid choice"),
        (("--game", "chess"), "--game:"),
        (("--seed", "x"), "whole number"),
        (("--budget", f"{LONGEST}h"), "a time is at most"),
        (("--cards", "nowhere"), "nowhere"),
    ],
)
def test_each_refuses_wrong_arguments(
    capsys: pytest.CaptureFixture[str],
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    arguments: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.chdir(place)
    assert main([*COMMANDS[name], *arguments]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_each_keeps_its_findings_when_it_is_interrupted(run: Run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def broken_off(_: object, items: Iterable[object], total: int, said: str) -> Iterator[object]:
        assert total and said, "progress is shown"
        raise KeyboardInterrupt
        yield from items

    monkeypatch.setattr(common, "counted", broken_off)
    code, out, err = run(name, "json")
    assert code == 130 and understood("json", code, out)
    assert re.search(GOES_ON[name], err) and "interrupted" in err
