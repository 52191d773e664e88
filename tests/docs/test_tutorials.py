"""The tutorials: a reader who follows one from an empty folder gets what it shows, line by line."""

from __future__ import annotations

from pathlib import Path

import pytest
from docs_support import DOCS
from following import environment, follow, steps

PAGES = sorted((DOCS / "tutorials").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.usefixtures("loads_once", "in_one_process")
def test_each_line_does_what_is_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    assert steps(page)
    follow(page, home, environment(tmp_path), monkeypatch)
