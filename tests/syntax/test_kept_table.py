"""The parser's table is kept beside Python's compiled modules; what is found there can only save time."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from syntax_support import GRAMMAR

from warchest.syntax import parse


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Compiled files go into a folder of the test's own; returns where the table is expected."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    table = Path(str(parse._kept_table()))
    table.parent.mkdir(parents=True)
    return table


def states(parser: parse._Parser) -> int:
    """How many states the parser's table has."""
    return len(parser.lark.parser.parser._parse_table.states)


def test_a_kept_table_is_taken_and_is_the_same(kept: Path) -> None:
    """The first parser writes the table, the second one reads it."""
    built = parse._Parser(GRAMMAR)
    written = kept.stat().st_mtime_ns
    assert states(parse._Parser(GRAMMAR)) == states(built) > 100
    assert kept.stat().st_mtime_ns == written


@pytest.mark.parametrize("found", [b"", b"no table", b"\x80\x04."])
def test_a_broken_table_is_built_anew(kept: Path, found: bytes) -> None:
    """Whatever lies there: the table is built and written again."""
    kept.write_bytes(found)
    assert states(parse._Parser(GRAMMAR)) > 100
    assert kept.stat().st_size > 1000


def test_where_nothing_may_be_written_nothing_is(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`PYTHONDONTWRITEBYTECODE` holds for the table, too; a missing folder is no mistake."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    parse._Parser(GRAMMAR)
    assert not kept.exists()
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    kept.parent.rmdir()
    assert states(parse._Parser(GRAMMAR)) > 100
