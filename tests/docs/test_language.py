"""Every example of docs/reference/language.md is true."""

from __future__ import annotations

from pathlib import Path

import pytest
from docs_support import DOCS, Example, card_around, examples, findings

import warchest
from warchest.diagnostics.codes import BY_NAME
from warchest.rulings.cases import read_cases
from warchest.rulings.runner import run_case

PAGE = examples("reference/language.md")


def of_kind(kind: str) -> list[Example]:
    return [one for one in PAGE if one.kind == kind]


@pytest.mark.parametrize("example", of_kind("card"), ids=str)
def test_cards_have_no_findings(example: Example) -> None:
    assert [(found.name, found.message) for found in findings(example.text)] == []


def _read_as(example: Example) -> tuple[str, str, str]:
    """Whether a text is steps or rules, the text, and its carrier."""
    meaning, *of = example.words
    return meaning, example.text, of[0] if of else "card"


@pytest.mark.parametrize("example", of_kind("sentence"), ids=str)
def test_sentences_are_understood(example: Example) -> None:
    found = findings(card_around(*_read_as(example)), [card_around(*_read_as(one)) for one in of_kind("sentence")])
    assert [(one.name, one.message, one.span.line if one.span else 0) for one in found] == []


@pytest.mark.parametrize("example", of_kind("wrong"), ids=str)
def test_wrong_examples_are_found(example: Example) -> None:
    name, meaning = example.words
    assert name in BY_NAME
    others = [card_around(one.words[1], one.text) for one in of_kind("wrong")]
    assert [one.name for one in findings(card_around(meaning, example.text), others)] == [name]


def test_the_rulings_of_the_cards_hold(tmp_path: Path) -> None:
    cards = [one for one in of_kind("card") if "rulings:" in one.text]
    assert cards
    for number, card in enumerate(cards):
        (tmp_path / f"{number}.yaml").write_text(card.text, encoding="utf-8")
    game = warchest.load("war-chest", [tmp_path])
    cases, _, errors = read_cases([tmp_path])
    assert not errors and len(cases) >= 2
    assert [result.message for result in (run_case(game, case) for case in cases) if result.outcome != "passed"] == []


def test_no_block_is_left_out() -> None:
    assert {one.kind for one in PAGE} == {"card", "sentence", "wrong"}
    assert len(PAGE) >= 20
    assert (DOCS / "reference" / "language.md").read_text(encoding="utf-8").count("```") == 2 * len(PAGE)


def test_a_false_example_would_be_found() -> None:
    assert findings(card_around("steps", "fly.\n")) != []
    assert findings(card_around("rules", "this moves only while it is high.\n")) != []
