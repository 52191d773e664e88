"""The work for a text grows with its length, and no faster."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

import pytest

from warchest.lint.jobs import jobs
from warchest.lint.run import lint

ALIKE = "  after this attacks, it may move.\n"
"""Each sentence but the first says the same again, which is a finding."""
FAR = "  after this attacks, if an enemy unit is within 2 spaces, it may move to a space within 3 spaces.\n"
ORDERS = "  after this attacks, move to an adjacent space.\n"
"""Orders that could each set off another one."""


def calls(sentence: str, number: int, folder: Path) -> int:
    """The number of function calls for linting a text of `count` sentences."""
    file = folder / f"long-{number}.yaml"
    file.write_text("unit: Long\ncoins: 4\nattribute: |\n" + number * sentence, encoding="utf-8")
    (job,) = jobs([file], "war-chest", [])
    count = 0

    def called(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(called)
    try:
        lint(job)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("sentence", [ALIKE, FAR, ORDERS])
def test_twice_as_many_sentences_take_twice_the_work(sentence: str, tmp_path: Path) -> None:
    _, one, few, many = (calls(sentence, number, tmp_path) for number in (1, 1, 150, 300))  # the first reads the game
    assert many - one < 2.4 * (few - one)
