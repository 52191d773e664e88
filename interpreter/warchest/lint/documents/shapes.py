"""Shapes of positions: the source that a game's document gives for each key, and whether it exists."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.library import Document, Library
from warchest.game.position.keys import Shape
from warchest.lint.documents.declarations import Declared, named, under, unknown
from warchest.source.nodes import Entry, Scalar, entries, scalars
from warchest.source.nodes import Mapping as Keys

MADE_OF = (
    "turn of",
    "field",
    "values",
    "spaces by",
    "pieces",
    "one by owner",
    "documents",
    "upheld",
    "zone",
    "rows",
    "places",
    "counts",
    "count",
    "options",
)
"""The sources of a key of positions; each shape has one of these."""
_BESIDE = (
    "of",
    "needed",
    "usual",
    "otherwise",
    "most",
    "tag",
    "place",
    "document",
    "owner",
    "tokens",
    "stack",
    "nature",
    "limit",
    "facing",
    "or nobody",
    "sheet",
    "form",
    "fields",
    "marks",
    "gathered",
    "apart",
    "rare",
    "name",
    "teams",
    "in",
)


def shapes_of(game: Document) -> dict[str, Shape]:
    """Return the shapes of the keys of positions."""
    return {key: shape for key, shape in game.values.get("position", {}).items() if isinstance(shape, dict)}


def keys_of_entries(shape: Shape) -> set[str]:
    """Return the keys that the entries of a key for pieces can have."""
    told = ("place", "document", "owner", "tokens", "stack", "nature", "form", "facing")
    plain = {str(shape[key]) for key in told if key in shape}
    return plain | set(shape.get("sheet", {})) | set(shape.get("fields", {})) | set(shape.get("marks", {}))


def shape_findings(library: Library, game: Document, known: Declared) -> Iterator[Diagnostic]:
    """Find unknown names in the shapes of positions."""
    boards = library.of_kind("board")
    tags = {tag for board in boards for tag in board.values.get("tags", {})}
    numbers = {number for board in boards for number in board.values.get("numbers", {})}
    for entry in entries(game.node.get("position")):
        if isinstance(entry.value, Keys):
            yield from _made_of(entry)
            yield from _declared(entry, known)
            yield from named(under(entry.value, "tag"), tags, "tag of a board")
            yield from named(under(entry.value, "limit"), set(game.values["words"].get("numbers", ())), "number")
            yield from _most(entry, numbers)
            yield from _usual(entry, game)
            yield from _documents(entry, library, game)


def _made_of(entry: Entry) -> Iterator[Diagnostic]:
    assert isinstance(entry.value, Keys)
    strange = [inner for inner in entry.value.entries if inner.key.text not in (*MADE_OF, *_BESIDE)]
    for inner in strange:
        yield report(
            "unknown-key",
            f"the key {quoted(inner.key.text)} is not known here",
            inner.key.span,
            help=did_you_mean(inner.key.text, (*MADE_OF, *_BESIDE))
            or "the documents of the shipped games show all of them",
        )
    if not strange and not any(entry.value.get(key) is not None for key in MADE_OF):
        yield report(
            "missing-key",
            f"nothing says what {quoted(entry.key.text)} is made of",
            entry.key.span,
            help=f"add one of {', '.join(f'`{key}:`' for key in MADE_OF)}",
        )


def _declared(entry: Entry, known: Declared) -> Iterator[Diagnostic]:
    """Find fields, pieces and zones that are declared nowhere."""
    for key in ("turn of", "field", "values", "spaces by"):
        yield from named(under(entry.value, key), known.fields, "field")
    for shown in (one for key in ("fields", "marks") for one in entries(under(entry.value, key))):
        for place in [inner.value for inner in entries(shown.value)] or [shown.value]:
            yield from named(place, known.fields, "field")
    for key in ("pieces", "places", "one by owner"):
        yield from named(under(entry.value, key), known.nouns("piece"), "piece")
    for key in ("zone", "rows", "in", "count", "counts"):
        yield from named(under(entry.value, key), known.zones, "zone")
    yield from named(under(entry.value, "of"), {"game", *known.nouns()}, "thing")


def _most(entry: Entry, numbers: Collection[str]) -> Iterator[Diagnostic]:
    """Find a bound that is neither a number nor one of a board, and bounds on keys that cannot have any."""
    most = under(entry.value, "most")
    if isinstance(most, Scalar) and not most.text.isdecimal():
        yield from named(most, numbers, "number of a board")
    told = {inner.key.text for inner in entries(under(entry.value, "upheld"))}
    for inner in entries(most):
        if inner.key.text not in told:
            yield unknown("kind of link", inner.key.text, told, inner.key.span)


def _usual(entry: Entry, game: Document) -> Iterator[Diagnostic]:
    """Find keys whose default is the value of a key that does not exist."""
    usual = under(entry.value, "usual")
    if isinstance(usual, Scalar):
        yield from named(usual, set(game.values["position"]) - {entry.key.text}, "other key of a position")
    known = keys_of_entries(shapes_of(game).get(entry.key.text, {}))
    for inner in entries(usual):
        for scalar in (inner.key, *scalars(inner.value)):
            if scalar.text not in known:
                yield unknown("key of a piece", scalar.text, known, scalar.span)


def _documents(entry: Entry, library: Library, game: Document) -> Iterator[Diagnostic]:
    """Find documents, kinds of documents, and keys of them that do not exist."""
    kinds: dict[str, Any] = game.values["documents"]
    yield from named(under(entry.value, "documents"), kinds, "kind of document")
    names = {document.name for document in library.documents if document.kind in kinds}
    for inner in entries(under(entry.value, "upheld")):
        for scalar in scalars(inner.value):
            if scalar.text not in names:
                yield report(
                    "unknown-name",
                    f"there is no document called {quoted(scalar.text)}",
                    scalar.span,
                    help=did_you_mean(scalar.text, names) or "name a document that upholds such a value",
                )
    shape = shapes_of(game).get(entry.key.text, {})
    piece = game.values["things"].get(shape.get("pieces", ""), {}).get("piece", "")
    printed = kinds.get(str(shape.get("documents", piece)))
    if printed is None:
        return
    keys = {*printed.get("numbers", ()), *printed.get("bears", {}), *printed.get("names", {})}
    for inner in entries(under(entry.value, "sheet")):
        if inner.key.text not in keys:
            yield unknown("key of its documents", inner.key.text, keys, inner.key.span)
