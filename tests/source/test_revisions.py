"""Files at a revision: the text then, and the lines that differ since."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repositories import commit, git, make_repository
from warchest.source import data, revisions
from warchest.source.git import GitError
from warchest.source.revisions import TouchedLines, changed_lines, text_at
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
    folder = tmp_path / "my-cards"
    folder.mkdir()
    (folder / "outrider.yaml").write_text(CARD, encoding="utf-8")
    make_repository(folder)
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
    assert text_at("HEAD", str(file)) == (CARD, file)
    with pytest.raises(GitError, match=r"other\.yaml"):
        text_at("HEAD", str(repository / "other.yaml"))


def test_errors_of_git_are_reported(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = str(repository / "outrider.yaml")
    for revision in ("nowhere", "--output=x", "", "HEAD:outrider.yaml", "\0"):
        with pytest.raises(GitError):
            TouchedLines(revision, [file])
    with pytest.raises(GitError, match="in no repository"):
        TouchedLines("HEAD", [str(tmp_path / "card.yaml")])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="git is not installed"):
        TouchedLines("HEAD", [file])


# ---- ordinary repositories


@pytest.mark.parametrize("settings", [(), ("diff.noprefix=true", "color.ui=always", "core.quotePath=true")])
@pytest.mark.parametrize(
    "name", ["outrider two.yaml", "späher.yaml", "a/b c/ü.yaml", "-x.yaml", "HEAD", ":(top)x.yaml", "[x]*.yaml"]
)
def test_names_and_settings_of_all_kinds(
    repository: Path, name: str, settings: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for setting in settings:
        git(repository, "config", *setting.split("="))
    file = repository / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(CARD, encoding="utf-8")
    commit(repository)
    file.write_text(CARD.replace("exactly 2", "exactly 3"), encoding="utf-8")
    monkeypatch.chdir(file.parent)
    # As in a hook, where git names its repository by a path from the root.
    monkeypatch.setenv("GIT_DIR", ".git")
    for said in (str(file), file.name):
        assert TouchedLines("HEAD", [said]).lines == {said: {4}}
    for said in (str(file), f"./{file.name}"):
        assert text_at("HEAD", said) == (CARD, Path(said))


def test_line_ends_are_no_difference(repository: Path) -> None:
    file = repository / "outrider.yaml"
    file.write_bytes(CARD.replace("\n", "\r\n").encode())
    assert TouchedLines("HEAD", [str(file)]).lines == {str(file): frozenset()}


def test_a_moved_file_is_new_and_can_still_be_named(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "old").mkdir()
    git(repository, "mv", "outrider.yaml", "old/rider.yaml")
    commit(repository)
    (repository / "new").mkdir()
    git(repository, "mv", "old/rider.yaml", "new/rider.yaml")
    shutil.rmtree(repository / "old", ignore_errors=True)
    file = repository / "new" / "rider.yaml"
    assert TouchedLines("HEAD", [str(file)]).lines == {str(file): None}
    monkeypatch.chdir(repository / "new")
    for said in ("old/rider.yaml", "../old/rider.yaml"):
        text, path = text_at("HEAD", said)
        assert text == CARD and path.resolve() == repository / "old" / "rider.yaml"


def test_a_path_is_meant_from_here_or_from_the_root(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "sub" / "sub").mkdir(parents=True)
    (repository / "sub" / "one.yaml").write_text("unit: One\n", encoding="utf-8")
    commit(repository)
    monkeypatch.chdir(repository / "sub")
    assert text_at("HEAD", "one.yaml")[1] == Path("one.yaml")
    assert text_at("HEAD", "sub/one.yaml")[1].resolve() == repository / "sub" / "one.yaml"
    assert text_at("HEAD", "outrider.yaml") == (CARD, Path("../outrider.yaml"))
    for missing in ("nowhere/one.yaml", "../one.yaml", "./outrider.yaml", "sub"):
        with pytest.raises(GitError, match=f"there is no {missing} at 'HEAD'|git has kept no text of"):
            text_at("HEAD", missing)
    (repository / "sub" / "outrider.yaml").write_text("unit: Two\n", encoding="utf-8")
    commit(repository)
    with pytest.raises(GitError, match=r"there are two files outrider\.yaml.*\./outrider\.yaml.*\.\./outrider\.yaml"):
        text_at("HEAD", "outrider.yaml")
    assert text_at("HEAD", "./outrider.yaml")[0] == "unit: Two\n"
    assert text_at("HEAD", "../outrider.yaml")[0] == CARD


def test_a_link_is_the_file_that_it_leads_to(repository: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.yaml"
    link.symlink_to(repository / "outrider.yaml")
    assert TouchedLines("HEAD", [str(link)]).lines == {str(link): frozenset()}


@pytest.mark.parametrize("installed", ["ignored", "untracked", "elsewhere", "other", "changed"])
def test_texts_of_an_installed_program_have_not_changed(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: str
) -> None:
    """The program is in an ignored folder of the repository, in one that git does not know, or outside of it."""
    monkeypatch.chdir(repository)
    inside = installed in ("ignored", "untracked")
    cards = (repository if inside else tmp_path / "other") / ".venv" / "cards"
    cards.mkdir(parents=True)
    (cards / "scout.yaml").write_text(CARD, encoding="utf-8")
    if installed == "ignored":
        (repository / ".gitignore").write_text("/.venv/\n", encoding="utf-8")
    if installed == "other":
        git(tmp_path / "other", "init", "-q")
    if installed == "changed":
        make_repository(tmp_path / "other")
        (cards / "scout.yaml").write_text(CARD.replace("exactly 2", "exactly 3"), encoding="utf-8")
    for module in (data, revisions):
        monkeypatch.setattr(module, "data_folder", lambda name: cards)
    mine, theirs = str(repository / "outrider.yaml"), str(cards / "scout.yaml")
    Path(mine).write_text(CARD.replace("exactly 2", "exactly 3"), encoding="utf-8")
    assert TouchedLines("HEAD", [theirs, mine]).lines == {mine: {4}, theirs: frozenset()}
    with pytest.raises(GitError, match=r"in no repository|no revision|kept no texts of the program"):
        TouchedLines("HEAD", [theirs])


def test_texts_of_a_program_that_is_worked_on_do_change(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (data, revisions):
        monkeypatch.setattr(module, "data_folder", lambda name: repository)
    monkeypatch.chdir(repository)
    new, draft = repository / "new.yaml", repository / "draft.yaml"
    new.write_text(CARD, encoding="utf-8")
    draft.write_text(CARD, encoding="utf-8")
    (repository / ".gitignore").write_text("draft.yaml\n", encoding="utf-8")
    assert TouchedLines("HEAD", [str(new), str(draft)]).lines == {str(new): None, str(draft): frozenset()}


def test_a_text_of_old_may_be_too_long(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revisions, "MAX_BYTES", len(CARD) - 1)
    with pytest.raises(GitError, match="is larger than"):
        text_at("HEAD", str(repository / "outrider.yaml"))


def test_a_repository_of_another_user_is_not_read(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    if os.getuid() != 0:
        pytest.skip("files are given to somebody else by root only")
    for path in (repository, repository / ".git"):
        os.chown(path, 12345, 12345)
    with pytest.raises(GitError, match="belongs to another user"):
        text_at("HEAD", str(repository / "outrider.yaml"))


# ---- lines

LINES = st.lists(st.sampled_from("abc"), max_size=12)


@given(LINES, LINES)
def test_lines_that_have_not_changed_were_there_in_the_same_order(old: list[str], new: list[str]) -> None:
    changed = changed_lines("\n".join(old), "\n".join(new))
    left = iter(old or [""])
    assert all(line in left for number, line in enumerate(new or [""], 1) if number not in changed)
    assert bool(changed) == (old != new) or "\n".join(old) == "\n".join(new)


def test_very_many_lines_are_compared_roughly() -> None:
    old = [str(number) for number in range(8000)]
    new = ["begin", *old[1:-1], "end"]
    assert changed_lines("\n".join(old), "\n".join(new)) == set(range(1, 8001))
    assert changed_lines("\n".join(old), "\n".join([*old[:-1], "end"])) == {8000}
