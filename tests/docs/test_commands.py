"""The reference of commands: tables as the parsers have them, and every command once, with an example."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands_support import FOLDER, INDEX, pages, parsers, rows, shared, written

from warchest.cli.commands import COMMANDS, GROUPS

MOST_WORDS = 3000


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_the_tables_are_those_of_the_parsers(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text == written(text), f"{page.name} is stale: run `make reference`"


def test_a_stale_table_is_found() -> None:
    text = INDEX.read_text(encoding="utf-8")
    assert "the army of a player" in text
    assert written(text.replace("the army of a player", "an army")) == text


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_each_group_has_a_page_with_its_commands_in_order(group: object) -> None:
    text = (FOLDER / f"{group.name}.md").read_text(encoding="utf-8")  # type: ignore[attr-defined]
    named = [f"warchest {name}" for name in group.commands]  # type: ignore[attr-defined]
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == named
    assert re.findall(r"^<!-- options: (.+) -->$", text, re.MULTILINE) == named


def test_every_command_is_described_once() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages())
    assert sorted(re.findall(r"^<!-- options: (.+) -->$", text, re.MULTILINE)) == sorted(parsers())
    assert text.count("<!-- commands -->") == text.count("<!-- shared -->") == 1


def test_every_option_is_described_where_its_command_or_its_group_is() -> None:
    for words, parser in parsers().items():
        for title, row in rows(parser):
            of_group = shared().get(title, {}).get(row)
            assert of_group is None or words.removeprefix("warchest ") in of_group
    assert all(shared().values())


def test_every_command_has_an_example() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages())
    shown = " ".join(re.findall(r"^\$ (.+)$", text, re.MULTILINE))
    assert [name for name in COMMANDS if f"warchest {name}" not in shown] == []


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_pages_are_short(page: Path) -> None:
    assert len(page.read_text(encoding="utf-8").split()) <= MOST_WORDS
