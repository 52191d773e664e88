"""docs/reference/api.md is what the docstrings say, and tells of every public name."""

from __future__ import annotations

import inspect
import re

import pytest
from api_support import INNER, NAMES, PAGE, WIDTH, members, page

from warchest import Game


def test_the_page_is_what_the_docstrings_say() -> None:
    written = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    assert written == page(), "docs/reference/api.md is stale: run `python tests/docs/api_support.py`"


@pytest.mark.parametrize("module", NAMES, ids=lambda module: module.__name__)
def test_every_public_name_is_told_of(module: object) -> None:
    names = NAMES[module]  # type: ignore[index]
    assert sorted(names) == sorted(module.__all__)  # type: ignore[attr-defined]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", INNER)
def test_what_is_left_out_is_there(name: str) -> None:
    assert INNER[name] <= members(name)


def test_every_other_member_is_told_of() -> None:
    section = PAGE.read_text(encoding="utf-8").split("## `warchest.Game`\n")[1].split("\n## ")[0]
    told = re.findall(r"^- \*\*`(\w+)", section, re.MULTILINE)
    public = {name for name, _ in inspect.getmembers(Game) if not name.startswith("_")}
    assert set(told) == public - INNER["Game"] and len(told) == len(set(told))


def test_nothing_goes_without_words() -> None:
    text = page()
    assert not re.search(r"\*\*: *$", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) <= WIDTH
