"""The tables of docs/reference/language.md §16: every form of the grammar once, and when it is judged."""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

import pytest
from docs_support import DOCS
from syntax_support import GAMES, fresh_parser, vocabulary, war_chest

from warchest.source.text import Source
from warchest.syntax.automaton import Automaton, Unexpected
from warchest.syntax.lexer import SentenceInput, scan
from warchest.syntax.parse import _Parser

PAGE = (DOCS / "reference" / "language.md").read_text(encoding="utf-8")
LEGEND, *TABLES = PAGE.split("\n## 16. ")[1].split("\n### ")
_ROW = re.compile(r"^\| (.+?) \| `([^`]+\.)` \| (.+?) \| (\d+(?:, \d+)*) \|$", re.MULTILINE)

Forms: TypeAlias = frozenset[tuple[str, str]]
"""Rules of the grammar, each with the name of one of its alternatives."""


class Row(NamedTuple):
    """A form: its words, an example, when it is judged, and the sections about it."""

    form: str
    example: str
    judged: str
    sections: str


def rows(table: str) -> list[Row]:
    return [Row(*found) for found in _ROW.findall(table)]


ROWS = [row for table in TABLES for row in rows(table)]


def read(parser: _Parser, sentence: str) -> None:
    """Parse a sentence in the words of the first game that has them; raises Unexpected if none has."""
    source, raw = Source("example", sentence), list(scan(sentence, 0, len(sentence)))
    failed: Unexpected | None = None
    for words in (war_chest(), *map(vocabulary, GAMES)):
        try:
            parser.parse(SentenceInput(source.span(0, len(sentence)), raw, words))
            return
        except Unexpected as error:
            failed = failed or error
    assert failed is None, sentence


def all_forms(parser: _Parser) -> Forms:
    """The forms of the grammar, without the rules that only pass something on or repeat it."""
    found = [one for one in parser.table.productions if not one.is_passed_on and not one.origin.startswith("_")]
    return frozenset((one.origin, one.name) for one in found)


@pytest.fixture(scope="module")
def parser() -> _Parser:
    return fresh_parser()


@pytest.fixture(scope="module")
def shown(parser: _Parser) -> dict[Row, Forms]:
    """The forms in the example of each row."""
    used = set[int]()
    reduce, productions, found = Automaton._reduce, parser.table.productions, dict[Row, Forms]()

    def noting(automaton: Automaton, number: int) -> None:
        used.add(number)
        reduce(automaton, number)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Automaton, "_reduce", noting)
        for row in ROWS:
            used.clear()
            for sentence in re.findall(r"\S[^.]*\.", row.example):
                read(parser, sentence)
            found[row] = frozenset((productions[one].origin, productions[one].name) for one in used)
    return found


def test_every_form_of_the_grammar_is_in_the_tables(parser: _Parser, shown: dict[Row, Forms]) -> None:
    assert all_forms(parser).difference(*shown.values()) == set()


def test_a_missing_form_would_be_found(parser: _Parser, shown: dict[Row, Forms]) -> None:
    others = [forms for row, forms in shown.items() if "must" not in row.form]
    assert all_forms(parser).difference(*others) == {("plain", "must")}


def test_every_function_word_is_on_the_page(parser: _Parser) -> None:
    plain = " ".join(re.sub(r"[^\w'’+ \n-]", " ", PAGE.lower()).split())
    phrases = [" ".join(words) for found in parser.lexer.phrases.values() for words, _ in found]
    spoken = [phrase for phrase in phrases if re.fullmatch(r"[a-z]+(?: [a-z]+)*", phrase)]
    assert len(spoken) > 100
    assert [phrase for phrase in spoken if f" {phrase} " not in f" {plain} "] == []


def test_each_form_is_there_once() -> None:
    for table in TABLES:
        forms = [row.form for row in rows(table)]
        assert forms and len(forms) == len(set(forms))
    examples = [row.example for row in ROWS]
    assert [one for one in examples if examples.count(one) > 1] == []


def test_every_line_of_the_tables_is_read() -> None:
    assert len(ROWS) == sum(line.startswith("| ") for table in TABLES for line in table.splitlines()) - len(TABLES)


def test_each_form_says_when_it_is_judged() -> None:
    """By a word of the legend, as a row before it, or in plain words that name a time."""
    legend = set(re.findall(r"^\| \*(\w+)\* \|", LEGEND, re.MULTILINE))
    assert len(legend) == 6
    for row in ROWS:
        assert set(re.findall(r"\*(\w+)\*", row.judged)) <= legend, row
        assert re.search(r"\*\w+\*|\b(?:the same|as|with|when|whenever|after|before|once)\b", row.judged), row


def test_each_form_names_the_sections_about_it() -> None:
    titles = set(re.findall(r"^## (\d+)\. ", PAGE, re.MULTILINE)) - {"16"}
    assert {section for row in ROWS for section in row.sections.split(", ")} <= titles
