"""Data that a package was built with lies in a folder of its own, under the digest of the build."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from warchest.game import native_engine
from warchest.resolve import shipped_blocks
from warchest.source import beside, contents
from warchest.source.beside import build_digest, keep, kept_beside, read_kept
from warchest.source.contents import Contents
from warchest.source.text import Source
from warchest.syntax import table


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield an empty folder of a package."""
    monkeypatch.setattr(beside, "BUILT", tmp_path / "_kept")
    (tmp_path / "_kept").mkdir()
    build_digest.cache_clear()
    native_engine._makers.cache_clear()
    yield tmp_path / "_kept"
    build_digest.cache_clear()
    native_engine._makers.cache_clear()


def say_digest(built: Path, digest: object) -> None:
    (built / beside.BUILD).write_text(json.dumps({"digest": digest}), encoding="utf-8")


def test_what_a_build_keeps_is_found_wherever_the_package_lies(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python may keep nothing beside its modules there; the file is named by the module from the package on."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    say_digest(built, "abc")
    file = kept_beside(str(built.parent / "syntax" / "table.pyc"), "name")
    assert file == built / "syntax.table.name.json"
    keep(file, "abc", [1])
    assert read_kept(file, "abc") == [1] and read_kept(file, "abd") is None


def test_the_digest_of_a_build_stands_for_its_files(built: Path) -> None:
    """Sources may be missing there, and times of files say nothing."""
    before = table._maker(), shipped_blocks._digest(), native_engine._makers()
    build_digest.cache_clear()
    native_engine._makers.cache_clear()
    say_digest(built, "abc")
    after = table._maker(), shipped_blocks._digest(), native_engine._makers()
    assert after == ("abc", "abc", ("abc",)) and "abc" not in before


@pytest.mark.parametrize("found", ["", "[]", "{}", '{"digest": 1}', "\x80", None])
def test_without_a_digest_it_is_no_build(built: Path, found: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    if found is not None:
        (built / beside.BUILD).write_text(found, encoding="latin-1")
    assert build_digest() == ""
    file = kept_beside(table.__file__)
    assert file is not None and built not in file.parents


def test_trees_of_a_build_are_those_of_the_texts(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that the package was built with is not parsed again, wherever it lies; any other text is."""
    monkeypatch.setattr(contents, "__file__", str(built.parent / "source" / "contents.py"))
    say_digest(built, "abc")
    texts = {"a.yaml": "unit: A\nlist: [1, {b: c}]\n", "b.yaml": "other: |\n  some text\n"}

    def trees(known: Contents, folder: str) -> list[object]:
        sources = [Source(f"{folder}/{name}", text) for name, text in texts.items()]
        return [known.roots(one) for one in sources]

    first = Contents()
    sources = [Source(name, text) for name, text in texts.items()]
    for one in sources:
        first.roots(one)
    contents.keep_built([first.written(sources)])
    contents._built.cache_clear()
    parsed: list[str] = []
    parse = contents.parse

    def noted(source: Source) -> object:
        parsed.append(source.text)
        return parse(source)

    usual = trees(first, "x")
    monkeypatch.setattr(contents, "parse", noted)
    assert str(trees(Contents(), "x")) == str(usual) and parsed == []
    Contents().roots(Source("x/a.yaml", "unit: B\n"))
    assert parsed == ["unit: B\n"]
    contents._built.cache_clear()
