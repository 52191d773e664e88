"""Documents that were read, and libraries of them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.schemas import Schemas
from warchest.source.nodes import Mapping, Scalar
from warchest.source.records import record
from warchest.source.text import Source, Span


@record()
class Document:
    """One document: its kind and printed name, its marked YAML, and its values in the types of the schema."""

    kind: str
    name: str
    node: Mapping
    values: dict[str, Any] = field(repr=False)
    amended: tuple[tuple[str, tuple[Span, ...]], ...] = ()

    @property
    def span(self) -> Span:
        """The place of its name."""
        return self.node.entries[0].value.span

    @property
    def source(self) -> str:
        """The rulebook and the page that it cites, or an empty text."""
        return str(self.values.get("source", ""))

    def blocks(self, key: str) -> tuple[Span, ...]:
        """Return the spans of the texts under `key`: its literal block, or the texts that layers put there."""
        for name, spans in self.amended:
            if name == key:
                return spans
        node = self.node.get(key)
        return (node.block,) if isinstance(node, Scalar) and node.block is not None else ()


def texts_declared(document: Document, game: Document) -> dict[str, str]:
    """Return the meanings of the texts that a document can have in a game, by their keys: `steps`, `rules` and so on."""
    if document is game:
        return {"play": "steps", "rules": "rules"}
    if document.kind == "setup":
        return {"steps": "steps"}
    declared: dict[str, str] = game.values["documents"].get(document.kind, {}).get("blocks", {})
    return declared


@dataclass(slots=True)
class Library:
    """All documents that were read, and the findings on the way."""

    documents: list[Document] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    left_out: set[str] = field(default_factory=set)
    """The names of faulty documents, so that texts which name them get no finding for that."""
    is_whole: bool = True
    """Whether all documents were read, and not only the greatest number that is read at once."""
    passed_over: list[str] = field(default_factory=list)
    """The files in folders that contain YAML but no documents."""
    lost: list[Path] = field(default_factory=list)
    """The broken links in folders."""
    schemas: Schemas | None = field(default=None, repr=False)
    """The schemas of all kinds of document, those included that the documents declare; None where none was read."""
    unread: frozenset[str] = frozenset()
    """The files whose texts need not be read: their findings are already known."""
    unspoken: frozenset[tuple[str, str]] = frozenset()
    """The kinds and names of documents that no text can name, because their names are not words of the game."""
    _by_kind: dict[str, list[Document]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _sorted: tuple[list[Document], int] = field(default=([], 0), init=False, repr=False, compare=False)
    """The list of documents that was last sorted by kind, and their number at that time."""

    def of_kind(self, kind: str) -> list[Document]:
        """Return the documents of a kind, in the order they were read."""
        listed, count = self._sorted
        if listed is not self.documents:
            self._by_kind, count = {}, 0
        for document in self.documents[count:]:
            self._by_kind.setdefault(document.kind, []).append(document)
        self._sorted = self.documents, len(self.documents)
        return list(self._by_kind.get(kind, ()))

    def in_file(self, path: str) -> list[Document]:
        """Return the documents of a file, by its absolute path."""
        return [one for one in self.documents if os.path.abspath(one.span.path) == path]

    def named(self, kind: str, name: str) -> Document | None:
        """Return the document of this kind and name, or None."""
        return next((found for found in self.of_kind(kind) if found.name == name), None)
