"""Texts as designers write them first: they are accepted as they are, and play as their rulings say."""

from __future__ import annotations

from pathlib import Path

import pytest

from warchest.cli.main import main
from warchest.lint.main import findings_in

FIRST = Path(__file__).parent / "first"
TEXTS = sorted(one.name for one in FIRST.iterdir())


@pytest.mark.usefixtures("loads_once")
@pytest.mark.parametrize("name", TEXTS)
def test_a_first_text_plays_as_it_says(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert findings_in([FIRST / name]) == []
    assert main(["test", str(FIRST / name), "--cards", str(FIRST / name)]) == 0
    assert " 0 failed" in capsys.readouterr().out
