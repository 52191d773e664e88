"""Renaming a word in a folder of cards: the cards stay sound, or the name is refused."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest
from inside import CARD, Inside
from test_session import put_right

from warchest.lint.wc_lint import findings_in
from warchest.lsp.text_positions import uri_of

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
    named = told.ask("textDocument/prepareRename", place)
    assert named["placeholder"] == word and named["range"]["start"] == {"line": line, "character": 2}
    answer = told.answer("textDocument/rename", place)
    if not files:
        assert "choose a name without blanks" in answer["error"]["message"]
        return
    changes = answer["result"]["changes"]
    assert len(changes) == files
    for one in folder.iterdir():
        one.write_text(put_right(one.read_text(encoding="utf-8"), changes.get(uri_of(str(one)), [])), encoding="utf-8")
    assert findings_in([folder]) == [] and f"  {new}: {{" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "at", "said"),
    [
        ("unit: Heavy Horse\ncoins: 4\n", (0, 8), "Heavy Horse"),
        ("unit: Heavy Horse\ncoins: 4\n", (0, 14), "Heavy Horse"),
        ("unit: Heavy Horse\ncoins: 4\n", (1, 7), "no card and no word"),
        ("unit: Heavy Horse\ncoins: 4\ntactic: |\n  move.\n", (3, 3), "comes with the package"),
    ],
)
def test_editors_learn_first_whether_a_name_can_be_changed(
    text: str, at: tuple[int, int], said: str, tmp_path: Path
) -> None:
    told = Inside()
    told.ask("initialize", {"rootUri": uri_of(str(tmp_path)), "capabilities": {}})
    told.open(tmp_path / "horse.yaml", text)
    told.idle()
    place = {"line": at[0], "character": at[1]}
    where = {"textDocument": {"uri": uri_of(str(tmp_path / "horse.yaml"))}, "position": place}
    answer = told.answer("textDocument/prepareRename", where)
    assert said in (answer["result"]["placeholder"] if "result" in answer else answer["error"]["message"])


def test_errors_keep_names_as_they_are(tmp_path: Path) -> None:
    """Places in an older text would be wrong in the one of the editor."""
    desk, file = Inside(tmp_path), tmp_path / "halberdier.yaml"
    desk.open(file, CARD)
    desk.idle()
    desk.change(file, "# a note\n" + CARD.replace("may move", "may mvoe"), 2)
    place = {"textDocument": {"uri": uri_of(str(file))}, "position": {"line": 1, "character": 8}}
    said = desk.answer("textDocument/prepareRename", place)["error"]["message"]
    assert said == "nothing can be renamed while there are errors in halberdier.yaml: correct them first"


def test_prepare_rename_is_announced_to_editors_with_support_only(tmp_path: Path) -> None:
    for rename, expected in (({}, True), ({"prepareSupport": True}, {"prepareProvider": True})):
        given = {"rootUri": uri_of(str(tmp_path)), "capabilities": {"textDocument": {"rename": rename}}}
        assert Inside().ask("initialize", given)["capabilities"]["renameProvider"] == expected
