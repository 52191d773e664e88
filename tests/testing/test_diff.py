"""The commands that compare versions: their forms of a version, their reports, and the answers to bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any
from xml.etree import ElementTree

import pytest

from repositories import make_repository
from warchest.cli.main import main
from warchest.source.data import data_folder

UNITS = data_folder("cards") / "war-chest" / "units"
ARCHER, CROSSBOWMAN = (UNITS / f"{name}.yaml" for name in ("archer", "crossbowman"))


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    """Return the file of a Crossbowman that shoots further, and nearer as well; few rulings name one."""
    file = tmp_path / "crossbowman.yaml"
    file.write_text(CROSSBOWMAN.read_text(encoding="utf-8").replace("exactly 2 spaces", "1-3 spaces"), encoding="utf-8")
    return file


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], loads_once: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    """Return a function that runs a command in this process: its exit code, and its output."""

    monkeypatch.chdir(tmp_path)

    def called(*arguments: str) -> tuple[int, str, str]:
        code = main([*arguments, "--jobs", "1"])
        said = capsys.readouterr()
        return code, said.out, said.err

    return called


def test_options_of_errata_are_versions(run: Callable[..., Any]) -> None:
    code, out, _ = run("diff", "royal_guard=original", "royal_guard=revised")
    assert code == 1
    assert "unit Royal Guard, tactic:\n  - move.\n  + move to a location you control" in out
    assert "- {at: " in out and "unit: Royal Guard" in out and "on offer only in the new version: nothing" in out
    assert "is not on offer in the other one:" in out and ".yaml:" in out.rpartition("in the other one:")[2]


def test_a_file_replaces_the_card_of_its_name(run: Callable[..., Any], wide: Path) -> None:
    code, out, _ = run("diff", str(CROSSBOWMAN), str(wide), "--seed", "4", "--format", "json")
    told = json.loads(out)
    assert code == 1 and [(one["name"], one["key"]) for one in told["words"]] == [("Crossbowman", "tactic")]
    found = told["difference"]
    assert not found["only_old"] and all("unit" in one for one in found["only_new"])
    assert len(found["position"]["units"]) <= 2 and "Crossbowman" in str(found["position"]["units"])
    # The same command says the same.
    assert run("diff", str(CROSSBOWMAN), str(wide), "--seed", "4", "--format", "json")[1] == out


def test_reports_for_other_programs_have_the_difference(run: Callable[..., Any], wide: Path) -> None:
    assert run("diff", str(CROSSBOWMAN), str(wide), "--format", "github")[1].startswith("::warning file=")
    root = ElementTree.fromstring(run("diff", str(CROSSBOWMAN), str(wide), "--format", "junit")[1])
    assert [len(one) for one in root.iter("testcase")] == [1]


def test_a_folder_of_cards_is_a_version(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    text = ARCHER.read_text(encoding="utf-8").replace("unit: Archer", "unit: Rider")
    (tmp_path / "cards" / "rider.yaml").write_text(text, encoding="utf-8")
    code, out, _ = run("diff", str(tmp_path / "cards"), str(tmp_path / "cards"))
    assert code == 0 and "no difference in words" in out


def test_a_revision_of_a_file_is_a_version(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wide: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    text = wide.read_text(encoding="utf-8")
    wide.write_text(CROSSBOWMAN.read_text(encoding="utf-8"), encoding="utf-8")
    make_repository(tmp_path)
    wide.write_text(text, encoding="utf-8")
    code, out, _ = run("diff", "HEAD:crossbowman.yaml", "crossbowman.yaml")
    assert code == 1 and "+ attack a target 1-3 spaces away in a straight line through empty spaces." in out
    assert run("diff", "HEAD:other.yaml", "crossbowman.yaml")[0] == 2
    assert run("diff", "nothing:crossbowman.yaml", "crossbowman.yaml")[0] == 2


def test_cards_are_compared_in_one_place(run: Callable[..., Any]) -> None:
    code, out, _ = run("same", "Crossbowman", "Lancer")
    assert code == 1 and "on offer only in the old version: " in out and "tactic coin=Crossbowman" in out
    code, out, _ = run("same", "Cavalry", "Cavalry")
    assert code == 0


def test_a_file_is_compared_with_a_card(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "pilgrim.yaml").write_text("unit: Pilgrim\ncoins: 4\ntactic: |\n  move.\n", encoding="utf-8")
    code, out, _ = run("same", "pilgrim.yaml", "Swordsman", "--positions", "60")
    assert code == 1 and "on offer only in the " in out and "unit Pilgrim, tactic:" in out
    code, _, err = run("same", "pilgrim.yaml", "royal_guard=original")
    assert code == 2 and "a card is compared with a card" in err


def test_a_new_card_differs_from_its_revision(run: Callable[..., Any], tmp_path: Path) -> None:
    card = tmp_path / "pilgrim.yaml"
    card.write_text("unit: Pilgrim\ncoins: 4\ntactic: |\n  move.\n", encoding="utf-8")
    make_repository(tmp_path)
    card.write_text(card.read_text(encoding="utf-8").replace("move", "attack"), encoding="utf-8")
    code, out, _ = run("diff", "HEAD:pilgrim.yaml", "pilgrim.yaml", "--positions", "60")
    assert code == 1 and "  - move." in out and "  + attack." in out
    card.unlink()
    code, _, err = run("diff", "HEAD:pilgrim.yaml", "Archer")
    assert code == 2 and "name the folder of its cards with --cards" in err


def test_fewer_options_are_implied(run: Callable[..., Any], wide: Path) -> None:
    assert run("same", str(CROSSBOWMAN), str(wide), "--implies", "--positions", "3", "--seed", "4")[0] == 0
    code, out, _ = run("same", str(wide), str(CROSSBOWMAN), "--implies", "--positions", "3", "--seed", "4")
    assert code == 1 and "tactic coin=Crossbowman" in out and "only in the new version: nothing" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("diff", "nothing", "nowhere"), "'nothing' is no folder, file"),
        (("diff", "royal_guard=none", "royal_guard=revised"), "royal_guard"),
        (("same", "Archer", "March"), "is of kind"),
        (("diff", "royal_guard=original", "royal_guard=revised", "--budget", "soon"), "a time is needed"),
    ],
)
def test_bad_input_is_reported_without_a_traceback(
    run: Callable[..., Any], arguments: tuple[str, ...], said: str
) -> None:
    code, out, err = run(*arguments)
    assert code == 2 and said in err and not out and "Traceback" not in err


def test_a_card_that_will_not_do_is_shown_with_its_faults(run: Callable[..., Any], wide: Path) -> None:
    wide.write_text(wide.read_text(encoding="utf-8").replace("target", "mark"), encoding="utf-8")
    code, out, err = run("diff", str(CROSSBOWMAN), str(wide))
    assert code == 2 and "mark" in out + err and "Traceback" not in err


def test_other_words_for_the_same_rules_are_known_as_such(run: Callable[..., Any], tmp_path: Path) -> None:
    text = CROSSBOWMAN.read_text(encoding="utf-8")
    assert text.count("attack a target exactly 2") == 1
    file = tmp_path / "crossbowman.yaml"
    for words, same in (("this attacks a target exactly 2", True), ("attack a target exactly 3", False)):
        file.write_text(text.replace("attack a target exactly 2", words), encoding="utf-8")
        code, out, _ = run("diff", str(CROSSBOWMAN), str(file), "--positions", "10")
        # Without a possible difference, no rulings are run.
        assert ("both have the same rules" in out) == same != ("rulings near the change" in out)
        assert code == (not same) and "no difference" not in out
    file.write_text(text.replace("set: base", "set: siege"), encoding="utf-8")
    # Some texts of documents are not part of the rules of a position.
    _, out, _ = run("diff", str(CROSSBOWMAN), str(file), "--positions", "4")
    assert "same rules" not in out and "rulings near the change" in out


def test_rulings_with_other_results_are_reported_first(run: Callable[..., Any], wide: Path) -> None:
    code, out, _ = run("diff", str(CROSSBOWMAN), str(wide))
    rulings, _, position = out.partition("the smallest position")
    assert code == 1 and " have other results\n  passed, now failed: Crossbowman: " in rulings and position
    told = json.loads(run("diff", str(CROSSBOWMAN), str(wide), "--format", "json")[1])
    assert told["rulings"]["near"] == told["rulings"]["run"] == 28 and not told["partial"]
    for one in told["rulings"]["otherwise"]:
        assert (one["old"], one["new"]) == ("passed", "failed") and one["source"] and one["message"]
        assert one["name"] in rulings and Path(one["file"]).is_file()
    # A ruling that only the new version passes is reported as well.
    assert "failed, now passed: " in run("diff", str(wide), str(CROSSBOWMAN))[1]


def test_the_time_holds_for_rulings_too(run: Callable[..., Any], wide: Path) -> None:
    began = process_time()
    code, _, err = run("diff", str(CROSSBOWMAN), str(wide), "--budget", "0.05s")
    assert process_time() - began < 3 and code in (0, 1) and ("not everything was compared" in err or code)
