"""`wc-lint` where people call it: in a repository, in a folder of many things, on one file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import warchest.parallel as processes
from linted import usual_texts
from warchest.lint import side_by_side
from warchest.lint.jobs import Job, Report
from warchest.lint.wc_lint import main
from warchest.source.cache import Cache
from warchest.source.data import shipped_games

ROOT = Path(__file__).resolve().parents[2]
CARD = "unit: {name}\ncoins: 4\ntactic: |\n  {tactic}\n"

PACK = """words: Weather
adjectives: [wet]
documents: {storm: {blocks: {rules: rules}}}
zones: {sledge: {of: player, holds: coin, seen by: all}}
"""
STORM = "storm: North Wind\nrules: |\n  a unit is wet when its height is at least 3.\n"
WADER = """unit: Wader
coins: 4
tactic: |
  choose a wet enemy unit, then put a coin in that unit into your sledge.
rulings:
  - name: It goes into the sledge
    position: {to_act: raven, initiative: raven, sledge: {raven: [Wader]}, hand: {raven: [Wader]}}
    not offered: [{act: tactic}]
"""

NOTHING = Report((), 0, 1)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a pack of two cards, one of them naming the other, and with other YAML."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "pack/units/leader.yaml": CARD.format(name="Leader", tactic="Choose an Otter, then it moves."),
        "pack/more/otter.YAML": CARD.format(name="Otter", tactic="Move."),
        "pack/position.yaml": "to_act: raven\nhand: {raven: []}\n",
        "compose.yaml": "version: 3\nservices: {a: {}}\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def lint(*arguments: str) -> int:
    """Check all without the cache, on top of the game without its errata; return the exit code."""
    return main(["--no-cache", "--game", usual_texts(), *arguments])


def test_a_whole_folder_is_checked_and_other_yaml_passed_over(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--no-cache", "."]) == 0
    told = capsys.readouterr()
    assert told.out == "" and "no findings; 2 YAML files are no cards and were passed over" in told.err


@pytest.mark.parametrize(
    ("text", "is_card"),
    [
        ("name: env\nchannels: [a]\ndependencies: [b]\n", False),
        ("name: Build\non: push\njobs: {}\n", False),
        ("unti: Outrider\ncoins: 4\n", True),
        ("unti: Outrider\n", True),
        ("gmae: chess\nthings: {}\n", True),
    ],
)
def test_a_first_key_like_that_of_a_card_needs_a_second_of_one(
    text: str, is_card: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file.yaml").write_text(text, encoding="utf-8")
    lint(str(tmp_path))
    assert ("is no kind of document" in capsys.readouterr().out) == is_card


def test_a_file_that_is_named_is_meant_as_a_card(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert lint("compose.yaml") == 1
    assert "`version` is no kind of document" in capsys.readouterr().out


@pytest.mark.parametrize("folder", [".", "pack"])
def test_a_file_is_checked_with_its_neighbours(
    here: Path, folder: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(here / folder)
    if folder == "pack":
        (here / "pack" / "otter.yaml").write_text(CARD.format(name="Otter", tactic="Move."), encoding="utf-8")
    file = "pack/units/leader.yaml" if folder == "." else "units/leader.yaml"
    assert lint(file) == 0
    assert capsys.readouterr().out == ""


def test_only_findings_of_the_given_files_are_reported(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "pack" / "more" / "bad.yaml").write_text(CARD.format(name="Bad", tactic="Moev."), encoding="utf-8")
    assert lint("pack/units/leader.yaml") == 0
    assert capsys.readouterr().out == ""
    (here / "pack" / "units" / "leader.yaml").write_text(
        CARD.format(name="Leader", tactic="Choose an Otter, then it moves to an adjecent space."), encoding="utf-8"
    )
    assert lint("--format", "concise", "pack/units/leader.yaml") == 1
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 1 and "unknown word `adjecent`" in told[0]


@pytest.mark.parametrize("file", ["words.yaml", "wader.yaml", "storm.yaml"])
def test_a_file_of_a_pack_is_checked_with_the_pack(
    tmp_path: Path, file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "words.yaml").write_text(PACK, encoding="utf-8")
    (tmp_path / "storm.yaml").write_text(STORM, encoding="utf-8")
    (tmp_path / "wader.yaml").write_text(WADER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert lint(file) == 0
    assert capsys.readouterr().out == ""


def test_ignored_files_are_no_neighbours(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / ".gitignore").write_text("*.old.yaml\n", encoding="utf-8")
    (here / "leader.old.yaml").write_text(CARD.format(name="Leader", tactic="Move."), encoding="utf-8")
    assert lint("pack/units/leader.yaml") == 0, capsys.readouterr().out


def test_neighbouring_files_cause_no_findings(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("pack/more/copy.yaml", "pack/units/leader2.yaml"):
        (here / name).write_text(CARD.format(name="Leader", tactic="Move."), encoding="utf-8")
    assert lint("pack/more/copy.yaml") == 0, capsys.readouterr().out


@pytest.mark.parametrize("text", ["name: Otter\ncoins: 4\ntactic: |\n  move.\n", "unti: Otter\ncoins: 4\n"])
def test_a_card_with_a_slip_in_its_first_line_is_still_a_card(
    here: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "pack" / "slip.yaml").write_text(text, encoding="utf-8")
    assert lint("pack") == 1
    assert "unit" in capsys.readouterr().out


def test_this_project_has_no_findings(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Nor have the shipped cards, by any arguments: all jobs that are done for these are done for the project, too."""
    monkeypatch.chdir(ROOT)
    # Two games are large enough for processes of their own, which would not leave their parsed files here.
    monkeypatch.setattr(processes, "processors", lambda: 1)
    done: list[Job] = []
    really = side_by_side.linted

    def noted(jobs: Sequence[Job], cache: Cache | None) -> list[Report]:
        done.extend(jobs)
        return really(jobs, cache)

    monkeypatch.setattr(side_by_side, "linted", noted)
    assert main(["."]) == 0, capsys.readouterr().out
    cards = [job for job in done if not job.on_top and Path("tests") not in job.folder.parents]
    assert [job.folder for job in cards] == [Path("cards", one.name) for one in shipped_games()]
    monkeypatch.setattr(side_by_side, "linted", lambda jobs, folder: done.extend(jobs) or [NOTHING] * len(jobs))
    for arguments, names in (
        (["cards"], ("unigames", "war-chest")),
        ([], ("unigames", "war-chest")),
        (["--game", "war-chest"], ("war-chest",)),
    ):
        done.clear()
        assert main(arguments) == 0
        # The packs are read on top of a game.
        assert [job for job in done if not job.on_top] == [job for job in cards if job.folder.name in names]
