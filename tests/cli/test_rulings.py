"""`warchest test`."""

from __future__ import annotations

from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from loaded import shipped
from warchest.cli import test as ruling
from warchest.rulings.runner import CaseResult

CASE = """\
  - name: {name}
    source: p.1
    position:
      to_act: raven
      control: {{raven: [e2]}}
      hand: {{raven: [{coin}], wolf: [Knight]}}
    offered:
      - {{act: {act}, coin: {coin}}}
"""


ROOT = Path(__file__).resolve().parents[2]
SQUARES, HEXES = (ROOT / "cards" / game / "rulings" for game in ("unigames", "war-chest"))
SKIRMISH = """\
rulings: Things
cases:
  - name: It is so
    source: p.1
    position: {setup: Skirmish, seed: 0}
    decides: chance
"""


def rulings(*cases: str) -> str:
    return "rulings: Things\ncases:\n" + "\n".join(cases)


def case(name: str = "It is so", coin: str = "Scout", act: str = "deploy") -> str:
    return CASE.format(name=name, coin=coin, act=act)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "things.yaml"
    file.write_text(rulings(case(), case("It is not so", act="dance")), encoding="utf-8")
    return file


@pytest.fixture
def not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take it that every ruling passes; tests/rulings carries out all that are shipped."""
    monkeypatch.setattr(ruling, "run_case", lambda game, case, *seen: CaseResult(case, "passed", ""))


@pytest.mark.usefixtures("not_run")
def test_the_shipped_rulings(run: Any) -> None:
    found = run("test", "--format", "json", "--jobs", "1").json
    assert found["passed"] + found["failed"] + found["skipped"] == len(found["cases"]) >= 120
    assert set(found["cases"][0]) >= {"card", "name", "outcome", "message", "source"}


@pytest.mark.usefixtures("not_run")
@pytest.mark.parametrize(
    ("paths", "game"),
    [
        ([SQUARES / "aid.yaml"], "unigames"),
        ([f"{SQUARES / 'aid.yaml'}:9"], "unigames"),
        ([SQUARES, SQUARES / "aid.yaml"], "unigames"),
        ([HEXES / "archer.yaml"], "war-chest"),
        ([SQUARES / "aid.yaml", HEXES / "archer.yaml"], "war-chest"),
        ([], "war-chest"),
    ],
)
def test_the_game_is_that_in_whose_folder_the_paths_are(
    run: Any, paths: list[Path | str], game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where they are in those of two games, or in none, it is the usual one; and `--game` goes before all."""
    named: list[str] = []
    monkeypatch.setattr(ruling, "load_game", lambda args: named.append(args.game) or shipped(args.game))
    run("test", *paths, "--jobs", "1")
    run("test", *paths, "--jobs", "1", "--game", "unigames")
    assert named == [game, "unigames"]


def test_a_ruling_in_the_folder_of_a_game_of_ones_own_is_one_of_that_game(run: Any, tmp_path: Path) -> None:
    for name in ("game.yaml", "documents.yaml"):
        copy(ROOT / "tests" / "native" / "skirmish" / name, tmp_path)
    file = tmp_path / "cases.yaml"
    file.write_text(SKIRMISH, encoding="utf-8")
    assert run("test", file).out == "1 passed, 0 failed, 0 skipped\n"
    outside = tmp_path.parent / "cases.yaml"
    outside.write_text(SKIRMISH, encoding="utf-8")
    assert "there is no setup 'Skirmish'" in run("test", outside).out


def test_a_report(run: Any, file: Path) -> None:
    ran = run("test", file)
    assert ran.code == 1
    assert ran.out.startswith(f"failed  Things: It is not so  ({file}:12)\n  source: p.1\n")
    assert "expected on offer: {act: dance, coin: Scout}; on offer to raven:" in ran.out
    assert ran.out.endswith("\n1 passed, 1 failed, 0 skipped\n")


def test_a_verbose_report(run: Any, file: Path) -> None:
    assert "passed  Things: It is so" in run("test", "-v", file).out


def test_a_report_as_json(run: Any, file: Path) -> None:
    ran = run("test", file, "--format", "json")
    assert ran.code == 1
    assert {key: ran.json[key] for key in ("passed", "failed", "skipped")} == {"passed": 1, "failed": 1, "skipped": 0}
    first, second = ran.json["cases"]
    assert first == {
        "card": "Things",
        "name": "It is so",
        "outcome": "passed",
        "message": "",
        "source": "p.1",
        "file": str(file),
        "line": 3,
    }
    assert second["outcome"] == "failed" and "dance" in second["message"]


def test_everything_passes(run: Any, tmp_path: Path) -> None:
    (tmp_path / "things.yaml").write_text(rulings(case()), encoding="utf-8")
    assert run("test", tmp_path).code == 0


def test_cards_in_the_path_are_in_the_game(run: Any, tmp_path: Path) -> None:
    inside = case("Riders come", coin="Rider")
    (tmp_path / "rider.yaml").write_text(f"unit: Rider\ncoins: 4\nsource: x\nrulings:\n{inside}", encoding="utf-8")
    (tmp_path / "more.yaml").write_text(rulings(case("Riders still come", coin="Rider")), encoding="utf-8")
    for arguments in ((tmp_path,), (tmp_path, "--cards", tmp_path)):
        found = run("test", *arguments, "--format", "json").json
        assert [(one["card"], one["outcome"]) for one in found["cases"]] == [("Things", "passed"), ("Rider", "passed")]


@pytest.mark.usefixtures("not_run")
def test_folders_of_cards_are_tested_too(run: Any, file: Path) -> None:
    found = run("test", "--cards", file.parent, "--format", "json", "--jobs", "1").json
    assert [one["card"] for one in found["cases"]][-2:] == ["Things", "Things"]
    assert found["passed"] == len(found["cases"]) > 120


def test_another_game_is_skipped(run: Any, tmp_path: Path) -> None:
    (tmp_path / "things.yaml").write_text(
        rulings(case().replace("position:\n", "position:\n      game: chess\n")), encoding="utf-8"
    )
    ran = run("test", tmp_path)
    assert (ran.code, ran.out) == (0, "0 passed, 0 failed, 1 skipped\n")


def test_no_rulings(run: Any, tmp_path: Path) -> None:
    (tmp_path / "rider.yaml").write_text("unit: Rider\ncoins: 4\nsource: x\n", encoding="utf-8")
    ran = run("test", tmp_path)
    assert (ran.code, ran.out, ran.err) == (0, "0 passed, 0 failed, 0 skipped\n", "there are no rulings there\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rulings: Things\ncases: []\n", "things.yaml:2:1"),
        ("rulings: Things\ncases:\n  - name: A\n    position: {}\n    then: {}\n", "things.yaml:5:5"),
        ("rulings: [", "things.yaml:1:"),
        ("nonsense: Things\n", "no YAML file in the folder is a card"),
        ("rulngs: Things\n", "is no kind of document"),
        ("\x00", "it is not text"),
    ],
)
def test_invalid_rulings_are_reported_with_their_place(run: Any, tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "things.yaml").write_text(text, encoding="utf-8")
    ran = run("test", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_paths_without_rulings_are_refused(run: Any, tmp_path: Path) -> None:
    ran = run("test", tmp_path / "none")
    assert (ran.code, ran.out) == (2, "")
    assert "no such file" in ran.err
    assert run("test", tmp_path).code == 2
