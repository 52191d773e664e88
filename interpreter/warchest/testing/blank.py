"""Games in which a card has lost its texts: it still exists, but does nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from warchest.documents.library import Document
from warchest.game.errors import CardError
from warchest.game.game import Game
from warchest.source.text import Span


class NoBlankError(Exception):
    """A card has no texts that could be left out; the message names it."""


def without_texts(game: Game, card: str) -> Game:
    """Return the game with a card without its texts; raises NoBlankError, or CardError if other texts need all of them.

    A text that other texts need, such as the definition of a word, stays.
    """
    kinds = game.document.values["documents"]
    for document in game.library.documents:
        blocks = kinds.get(document.kind, {}).get("blocks", ()) if document.name == card else ()
        parts = list(_parts(document, [*blocks, "rulings"])) if document.name == card and document.kind in kinds else []
        if parts and any(document.blocks(key) for key in blocks):
            return _without(game, document, parts)
    raise NoBlankError(f"{card} has no texts of its own")


def _without(game: Game, document: Document, parts: list[Span]) -> Game:
    """Return the game without some parts of a document, keeping those that other texts need."""
    try:
        return _left_out(game, document, parts)
    except CardError as refused:
        gone, found = list[Span](), None
        for part in parts:
            with suppress(CardError):
                found = _left_out(game, document, [*gone, part])
                gone.append(part)
        if found is None:
            raise refused from None
        return found


def _left_out(game: Game, document: Document, parts: list[Span]) -> Game:
    text = document.span.source.text
    for part in reversed(parts):
        text = text[: part.start] + text[part.end :]
    return game.with_text(document.span.path, text)


def _parts(document: Document, keys: list[str]) -> Iterator[Span]:
    """Yield the entries of some keys in the text of a document, in their order."""
    entries = document.node.entries
    source = document.span.source
    for number, entry in enumerate(entries):
        if entry.key.text in keys:
            end = entries[number + 1].key.span.start if number + 1 < len(entries) else document.node.span.end
            yield Span(source, entry.key.span.start, end)
