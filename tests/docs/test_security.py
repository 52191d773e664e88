"""What SECURITY.md says is so."""

from __future__ import annotations

import re

import pytest
from docs_support import ROOT

from warchest.machine.run import BUDGET
from warchest.replay import file as replays
from warchest.source import read, yaml
from warchest.syntax import parse

PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
BOUNDS = {
    "a file of cards, a position, a script": f"{read.MAX_BYTES >> 20} MiB",
    "a replay": f"{replays.MAX_BYTES >> 20} MiB",
    "lists and mappings in one another": f"{yaml.MAX_DEPTH}",
    "words and signs in a sentence": f"{parse.MAX_TOKENS}",
    "digits of a number in a sentence": f"{parse.MAX_DIGITS}",
    "operations until the next decision": f"{BUDGET:,}",
}


def test_bounds_are_those_of_the_program() -> None:
    rows = dict(re.findall(r"^\| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE))
    del rows["What"]
    assert rows == BOUNDS


@pytest.mark.parametrize("name", re.findall(r"`(tests/[\w/.]+)`", PAGE))
def test_tests_that_are_named_are_there(name: str) -> None:
    assert (ROOT / name).is_file()
