"""The folders under docs/examples: their pages are true, and their commands have the stated results."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from docs_support import DOCS, ROOT
from page_following import environment, follow, steps

FOLDERS = sorted(folder for folder in (DOCS / "examples").iterdir() if (folder / "README.md").is_file())
each = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def test_there_is_an_example() -> None:
    assert FOLDERS


@each
def test_the_page_names_every_file(folder: Path) -> None:
    page = (folder / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)\)", page)
    assert sorted(links) == sorted(str(file.relative_to(folder)) for file in folder.rglob("*.yaml"))
    assert [line for line in page.splitlines() if len(line) > 120 and not line.startswith("|")] == []


@each
@pytest.mark.usefixtures("loads_once", "in_one_process")
def test_commands_have_the_shown_output(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands are run beside a copy of the folder; no answers are given."""
    home = tmp_path / "home"
    home.mkdir()
    shutil.copytree(folder, home / folder.relative_to(ROOT))
    page = folder / "README.md"
    assert {"test", "play", "sim"} <= {shlex.split(command)[1] for command, _, _ in steps(page)}
    follow(page, home, environment(tmp_path), monkeypatch)
