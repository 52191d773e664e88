"""The command `wc-lint fmt`: the files that it writes and those that it leaves alone, and its exit codes."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path

import pytest

from warchest.lint.wc_lint import main

ODD, EVEN = "unit:   A\ncoins: 4\n", "unit: A\ncoins: 4\n"
BAD = {
    "none.yaml": b"unit: [A",
    "bytes.yaml": b"unit: \0",
    "tabs.yaml": b"unit: A\n\tcoins: 4\n",
    "huge.yaml": b"unit: A\n" + b"#" * (1 << 20),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a card that is not laid out, and one that is."""
    cards = tmp_path / "cards"
    cards.mkdir()
    (cards / "odd.yaml").write_text(ODD, encoding="utf-8")
    (cards / "even.yaml").write_text(EVEN, encoding="utf-8")
    monkeypatch.chdir(cards)
    return cards


def test_the_working_folder_is_laid_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "odd.yaml").chmod(0o640)
    assert main(["fmt"]) == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == ("laid out: odd.yaml\n", "1 file laid out; 1 unchanged\n")
    assert (folder / "odd.yaml").read_text(encoding="utf-8") == EVEN
    assert stat.S_IMODE((folder / "odd.yaml").stat().st_mode) == 0o640
    assert sorted(os.listdir(folder)) == ["even.yaml", "odd.yaml"]
    assert main(["fmt", "--check"]) == 0


def test_check_and_diff_write_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "--check", "."]) == 1
    assert capsys.readouterr().out == "would change: odd.yaml\n"
    assert main(["fmt", "--diff", "odd.yaml"]) == 1
    assert capsys.readouterr().out.splitlines()[2:] == ["@@ -1,2 +1,2 @@", "-unit:   A", "+unit: A", " coins: 4"]
    assert (folder / "odd.yaml").read_text(encoding="utf-8") == ODD


@pytest.mark.parametrize("name", BAD)
def test_unreadable_files_are_reported_and_the_others_formatted(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / name).write_bytes(BAD[name])
    assert main(["fmt"]) == 2
    assert f"--> {name}:" in capsys.readouterr().out
    assert (folder / name).read_bytes() == BAD[name]
    assert (folder / "odd.yaml").read_text(encoding="utf-8") == EVEN


def test_files_that_are_no_cards_are_passed_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    position = "game: war-chest\nto_act:  wolf\n"
    others = {"stack.yaml": "services:\n    web:  x\n", "broken.yml": "services: [", "play.yaml": position}
    for name, text in others.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert main(["fmt", ".", "stack.yaml"]) == 0
    assert "3 YAML files are no cards and were passed over" in capsys.readouterr().err
    assert {name: (folder / name).read_text(encoding="utf-8") for name in others} == others


def test_settings_leave_files_out(folder: Path) -> None:
    (folder / "wc-lint.toml").write_text('exclude = ["odd.yaml"]\n', encoding="utf-8")
    assert main(["fmt", "--check"]) == 0
    assert main(["fmt", "--check", "odd.yaml"]) == 1
    (folder / "wc-lint.toml").write_text("exclude = 3\n", encoding="utf-8")
    assert main(["fmt", "--check"]) == 2


def test_links_that_lead_out_are_not_followed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outside = folder.parent / "outside.yaml"
    outside.write_text(ODD, encoding="utf-8")
    (folder / "out.yaml").symlink_to(outside)
    (folder / "in.yaml").symlink_to("odd.yaml")
    (folder / "lost.yaml").symlink_to("nowhere")
    assert main(["fmt"]) == 0
    assert "lost.yaml is a link to no file" in capsys.readouterr().err
    assert outside.read_text(encoding="utf-8") == ODD
    assert (folder / "odd.yaml").read_text(encoding="utf-8") == EVEN
    assert main(["fmt", "out.yaml"]) == 0
    assert (folder / "out.yaml").is_symlink()
    assert outside.read_text(encoding="utf-8") == EVEN


def test_a_file_that_cannot_be_written_stays(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert main(["fmt"]) == 2
    assert "odd.yaml: no space left on device; it stays as it was" in capsys.readouterr().err
    assert (folder / "odd.yaml").read_text(encoding="utf-8") == ODD
    assert sorted(os.listdir(folder)) == ["even.yaml", "odd.yaml"]


def test_nothing_to_read_is_an_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "empty").mkdir()
    assert main(["fmt", "empty"]) == 2
    assert "the folder holds no YAML file" in capsys.readouterr().err
    assert main(["fmt", "missing.yaml"]) == 2
    assert "cannot be read" in capsys.readouterr().out
    assert main(["fmt", "-", "odd.yaml"]) == 2


@pytest.mark.parametrize(
    ("given", "options", "code", "said"),
    [
        (ODD, [], 0, EVEN),
        (EVEN, [], 0, EVEN),
        (ODD.replace("\n", "\r\n"), [], 0, EVEN.replace("\n", "\r\n")),
        ("\ufeff" + ODD, [], 0, EVEN),
        ("unit: [\u202e\n", [], 2, "unit: [\u202e\n"),
        (ODD, ["--check"], 1, ""),
        (EVEN, ["--check"], 0, ""),
        ("services:  x\n", [], 0, "services:  x\n"),
        ("unit: [A\n", [], 2, "unit: [A\n"),
    ],
)
def test_standard_input_goes_to_standard_output(
    given: str,
    options: list[str],
    code: int,
    said: str,
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode()), newline=""))
    assert main(["fmt", "-", *options]) == code
    assert capsysbinary.readouterr().out.decode() == said


def test_kinds_that_a_neighbour_declares_are_known(folder: Path) -> None:
    (folder / "words.yaml").write_text("words: Beasts\ndocuments:\n  beast: {numbers: [height]}\n", encoding="utf-8")
    beast = folder / "beast.yaml"
    beast.write_text("beast:  Ogre\nset: x\nheight: 3\nsource: our own\n", encoding="utf-8")
    assert main(["fmt", "beast.yaml"]) == 0
    assert beast.read_text(encoding="utf-8") == "beast: Ogre\nset: x\nheight: 3\nsource: our own\n"
