"""What was clean is not checked again, until anything that a finding could depend on has changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from linted import usual_texts
from warchest.lint import clean_jobs, side_by_side
from warchest.lint.jobs import Job, Report
from warchest.lint.wc_lint import main
from warchest.source import private

Capture = pytest.CaptureFixture[str]
GOOD = "unit: Outrider\nset: base\ncoins: 4\nsource: a test\ntactic: |\n  move.\n"
SMALL = "game: small\ndocuments: {}\nthings: {}\nwords: {}\nplay: |\n  end the game.\n"


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A card on top of the shipped game."""
    monkeypatch.setenv(private.NAMED_BY, str(tmp_path / "kept"))
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

    def noted(job: Job, folder: Path | None) -> Report:
        jobs.append(job)
        return lint(job, folder)

    monkeypatch.setattr(side_by_side, "lint_and_try", noted)
    return jobs


def lint(path: Path) -> int:
    """Run the command on top of the game without its errata; return the exit code."""
    return main(["--game", usual_texts(), str(path)])


def test_what_was_clean_is_not_checked_again(card: Path, done: list[Job], capsys: Capture) -> None:
    assert [lint(card) for _ in range(3)] == [0, 0, 0]
    assert len(done) == 1
    assert capsys.readouterr().err == "no findings\n" * 3


def test_what_has_changed_is_checked(card: Path, done: list[Job]) -> None:
    lint(card)
    card.write_text(GOOD.replace("move", "mvoe"), encoding="utf-8")
    assert lint(card) == 1
    card.write_text(GOOD, encoding="utf-8")
    assert lint(card) == 0 and len(done) == 2


def test_what_was_found_is_found_again(card: Path, done: list[Job]) -> None:
    card.write_text(GOOD.replace("move", "mvoe"), encoding="utf-8")
    assert [lint(card) for _ in range(2)] == [1, 1] and len(done) == 2


def test_all_is_checked_without_the_records(small: Path, done: list[Job]) -> None:
    assert [main(["--no-cache", str(small)]) for _ in range(2)] == [0, 0] and len(done) == 2
    assert not (small.parent.parent / "kept").exists()


def test_another_program_checks_anew(small: Path, done: list[Job], monkeypatch: pytest.MonkeyPatch) -> None:
    main([str(small)])
    monkeypatch.setattr(clean_jobs, "digest_of_program", lambda: b"another")
    main([str(small)])
    assert len(done) == 2


def test_other_files_of_the_job_count_too(card: Path, done: list[Job]) -> None:
    lint(card.parent)
    (card.parent / "words.yaml").write_text("words: more\nadjectives: [brisk]\n", encoding="utf-8")
    lint(card.parent)
    assert len(done) == 2


