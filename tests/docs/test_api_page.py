"""The pages about the Python API agree with the docstrings, and describe every public name."""

from __future__ import annotations

import inspect
import re

import pytest
from api_support import FOLDER, INNER, NAMES, WIDTH, members, pages

from warchest import Game


def test_the_page_agrees_with_the_docstrings() -> None:
    for path, text in pages().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is stale: run `python tests/docs/api_support.py`"


@pytest.mark.parametrize("module", NAMES, ids=lambda module: module.__name__)
def test_every_public_name_is_described(module: object) -> None:
    names = NAMES[module]  # type: ignore[index]
    assert sorted(names) == sorted(module.__all__)  # type: ignore[attr-defined]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", INNER)
def test_omitted_members_exist(name: str) -> None:
    assert INNER[name] <= members(name)


def test_every_other_member_is_described() -> None:
    section = (FOLDER / "api.md").read_text(encoding="utf-8").split("## `warchest.Game`\n")[1].split("\n## ")[0]
    told = re.findall(r"^- \*\*`(\w+)", section, re.MULTILINE)
    public = {name for name, _ in inspect.getmembers(Game) if not name.startswith("_")}
    assert set(told) == public - INNER["Game"] and len(told) == len(set(told))


def test_every_member_has_a_description() -> None:
    for text in pages().values():
        assert not re.search(r"\*\*: *$", text, re.MULTILINE)
        assert max(map(len, text.splitlines())) <= WIDTH
