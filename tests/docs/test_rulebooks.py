"""docs/explanation/rulebooks has a row for each paragraph of the rulebooks, and each reference leads somewhere."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from rulebooks_support import astray, joined, listed, paragraphs, rows, texts_in

PAGE = joined()
TEXTS = os.environ.get("WARCHEST_RULEBOOKS")


def test_every_paragraph_has_its_row_and_every_reference_leads_somewhere() -> None:
    assert astray(PAGE, listed()) == []


def test_the_list_is_that_of_the_texts() -> None:
    if not TEXTS:
        pytest.skip("the rulebooks do not ship: WARCHEST_RULEBOOKS=FOLDER names where they are")
    # If this fails, run `python tests/docs/rulebooks_support.py FOLDER`, and check the rows that changed.
    assert texts_in(Path(TEXTS)) == listed()


def test_no_text_is_cut_short() -> None:
    sizes = {"000": 225, "001": 97, "002": 98, "003": 85, "004": 121}
    assert Counter(one.text for one in listed()) == sizes
    assert [row.text for row in rows(PAGE) if row.first == 1] == list(sizes)


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("\n| 64 | Choose a coin", "\n| 63 | Choose a coin", "not in order"),
        ("\n| 64 | Choose a coin", "\n| 64 | You cannot deploy", "begins with Choose a coin"),
        ("`actions/bolster: rules`", "`actions/bolsters: rules`", "nothing at `actions/bolsters"),
        ("`actions/bolster: rules`", "`actions/bolster: text`", "nothing at `actions/bolster: text`"),
        ('"normally, a unit controls its space"', '"normally, a unit controls a space"', "nothing at `actions/control"),
        ('"The whole stack moves"', '"The whole stack move"', "nothing at `rulings/move"),
        ("`questions/deadlock`", "`questions/headlock`", "nothing at `questions/headlock`"),
        (
            '`docs/reference/commands/play.md: "--as PLAYER"`',
            '`docs/reference/commands/play.md: "--ass"`',
            "nothing at `docs/reference/commands",
        ),
        ("`actions/bolster: rules`", "`see the cards!`", "not a place"),
        ("*story*: the rules follow", "", "neither a place nor a reason"),
        ("*contents* |\n", "*content* |\n", "no reason called content"),
        ("as 000.63 |", "as 000.663 |", "not said by as 000.663"),
        ("as 000.63 |", "as 000.211 |", "not said by as 000.211"),
        ("verbatim 004.68 |", "verbatim 004.66 |", "not said by verbatim 004.66"),
    ],
)
def test_a_wrong_row_is_found(right: str, wrong: str, said: str) -> None:
    assert right in PAGE, "the page has these words no more: take others"
    assert [line for line in astray(PAGE.replace(right, wrong, 1), listed()) if said in line]


def test_a_row_that_is_missing_or_twice_is_found() -> None:
    lines = PAGE.splitlines()
    (place,) = [number for number, line in enumerate(lines) if line.startswith("| 64 | Choose a coin")]
    for page in (lines[:place] + lines[place + 1 :], lines[: place + 1] + lines[place:]):
        assert "rows and paragraphs differ" in astray("\n".join(page), listed())[0]


def test_a_text_is_split_into_paragraphs() -> None:
    text = "# Head\nBody of\ntwo lines.\n \n***\n- one\n- two\n  goes on\n1. three\n\nlast <b>words</b>\n"
    found = paragraphs("000", text)
    openings = ["Head", "Body of two", "one", "two goes on", "1 three", "last words"]
    assert [(one.number, one.opening) for one in found] == list(enumerate(openings, 1))
    assert paragraphs("000", "It isn’t so.")[0].digest == paragraphs("001", "It  ISNT\nso")[0].digest
