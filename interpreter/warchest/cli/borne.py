"""Borne documents, as people read them: each with its fillings, in the words of its rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from warchest.documents.library import Document
from warchest.game.game import Game
from warchest.resolve.model import borne, filling, letters_of

_NUMBER = re.compile(r"(?:[a-z]+ )?([0-9]+)")


def bearing_keys(game: Game, kind: str) -> dict[str, str]:
    """Return the keys that list what documents of a kind bear, each with the kind of that."""
    found: dict[str, str] = game.document.values["documents"].get(kind, {}).get("bears", {})
    return found


def borne_by(game: Game, document: Document) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the documents that one bears, as they are written there, each with its blocks filled in."""
    for key, kind in bearing_keys(game, document.kind).items():
        for written in document.values.get(key, ()):
            name, filled = borne(written)
            other = game.library.named(kind, name)
            if other is not None:
                letters = dict(zip(letters_of(other), filled, strict=False))
                blocks = game.document.values["documents"][kind].get("blocks", {})
                yield written, {block: _filled(other.values[block], letters)
                                for block in blocks if block in other.values}  # fmt: skip


def bearers_of(game: Game, document: Document) -> list[str]:
    """Return the documents that bear another one, each with its fillings."""
    found = []
    for one in game.library.documents:
        for key, kind in bearing_keys(game, one.kind).items():
            if kind == document.kind:
                found += [f"{one.name}{_behind(written, document.name)}" for written in one.values.get(key, ())
                          if borne(written)[0] == document.name]  # fmt: skip
    return found


def _behind(written: str, name: str) -> str:
    rest = written.removeprefix(name).strip()
    return f" {rest}" if rest else ""


def _filled(text: Any, letters: dict[str, str]) -> str:
    """Return clauses with the fillings in the place of their letters."""
    said = str(text)
    for letter, part in letters.items():
        # A number may have a word before it that says what it is; in the text that word stands already.
        number = _NUMBER.fullmatch(part)
        said = re.sub(rf"\b{re.escape(letter)}\b", number[1] if number else filling(part), said)
    return said
