"""`warchest new`: its files have no findings, and their rulings pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from warchest.cli.main import main
from warchest.lint.main import main as lint
from warchest.source.data import data_folder

KINDS = sorted(one.name for one in (data_folder("cards") / "war-chest" / "templates").iterdir())
NAMES = ("Halberdier", "Forced March", "Queen's Guard", "Wind-Rider 2")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_there_is_one_for_each_kind_that_people_write() -> None:
    assert {"unit", "decree", "action", "pack", "game"} <= set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_is_sound_and_passes(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    for number, name in enumerate(NAMES if kind == "unit" else NAMES[1:2]):
        folder = Path(f"{kind} {number}")
        assert main(["new", kind, *name.split(), "--in", str(folder)]) == 0
        files = capsys.readouterr().out.splitlines()
        assert all(Path(file).is_file() for file in files) and files
        own = f"./{Path(files[0]).parent}/"
        assert lint(["--isolated", str(folder)]) == 0
        assert lint(["fmt", "--check", str(folder)]) == 0
        where = ["--game", own] if kind == "game" else ["--cards", str(folder), str(folder)]
        assert main(["test", *where]) == 0
        assert "1 passed, 0 failed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["unit", "Knight"], "there are two documents"),
        (["unit", "Attack"], "is spelled like `attack`, a word of the rules"),
        (["unit", "a: [b"], "a name begins with a letter"),
        (["unit", "A" * 61], "a name begins with a letter"),
        (["untt", "Halberdier"], "did you mean `unit`?"),
        (["unit", "Halberdier", "--game", "chess"], "chess"),
        (["unit", "Halberdier", "--game", "./none/"], "is no folder of a game"),
    ],
)
def test_a_name_that_cannot_be_is_refused(
    arguments: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", *arguments]) == 2
    assert told in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_no_file_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "halberdier.yaml").write_text("mine", encoding="utf-8")
    assert main(["new", "unit", "Halberdier"]) == 2
    assert "is there already" in capsys.readouterr().err
    assert (tmp_path / "halberdier.yaml").read_text(encoding="utf-8") == "mine"
