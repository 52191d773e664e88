"""Documents of pictures and bots: the keys of positions, the tags, the names and the acts that they mention."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.library import Document, Library
from warchest.game.position.keys import OVER, Shape
from warchest.lint.documents.declarations import (
    acts_of,
    declared,
    listed_names,
    named,
    text_under,
    unknown,
    unknown_names,
)
from warchest.lint.documents.shapes import keys_of_entries, shapes_of
from warchest.source.nodes import Mapping as Keys
from warchest.source.nodes import Node, entries, items

_OF_PIECES = ("at", "name", "owner", "count", "facing", "notes", "values", "differing")
_WITH_KEYS = ("pieces", "placed", "owned", "spaces", "facts", "rows", "zones")


def drawing_findings(library: Library, game: Document) -> list[Diagnostic]:
    """Find names in pictures and bots that the game does not have."""
    reader = _DrawingReader(library, game)
    found: list[Diagnostic] = []
    for picture in library.of_kind("picture"):
        found += reader.picture(picture)
    for bots in library.of_kind("bots"):
        found += reader.bots(bots)
    return found


class _DrawingReader:
    def __init__(self, library: Library, game: Document) -> None:
        self.shapes = shapes_of(game)
        known = declared(library, game)
        self.numbers = known.numbers | set(game.values["words"].get("numbers", ()))
        self.acts = acts_of(library, game)
        boards = library.of_kind("board")
        self.tags = {tag for board in boards for tag in board.values.get("tags", {})}
        self.colours = {seat.get("colour", "") for board in boards for seat in board.values["seats"]}
        self.names = {one.name for one in library.documents if one.kind in known.kinds}

    def picture(self, document: Document) -> Iterator[Diagnostic]:
        """Find unknown names in a picture."""
        node = document.node
        for part in _WITH_KEYS:
            for one in items(node.get(part)):
                yield from self._keys(one, "key")
        for one in items(node.get("pieces")):
            yield from self._of_entries(one)
        for one in items(node.get("rows")):
            shape = self.shapes.get(text_under(one, "key"), {})
            yield from _named(one, ("name", "marks"), _values(shape, "name", "teams"), "key of its rows")
        for one in items(node.get("placed")):
            yield from self._cards(one.get("name"))
        for one in items(node.get("tags")):
            yield from _named(one, ("tag",), self.tags, "tag of a board")
        for entry in entries(node.get("labels")):
            yield from self._cards(entry.key)
        for entry in entries(node.get("colours")):
            if entry.key.text not in self.colours:
                yield unknown("colour of a seat", entry.key.text, self.colours, entry.key.span)

    def bots(self, document: Document) -> Iterator[Diagnostic]:
        """Find unknown names in bots."""
        yield from named(document.node.get("eager"), self.acts, "act")
        for weight in items(document.node.get("weights")):
            yield from self._keys(weight, "pieces", "owned", "zone", "unless")
            shape = self.shapes.get(text_under(weight, "pieces"), {})
            if shape:
                yield from _named(weight, ("count",), self._of_shape(shape), "key of a piece")
            yield from _named(weight, ("toward",), {*self.shapes, *self.tags}, "tag of a board, or key of a position,")

    def _keys(self, node: Keys, *keys: str) -> Iterator[Diagnostic]:
        yield from _named(node, keys, {*self.shapes, OVER}, "key of a position")

    def _of_entries(self, node: Keys) -> Iterator[Diagnostic]:
        shape = self.shapes.get(text_under(node, "key"))
        if shape is None:
            return
        known = self._of_shape(shape)
        yield from _named(node, _OF_PIECES, known, "key of a piece")
        for mark in items(node.get("marks")):
            within = text_under(mark, "in")
            yield from _named(mark, ("in",), known, "key of a piece")
            inner = shape.get("fields", {}).get(within)
            yield from _named(mark, ("key",), inner if isinstance(inner, dict) else known, "key of a piece")

    def _of_shape(self, shape: Shape) -> set[str]:
        return keys_of_entries(shape) | self.numbers

    def _cards(self, node: Node | None) -> Iterator[Diagnostic]:
        yield from unknown_names(node, self.names, otherwise=listed_names(self.names))


def _named(node: Keys, keys: Collection[str], names: Collection[str], what: str) -> Iterator[Diagnostic]:
    for key in keys:
        yield from named(node.get(key), names, what)


def _values(shape: Shape, *keys: str) -> set[str]:
    return {str(shape[key]) for key in keys if key in shape}
