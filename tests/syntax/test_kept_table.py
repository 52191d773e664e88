"""The parser's table is kept beside Python's compiled modules; what is found there can only save time."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from syntax_support import GRAMMAR

from warchest.syntax import parse, table

made_once = cache(table._made)
"""The tables that Lark makes of a grammar, which are the same each time."""


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Compiled files go into a folder of the test's own; returns where the table is expected."""
    monkeypatch.setattr(table, "_made", made_once)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    file = table.kept_in()
    assert file is not None
    file.parent.mkdir(parents=True)
    return file


def states(parser: parse._Parser) -> int:
    """How many states the parser's table has."""
    return len(parser.table.states)


def test_a_kept_table_is_taken_and_is_the_same(kept: Path) -> None:
    """The first parser writes the table, the second one reads it."""
    built = parse._Parser(GRAMMAR)
    written = kept.stat().st_mtime_ns
    assert states(parse._Parser(GRAMMAR)) == states(built) > 100
    assert kept.stat().st_mtime_ns == written
    assert [child.name for child in kept.parent.iterdir()] == [kept.name]


def test_a_kept_table_reads_as_one_that_was_made(kept: Path) -> None:
    made, taken = parse._Parser(GRAMMAR).table, parse._Parser(GRAMMAR).table
    assert taken is not made and taken == made
    assert len(made.productions) > 100
    names = [*(name for state in made.states for name in state), *(one.origin for one in made.productions)]
    assert {type(name) for name in names} == {str}, "strings of Lark's own are compared by Python code"


def test_a_table_is_the_same_in_every_process() -> None:
    """Lark numbers states as its sets give them, which differs with the seed of hashes."""
    program = (
        "import hashlib, json; from pathlib import Path; from warchest.syntax import table;"
        f"made = table._made(Path({str(GRAMMAR)!r}).read_text(encoding='utf-8'));"
        "print(hashlib.sha256(json.dumps(made).encode()).hexdigest())"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


def test_where_a_table_is_kept_lark_is_not_loaded(kept: Path) -> None:
    parse._Parser(GRAMMAR)
    program = (
        "import sys; from pathlib import Path; from warchest.syntax import parse;"
        f"parse._Parser(Path({str(GRAMMAR)!r})); print('lark' in sys.modules)"
    )
    options = {**os.environ, "PYTHONPYCACHEPREFIX": str(sys.pycache_prefix), "PYTHONDONTWRITEBYTECODE": ""}
    told = subprocess.run([sys.executable, "-c", program], env=options, capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["False"]


def test_a_table_of_another_grammar_is_not_taken(kept: Path, tmp_path: Path) -> None:
    parse._Parser(GRAMMAR)
    kept_first = kept.read_bytes()
    other = tmp_path / "other.lark"
    other.write_text(GRAMMAR.read_text(encoding="utf-8") + "\n// another\n", encoding="utf-8")
    parse._Parser(other)
    assert json.loads(kept.read_bytes())["digest"] != json.loads(kept_first)["digest"]


class Planted:
    """Something that would run a program when it is unpickled."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.file,)


def test_nothing_that_lies_there_is_run(kept: Path, tmp_path: Path) -> None:
    """A pickle, as older versions kept, in both places; it would make a file."""
    planted = tmp_path / "planted"
    for file in (kept, kept.with_name(f"parse.{sys.implementation.cache_tag}.lark")):
        file.write_bytes(b"0\n" + pickle.dumps(Planted(planted)))
    assert states(parse._Parser(GRAMMAR)) > 100
    assert not planted.exists()


DEEP = b"[" * 100_000


@pytest.mark.parametrize("found", [b"", b"no table", b"\x80\x04.", b"{}", b"[1]", b'{"digest": {}}', DEEP])
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
