"""Texts as designers write them first: they are accepted as they are, or as the advice says, and play as they say."""

from __future__ import annotations

import shutil
from dataclasses import replace
from operator import itemgetter
from pathlib import Path

import pytest

from lint.following import followed
from warchest.cli.main import main
from warchest.lint.wc_lint import findings_in
from warchest.source.text import Source

FIRST = Path(__file__).parent / "first"
TEXTS = sorted(one.name for one in FIRST.iterdir())
ADVISED = Path(__file__).parent / "advised"
"""Texts that are refused, each with advice that leads to the text of its rulings.

They end in `.txt`, so that they are not taken for cards of the project.
"""


@pytest.mark.usefixtures("loads_once")
@pytest.mark.parametrize("name", TEXTS)
def test_a_first_text_plays_as_it_says(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert findings_in([FIRST / name]) == []
    assert main(["test", str(FIRST / name), "--cards", str(FIRST / name)]) == 0
    assert " 0 failed" in capsys.readouterr().out


def all_followed(card: Path) -> str:
    """The text of a card with the advice of each finding followed: the last first, so that earlier places stay."""
    text = card.read_text(encoding="utf-8")
    found = [(one.span.start, one.span.end, one) for one in findings_in([card]) if one.span and one.file == str(card)]
    assert found
    for start, end, one in sorted(found, key=itemgetter(0), reverse=True):
        text, *_ = followed(replace(one, span=Source(str(card), text).span(start, end)))
    return text


@pytest.mark.usefixtures("loads_once")
@pytest.mark.parametrize("name", sorted(one.name for one in ADVISED.iterdir()))
def test_a_first_text_plays_as_it_says_once_its_advice_is_followed(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in (ADVISED / name).iterdir():
        shutil.copy(file, tmp_path / f"{file.stem}.yaml")
    folder, card = tmp_path, tmp_path / f"{name}.yaml"
    card.write_text(all_followed(card), encoding="utf-8")
    assert findings_in([folder]) == []
    assert main(["test", str(folder), "--cards", str(folder)]) == 0
    assert " 0 failed" in capsys.readouterr().out


@pytest.mark.usefixtures("loads_once")
@pytest.mark.parametrize(
    "rule",
    [
        "when four friendly units are in a row, you win.",
        "when three of your units are in a row, you win.",
        "when 3 units of one player form a line, that player draws a coin, then put that coin into your hand.",
        "when two units of the same team stand in a straight line, that team wins.",
        "when each unit adjacent to a unit is enemy, that unit loses a coin.",
        "when all units adjacent to a unit are enemy units, that unit loses a coin.",
        "when no space adjacent to a unit is empty, that unit loses a coin.",
    ],
)
def test_the_advice_on_several_things_at_once_is_accepted(rule: str, tmp_path: Path) -> None:
    card = tmp_path / "card.yaml"
    card.write_text(f"action: Siege\nrules: |\n  {rule}\n", encoding="utf-8")
    card.write_text(all_followed(card), encoding="utf-8")
    assert [one.message for one in findings_in([card])] == []
