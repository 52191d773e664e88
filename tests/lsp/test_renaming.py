"""Renaming a word in a folder of cards: the cards stay sound, or the name is refused."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest
from inside import Inside
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
