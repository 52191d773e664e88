"""New tokens in a number that is given by a letter: `put X new credits of K into your purse`."""

from __future__ import annotations

from pathlib import Path

import pytest

from linted import lint_on

ABILITY = "ability: Glean\nsource: a test\nparameters: [X, {K: class}]\nrules: |\n  after this rests, %s.\n"


def found(folder: Path, step: str) -> list[tuple[str, str]]:
    return [(one.message, one.help) for one in lint_on("unigames", folder, ABILITY % step)]


def test_a_letter_says_how_many_new_tokens_come(tmp_path: Path) -> None:
    assert found(tmp_path, "put X new credits of K into your purse") == []


WRONG = [
    ("put X spent credits of K into your purse", "a letter counts only new things", "say a number"),
    ("choose X friendly figures", "a letter counts only new things", "say a number"),
    ("put K new credits of K into your purse", "`K` is a type, not a number", ""),
    ("put X new credits into your purse", "new things are of some type", "say `of …`"),
    ("take X new credits of K", "new things come into a zone", ""),
]


@pytest.mark.parametrize(("step", "message", "help"), WRONG, ids=[step for step, _, _ in WRONG])
def test_other_uses_of_a_letter_that_counts_get_advice(tmp_path: Path, step: str, message: str, help: str) -> None:
    said = found(tmp_path, step)
    assert any(message in one[0] and help in one[1] for one in said), said
