"""Files that are ignored: the list of git itself decides."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from warchest.source import data, folders
from warchest.source.folders import TooMuch, files_in
from warchest.source.ignoring import IgnoreFile
from warchest.source.limits import MAX_PATTERNS

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is the judge")

NAMES = ("a", "b", "ab", "B", "x-1", "a b", "é", "a.yaml", "b.yaml", "ab.yaml", "é.yaml")
PARTS = (
    "a",
    "b",
    "ab",
    "B",
    "x",
    "c",
    "-",
    ".yaml",
    "*.yaml",
    "é",
    "*",
    "?",
    "**",
    "***",
    "/",
    "/",
    "**/",
    "/**",
    "/**/",
    " ",
    "!",
    "#",
    "\\",
    "[ab]",
    "[!a]",
    "[^b]",
    "[a-c]",
    "[c-a]",
    "[a-]",
    "[]a]",
    "[\\]a]",
    "[a/b]",
    "[",
    "[[:alpha:]]",
    "[![:lower:]]",
    "[[:none:]]",
    "[[:alpha]",
)
LINES = st.builds(
    lambda sign, parts: sign + "".join(parts),
    st.sampled_from(["", "", "!"]),
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=5),
)
IGNORE_FILES = st.builds(
    lambda lines, end: end.join((*lines, "")), st.lists(LINES, min_size=1, max_size=4), st.sampled_from(["\n", "\r\n"])
)
PLACES = st.lists(st.sampled_from(NAMES), max_size=3).map(lambda names: "/".join(names))
TREES = st.lists(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map(lambda names: "/".join(names)), min_size=1, max_size=12
)
IGNORING = st.dictionaries(PLACES, IGNORE_FILES, min_size=1, max_size=4)


def git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    """Return the answer of git, which reads no settings of the user."""
    apart = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(
        ["git", "-C", str(folder), *arguments],
        input=given,
        capture_output=True,
        check=False,
        env={**os.environ, **apart},
    ).stdout


def made(top: Path, files: list[str], ignoring: Mapping[str, str]) -> list[str]:
    """Make files, with folders for them, as far as names are free; return the YAML files among them."""
    for name in files:
        try:
            (top / name).parent.mkdir(parents=True, exist_ok=True)
            (top / name).touch()
        except OSError:
            continue  # the name for a folder is taken by a file, or that for a file by a folder
    for place, text in ignoring.items():
        if (top / place).is_dir():
            (top / place / ".gitignore").write_bytes(text.encode())
    return sorted(str(file.relative_to(top)) for file in top.rglob("*.yaml") if file.is_file())


def kept_by_git(top: Path, files: list[str]) -> list[str]:
    """Return the files that git does not ignore."""
    ignored = git(top, "check-ignore", "-z", "--stdin", given="\0".join(files).encode()).decode().split("\0")
    return [file for file in files if file not in ignored]


def found(top: Path, named: str = "") -> list[str]:
    return sorted(str(file.relative_to(top)) for file in files_in(top / named))


@pytest.fixture(scope="module")
def empty() -> Iterator[Path]:
    """Yield an empty repository to copy."""
    with tempfile.TemporaryDirectory() as folder:
        git(Path(folder), "init", "-q")
        yield Path(folder)


@needs_git
@settings(max_examples=150, deadline=None)
@given(files=TREES, ignoring=IGNORING)
@example(["src/foo.yaml", "src/deep/q.yaml", "top.yaml"], {"": "*\n!/src/\n!/src/**\n"})
@example(["u/v/w.yaml", "t.yaml"], {"": "*\n!*/\n!*.yaml\n"})
@example(["u/a.yaml", "u/b.yaml", "c.yaml"], {"": "*.yaml\n", "u": "!a.yaml\n"})
@example(["u/v/a.yaml"], {"": "u/\n", "u": "!v/\n", "u/v": "!a.yaml\n"})
@example(["a/b/c.yaml", "ab/c.yaml"], {"": "a**/c.yaml\n"})
@example(["b/a.yaml", "é.yaml"], {"": "**/**[a/b].yaml\n?.yaml\n"})
def test_the_files_that_are_read_are_those_that_git_keeps(
    empty: Path, files: list[str], ignoring: dict[str, str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder, "top")
        shutil.copytree(empty, top)
        kept = kept_by_git(top, made(top, files, ignoring))
        assert found(top) == kept
        # A folder that is named is subject to the same files, unless it is ignored itself.
        for below in (one for one in top.iterdir() if one.is_dir() and one.name != ".git"):
            if kept_by_git(top, [below.name]):
                assert found(top, below.name) == [one for one in kept if one.startswith(f"{below.name}/")]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a folder with the mark of the root of a repository."""
    (tmp_path / "root" / ".git").mkdir(parents=True)
    return tmp_path / "root"


