"""Texts as designers write them first: they are accepted as they are, or as the advice says, and play as they say."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lint.following import followed
from warchest.cli.main import main
from warchest.lint.main import findings_in

FIRST = Path(__file__).parent / "first"
TEXTS = sorted(one.name for one in FIRST.iterdir())
ADVISED = Path(__file__).parent / "advised"
"""Texts that are refused with one finding, whose advice makes of them what their rulings are about.

They end in `.txt`, so that nobody takes them for cards of the project.
"""


@pytest.mark.usefixtures("loads_once")
@pytest.mark.parametrize("name", TEXTS)
def test_a_first_text_plays_as_it_says(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert findings_in([FIRST / name]) == []
    assert main(["test", str(FIRST / name), "--cards", str(FIRST / name)]) == 0
    assert " 0 failed" in capsys.readouterr().out


@pytest.mark.usefixtures("loads_once")
@pytest.mark.parametrize("name", sorted(one.name for one in ADVISED.iterdir()))
def test_a_first_text_plays_as_it_says_once_its_advice_is_followed(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in (ADVISED / name).iterdir():
        shutil.copy(file, tmp_path / f"{file.stem}.yaml")
    folder, card = tmp_path, tmp_path / f"{name}.yaml"
    (found,) = [one for one in findings_in([card]) if one.file == str(card)]
    (advised,) = followed(found)
    card.write_text(advised, encoding="utf-8")
    assert findings_in([folder]) == []
    assert main(["test", str(folder), "--cards", str(folder)]) == 0
    assert " 0 failed" in capsys.readouterr().out
