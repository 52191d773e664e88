"""Marked YAML: structure, spans, and each trap that is refused."""

from __future__ import annotations

import time
from typing import Any

import pytest
from source_support import LOADERS, clean, names, read

from warchest.source.limits import MAX_DEPTH
from warchest.source.text import Source
from warchest.source.yaml import Mapping, Scalar, Sequence, parse, plain

loaders = pytest.mark.parametrize("loader", LOADERS)


@loaders
def test_nodes_and_their_spans(loader: Any) -> None:
    root = clean("a: one\n# c\nb:\n  - 'x'\n  - {k: \"y\"}\n\n# end\n", loader)
    assert isinstance(root, Mapping)
    assert root.span.text == "a: one\n# c\nb:\n  - 'x'\n  - {k: \"y\"}"
    items = root.get("b")
    assert isinstance(items, Sequence) and root.get("zz") is None
    assert [item.span.text for item in items.items] == ["'x'", '{k: "y"}']
    one = root.get("a")
    assert one == Scalar("one", "plain", items.span) and isinstance(one, Scalar) and one.block is None


@loaders
def test_each_document_has_a_root(loader: Any) -> None:
    roots, found = read("---\na: 1\n---\n- b\n...\n---\nc\n", loader)
    assert found == [] and [plain(root) for root in roots] == [{"a": 1}, ["b"], "c"]


TRAPS = [
    ("a: 1\nb: 2\na: 3\n", "duplicate-key", "a", 3),
    ("a: &x 1\n", "yaml-anchor", "&x", 1),
    ("a:\n  - &x {b: 1}\n", "yaml-anchor", "&x", 2),
    ("a: *x\n", "yaml-alias", "*x", 1),
    ("a: !t 1\n", "yaml-tag", "!t", 1),
    ("a: !!python/object:os.system [x]\n", "yaml-tag", "!!python/object:os.system", 1),
    ("<<: {a: 1}\n", "yaml-merge", "<<", 1),
    ("a:\n\tb: 1\n", "tab-indentation", "\t", 2),
    ("a: |\n  x\n  \ty\n", "tab-indentation", "\t", 3),
    ("? [a]\n: 1\n", "invalid-key", "[a]", 1),
    ("?\n: 1\n", "invalid-key", "", 1),
    ("a: >-\n  x\n", "folded-text", ">-", 1),
    ("a: x\u2028y\n", "invisible-character", "\u2028", 1),
    ("a: x\u202ey\n", "invisible-character", "\u202e", 1),
    ("a: x\x1b\x07y\n", "invisible-character", "\x1b\x07", 1),
    ("a: x\ud800y\n", "invisible-character", "\ud800", 1),
    ("a: mo\u200bve\n", "invisible-character", "\u200b", 1),
    ("a: mo\xadve\n", "invisible-character", "\xad", 1),
    ("a: |\n  x\n  \u2060y\n", "invisible-character", "\u2060", 3),
    ("a: mo\u200dve\n", "invisible-character", "\u200d", 1),
    ("# only a comment\n", "empty-file", "", 1),
    ("\ufeffa: 1\n", "invisible-character", "\ufeff", 1),
]


@loaders
@pytest.mark.parametrize(("text", "name", "where", "line"), TRAPS)
def test_a_trap_is_found_at_its_place(text: str, name: str, where: str, line: int, loader: Any) -> None:
    _, found = read(text, loader)
    assert [(one.name, one.span and one.span.text, one.span and one.span.line) for one in found] == [
        (name, where, line)
    ]


@pytest.mark.parametrize("text", ["می\u200cخواهم", "👩\u200d🚀", "a\xa0b", "\u3000x"])
def test_joiners_of_other_scripts_and_emoji_are_allowed(text: str) -> None:
    assert read(f"a: {text}\n")[1] == []


