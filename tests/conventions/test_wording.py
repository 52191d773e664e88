"""Turns of phrase that make a text hard to read only become fewer, in each kind of text that people read."""

from __future__ import annotations

from pathlib import Path

import pytest
import wording
from wording import Hit, Text, counts, hits, hits_in

Counts = dict[str, dict[str, int]]
SLACK = 5
"""How many hits fewer than the record there may be."""


def above(found: Counts, most: Counts) -> list[str]:
    """The counts above the record."""
    return [
        f"{kind}: {turn} {count} > {most[kind].get(turn, 0)}"
        for kind, row in found.items()
        for turn, count in row.items()
        if count > most[kind].get(turn, 0)
    ]


def below(found: Counts, most: Counts) -> list[str]:
    """The counts so far below the record that it has to be lowered."""
    return [
        f"{kind}: {turn} {count} < {most[kind][turn]}"
        for kind, row in found.items()
        for turn, count in row.items()
        if count < most[kind].get(turn, 0) - SLACK
    ]


def test_no_count_rises() -> None:
    """`python tests/conventions/wording.py FILE` shows the hits in a file; say the sentence in plainer words."""
    assert above(counts(hits()), wording.most()) == []


def test_no_record_is_looser_than_its_count() -> None:
    """`python tests/conventions/wording.py --lower` lowers the record."""
    assert below(counts(hits()), wording.most()) == []


@pytest.mark.quick
def test_both_are_found() -> None:
    assert above({"docs": {"what": 3}}, {"docs": {"what": 2}}) == ["docs: what 3 > 2"]
    assert below({"docs": {"what": 3}}, {"docs": {"what": 9}}) == ["docs: what 3 < 9"]
    assert not above({"docs": {"what": 2}}, {"docs": {"what": 2}})
    assert not below({"docs": {"what": 3}}, {"docs": {"what": 8}})


def turns_of(*lines: str) -> set[str]:
    return {hit.turn for hit in hits_in(Text("docs", Path("page"), list(enumerate(lines, 1))))}


@pytest.mark.quick
@pytest.mark.parametrize(
    ("turn", "text"),
    [
        ("what", "The list of what has come"),
        ("what", "What stops here is gone."),
        ("whoever", "Who raises a lower end changes the file."),
        ("of which", "the numbers by which compiled code is called"),
        ("stand", "The name stands in front."),
        ("lie", "where the files lie"),
        ("nobody", "None where nobody knows"),
        ("nobody", "something that is needed"),
        ("those which", "those which are left"),
        ("look at", "positions that were looked at"),
        ("tell of", "It is told by its kind and its seed."),
        ("come to", "every step that can be come to"),
        ("behind", "the scope behind it"),
        ("else", "Else only names have them."),
        ("so many", "once in so many times"),
        ("anew", "choose them anew"),
        ("is so", "if this is so, stop"),
        ("be done", "work that can be done elsewhere"),
        ("that there is", "the fault of a place that there is not"),
    ],
)
def test_a_planted_turn_is_found(turn: str, text: str) -> None:
    assert turn in turns_of(text)


@pytest.mark.quick
@pytest.mark.parametrize(
    "text",
    [
        "It prints what has changed. What else is there? Positions in which two readings differ.",
        "An understanding of the standard look-ahead; a tool, which is fast, is so far the best.",
        "There is nothing left to do, or else it stops: `what stands behind it` is code.",
        "No matter what happens, those that fail are repeated as many times as needed.",
    ],
)
def test_plain_sentences_are_no_hits(text: str) -> None:
    assert turns_of(text) == set()


@pytest.mark.quick
def test_a_turn_is_found_across_lines_and_has_the_line_of_its_end() -> None:
    (found,) = hits_in(Text("docs", Path("page"), [(7, "the rules of"), (8, "which it knows")]))
    assert found == Hit("docs", "of which", Path("page"), 8, "the rules of which it knows")


@pytest.mark.quick
def test_texts_of_modules_tests_c_and_pages_are_found() -> None:
    module = '"""What is."""\nX = 1  # behind it\n"""Its place."""\ny = f"it {X} stands in the way"\nz = "a stand"\n'
    kinds = [(hit.kind, hit.turn, hit.line) for text in wording.of_module(Path("m"), module) for hit in hits_in(text)]
    assert kinds == [("docstrings", "what", 1), ("messages", "stand", 4), ("comments", "behind", 2)]
    test = "def test_what_is_there() -> None:\n    # so many\n    # of them\n    pass\n"
    kinds = [(hit.kind, hit.turn, hit.line) for text in wording.of_test(Path("t"), test) for hit in hits_in(text)]
    assert kinds == [("names of tests", "what", 1), ("texts of tests", "so many", 2)]
    code = 'X = """a\n""", 1\n\ntold = [one for one in so_many]\nstands(told in one)\n\n"""It stands."""\n'
    assert [hit.line for text in wording.of_test(Path("t"), code) for hit in hits_in(text)] == [7]
    (text,) = wording.of_c(Path("c"), "int a;\n/* It\n   stands. */")
    assert [hit.line for hit in hits_in(text)] == [3]
    page = "# Title\n\nIt\nstands.\n```sh\nwhat stands\n```\n| behind it | `behind` |\n"
    found = [(hit.turn, hit.line) for text in wording.of_page(Path("p"), page) for hit in hits_in(text)]
    assert found == [("stand", 4), ("behind", 8)]
