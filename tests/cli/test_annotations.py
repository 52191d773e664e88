"""Annotations name files from the root of the repository, wherever a command runs and however its files are named."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import warchest
from linted import usual_texts
from warchest.cli.main import main as command
from warchest.diagnostics.reports import ReportedCase, report_text
from warchest.diagnostics.repository_paths import from_root
from warchest.lint.wc_lint import main as lint

CARD = "unit: Otter\ncoins: 4\nsource: our own\ntactic: |\n  {}.\n"
FILE = "game/my-cards/x.yaml"
WAYS = [
    (".", "game"),
    (".", "./game/my-cards"),
    ("game", "my-cards"),
    ("game/my-cards", "../my-cards"),
    ("game/my-cards", "../../game/my-cards"),
    ("game", "{root}/game/my-cards"),
    ("/", "{root}/game/my-cards"),
    ("game", "../link"),
]
EMITTERS = re.compile(r"""["']::(?:\{|error|warning|notice)""")


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the root of a repository with a card."""
    root = tmp_path / "work" / "root"
    (root / FILE).parent.mkdir(parents=True)
    (root / ".git").mkdir()
    (root / FILE).write_text(CARD.format("movv"), encoding="utf-8")
    (root / "link").symlink_to("game/my-cards")
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    return root


def files(out: str) -> set[str]:
    """Return the files that annotations name."""
    lines = out.splitlines()
    found = {match[1] for line in lines if (match := re.match(r"::\w+ file=([^,]+),line=[0-9]+,", line))}
    assert lines and len(found) > 0
    return found


@pytest.mark.parametrize(("here", "named"), WAYS)
@pytest.mark.parametrize("workspace", [None, "work/root", "work", "other"])
def test_a_file_is_named_from_the_root(
    here: str,
    named: str,
    workspace: str | None,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(root / here)
    if workspace is not None:
        monkeypatch.setenv("GITHUB_WORKSPACE", str(root.parents[1] / workspace))
    lint(["--format", "github", named.format(root=root)])
    assert files(capsys.readouterr().out) == {FILE}


def test_commands_that_look_for_faults_name_files_so_too(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / FILE).write_text(CARD.format("if this is bolstered, move"), encoding="utf-8")
    monkeypatch.chdir(root / "game" / "my-cards")
    cards = [os.path.relpath(root / "game")]
    told = ["cover", *cards, "--cards", *cards, "--game", usual_texts(), "--budget", "5s", "--jobs", "1"]
    assert command([*told, "--format", "github"]) == 1
    assert files(capsys.readouterr().out) == {FILE}
    wrong = ReportedCase("a", f"{cards[0]}/my-cards/x.yaml", 5, 3, "it is % wrong")
    assert report_text("github", "a", [wrong]) == f"::warning file={FILE},line=5,col=3::it is %25 wrong\n"


def test_all_annotations_are_written_in_one_place() -> None:
    package = Path(warchest.__file__).parent
    writing = [file.name for file in package.rglob("*.py") if EMITTERS.search(file.read_text(encoding="utf-8"))]
    assert writing == ["reports.py"]


# ---- the root


def test_without_a_repository_it_is_the_workspace_or_the_working_folder(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / ".git").rmdir()
    monkeypatch.chdir(root / "game")
    assert from_root("my-cards/x.yaml") == from_root("../game/my-cards/x.yaml") == "my-cards/x.yaml"
    assert from_root("../link/../..") == str(root)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(root))
    assert from_root("my-cards/x.yaml") == FILE


def test_in_the_workspace_a_part_that_is_a_repository_itself_is_a_part(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "game" / ".git").touch()
    assert from_root(str(root / FILE)) == "my-cards/x.yaml"
    monkeypatch.setenv("GITHUB_WORKSPACE", str(root))
    assert from_root(str(root / FILE)) == FILE


@pytest.mark.parametrize("name", ["standard input", "", "n" * 300])
def test_names_of_no_file_are_kept(name: str) -> None:
    assert from_root(name) == name