def test_a_folder_that_cannot_be_made_is_no_matter(
    small: Path, done: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(private.NAMED_BY, str(small / "within a file"))
    assert [main([str(small)]) for _ in range(2)] == [0, 0] and len(done) == 2


def test_what_cannot_be_read_at_once_is_not_looked_at(
    small: Path, done: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as a pipe, which would be waited for, or a file that is far too large."""
    pipe = small.parent / "pipe.yaml"
    os.mkfifo(pipe)
    assert clean_jobs.key_of(Job(small.parent, [small, pipe], {str(small)}), {}) == ""
    monkeypatch.setattr(clean_jobs, "MAX_BYTES", 3)
    assert [main([str(small)]) for _ in range(2)] == [0, 0] and len(done) == 2


def test_old_records_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clean_jobs, "MOST", 3)
    names = [f"{letter * 64}.clean" for letter in "abcde"]
    for name in names:
        clean_jobs.keep_clean(name, tmp_path)
    assert len(list(tmp_path.iterdir())) == 3 and clean_jobs.is_clean(names[-1], tmp_path)


def test_what_it_did_not_write_stays(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither beside the folder of the records nor in it, whatever it is called, and however much there is."""
    monkeypatch.setattr(clean_jobs, "MOST", 0)
    kept = small.parent.parent / "kept"
    name = "0" * 64 + ".clean"
    strange = [kept / "photo.jpg", kept / name, *(kept / clean_jobs.FOLDER / one for one in ("notes", name, "0" * 64))]
    strange[-1].parent.mkdir(parents=True)
    for file in strange:
        file.write_text("mine", encoding="utf-8")
    link, below = kept / clean_jobs.FOLDER / ("1" * 64 + ".clean"), kept / clean_jobs.FOLDER / ("2" * 64 + ".clean")
    link.symlink_to(small)
    below.mkdir()
    assert main([str(small)]) == 0
    assert all(file.read_text(encoding="utf-8") == "mine" for file in strange)
    assert link.is_symlink() and small.is_file() and below.is_dir()
    assert set(kept.rglob("*")) == {*strange, link, below, kept / clean_jobs.FOLDER}


def test_what_is_no_record_says_nothing(tmp_path: Path) -> None:
    name = "0" * 64 + ".clean"
    (tmp_path / name).write_text("not empty", encoding="utf-8")
    assert not clean_jobs.is_clean(name, tmp_path)


NOTE = "wc-lint: note: no records are kept, because "


@pytest.mark.parametrize("where", ["kept", f"kept/{clean_jobs.FOLDER}", "."])
@pytest.mark.parametrize("mode", [0o770, 0o707], ids=oct)
def test_where_others_can_write_nothing_is_kept(
    small: Path, done: list[Job], capsys: Capture, where: str, mode: int
) -> None:
    """The folder itself, or one above it; that is said once."""
    main([str(small)])
    shared = small.parent.parent / where
    shared.chmod(mode)
    capsys.readouterr()
    assert main([str(small), str(small.parent)]) == 0
    assert len(done) == 2
    assert capsys.readouterr().err == (
        f"{NOTE}others can write to {shared}; set WARCHEST_CACHE to a folder that only you can use, or to nothing\n"
        "no findings\n"
    )


def test_a_folder_above_in_which_each_keeps_his_own_is_fine(small: Path, done: list[Job]) -> None:
    """As `/tmp` is: others can write there, but not touch what is somebody's."""
    small.parent.parent.chmod(0o1777)
    assert [main([str(small)]) for _ in range(2)] == [0, 0] and len(done) == 1
    (small.parent.parent / "kept" / clean_jobs.FOLDER).chmod(0o1777)
    assert main([str(small)]) == 0 and len(done) == 2


def test_the_folder_of_somebody_else_is_not_believed(
    small: Path, done: list[Job], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    main([str(small)])
    kept, user = small.parent.parent / "kept" / clean_jobs.FOLDER, os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: user + 1)
    assert main([str(small)]) == 0 and len(done) == 2
    assert "belongs to somebody else" in private.doubt_of(kept)
    assert NOTE in capsys.readouterr().err


def test_a_link_is_followed_to_where_the_records_are(small: Path, done: list[Job]) -> None:
    """A link of one's own is fine; what it leads to must be, too."""
    real = small.parent.parent / "real"
    real.mkdir(0o700)
    (small.parent.parent / "kept").symlink_to(real)
    assert [main([str(small)]) for _ in range(2)] == [0, 0] and len(done) == 1
    real.chmod(0o777)
    assert main([str(small)]) == 0 and len(done) == 2


def test_what_is_made_is_for_its_owner_alone(small: Path) -> None:
    before = os.umask(0)
    try:
        main([str(small)])
    finally:
        os.umask(before)
    kept = small.parent.parent / "kept"
    assert [path.stat().st_mode & 0o777 for path in (kept, kept / clean_jobs.FOLDER)] == [0o700, 0o700]


def test_where_owners_cannot_be_told_nothing_is_kept(
    small: Path, done: list[Job], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "getuid")
    assert [main([str(small)]) for _ in range(2)] == [0, 0] and len(done) == 2
    assert capsys.readouterr().err == "no findings\n" * 2


def test_by_default_records_are_kept_for_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(private.NAMED_BY)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert clean_jobs.folder() == Path("/somewhere/warchest") / clean_jobs.FOLDER