def test_a_duplicate_key_shows_both_places_and_the_first_counts() -> None:
    roots, found = read("a: 1\na: 2\n")
    assert [(label.span.line, label.text) for label in found[0].labels] == [(1, "first given here")]
    assert plain(roots[0]) == {"a": 1}


def test_several_findings_of_one_run_are_in_the_order_of_the_file() -> None:
    _, found = read("a: &x 1\na: *x\nb: !t >\n  c\nd: [1\n")
    assert names(found) == ["yaml-anchor", "duplicate-key", "yaml-alias", "yaml-tag", "folded-text", "yaml-syntax"]


def test_neighbouring_tab_lines_are_one_finding() -> None:
    assert names(read("a: |\n  \tx\n  \ty\n  z\n  \tw\n")[1]) == ["tab-indentation"] * 2


def test_a_mark_left_in_the_text_does_not_shift_places() -> None:
    roots, _ = read("\ufeffa: |\n  x\n")
    value = roots[0].get("a") if isinstance(roots[0], Mapping) else None
    assert isinstance(value, Scalar) and value.block is not None and value.block.text == "  x\n"


SYNTAX = [
    ("a: b: c\n", "a colon starts a value in the wrong place", 1, 5),
    ("a: 1\nb\nc: 2\n", "a line with neither a key nor a value", 2, 1),
    ("a: - b\n", "a list starts in the line of its key", 1, 4),
    ("x: 1\na: 'foo\nb: 1\n", "the quote is never closed", 2, 4),
    ("a: [1, 2\nb: 3\n", "the list that starts here is not closed, or two of its items have no comma", 1, 4),
    ("a: {b: 2\n", "the mapping that starts here is not closed, or two of its keys have no comma", 1, 4),
    ('a: "\\q"\n', "an unknown escape after a backslash", 1, None),
    ("a: @x\n", "a value cannot start with this character", 1, 4),
    ("a: & b\n", "a value cannot start with `&`", 1, 4),
    ("a: |x\n  y\n", "there is text after the block marker", 1, None),
    ("a: ]\n", "this character is in the place of a value", 1, 4),
    ("- a\nb: 1\n", "lines that begin with `- ` and lines that do not begin in the same column", 2, 1),
    ("a: |\n    x\n  y\n", "the line does not fit the lines above it", 3, 3),
    ("a: !f!x y\n", "a value cannot start with `!`", 1, 4),
]


@loaders
@pytest.mark.parametrize(("text", "message", "line", "column"), SYNTAX)
def test_yaml_mistakes_are_reported_in_plain_words(
    text: str, message: str, line: int, column: int | None, loader: Any
) -> None:
    _, found = read(text, loader)
    assert names(found) == ["yaml-syntax"]
    span = found[0].span
    assert span is not None and found[0].message.startswith(message) and found[0].help
    assert span.line == line and column in (None, span.column)


def test_documents_before_a_mistake_are_kept() -> None:
    roots, found = read("a: 1\n---\nb: [\n")
    assert [plain(root) for root in roots] == [{"a": 1}] and names(found) == ["yaml-syntax"]


@loaders
@pytest.mark.parametrize("piece", ["[", "{a: ", "- ", "? ", "[{"])
def test_hostile_nesting_is_stopped_at_once(piece: str, loader: Any) -> None:
    started = time.process_time()
    roots, found = read(piece * 100_000, loader)
    assert (roots, names(found)) == ([], ["nesting-too-deep"])
    assert time.process_time() - started < 2


def test_the_deepest_allowed_nesting_is_read() -> None:
    assert names(read("[" * MAX_DEPTH + "]" * MAX_DEPTH)[1]) == []
    assert names(read("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))[1]) == ["nesting-too-deep"]


@loaders
@pytest.mark.parametrize("text", ['"\\UFFFFFFFF"', '"\\uD800"', "a: " * 1000, "&a " * 1000, "%YAML 9.9\n---\na\n"])
def test_hostile_texts_end_in_a_finding(text: str, loader: Any) -> None:
    assert parse(Source("a", text), loader)[1]
