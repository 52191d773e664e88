"""The parsed blocks of a shipped game are kept, and can only save time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from warchest.game.game import load_game
from warchest.resolve import parsed_blocks
from warchest.resolve import resolve as check
from warchest.source.cache import Cache

GAME = "unigames"
READ: dict[check.Span, Any] = {}
"""The readings of the sentences of the game, which are the same in all tests."""


def forget() -> None:
    """Know no more than a new process does."""
    blocks = parsed_blocks
    for known in (blocks._BLOCKS, blocks._VOCABULARIES, blocks._COMPARED, blocks._WRITTEN.texts):
        known.clear()
    blocks._WRITTEN.data = None


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cache]:
    """Records of the program go into a folder of the test's own."""
    monkeypatch.setattr(parsed_blocks, "program_cache", lambda: Cache(tmp_path / "records"))
    forget()
    yield Cache(tmp_path / "records")
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


def test_no_sentence_is_parsed_twice(kept: Cache, parsed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    first = load_game(GAME)
    assert len(parsed) > 20 and len(kept.records()) == 1
    parsed.clear()
    forget()
    second = load_game(GAME)
    assert parsed == []
    assert first.variant().program.ruleset == second.variant().program.ruleset
    forget()
    monkeypatch.setattr(parsed_blocks, "_reader", lambda: "another")
    load_game(GAME)
    assert len(parsed) > 20


@pytest.mark.parametrize("plain", [[], {}, 1, [1, 2], [[], {"a": 1}], [[[[["a"], {}]]], {}]])
def test_other_data_are_as_good_as_none(kept: Cache, parsed: list[str], plain: object) -> None:
    kept.write_plain(parsed_blocks._name_of(load_game(GAME).folder), plain)
    forget()
    parsed.clear()
    load_game(GAME)
    assert len(parsed) > 20 and kept.records()[0].stat().st_size > 1000


def test_cards_of_ones_own_are_not_kept(kept: Cache, tmp_path: Path) -> None:
    card = tmp_path / "words.yaml"
    card.write_text("words: My words\nadjectives: [brisk]\n", encoding="utf-8")
    load_game(GAME, card)
    assert not kept.records()
    load_game(GAME)
    (record,) = kept.records()
    before = record.read_bytes()
    forget()
    load_game(GAME, card)
    assert record.read_bytes() == before


def test_blocks_in_use_are_not_forgotten(
    kept: Cache, parsed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
