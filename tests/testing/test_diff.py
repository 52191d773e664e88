"""The commands that compare versions: what they take as one, what they tell, and what bad input gets."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from repositories import make_repository
from warchest.cli.main import main
from warchest.source.data import data_folder

ARCHER = data_folder("cards") / "war-chest" / "units" / "archer.yaml"


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    """Return the file of an Archer that shoots further, and nearer as well."""
    file = tmp_path / "archer.yaml"
    file.write_text(ARCHER.read_text(encoding="utf-8").replace("exactly 2 spaces", "1-3 spaces"), encoding="utf-8")
    return file


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], loads_once: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    """Return a function that runs a command in this process: its exit code, and what it says."""

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


def test_a_file_stands_in_the_place_of_the_card_of_its_name(run: Callable[..., Any], wide: Path) -> None:
    code, out, _ = run("diff", str(ARCHER), str(wide), "--seed", "4", "--format", "json")
    told = json.loads(out)
    assert code == 1 and [(one["name"], one["key"]) for one in told["words"]] == [("Archer", "tactic")]
    found = told["difference"]
    assert not found["only_old"] and all("unit" in one for one in found["only_new"])
    assert len(found["position"]["units"]) <= 2 and "Archer" in str(found["position"]["units"])
    # The same command says the same.
    assert run("diff", str(ARCHER), str(wide), "--seed", "4", "--format", "json")[1] == out


def test_other_programs_are_told(run: Callable[..., Any], wide: Path) -> None:
    assert run("diff", str(ARCHER), str(wide), "--seed", "4", "--format", "github")[1].startswith("::warning file=")
    root = ElementTree.fromstring(run("diff", str(ARCHER), str(wide), "--seed", "4", "--format", "junit")[1])
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
    wide.write_text(ARCHER.read_text(encoding="utf-8"), encoding="utf-8")
    make_repository(tmp_path)
    wide.write_text(text, encoding="utf-8")
    code, out, _ = run("diff", "HEAD:archer.yaml", "archer.yaml")
    assert code == 1 and "+ attack a target 1-3 spaces away." in out
    assert run("diff", "HEAD:other.yaml", "archer.yaml")[0] == 2
    assert run("diff", "nothing:archer.yaml", "archer.yaml")[0] == 2


def test_cards_are_compared_in_one_place(run: Callable[..., Any]) -> None:
    code, out, _ = run("same", "Archer", "Lancer")
    assert code == 1 and "on offer only in the old version: " in out and "tactic coin=Archer" in out
    code, out, _ = run("same", "Cavalry", "Cavalry")
    assert code == 0


def test_a_file_is_put_in_the_place_of_a_card(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "pilgrim.yaml").write_text("unit: Pilgrim\ncoins: 4\ntactic: |\n  move.\n", encoding="utf-8")
    code, out, _ = run("same", "pilgrim.yaml", "Archer", "--positions", "60")
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
    assert run("same", str(ARCHER), str(wide), "--implies", "--positions", "3", "--seed", "4")[0] == 0
    code, out, _ = run("same", str(wide), str(ARCHER), "--implies", "--positions", "3", "--seed", "4")
    assert code == 1 and "tactic coin=Archer" in out and "only in the new version: nothing" in out


@pytest.mark.parametrize(("arguments", "said"), [
    (("diff", "nothing", "nowhere"), "'nothing' is no folder, file"),
    (("diff", "royal_guard=none", "royal_guard=revised"), "royal_guard"),
    (("same", "Archer", "March"), "is of kind"),
    (("diff", "royal_guard=original", "royal_guard=revised", "--budget", "soon"), "a time is needed"),
])  # fmt: skip
def test_bad_input_is_said_in_a_line(run: Callable[..., Any], arguments: tuple[str, ...], said: str) -> None:
    code, out, err = run(*arguments)
    assert code == 2 and said in err and not out and "Traceback" not in err


def test_a_card_that_will_not_do_is_shown_with_its_faults(run: Callable[..., Any], wide: Path) -> None:
    wide.write_text(wide.read_text(encoding="utf-8").replace("target", "mark"), encoding="utf-8")
    code, out, err = run("diff", str(ARCHER), str(wide))
    assert code == 2 and "mark" in out + err and "Traceback" not in err


def test_other_words_for_the_same_rules_are_known_as_such(run: Callable[..., Any], tmp_path: Path) -> None:
    text = ARCHER.read_text(encoding="utf-8")
    assert text.count("attack a target exactly 2 spaces away.") == 1
    file = tmp_path / "archer.yaml"
    for words, same in (("this attacks a target exactly 2 spaces away.", True), ("attack a target.", False)):
        file.write_text(text.replace("attack a target exactly 2 spaces away.", words), encoding="utf-8")
        code, out, _ = run("diff", str(ARCHER), str(file), "--positions", "10")
        assert ("both come to the same rules" in out) == same
        assert code != same and ("no difference found in 10 positions" in out) == same
