"""Games in which a card has lost its texts: what it is, it still is, but it does nothing."""

from __future__ import annotations

from collections.abc import Iterator

from warchest.documents.library import Document
from warchest.game.game import Game
from warchest.source.text import Span


class NoBlankError(Exception):
    """A card that has no texts which could be left out; the message says so."""


def without_texts(game: Game, card: str) -> Game:
    """Return the game with a card that has lost its texts; raises NoBlankError, or CardError where others need them."""
    kinds = game.document.values["documents"]
    for document in game.library.documents:
        blocks = kinds.get(document.kind, {}).get("blocks", ()) if document.name == card else ()
        parts = list(_parts(document, [*blocks, "rulings"])) if document.name == card and document.kind in kinds else []
        if parts and any(document.blocks(key) for key in blocks):
            text = document.span.source.text
            for part in reversed(parts):
                text = text[: part.start] + text[part.end :]
            return game.with_text(document.span.path, text)
    raise NoBlankError(f"{card} has no texts of its own")


def _parts(document: Document, keys: list[str]) -> Iterator[Span]:
    """Yield the entries of some keys in the text of a document, in their order."""
    entries = document.node.entries
    source = document.span.source
    for number, entry in enumerate(entries):
        if entry.key.text in keys:
            end = entries[number + 1].key.span.start if number + 1 < len(entries) else document.node.span.end
            yield Span(source, entry.key.span.start, end)


__all__ = ["NoBlankError", "without_texts"]
