"""Links among cards: those that lead to no file are passed over with a note, and no file is read twice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import warchest
from warchest.cli.main import main as command
from warchest.game.errors import CardError
from warchest.lint.wc_lint import main as lint
from warchest.source.folders import files_in, looked_through

CARD = "unit: Otter\ncoins: 4\nsource: our own\ntactic: |\n  {}.\n"
NOWHERE = {
    "to itself": "bad.yaml",
    "in a circle": "other.yaml",
    "through a file": "a.yaml/b.yaml",
    "to nothing": "none.yaml",
    "to too long a name": "n" * 300,
    "to too long a path": "n/" * 2040 + "a",
}


@pytest.fixture(params=NOWHERE)
def bad(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a link beside a card that leads to no file."""
    cards = tmp_path / "cards"
    cards.mkdir()
    (cards / "a.yaml").write_text(CARD.format("movv"), encoding="utf-8")
    (cards / "other.yaml").symlink_to("bad.yaml" if request.param == "in a circle" else "a.yaml")
    (cards / "bad.yaml").symlink_to(NOWHERE[request.param])
    return cards / "bad.yaml"


def test_a_link_to_no_file_is_passed_over_and_noted(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert lint(["--format", "concise", str(bad.parent)]) == 1
    told = capsys.readouterr()
    assert [line.split(": ")[0] for line in told.out.splitlines()] == [f"{bad.parent}/a.yaml:5:3"]
    assert str(bad) in told.err and "to no file" in told.err
    assert lint(["--format", "concise", f"{bad.parent}/a.yaml"]) == 1, "the sound file is checked by itself, too"
    assert "to no file" not in capsys.readouterr().err


def test_a_link_to_no_file_is_no_error(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (bad.parent / "a.yaml").write_text(CARD.format("move"), encoding="utf-8")
    assert lint([str(bad.parent)]) == 0, capsys.readouterr().out
    assert command(["show", "Otter", "--cards", str(bad.parent)]) == 0
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2 and all(str(bad) in line for line in told)
    assert any(one.name == "Otter" for one in warchest.load("war-chest", extra=[bad.parent]).library.documents)


def test_a_link_to_no_file_that_is_named_is_a_card_error(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CardError, match="cannot be read"):
        warchest.load("war-chest", extra=[bad])
    with pytest.raises(CardError):
        warchest.load(bad)
    for words in (
        ["moves", "--cards", str(bad), str(bad)],
        ["show", "Scout", "--cards", str(bad)],
        ["test", str(bad)],
        ["show", str(bad)],
        ["diff", str(bad), "Scout"],
        ["moves", "--game", str(bad), str(bad)],
    ):
        assert command(words) == 2
        assert "fault of the program" not in capsys.readouterr().err
    assert lint([str(bad)]) == 2
    assert "cannot be read" in capsys.readouterr().out


@pytest.mark.parametrize("path", ["n" * 300, "n/" * 3000, "a\0b", "here/none.yaml", "."])
def test_an_impossible_path_is_a_card_error(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CardError):
        warchest.load("war-chest", extra=[path])
    with pytest.raises(CardError):
        warchest.load(Path(path))


def test_many_links_to_no_file_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text(CARD.format("move"), encoding="utf-8")
    for number in range(5):
        (tmp_path / f"{number}.yaml").symlink_to("none")
    assert lint([str(tmp_path)]) == 0
    assert "5 links to no file were passed over" in capsys.readouterr().err


def test_links_to_other_things_are_passed_over_as_ever(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "out.yaml").touch()
    (tmp_path / "cards" / "out.yaml").symlink_to("../out.yaml")
    (tmp_path / "cards" / "folder.yaml").symlink_to(".")
    os.mkfifo(tmp_path / "cards" / "pipe")
    (tmp_path / "cards" / "pipe.yaml").symlink_to("pipe")
    found = looked_through(tmp_path / "cards")
    assert not found.files and not found.lost


# ---- one file by two names


def test_a_link_to_a_file_of_the_folder_is_no_second_file(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("b/a.yaml", ".hidden"):
        (tmp_path / name).touch()
    for name, place in {"a.yaml": "b/a.yaml", "b/c.yaml": "../a.yaml", "x.yaml": ".hidden", "y.yml": "x.yaml"}.items():
        (tmp_path / name).symlink_to(place)
    assert [str(file.relative_to(tmp_path)) for file in files_in(tmp_path)] == ["b/a.yaml", "x.yaml"]
    (tmp_path / "way").symlink_to(".")
    assert len(files_in(tmp_path / "way")) == 2


@pytest.mark.parametrize(
    "asked",
    [
        ["."],
        ["link.yaml"],
        ["otter.yaml"],
        ["link.yaml", "otter.yaml"],
        [".", "link.yaml"],
        ["farther.yaml"],
        ["farther.yaml", "link.yaml"],
    ],
)
def test_a_link_to_a_card_is_no_second_document(
    asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cards").mkdir()
    monkeypatch.chdir(tmp_path / "cards")
    # Another card that it names makes the linter read the neighbours.
    Path("otter.yaml").write_text(CARD.format("choose a Stoat, then it moves"), encoding="utf-8")
    Path("stoat.yaml").write_text(CARD.format("move").replace("Otter", "Stoat"), encoding="utf-8")
    Path("link.yaml").symlink_to("otter.yaml")
    Path("farther.yaml").symlink_to("link.yaml")
    assert lint(asked) == 0, capsys.readouterr().out
    game = warchest.load("war-chest", extra=[Path(one) for one in (*asked, "stoat.yaml")])
    assert sum(one.name == "Otter" for one in game.library.documents) == 1


def test_a_link_in_the_folder_of_a_game_can_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.yaml").write_text("game: ours\nbegins from: war-chest\nsets: [base]\n", encoding="utf-8")
    (tmp_path / "otter.yaml").write_text(CARD.format("move"), encoding="utf-8")
    (tmp_path / "link.yaml").symlink_to("otter.yaml")
    for asked in ("", "link.yaml", "otter.yaml"):
        lint([str(tmp_path / asked)])
        assert "duplicate-name" not in capsys.readouterr().out
