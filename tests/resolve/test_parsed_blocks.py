"""What was parsed of a shipped game is kept beside Python's compiled modules, and can only save time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from warchest.game.game import load_game
from warchest.resolve import parsed_blocks, shipped_blocks
from warchest.resolve import resolve as check

GAME = "unigames"
READ: dict[check.Span, Any] = {}
"""The readings of the sentences of the game, which are the same in all tests."""


def forget() -> None:
    """Know no more than a new process does."""
    blocks = parsed_blocks
    for known in (blocks._BLOCKS, blocks._VOCABULARIES, blocks._COMPARED, blocks._WRITTEN.texts):
        known.clear()
    shipped_blocks._RECALLED.clear()


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Compiled files go into a folder of the test's own; yields where the blocks are expected."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    expected = shipped_blocks.kept_beside(shipped_blocks.__file__, GAME)
    assert expected is not None
    expected.parent.mkdir(parents=True)
    forget()
    yield expected
    forget()


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All sentences that are parsed from now on; the outcome for one is known from the test before."""
    found: list[str] = []
    read = check.read_block

    def noted(piece: check.Span, words: check.Vocabulary) -> object:
        found.append(piece.text)
        return READ[piece] if piece in READ else READ.setdefault(piece, read(piece, words))

    monkeypatch.setattr(check, "read_block", noted)
    return found


def test_no_sentence_is_parsed_twice(file: Path, parsed: list[str]) -> None:
    first = load_game(GAME)
    assert len(parsed) > 20 and [one.name for one in file.parent.iterdir()] == [file.name]
    parsed.clear()
    forget()
    second = load_game(GAME)
    assert parsed == []
    assert first.variant().program.ruleset == second.variant().program.ruleset


@pytest.mark.parametrize("found", [b"", b"[]", b'{"digest": 1}', b"[" * 100_000, b"\x80"])
def test_what_is_spoilt_is_parsed_anew(file: Path, parsed: list[str], found: bytes) -> None:
    file.write_bytes(found)
    load_game(GAME)
    assert len(parsed) > 20 and len(file.read_bytes()) > 1000


def test_another_reader_reads_anew(file: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    load_game(GAME)
    parsed.clear()
    forget()
    monkeypatch.setattr(shipped_blocks, "_digest", lambda: "another")
    load_game(GAME)
    assert len(parsed) > 20


def test_cards_of_ones_own_are_not_kept(file: Path, tmp_path: Path) -> None:
    card = tmp_path / "words.yaml"
    card.write_text("words: My words\nadjectives: [brisk]\n", encoding="utf-8")
    load_game(GAME, card)
    assert not file.exists()
    load_game(GAME)
    assert file.exists()
    before = file.read_bytes()
    forget()
    load_game(GAME, card)
    assert file.read_bytes() == before


def test_where_nothing_may_be_written_nothing_is(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    load_game(GAME)
    assert not file.exists()


def test_what_is_in_use_is_not_forgotten(
    file: Path, parsed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many further cards come, each with other words, the blocks of the game itself stay known."""
    monkeypatch.setattr(parsed_blocks, "MOST_VOCABULARIES", 2)
    load_game(GAME)
    parsed.clear()
    card = tmp_path / "card.yaml"
    for name in ("Shy", "Meek", "Timid", "Shy"):
        card.write_text(f"ability: {name}\nrules: |\n  this cannot heal a figure.\n", encoding="utf-8")
        load_game(GAME, card)
    assert parsed == ["  this cannot heal a figure."] * 4
    assert len(parsed_blocks._VOCABULARIES) == 2
