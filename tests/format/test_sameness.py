"""The check before a file is written: a text that says anything else, or lacks a comment, is refused."""

from __future__ import annotations

import pytest

from warchest.format.sameness import are_same
from warchest.source.nodes import Mapping
from warchest.source.text import Source
from warchest.source.yaml import parse

TEXT = """\
unit: A  # first
coins: 4
set: x

  y
tactic: |
  take it, then keep it.  # second
rulings:
  - {name: x, do: [a, b]}
  - name: "1"
    script: |  # third
      a  b
"""
SAME = {
    "keys in another order": ("unit: A  # first\ncoins: 4\n", "unit: A  # first\n", "coins: 4\n"),
    "other blanks": ("take it, then", "take  it,\n     then"),
    "opened brackets": ("{name: x, do: [a, b]}", "name: x\n    do:\n    - a\n    - b"),
    "blanks at the end": ("a  b\n", "a  b  \n"),
    "quotes around several lines": ("set: x\n\n  y", 'set: "x\\ny"'),
    "other quotes": ('"1"', "'1'"),
}
OTHER = {
    "another value": ("coins: 4", "coins: 5"),
    "another key": ("coins", "coin"),
    "a key more": ("coins: 4", "coins: 4\nplural: x"),
    "another word": ("keep it", "keep them"),
    "another sign": ("it, then", "it; then"),
    "a comment less": ("  # first", ""),
    "another comment among sentences": ("# second", "# secondly"),
    "no comment behind the mark of a block": ("  # third", ""),
    "a comment elsewhere among sentences": ("take it, then keep it.  # second", "# second\n  take it, then keep it."),
    "no quotes": ('"1"', "1"),
    "an item less": ("[a, b]", "[a]"),
    "items in another order": ("[a, b]", "[b, a]"),
    "inner keys in another order": ("{name: x, do: [a, b]}", "{do: [a, b], name: x}"),
    "other blanks in a line of a script": ("a  b", "a b"),
    "one document more": ("unit: A", "unit: B\n---\nunit: A"),
    "a list in place of a text": ("name: x", "name: [x]"),
}


def same(other: str) -> bool:
    (before,), _ = parse(Source("before", TEXT))
    after, findings = parse(Source("after", other))
    assert findings == [] and isinstance(before, Mapping)
    return are_same([before], after, {id(before.get("tactic"))})


@pytest.mark.parametrize(("old", "new", "more"), [(*one, "")[:3] for one in SAME.values()], ids=SAME)
def test_another_layout_is_the_same(old: str, new: str, more: str) -> None:
    assert old in TEXT
    assert same(TEXT.replace(old, new) + more)


@pytest.mark.parametrize(("old", "new"), OTHER.values(), ids=OTHER)
def test_another_text_is_not_the_same(old: str, new: str) -> None:
    assert TEXT.count(old) == 1
    assert not same(TEXT.replace(old, new))
