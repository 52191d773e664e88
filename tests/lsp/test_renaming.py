"""Renaming a word in a folder of cards: the cards stay sound, or the name is refused."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from inside import CARD, Inside
from test_session import put_right

from warchest.lint.main import findings_in
from warchest.lsp.places import uri_of

TRAPS = Path(__file__).parents[2] / "docs" / "examples" / "packs" / "traps"


@pytest.mark.parametrize(("word", "new", "files"), [("snare", "gin", 3), ("pit", "fox", 2), ("snare", "box trap", 0)])
def test_renamed_words_leave_cards_sound(word: str, new: str, files: int, tmp_path: Path) -> None:
    folder = tmp_path / "traps"
    copytree(TRAPS, folder)
    file, told = folder / "traps.yaml", Inside()
    told.ask("initialize", {"rootUri": uri_of(str(folder)), "capabilities": {}})
    text = file.read_text(encoding="utf-8")
    told.open(file, text)
    told.idle()
    line = next(number for number, one in enumerate(text.splitlines()) if one.startswith(f"  {word}:"))
    place = {"textDocument": {"uri": uri_of(str(file))}, "position": {"line": line, "character": 3}, "newName": new}
    answer = told.answer("textDocument/rename", place)
    if not files:
        assert "choose a name without blanks" in answer["error"]["message"]
        return
    changes = answer["result"]["changes"]
    assert len(changes) == files
    for one in folder.iterdir():
        one.write_text(put_right(one.read_text(encoding="utf-8"), changes.get(uri_of(str(one)), [])), encoding="utf-8")
    assert findings_in([folder]) == [] and f"  {new}: {{" in file.read_text(encoding="utf-8")


WANDERER = CARD.replace("Halberdier", "Old Wanderer")


def asked(desk: Inside, file: Path, line: int, character: int) -> dict[str, Any]:
    """The answer to the question what can be renamed at a place."""
    place = {"textDocument": {"uri": uri_of(str(file))}, "position": {"line": line, "character": character}}
    return desk.answer("textDocument/prepareRename", place)


def test_a_name_of_two_words_is_renamed_from_either_of_them(tmp_path: Path) -> None:
    desk, file = Inside(tmp_path), tmp_path / "wanderer.yaml"
    desk.open(file, WANDERER)
    desk.idle()
    for character in (7, 12):
        found = asked(desk, file, 0, character)["result"]
        assert found["placeholder"] == "Old Wanderer" and found["range"]["start"]["character"] == 6
        place = {"textDocument": {"uri": uri_of(str(file))}, "position": {"line": 0, "character": character}}
        edits = desk.ask("textDocument/rename", {**place, "newName": "Young Wanderer"})["changes"][uri_of(str(file))]
        assert put_right(WANDERER, edits) == WANDERER.replace("Old", "Young")


@pytest.mark.parametrize(("line", "character", "said"), [
    (1, 8, "there is nothing to rename here"), (4, 4, "`attack` comes with the package"),
])  # fmt: skip
def test_what_cannot_be_renamed_is_told_before_a_name_is_asked_for(
    line: int, character: int, said: str, tmp_path: Path
) -> None:
    desk, file = Inside(tmp_path), tmp_path / "halberdier.yaml"
    desk.open(file, CARD)
    desk.idle()
    assert asked(desk, file, line, character)["error"]["message"].startswith(said)


def test_errors_keep_names_as_they_are(tmp_path: Path) -> None:
    """Places in an older text would be wrong in the one of the editor."""
    desk, file = Inside(tmp_path), tmp_path / "halberdier.yaml"
    desk.open(file, CARD)
    desk.idle()
    desk.change(file, "# a note\n" + CARD.replace("may move", "may mvoe"), 2)
    said = asked(desk, file, 1, 8)["error"]["message"]
    assert said == "nothing can be renamed while there are errors in halberdier.yaml: mend them first"


def test_only_editors_that_can_ask_first_are_told_that_they_may(tmp_path: Path) -> None:
    for rename, expected in (({}, True), ({"prepareSupport": True}, {"prepareProvider": True})):
        given = {"rootUri": uri_of(str(tmp_path)), "capabilities": {"textDocument": {"rename": rename}}}
        assert Inside().ask("initialize", given)["capabilities"]["renameProvider"] == expected
