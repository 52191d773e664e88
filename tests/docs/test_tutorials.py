"""The tutorials and guides that one can follow from an empty folder: each line has the output that the page shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from docs_support import DOCS
from page_following import environment, follow, steps

PAGES = [
    *sorted((DOCS / "tutorials").glob("*.md")),
    *(DOCS / "guides" / f"{name}.md" for name in ("errata", "packs", "own-game")),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.usefixtures("loads_once", "in_one_process")
def test_each_line_has_the_shown_output(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    assert steps(page)
    follow(page, home, environment(tmp_path), monkeypatch)
