"""The table of codes, suggestions, and the renderers."""

from __future__ import annotations

import json
import re

import pytest

from warchest.diagnostics import render
from warchest.diagnostics.codes import TABLE, report
from warchest.diagnostics.diagnostic import Diagnostic, Label, quoted
from warchest.diagnostics.snippet import width
from warchest.diagnostics.suggest import damerau, did_you_mean
from warchest.diagnostics.visible import first_hidden, json_text, painted, visible, visible_lines, visible_painted
from warchest.source.text import Source


def _finding(text: str, part: str, *labels: Label, help: str = "") -> Diagnostic:
    source = Source("a.yaml", text)
    start = text.index(part)
    return report("unknown-key", "a message", source.span(start, start + len(part)), help=help, labels=labels)


def test_codes_and_names_are_unique_and_well_formed() -> None:
    assert len({row.code for row in TABLE}) == len({row.name for row in TABLE}) == len(TABLE)
    for row in TABLE:
        assert re.fullmatch(r"WC[0-9]{3}", row.code) and re.fullmatch(r"[a-z]+(-[a-z]+)*", row.name)
        assert row.summary and not row.summary.endswith(".")


def test_an_unknown_name_is_a_bug() -> None:
    with pytest.raises(KeyError):
        report("no-such-finding", "x", None)


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        ("nmae", "name"),
        ("Name", "name"),
        ("nam", "name"),
        ("colours", "color"),
        ("zzz", ""),
        ("", ""),
        ("x" * 9999, ""),
        ("to", ""),
    ],
)
def test_suggestions(word: str, answer: str) -> None:
    assert did_you_mean(word, ["name", "color", "size", "at"]) == (f"did you mean `{answer}`?" if answer else "")


def test_swapped_neighbours_count_once() -> None:
    assert [damerau("abcd", other) for other in ("abdc", "abc", "xbcd", "abcdef", "wxyz")] == [1, 1, 1, 2, 3]


def test_text_shows_labels_help_and_the_gap_between() -> None:
    text = "name: x\nb: 1\nc: 1\n  name: y\n"
    first = Label(Source("a.yaml", text).span(0, 4), "first given here")
    assert render.text([_finding(text, "name: y", first, help="remove it")]) == (
        "error[WC102] unknown-key: a message\n"
        " --> a.yaml:4:3\n"
        "  |\n"
        "1 | name: x\n"
        "  | ---- first given here\n"
        " ...\n"
        "4 |   name: y\n"
        "  |   ^^^^^^^\n"
        "  = help: remove it\n"
    )


def test_a_label_in_another_file_has_its_own_place() -> None:
    other = Label(Source("0.yaml", "x: 1").span(0, 1), "declared here")
    assert render.text([_finding("bad: 1", "bad", other)]) == (
        "error[WC102] unknown-key: a message\n"
        " --> a.yaml:1:1\n"
        "  |\n"
        "1 | bad: 1\n"
        "  | ^^^\n"
        " ::: 0.yaml:1:1\n"
        "  |\n"
        "1 | x: 1\n"
        "  | - declared here\n"
    )


@pytest.mark.parametrize(
    ("text", "part", "shown", "marks"),
    [
        ("a: 漢字 x", "x", "a: 漢字 x", "        ^"),
        ("a: 漢字 x", "漢字", "a: 漢字 x", "   ^^^^"),
        ("a: e\u0301 x", "x", "a: e\u0301 x", "     ^"),
        ("a:\tx", "x", "a:  x", "    ^"),
        ("a: 😀 x", "x", "a: 😀 x", "      ^"),
        ("a: \x1b[31m", "[31m", "a: \ufffd[31m", "    ^^^^"),
        ("a: [1,\n  2]", "[1,\n  2]", "a: [1,", "   ^^^"),
        ("x" * 300 + "BAD" + "y" * 300, "BAD", f"…{'x' * 60}BAD{'y' * 97}…", " " * 61 + "^^^"),
    ],
)
def test_carets_are_under_the_marked_text(text: str, part: str, shown: str, marks: str) -> None:
    lines = render.text([_finding(text, part)]).splitlines()
    assert lines[3:] == [f"1 | {shown}", f"  | {marks}"]


