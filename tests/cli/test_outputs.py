"""Files that commands write: none takes the place of a card, a position, a saved game or any other file."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from linted import usual_texts
from warchest.cli.commands import COMMANDS
from warchest.cli.main import main
from warchest.cli.outputs import HTML, LCOV, Output, OutputFolder
from warchest.cli.row_files import rows_file
from warchest.testing.ruling_files import write_ruling

POSITION = """\
to_act: raven
units: [{at: f4, unit: Scout, owner: raven}]
hand: {raven: [Scout], wolf: [Royal Coin]}
"""
CARD = "unit: Otter\ncoins: 4\nsource: our own\ntactic: |\n  move.\n"
READ = {"--cards", "--position", "--resume", "--template", "--templates"}
"""The options that name files and folders to read."""
REPORTS = {"--output-file"}
"""Options for reports, which are checked before the work (tests/lint/test_reports.py)."""
SAVED = {"--save", "--in", "--export"}
"""The options whose files are checked when they are written: `play` can also save under another name later, and the
names of the files of `new` and `studio` come from their content."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a position, a card, and a saved game."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.yaml").write_text(POSITION, encoding="utf-8")
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "otter.yaml").write_text(CARD, encoding="utf-8")
    (tmp_path / "notes.csv").write_text("what,when\nrain,now\n", encoding="utf-8")
    (tmp_path / "notes.jsonl").write_text('{"what": "rain"}\n', encoding="utf-8")
    (tmp_path / "step-001.svg").write_text("what I drew\n", encoding="utf-8")
    (tmp_path / "latin.yaml").write_bytes(b"\xe9" * 2000)
    return tmp_path


@pytest.fixture
def saved(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lines = iter(["1", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(lines))
    assert main(["play", "--seed", "3", "--save", "g.json"]) == 0
    return here / "g.json"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


SHOW, REPLAY, COVER = ["show", "p.yaml"], ["replay", "g.json"], ["cover", "cards", "--cards", "cards", "--jobs", "1"]
REFUSED = [
    *(
        [*SHOW, option, file]
        for option in ("--svg", "--png")
        for file in ("p.yaml", "cards/otter.yaml", "latin.yaml", "cards", "./link.svg")
    ),
    *([*REPLAY, option, "g.json"] for option in ("--svg", "--png", "--gif", "--svg-dir")),
    [*REPLAY, "--svg-dir", "."],
    *([*COVER, option, "cards/otter.yaml"] for option in ("--html", "--lcov")),
    [*COVER, "--missing", "--found", "cards/otter.yaml"],
    *(
        [*words, "--found", "p.yaml"]
        for words in (
            ["check"],
            ["diff", "Scout", "Scout"],
            ["quiz", "Otter"],
            ["mutants", "Otter"],
            ["exhaust", "Otter"],
        )
    ),
    *(["sim", "-n", "1", "--rows", file] for file in ("notes.csv", "notes.jsonl")),
    ["play", "--position", "p.yaml", "--save", "p.yaml"],
]


@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_a_file_of_another_kind_stays(
    words: list[str], here: Path, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "link.svg").symlink_to("p.yaml")
    before = contents(here)
    capsys.readouterr()
    assert main(words) == 2
    told = capsys.readouterr().err
    assert "is there already, and is no " in told and "choose another name" in told, told
    assert contents(here) == before


WRITTEN = [
    [*SHOW, "--svg", "a.svg"],
    [*SHOW, "--png", "a.png"],
    [*REPLAY, "--svg", "a.svg", "--gif", "a.gif"],
    [*REPLAY, "--svg-dir", "pictures"],
    *(["sim", "-n", "1", "--jobs", "1", "--rows", f"a{end}"] for end in (".csv", ".jsonl", ".parquet")),
    ["play", "--seed", "3", "--save", "new.json"],
]


@pytest.mark.parametrize("words", WRITTEN, ids=" ".join)
def test_a_file_of_the_same_kind_and_an_empty_one_are_written_over(
    words: list[str], here: Path, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt="": "quit")
    before = contents(here)
    for _ in range(2):
        assert main(words) in (0, 1)
        made = contents(here).keys() - before.keys()
        assert made and all(contents(here)[file] for file in made)
    for file in made:
        Path(file).write_bytes(b"")
    assert main(words) in (0, 1)
    assert all(contents(here)[file] for file in made)


def test_reports_on_rulings_are_written_over(here: Path) -> None:
    assert main([*COVER, "--game", usual_texts(), "--html", "a.html", "--lcov", "a.info"]) == 1
    assert HTML("a.html") and LCOV("a.info")


def test_output_to_a_device_or_a_dash_is_allowed(here: Path) -> None:
    assert main([*SHOW, "--svg", os.devnull]) == 0
    assert main([*SHOW, "--svg", "-"]) == 0


def test_new_rulings_do_not_replace_existing_files(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("rulings: A\n", encoding="utf-8")
    (tmp_path / "a-2.yaml").symlink_to("a-2.yaml")
    (tmp_path / "a-3.yaml").write_bytes(b"\xe9")
    (tmp_path / "a-4.yaml").mkdir()
    file = write_ruling(tmp_path, "a", "rulings: A\ncases: []\n")
    assert file.name == "a-5.yaml" and file.read_text(encoding="utf-8") == "rulings: A 2\ncases: []\n"


def options() -> Iterator[tuple[str, argparse.Action]]:
    """Yield the options of all verbs whose values are files or folders."""
    for verb in COMMANDS:
        parser = argparse.ArgumentParser()
        import_module(f"warchest.cli.{verb}").add_arguments(parser)
        for action in parser._actions:
            if action.option_strings and action.metavar in ("FILE", "DIR"):
                yield action.option_strings[-1], action


def test_every_option_that_names_a_file_to_write_is_checked() -> None:
    unchecked = {
        name
        for name, action in options()
        if not isinstance(action.type, Output | OutputFolder) and action.type is not rows_file
    }
    assert unchecked == READ | SAVED | REPORTS
    checked = {name for name, _ in options()} - unchecked
    assert checked == {
        "--svg",
        "--png",
        "--svg-dir",
        "--gif",
        "--html",
        "--lcov",
        "--found",
        "--rows",
        "--pdf",
        "--report",
        "--tts",
        "--cgs",
        "--write-templates",
    }
