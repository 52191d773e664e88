"""A clean file is not checked again until a dependency of its findings has changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from linted import usual_texts
from warchest.lint import clean_jobs, side_by_side
from warchest.lint.jobs import Job, Report
from warchest.lint.wc_lint import main
from warchest.source.cache import NAMED_BY, Cache

Capture = pytest.CaptureFixture[str]
GOOD = "unit: Outrider\nset: base\ncoins: 4\nsource: a test\ntactic: |\n  move.\n"
SMALL = "game: small\ndocuments: {}\nthings: {}\nwords: {}\nplay: |\n  end the game.\n"


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A card on top of the shipped game."""
    monkeypatch.setenv(NAMED_BY, str(tmp_path / "kept"))
    file = tmp_path / "cards" / "outrider.yaml"
    file.parent.mkdir()
    file.write_text(GOOD, encoding="utf-8")
    return file


@pytest.fixture
def small(card: Path) -> Path:
    """The document of a game of its own, which is checked quickly, for tests that need any job."""
    card.rename(card.with_name("game.yaml"))
    card.with_name("game.yaml").write_text(SMALL, encoding="utf-8")
    return card.with_name("game.yaml")


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """All jobs that are really done."""
    jobs: list[Job] = []
    lint = side_by_side.lint_and_try

    def noted(job: Job, cache: Cache | None) -> Report:
        jobs.append(job)
        return lint(job, cache)

    monkeypatch.setattr(side_by_side, "lint_and_try", noted)
    return jobs


def lint(path: Path) -> int:
    """Run the command on top of the game without its errata; return the exit code."""
    return main(["--game", usual_texts(), str(path)])


def test_clean_files_are_not_checked_again(card: Path, done: list[Job], capsys: Capture) -> None:
    assert [lint(card) for _ in range(3)] == [0, 0, 0]
    assert len(done) == 1
    assert capsys.readouterr().err == "no findings\n" * 3


def test_changed_files_are_checked(card: Path, done: list[Job]) -> None:
    lint(card)
    card.write_text(GOOD.replace("move", "mvoe"), encoding="utf-8")
    assert lint(card) == 1
    card.write_text(GOOD, encoding="utf-8")
    assert lint(card) == 0 and len(done) == 2


def test_findings_are_found_again(card: Path, done: list[Job]) -> None:
    card.write_text(GOOD.replace("move", "mvoe"), encoding="utf-8")
    assert [lint(card) for _ in range(2)] == [1, 1] and len(done) == 2


def test_all_files_are_checked_without_the_records(small: Path, done: list[Job]) -> None:
    assert [main(["--no-cache", str(small)]) for _ in range(2)] == [0, 0] and len(done) == 2
    assert not (small.parent.parent / "kept").exists()


def test_another_version_of_the_program_checks_again(
    small: Path, done: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    main([str(small)])
    monkeypatch.setattr(clean_jobs, "digest_of_program", lambda: "another")
    main([str(small)])
    assert len(done) == 2


def test_other_files_of_the_job_count_too(card: Path, done: list[Job]) -> None:
    lint(card.parent)
    (card.parent / "words.yaml").write_text("words: more\nadjectives: [brisk]\n", encoding="utf-8")
    lint(card.parent)
    assert len(done) == 2


def test_pipes_and_large_files_are_not_read_ahead(
    small: Path, done: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as a pipe, which would be waited for, or a file that is far too large."""
    pipe = small.parent / "pipe.yaml"
    os.mkfifo(pipe)
    assert clean_jobs.key_of(Job(small.parent, [small, pipe], {str(small)}), {}) == ""
    monkeypatch.setattr(clean_jobs, "MAX_BYTES", 3)
    assert [main([str(small)]) for _ in range(2)] == [0, 0] and len(done) == 2


NOTE = "wc-lint: note: no records are kept, because "


def test_a_folder_that_others_can_write_to_keeps_no_results(small: Path, done: list[Job], capsys: Capture) -> None:
    """That is said once."""
    main([str(small)])
    shared = small.parent.parent / "kept"
    shared.chmod(0o770)
    capsys.readouterr()
    assert main([str(small), str(small.parent)]) == 0
    assert len(done) == 2
    assert capsys.readouterr().err == (
        f"{NOTE}others can write to {shared}; set WARCHEST_CACHE to a folder that only you can use, or to nothing\n"
        "no findings\n"
    )
