"""What was clean is not checked again, until anything that a finding could depend on has changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from warchest.lint import clean, parallel
from warchest.lint.jobs import Job, Report
from warchest.lint.main import main

Capture = pytest.CaptureFixture[str]
GOOD = "unit: Outrider\nset: base\ncoins: 4\nsource: a test\ntactic: |\n  move.\n"


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(clean.FOLDER, str(tmp_path / "kept"))
    file = tmp_path / "cards" / "outrider.yaml"
    file.parent.mkdir()
    file.write_text(GOOD, encoding="utf-8")
    return file


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """All jobs that are really done."""
    jobs: list[Job] = []
    lint = parallel.lint

    def noted(job: Job) -> Report:
        jobs.append(job)
        return lint(job)

    monkeypatch.setattr(parallel, "lint", noted)
    return jobs


def test_what_was_clean_is_not_checked_again(card: Path, done: list[Job], capsys: Capture) -> None:
    assert [main([str(card)]) for _ in range(3)] == [0, 0, 0]
    assert len(done) == 1
    assert capsys.readouterr().err == "no findings\n" * 3


def test_what_has_changed_is_checked(card: Path, done: list[Job]) -> None:
    main([str(card)])
    card.write_text(GOOD.replace("move", "mvoe"), encoding="utf-8")
    assert main([str(card)]) == 1
    card.write_text(GOOD, encoding="utf-8")
    assert main([str(card)]) == 0 and len(done) == 2


def test_what_was_found_is_found_again(card: Path, done: list[Job]) -> None:
    card.write_text(GOOD.replace("move", "mvoe"), encoding="utf-8")
    assert [main([str(card)]) for _ in range(2)] == [1, 1] and len(done) == 2


def test_all_is_checked_without_the_records(card: Path, done: list[Job]) -> None:
    assert [main(["--no-cache", str(card)]) for _ in range(2)] == [0, 0] and len(done) == 2
    assert not (card.parent.parent / "kept").exists()


def test_another_program_checks_anew(card: Path, done: list[Job], monkeypatch: pytest.MonkeyPatch) -> None:
    main([str(card)])
    monkeypatch.setattr(clean, "_program", lambda: iter([card]))
    main([str(card)])
    assert len(done) == 2


def test_other_files_of_the_job_count_too(card: Path, done: list[Job]) -> None:
    main([str(card.parent)])
    (card.parent / "words.yaml").write_text("words: more\nadjectives: [brisk]\n", encoding="utf-8")
    main([str(card.parent)])
    assert len(done) == 2


def test_a_folder_that_cannot_be_made_is_no_matter(
    card: Path, done: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(clean.FOLDER, str(card / "within a file"))
    assert [main([str(card)]) for _ in range(2)] == [0, 0] and len(done) == 2


def test_what_cannot_be_read_at_once_is_not_looked_at(
    card: Path, done: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as a pipe, which would be waited for, or a file that is far too large."""
    pipe = card.parent / "pipe.yaml"
    os.mkfifo(pipe)
    assert clean.key_of(Job(card.parent, [card, pipe], {str(card)})) == ""
    monkeypatch.setattr(clean, "MAX_BYTES", 3)
    assert [main([str(card)]) for _ in range(2)] == [0, 0] and len(done) == 2


def test_old_records_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(clean.FOLDER, str(tmp_path))
    monkeypatch.setattr(clean, "MOST", 3)
    for name in "abcde":
        clean.keep_clean(name)
    assert len(list(tmp_path.iterdir())) == 3 and clean.is_clean("e")


def test_by_default_records_are_kept_for_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(clean.FOLDER)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert clean.folder() == Path("/somewhere/warchest/lint")
