"""Cards of another game and empty files in a folder: they are named, and stop nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from inside import CARD, Desk

from warchest.game.game import folder_of
from warchest.lsp.places import uri_of

OTHER, USUAL = "unigames", "war-chest"
SEPARATE = "this belongs to the game `{}`, and is left out of `{}`"


def text_of(game: str, file: str, name: str, new: str) -> str:
    """The text of a shipped document under another name."""
    folder = folder_of(game)
    assert folder is not None
    return (folder / file).read_text(encoding="utf-8").replace(name, new)


FIGURE = text_of(OTHER, "figures/bandit-chief.yaml", "Bandit Chief", "Zorro")
SETUP = text_of(OTHER, "setups/ambush.yaml", "Ambush", "My Ambush")
"""Both games have setups, so that the kind does not tell; the board and the figures do."""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    made.open(tmp_path / "halberdier.yaml", CARD)
    made.idle()
    return made


def findings(desk: Desk, file: Path) -> list[list[dict[str, Any]]]:
    """The findings on a file each time that they were published."""
    published = [one["params"] for one in desk.messages if one.get("method") == "textDocument/publishDiagnostics"]
    return [one["diagnostics"] for one in published if one["uri"] == uri_of(str(file))]


@pytest.mark.parametrize("text", [FIGURE, SETUP, FIGURE.replace("attack: 3", "attack: many")])
def test_a_text_of_another_game_says_so_and_nothing_else(desk: Desk, tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.yaml"
    desk.open(file, text)
    desk.idle()
    ((one,),) = findings(desk, file)
    assert one["message"].startswith(SEPARATE.format(OTHER, USUAL)) and one["severity"] == 3 and "code" not in one
    actions = {"textDocument": {"uri": uri_of(str(file))}, "range": one["range"], "context": {"diagnostics": [one]}}
    assert desk.ask("textDocument/codeAction", actions) == []


def test_the_finding_goes_when_the_text_becomes_one_of_the_game(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "other.yaml"
    desk.open(file, FIGURE)
    desk.change(file, CARD.replace("Halberdier", "Zorro"), 2)
    desk.idle()
    assert findings(desk, file)[-1] == []


def test_a_card_of_the_usual_game_is_left_out_of_another(tmp_path: Path) -> None:
    (tmp_path / "wc-lint.toml").write_text(f'game = "{OTHER}"\n', encoding="utf-8")
    desk, file = Desk(tmp_path), tmp_path / "halberdier.yaml"
    desk.open(file, CARD)
    desk.idle()
    ((one,),) = findings(desk, file)
    assert one["message"].startswith(SEPARATE.format(USUAL, OTHER))


def test_a_misspelt_word_is_an_error_at_once(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "zip.yaml"
    desk.open(file, "action: Zip\nrules: |\n  a unit may mvoe.\n")
    desk.idle()
    assert [one["code"] for one in findings(desk, file)[-1]] == ["WC201"]


@pytest.mark.parametrize("kind", ["sim", "check"])
def test_jobs_run_with_the_cards_of_the_game_and_name_the_others(desk: Desk, tmp_path: Path, kind: str) -> None:
    (tmp_path / "blank.yaml").write_text("", encoding="utf-8")
    desk.open(tmp_path / "zorro.yaml", FIGURE)
    desk.open(tmp_path / "empty.yaml", "# nothing yet\n")
    params = {"games": 1, "bots": ["random"], "setup": "First game"} if kind == "sim" else {"budget": 1}
    found = desk.ask("warchest/job", {"kind": kind, "jobs": 1, "uri": uri_of(str(tmp_path / "halberdier.yaml")),
                                      **params})  # fmt: skip
    assert sorted(found["notes"][:3]) == [
        "blank.yaml was left out: there is nothing in it", "empty.yaml was left out: there is nothing in it",
        "zorro.yaml was left out: it belongs to the game `unigames`",
    ]  # fmt: skip


def test_a_job_is_still_refused_where_a_card_of_the_game_has_errors(desk: Desk, tmp_path: Path) -> None:
    desk.open(tmp_path / "zorro.yaml", FIGURE)
    desk.change(tmp_path / "halberdier.yaml", CARD.replace("may move", "may mvoe"), 2)
    said = desk.refused("warchest/job", {"kind": "sim", "games": 1, "jobs": 1})
    assert said.startswith("halberdier.yaml:7: ")


def test_the_documents_of_a_game_are_without_those_of_another(desk: Desk, tmp_path: Path) -> None:
    desk.open(tmp_path / "zorro.yaml", FIGURE)
    found = desk.ask("warchest/set", {"uri": uri_of(str(tmp_path / "halberdier.yaml"))})
    assert [one["name"] for one in found["files"] if not one["readOnly"]] == ["Halberdier"]