@pytest.mark.parametrize("name", [".gitignore", ".wc-lint-ignore"])
def test_files_above_a_folder_that_is_named_count_up_to_the_root(
    repository: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(repository, ["game/made/a.yaml", "game/b.yaml", "game/c.yaml"], {})
    (repository / name).write_text("/game/made/\n", encoding="utf-8")
    (repository.parent / name).write_text("b.yaml\n", encoding="utf-8")
    assert found(repository, "game") == ["game/b.yaml", "game/c.yaml"]
    monkeypatch.chdir(repository / "game")
    assert files_in(Path(".")) == [Path("b.yaml"), Path("c.yaml")]


def test_outside_of_a_repository_nothing_above_counts(tmp_path: Path) -> None:
    made(tmp_path, ["game/a.yaml"], {"": "a.yaml\n"})
    assert found(tmp_path, "game") == ["game/a.yaml"]


def test_an_ignored_folder_that_is_named_is_read(repository: Path) -> None:
    made(repository, ["old/more/a.yaml"], {"": "/old/\n*.yaml\n"})
    assert found(repository) == []
    assert found(repository, "old") == found(repository, "old/more") == ["old/more/a.yaml"]


def test_a_repository_within_another_one_has_patterns_of_its_own(repository: Path) -> None:
    made(repository, ["own/a.yaml", "own/b.yaml"], {"": "a.yaml\n", "own": "b.yaml\n"})
    (repository / "own" / ".git").touch()
    assert found(repository) == found(repository, "own") == ["own/a.yaml"]


def test_shipped_games_are_never_ignored(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(repository, ["env/cards/game.yaml", "env/other.yaml"], {"": "*.yaml\n"})
    assert found(repository, "env") == []
    monkeypatch.setattr(folders, "data_folder", lambda name: repository / "env" / name)
    assert found(repository, "env/cards") == ["env/cards/game.yaml"]
    assert data.data_folder("cards") != repository / "env" / "cards"


def test_a_link_lists_nothing_to_ignore(repository: Path) -> None:
    made(repository, ["a.yaml"], {})
    (repository / "patterns").write_text("a.yaml\n", encoding="utf-8")
    (repository / ".gitignore").symlink_to("patterns")
    assert found(repository) == ["a.yaml"]


@pytest.mark.parametrize(
    "pattern",
    [
        "*a" * 40 + "b",
        "**/a/" * 40 + "b",
        "**/*a" * 40 + "b",
        "a**" * 40 + "/b",
        "**/" + "*a" * 40 + "/b",
        "[a-z]*" * 40 + "/",
        "/**/*a*a/**/*a*a/**/*a*a/**/b",
    ],
)
@pytest.mark.parametrize("path", ["a" * 4000, "a/" * 2000 + "a", "aa/" * 1300 + "c", "/".join(["a" * 60] * 60)])
def test_no_pattern_takes_long(pattern: str, path: str, tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text(f"{pattern}\n", encoding="utf-8")
    file = IgnoreFile.read(str(tmp_path), ".gitignore")
    begun = time.process_time()
    assert not file.ignores(f"{tmp_path}/{path}", is_folder=False)
    assert time.process_time() - begun < 1


@pytest.mark.parametrize("inside", ["", "below"])
def test_too_many_patterns_are_refused(repository: Path, inside: str) -> None:
    made(repository, ["below/a.yaml"], {inside: "b\n" * (MAX_PATTERNS + 1)})
    with pytest.raises(TooMuch, match=r"more than 2,000 patterns .*\.gitignore"):
        files_in(repository / "below")
