"""Every example of docs/reference/scripts.md is true."""

from __future__ import annotations

import re

import pytest
from docs_support import ROOT, Example, examples

import warchest
from loaded import shipped
from warchest.diagnostics.codes import TABLE
from warchest.scripts.gaps import WORDS
from warchest.scripts.line_script import ScriptResult, run_script
from warchest.scripts.notation import notation_of
from warchest.source.text import Source

PAGE = examples("reference/scripts.md")
SCRIPTS = [one for one in PAGE if one.kind == "script"]
NOTATION = ROOT / "cards" / "unigames" / "notation.yaml"


def game() -> warchest.Game:
    return shipped("unigames")


def result(example: Example) -> ScriptResult:
    source = Source(example.page, example.text)
    return run_script(game(), source.span(0, len(source.text)))


@pytest.mark.parametrize("example", SCRIPTS, ids=str)
def test_a_script_has_the_stated_result(example: Example) -> None:
    found = result(example).finding
    assert (found.name if found is not None else "") == "".join(example.words), found


def test_the_page_shows_every_finding() -> None:
    shown = {word for one in SCRIPTS for word in one.words}
    assert shown == {row.name for row in TABLE if row.code.startswith("WC5")}


def test_the_ruling_and_the_notation_are_those_that_ship() -> None:
    (ruling,) = [one for one in PAGE if one.kind == "ruling"]
    assert ruling.text in (ROOT / "cards/unigames/abilities/protection.yaml").read_text(encoding="utf-8")
    notations = [one for one in PAGE if one.kind == "notation"]
    written = NOTATION.read_text(encoding="utf-8")
    assert notations and all(line in written for one in notations for line in one.text.splitlines())


def test_every_kind_of_word_has_a_row() -> None:
    page = (ROOT / "docs/reference/scripts.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `is: (\w+)` \|", page, re.MULTILINE) == list(WORDS)


def test_every_word_of_the_notation_is_on_the_page() -> None:
    """The first word of each line that does something, and each that is said of a piece."""
    notation = notation_of(game().library)
    assert notation is not None
    page = "\n".join(one.text for one in PAGE) + (ROOT / "docs/reference/scripts.md").read_text(encoding="utf-8")
    forms = [form for name, group in notation.forms.items() for form in group if name not in ("stock", "pool")]
    words = {form.written.split(" ")[0].split("<")[0].split("=")[0] for form in forms} - {"", "@"}
    assert {word for word in words if word not in page} == set()


def test_lines_are_short() -> None:
    lines = (ROOT / "docs/reference/scripts.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 120 and not line.startswith("|")] == []
