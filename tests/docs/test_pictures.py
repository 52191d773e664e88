"""The pictures of the pages are those that the program draws."""

from __future__ import annotations

from pathlib import Path

import pytest
from pictures_support import FOLDER, draw


@pytest.mark.usefixtures("loads_once")
def test_each_picture_is_current(tmp_path: Path) -> None:
    assert draw(tmp_path) == 0
    drawn = {file.name: file.read_text(encoding="utf-8") for file in tmp_path.glob("*.svg")}
    assert drawn and drawn == {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.svg")}, (
        "run `python tests/docs/pictures_support.py`"
    )
