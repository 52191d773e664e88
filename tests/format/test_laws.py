"""Laws for every document in every layout: its content stays the same, and a second formatting changes nothing."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest
from odd_layouts import Odd

from seeds import seeds
from warchest.documents.load import kind_of, texts_of_rules
from warchest.documents.schemas import read_schemas
from warchest.format.text_layout import formatted, laid_out
from warchest.source.data import data_folder
from warchest.source.nodes import Mapping, Node
from warchest.source.plain_values import plain
from warchest.source.text import Source
from warchest.source.yaml import parse
from warchest.syntax.lexer import scan

_SORTS = "above|stray|before|end|item|beside|mark|first|within|bracket|all|behind"
_COMMENT = re.compile(rf"# *((?:{_SORTS}) ?[0-9]*.*?)\s*$", re.MULTILINE)
_ABOVE = re.compile(r"# *above [0-9]+ (.+)")
MOST = 12_000
"""The most characters of a document that layouts are made of."""


def roots_of(text: str) -> list[Node]:
    roots, findings = parse(Source("text", text))
    assert findings == [], text
    return roots


@cache
def shipped() -> list[Mapping]:
    """The documents that come with the package, except the longest."""
    files = sorted(data_folder("cards").rglob("*.yaml"))
    texts = [text for file in files if len(text := file.read_text(encoding="utf-8")) <= MOST]
    return [root for text in texts for root in roots_of(text) if isinstance(root, Mapping)]


def sentences(root: Mapping) -> dict[int, str]:
    """The keys of the texts of rules in a document, by the identities of these texts."""
    schema = read_schemas().for_kind(kind_of(root))
    assert schema is not None
    return {id(entry.value): entry.key.text for entry in texts_of_rules(root, schema)}


def meaning(root: Mapping) -> object:
    """The content of a document: its values by key, and the words of its sentences."""
    values = plain(root, read_schemas().for_kind(kind_of(root)))
    texts = {id(value): value.text for value in _blocks(root)}
    words = {
        key: [word.text for word in scan(texts[one], 0, len(texts[one]))]
        for one, key in sentences(root).items()
        if one in texts
    }
    return _without(values, set(words)), words


def _without(values: object, keys: set[str]) -> object:
    if isinstance(values, dict):
        return {key: _without(value, keys) for key, value in values.items() if key not in keys}
    if isinstance(values, list):
        return [_without(value, keys) for value in values]
    return [line.rstrip() for line in values.split("\n")] if isinstance(values, str) else values


def _blocks(node: object) -> list:
    if isinstance(node, Mapping):
        return [one for entry in node.entries for one in _blocks(entry.value)]
    return [node] if getattr(node, "block", None) is not None else []


def layout(seed: int) -> str:
    """Return a text of one document or several, in an odd layout."""
    rng = Random(seed)
    roots = rng.choices(shipped(), k=rng.choice([1, 1, 1, 2, 3]))
    known = {one for root in roots for one in sentences(root)}
    return Odd(rng, lambda value: id(value) in known).text(roots)


@pytest.mark.parametrize("seed", seeds(200, "odd layout"))
def test_a_document_in_an_odd_layout_says_the_same(seed: int) -> None:
    text = layout(seed)
    before = [root for root in roots_of(text) if isinstance(root, Mapping)]
    made = formatted(text)
    assert laid_out(Source("text", text), read_schemas()).text == made
    assert formatted(made) == made
    after = roots_of(made)
    assert list(map(meaning, before)) == list(map(meaning, after))
    given, kept = _COMMENT.findall(text), _COMMENT.findall(made)
    if all([*map(_keys, [one])] == [*map(_keys, [other])] for one, other in zip(before, after, strict=True)):
        assert given == kept
    assert sorted(given) == sorted(kept)
    is_about_what_it_was(made)


def _keys(root: Node) -> list[str]:
    return [entry.key.text for entry in root.entries] if isinstance(root, Mapping) else []


def is_about_what_it_was(text: str) -> None:
    lines = [line.strip() for line in text.splitlines()]
    for number, line in enumerate(lines):
        if about := _ABOVE.fullmatch(line):
            following = next(one for one in lines[number + 1 :] if one and not one.startswith("#"))
            assert following.removeprefix("- ").strip("'\"").startswith(about[1]), following
