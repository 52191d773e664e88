"""Reading cases: from documents of rulings, and from the `rulings` that cards carry."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import field
from pathlib import Path
from typing import Any

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.library import Document, Library
from warchest.documents.load import load
from warchest.documents.schemas import read_schemas
from warchest.source.contents import Contents
from warchest.source.nodes import Mapping, Scalar, Sequence
from warchest.source.records import record
from warchest.source.text import Span

KIND = "rulings"
"""The kind of document that holds only cases; in a card it is the key that holds them."""
_CASES = "cases"


@record()
class Case:
    """One case: its subject, its contents, and its place."""

    card: str
    name: str
    source: str
    values: dict[str, Any] = field(repr=False)
    node: Mapping = field(repr=False)

    @property
    def span(self) -> Span:
        """The place of its first key."""
        return self.node.entries[0].key.span

    @property
    def script(self) -> Span | None:
        """The lines of a case that is a script; None for one that names options and positions."""
        node = self.node.get("script")
        return node.block or node.span if isinstance(node, Scalar) else None

    @property
    def place(self) -> str:
        """The file and the line."""
        return f"{self.span.path}:{self.span.line}"


def cases_of(document: Document) -> list[Case]:
    """Return the cases in a document, in the order of the file."""
    key = _CASES if document.kind == KIND else KIND
    node = document.node.get(key)
    if not isinstance(node, Sequence):
        return []
    return [
        Case(document.name, values["name"], _source(values, document.values), values, item)
        for item, values in zip(node.items, document.values[key], strict=True)
        if isinstance(item, Mapping)
    ]


def _source(*holders: dict[str, object]) -> str:
    """Return the citation of a case; if it has none itself, the citation of its document."""
    for holder in holders:
        if holder.get("source"):
            return str(holder["source"])
        if holder.get("ruling"):
            return f"ruling: {holder['ruling']}"
    return ""


def cases_in(library: Library) -> list[Case]:
    """Return the cases in all documents of a library."""
    return [case for document in library.documents for case in cases_of(document)]


def read_cases(
    paths: Iterable[Path], beside: Collection[Path] = (), contents: Contents | None = None
) -> tuple[list[Case], list[Document], list[Diagnostic]]:
    """Read files and folders: the cases, the documents that are more than cases, and the errors in them.

    The files `beside` them declare keys of positions and kinds of document that the cases may have. `contents` can have
    texts in place of files.
    """
    library = load([*beside, *paths], read_schemas(), contents=contents)
    apart = {str(file) for file in beside}
    errors = [found for found in library.findings if found.severity == "error" and found.file not in apart]
    read = [document for document in library.documents if document.span.path not in apart]
    cases = [case for document in read for case in cases_of(document)]
    return cases, [document for document in read if document.kind != KIND], errors
