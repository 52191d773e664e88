"""`show`: cards with related documents, positions as pictures."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest

from loaded import shipped
from warchest.cli.main import main
from warchest.cli.show import card, record
from warchest.documents.library import Library

pytestmark = pytest.mark.usefixtures("loads_once")

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def position(tmp_path: Path) -> str:
    file = tmp_path / "position.yaml"
    file.write_text(
        "to_act: raven\nhand: {raven: [Archer], wolf: [Knight]}\n"
        "units: [{at: f4, unit: Scout, owner: wolf, coins: 2}]\n"
    )
    return str(file)


@pytest.mark.parametrize("name", ["Royal Guard", "royal guard", "unit: Royal Guard"])
def test_a_card(name: str, capsys: Capture) -> None:
    assert main(["show", *name.split()]) == 0
    out = capsys.readouterr().out
    for words in (
        "Royal Guard   unit",
        "coins: 5",
        "tactic:\n  move.",
        "source: ",
        "royal-guard.yaml:1",
        "Royal Guard revised   when royal_guard is revised",
        "rulings (",
        "•",
    ):
        assert words in out
    assert not any(line != line.rstrip() for line in out.split("\n"))


def test_any_document_can_be_shown(capsys: Capture) -> None:
    for name in ("Control", "Two players", "Royal Guard revised"):
        assert main(["show", name]) == 0
        assert name in capsys.readouterr().out


OPENLY, FACTIONS = "Whatever teammates tell each other they tell openly (000 p.13).", "(000 p.4, p.12)."


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("war-chest", [FACTIONS, OPENLY]),
        ("Four players", [FACTIONS, OPENLY]),
        ("Two players", [FACTIONS]),
        ("Scout", []),
    ],
)
def test_remarks_are_shown_with_the_game_and_with_seats(name: str, told: list[str], capsys: Capture) -> None:
    assert main(["show", name]) == 0
    out = capsys.readouterr().out
    assert [words for words in (FACTIONS, OPENLY) if words in out] == told
    assert main(["show", name, "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert [any(words in remark for remark in found.get("remarks", ())) for words in told] == [True] * len(told)
    assert len(found.get("remarks", ())) == len(told)


@pytest.mark.parametrize("name", ["war-chest", "unigames"])
def test_all_documents_can_be_shown(name: str) -> None:
    game = shipped(name)
    for document in game.library.documents:
        assert document.name in card(game, Library(), document).plain
        assert record(game, Library(), document)["name"] == document.name


def test_a_card_as_json(capsys: Capture) -> None:
    assert main(["show", "Lancer", "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["kind"] == "unit" and found["values"]["coins"] == 4 and len(found["rulings"]) > 3


def test_a_misspelt_card(capsys: Capture) -> None:
    assert main(["show", "Lanser"]) == 2
    assert "there is no card 'Lanser'; did you mean `Lancer`?" in capsys.readouterr().err


def test_a_card_of_the_designers_own_with_rulings(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "card.yaml").write_text(
        "unit: Halberdier\ncoins: 4\nrulings:\n- {name: It stands, position: {to_act: raven}, decides: raven}\n"
    )
    assert main(["show", "halberdier", "--cards", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "Halberdier" in out and "rulings (1)" in out and "It stands" in out


def test_a_position(position: str, capsys: Capture) -> None:
    assert main(["show", position]) == 0
    out = capsys.readouterr().out
    assert "W Sco 2" in out and "Knight" in out and "\x1b" not in out
    assert main(["show", position, "--viewer", "raven"]) == 0
    assert "Knight" not in capsys.readouterr().out
    assert main(["show", position, "--viewer", "raven", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["hand"] == {"raven": ["Archer"], "wolf": 1}


def test_a_position_as_svg(position: str, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "board.svg"
    assert main(["show", position, "--svg", str(file)]) == 0
    ElementTree.parse(file)
    assert main(["show", position, "--svg", "-"]) == 0
    assert capsys.readouterr().out == file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "arguments",
    [
        ["none.yaml"],
        ["Archer", "--viewer", "raven"],
        ["{position}", "--viewer", "fox"],
        ["{position}", "--svg", "/none/such/x.svg"],
    ],
    ids=" ".join,
)
def test_wrong_usage(arguments: list[str], position: str, capsys: Capture) -> None:
    assert main(["show", *(one.format(position=position) for one in arguments)]) == 2
    assert "Traceback" not in capsys.readouterr().err


# ---- what is borne


def test_a_sheet_shows_its_abilities_with_their_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "hykolaran", "witch", "--game", "unigames"]) == 0
    shown = capsys.readouterr().out
    assert "  Boost (+1 attack)\n" in shown and " has +1 attack" in shown and " has B" not in shown


def test_an_ability_lists_its_bearers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "Boost", "--game", "unigames"]) == 0
    assert "borne by: Dianite Healer (+1 defense), Hykolaran Witch (+1 attack)" in capsys.readouterr().out
    assert main(["show", "Boost", "--game", "unigames", "--format", "json"]) == 0
    assert "Hykolaran Witch (+1 attack)" in json.loads(capsys.readouterr().out)[0]["borne by"]
    assert main(["show", "Hykolaran Witch", "--game", "unigames", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)[0]["bears"]
    assert [one["name"] for one in found] == ["Boost (+1 attack)", "Fear"] and "has +1 attack" in found[0]["rules"]


def test_a_range_is_filled_in_as_its_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text(
        "ability: Lob\nparameters: [X, Y]\nsource: a test\nrules: |\n"
        "  after this steps, this suffers X damage from nobody.\n"
        "  after this turns, this suffers Y damage from nobody.\n",
        encoding="utf-8",
    )
    (tmp_path / "b.yaml").write_text(
        'figure: Lobber\nattack: 1\ndefense: 1\nmove: 1\ncost: 1\nabilities: ["Lob (2, range 5)"]\nsource: a test\n',
        encoding="utf-8",
    )
    assert main(["show", "Lobber", "--game", "unigames", "--cards", str(tmp_path)]) == 0
    assert "this suffers 5 damage from nobody." in capsys.readouterr().out


def test_the_hint_to_read_a_card_repeats_the_options_for_its_game(tmp_path: Path, capsys: Capture) -> None:
    card = "unit: Halberdier\ncoins: 4\nsource: our own\ntactic: |\n  move.\n"
    (tmp_path / "card.yaml").write_text(card, encoding="utf-8")
    options = ["--game", f"{shipped('war-chest').folder}/", "--cards", str(tmp_path)]
    assert main(["show", "Halberdier", *options]) == 0
    (hint,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("as understood: ")]
    program, *words = shlex.split(hint.removeprefix("as understood: "))
    assert program == "warchest" and words == ["read", "Halberdier", *options]
    assert main(words) == 0 and capsys.readouterr().out.startswith("tactic:\n  move.\n")


@pytest.mark.parametrize(
    ("name", "is_read"), [("Two players", False), ("Four players draft", False), ("Crecy", True), ("war-chest", True)]
)
def test_only_documents_with_sentences_have_a_hint_to_read_them(name: str, is_read: bool, capsys: Capture) -> None:
    assert main(["show", name]) == 0
    assert ("as understood: warchest read" in capsys.readouterr().out) == is_read


def test_keys_of_several_words_end_with_a_colon(capsys: Capture) -> None:
    assert main(["show", "game: war-chest"]) == 0
    assert "\n    active player: player\n" in capsys.readouterr().out