def test_widths() -> None:
    assert [width(character) for character in "a漢\u0301\u200d😀"] == [1, 2, 0, 0, 2]


def test_findings_are_sorted_by_file_and_place() -> None:
    text = "a: 1\nb: 2\n"
    late, early = _finding(text, "b"), _finding(text, "a")
    lost = report("unreadable-file", "the file cannot be read", None, path="Z.yaml")
    assert render.concise([late, lost, early]) == (
        "Z.yaml:1:1: error[WC001] unreadable-file: the file cannot be read\n"
        "a.yaml:1:1: error[WC102] unknown-key: a message\n"
        "a.yaml:2:1: error[WC102] unknown-key: a message\n"
    )
    assert render.text([lost]) == "error[WC001] unreadable-file: the file cannot be read\n --> Z.yaml:1:1\n"


def test_json_has_exactly_the_keys_of_the_contract() -> None:
    lost = report("unreadable-file", "m", None, path="Z.yaml")
    assert render.to_json([_finding("a: bad", "bad", help="h"), lost]) == [
        {
            "code": "WC001",
            "name": "unreadable-file",
            "severity": "error",
            "file": "Z.yaml",
            "line": 1,
            "column": 1,
            "end_line": 1,
            "end_column": 1,
            "message": "m",
            "help": "",
            "fix": None,
        },
        {
            "code": "WC102",
            "name": "unknown-key",
            "severity": "error",
            "file": "a.yaml",
            "line": 1,
            "column": 4,
            "end_line": 1,
            "end_column": 7,
            "message": "a message",
            "help": "h",
            "fix": None,
        },
    ]


def test_color_changes_nothing_but_the_color() -> None:
    found = [_finding("a: bad", "bad", help="h")]
    colored = render.text(found, color=True)
    assert "\x1b[1;31m" in colored and re.sub(r"\x1b\[[0-9;]*m", "", colored) == render.text(found)


def test_summary() -> None:
    finding = _finding("a: bad", "bad")
    mark = report("byte-order-mark", "m", None, path="b.yaml")
    assert render.summary([]) == "no findings"
    assert render.summary([finding, finding, mark]) == "2 errors, 1 warning in 2 files"


def test_the_users_text_cannot_steer_the_terminal_or_flood_it() -> None:
    assert quoted("a\n\x1b[31m\u202e\ud800") == "`a\\n\\x1b[31m\\u202e\\ud800`"
    assert quoted("x" * 1000) == f"`{'x' * 59}…`"
    assert quoted("naïve 漢字 😀") == "`naïve 漢字 😀`"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\x1b\x9b\u202e\u2028\U000e0041\ud800", r"a\x1b\x9b\u202e\u2028\U000e0041\ud800"),
        ("a\n\r\tb", r"a\n\r\tb"),
        ("A\ufe0f\u200d b\u115f", r"A\ufe0f\u200d b\u115f"),
        ("❤️ 1️⃣ 👩‍🚀 می‌خواهم", "❤️ 1️⃣ 👩‍🚀 می‌خواهم"),
    ],
)
def test_hidden_characters_are_shown_in_all_forms(text: str, line: str) -> None:
    assert visible(text) == line and visible_lines(text) == line.replace(r"\n", "\n")
    written = json_text({text: [text]}, indent=2)
    assert json.loads(written) == {text: [text]} and visible_lines(written) == written
    assert (first_hidden(text) == "") == (text == line)


def test_painted_texts_keep_only_our_colours() -> None:
    text = painted("a\x1b[8mb", "bold") + "\x1b[8mc\x1b]0;d\x07"
    assert visible_painted(text) == "\x1b[1ma\\x1b[8mb\x1b[0m\\x1b[8mc\\x1b]0;d\\x07"
