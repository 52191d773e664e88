"""Borne documents: a document lists other documents, each with the letters of its texts filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import Any

from warchest.documents.library import Document, Library
from warchest.game.game import Game
from warchest.resolve.model import borne, filling, letters_of

_NUMBER = re.compile(r"(?:[a-z]+ )?([0-9]+)")


def bearing_keys(game: Game, kind: str) -> dict[str, str]:
    """Return the keys under which documents of a kind list borne documents, each with the kind of the latter."""
    found: dict[str, str] = game.document.values["documents"].get(kind, {}).get("bears", {})
    return found


def borne_by(game: Game, document: Document, library: Library | None = None) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the documents that a document bears, each as it is written in the list, with its blocks filled in.

    The documents are taken from the game, or from a `library` with its layers applied.
    """
    for written, other, filled in borne_documents(game, document, library or game.library):
        letters = dict(zip(letters_of(other), filled, strict=False))
        blocks = game.document.values["documents"][other.kind].get("blocks", {})
        yield written, {block: _filled(text_in(other, block), letters) for block in blocks if other.blocks(block)}


def borne_documents(game: Game, document: Document, library: Library) -> Iterator[tuple[str, Document, Sequence[str]]]:
    """Yield the documents that a document bears, each with its name in the list and the fillings of its letters."""
    for key, kind in bearing_keys(game, document.kind).items():
        for written in document.values.get(key, ()):
            name, filled = borne(written)
            other = library.named(kind, name)
            if other is not None:
                yield written, other, filled


def text_in(document: Document, block: str) -> str:
    """Return the text of a block of a document, after all layers."""
    if any(name == block for name, _ in document.amended):
        return "\n".join(dedent(span.text).strip("\n") for span in document.blocks(block)) + "\n"
    return str(document.values[block])


def bearers_of(game: Game, document: Document) -> list[str]:
    """Return the documents that bear another one, each with its fillings."""
    found = []
    for one in game.library.documents:
        for key, kind in bearing_keys(game, one.kind).items():
            if kind == document.kind:
                found += [
                    f"{one.name}{_behind(written, document.name)}"
                    for written in one.values.get(key, ())
                    if borne(written)[0] == document.name
                ]
    return found


def _behind(written: str, name: str) -> str:
    rest = written.removeprefix(name).strip()
    return f" {rest}" if rest else ""


def _filled(text: Any, letters: dict[str, str]) -> str:
    """Return clauses with their letters filled in."""
    said = str(text)
    for letter, part in letters.items():
        # A number may have its noun before it; the text has that noun already.
        number = _NUMBER.fullmatch(part)
        said = re.sub(rf"\b{re.escape(letter)}\b", number[1] if number else filling(part), said)
    return said
