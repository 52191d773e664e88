"""Files at a revision: the text then, and the lines that differ since."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from warchest.source.revisions import NoRevisionError, TouchedLines, text_at
from warchest.source.text import Source, Span

CARD = """\
unit: Outrider
coins: 4
tactic: |
  move to a space exactly 2 spaces away.
  attack.
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    folder = tmp_path / "my-cards"
    folder.mkdir()
    (folder / "outrider.yaml").write_text(CARD, encoding="utf-8")
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    for command in (("init", "-q"), ("add", "-A"), (*who, "commit", "-q", "-m", "First")):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)
    return folder


def spans(folder: Path, text: str) -> dict[str, Span]:
    source = Source(str(folder / "outrider.yaml"), text)
    return {line.strip(): Span(source, text.index(line), text.index(line) + len(line)) for line in text.splitlines()}


def test_the_lines_that_differ_from_a_revision(repository: Path) -> None:
    file = repository / "outrider.yaml"
    changed = CARD.replace("exactly 2", "exactly 3").replace("coins: 4\n", "")
    file.write_text(changed, encoding="utf-8")
    new = repository / "other.yaml"
    new.write_text("unit: Other\ncoins: 4\n", encoding="utf-8")
    touched = TouchedLines("HEAD", [str(file), str(new)])
    there = spans(repository, changed)
    assert touched.has(there["move to a space exactly 3 spaces away."])
    assert touched.has(there["unit: Outrider"]), "the line after it has gone"
    assert not touched.has(there["attack."])
    assert touched.has(Span(Source(str(new), "unit: Other\n"), 0, 4)), "a new file is new in all its lines"


def test_the_text_at_a_revision(repository: Path) -> None:
    file = repository / "outrider.yaml"
    file.write_text("unit: Other\n", encoding="utf-8")
    assert text_at("HEAD", str(file)) == CARD
    with pytest.raises(NoRevisionError, match=r"other\.yaml"):
        text_at("HEAD", str(repository / "other.yaml"))


def test_git_may_not_know(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = str(repository / "outrider.yaml")
    for revision in ("nowhere", "--output=x", "", "HEAD:outrider.yaml", "\0"):
        with pytest.raises(NoRevisionError):
            TouchedLines(revision, [file])
    with pytest.raises(NoRevisionError, match="in no repository"):
        TouchedLines("HEAD", [str(tmp_path / "card.yaml")])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoRevisionError, match="git is not installed"):
        TouchedLines("HEAD", [file])
