"""Sheets inside a position: documents for which there is no file.

A piece may come with all values of its sheet, and a position may contain further sheets. If no document of the game has
the same values, the position is read by a game that has these documents, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.library import Document, Library
from warchest.documents.load import from_source
from warchest.documents.schemas import read_schemas
from warchest.game.errors import PositionError
from warchest.game.position.keys import Shape
from warchest.source.text import Source

NAME = "name"


@dataclass(frozen=True, slots=True)
class ToldSheet:
    """A sheet in a position: its kind and name, its values by key, and the field of the position that contains it."""

    kind: str
    name: str
    said: Mapping[str, Any]
    where: str

    @property
    def text(self) -> str:
        """The sheet as a document, with one key on each line."""
        lines = [f"{self.kind}: {json.dumps(self.name, ensure_ascii=False)}"]
        lines += [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in self.said.items()]
        return "\n".join(lines) + "\n"

    def error(self, finding: Diagnostic) -> PositionError:
        """Return a finding about the sheet as an error of the position."""
        line = finding.span.line if finding.span is not None else 1
        key = f".{list(self.said)[line - 2]}" if line > 1 else ""
        return PositionError(self.where + key, ": ".join(part for part in (finding.message, finding.help) if part))


def told(mapping: Mapping[str, Any], game: Document, library: Library) -> list[ToldSheet]:
    """Return the sheets in a position that equal no document; raises PositionError for a contradiction."""
    found: dict[tuple[str, str], ToldSheet] = {}
    for one in _all_told(mapping, game, library):
        first = found.setdefault((one.kind, one.name), one)
        if first.said != one.said:
            odd = next(key for key in {**first.said, **one.said} if first.said.get(key) != one.said.get(key))
            raise PositionError(one.where, f"{one.name} has other values in {first.where}, by its `{odd}`")
    return [found[key] for key in sorted(found) if not _is_known(found[key], library)]


def _is_known(sheet: ToldSheet, library: Library) -> bool:
    """Whether a document has the same values."""
    known = library.named(sheet.kind, sheet.name)
    return known is not None and all(known.values.get(key) == value for key, value in sheet.said.items())


def _all_told(mapping: Mapping[str, Any], game: Document, library: Library) -> Iterator[ToldSheet]:
    kinds = {noun: shape.get("piece", "") for noun, shape in game.values["things"].items()}
    for key, shape in game.values.get("position", {}).items():
        yield from _counted(key, shape, mapping.get(key), game, library)
        kind = shape.get("documents") or kinds.get(shape.get("pieces", ""), "")
        items = mapping.get(key)
        if "sheet" not in shape or not isinstance(items, list | tuple):
            continue
        for index, item in enumerate(items):
            name = item.get(shape.get("document", NAME)) if isinstance(item, Mapping) else None
            if isinstance(name, str) and any(item.get(one) is not None for one in shape["sheet"]):
                yield from _told(kind, name, item, shape["sheet"], f"{key}[{index}]", game, library)


def _counted(key: str, shape: Shape, counts: Any, game: Document, library: Library) -> Iterator[ToldSheet]:
    """Yield the sheets of tokens that are counted by their names alone, where no document has the name."""
    if "counts" not in shape or not isinstance(counts, Mapping):
        return
    kind = game.values["things"][game.values["zones"][shape["counts"]]["holds"]]["token"][0]
    for player, counted in counts.items():
        for name in counted if isinstance(counted, Mapping) else ():
            if isinstance(name, str) and library.named(kind, name) is None:
                yield ToldSheet(kind, name, {}, f"{key}.{player}.{name}")


def _told(
    kind: str, name: str, item: Mapping[str, Any], sheet: Shape, where: str, game: Document, library: Library
) -> Iterator[ToldSheet]:
    known = library.named(kind, name)
    said = {**(known.values if known is not None else {}), **item}
    # Default values are left out, as in files; but numbers are always given.
    said = {key: said.get(key, usual) for key, usual in sheet.items()}
    said = {key: value for key, value in said.items() if isinstance(value, int) or value not in (sheet[key], None)}
    yield ToldSheet(kind, name, said, where)
    for key, other in game.values["documents"].get(kind, {}).get("names", {}).items():
        if isinstance(said.get(key), str) and library.named(other, said[key]) is None:
            yield ToldSheet(other, said[key], {}, f"{where}.{key}")


def library_with(library: Library, sheets: list[ToldSheet]) -> Library:
    """Return the library with some sheets, which replace documents of the same names; raises PositionError."""
    names = {(one.kind, one.name) for one in sheets}
    kept = [document for document in library.documents if (document.kind, document.name) not in names]
    known = {(document.kind, document.name) for document in library.documents} - library.unspoken
    made = [_document(one, library) for one in sheets]
    return replace(library, documents=[*kept, *made], unspoken=library.unspoken | (names - known))


def plain(library: Library, sheets: list[ToldSheet], game: Document, without: Library) -> list[Document] | None:
    """Return the documents of some sheets if texts mean the same with them as `without` them, otherwise None.

    Texts mean the same if neither the sheets nor the documents with their names have texts or letters.
    """
    found = []
    for one in sheets:
        document, before = library.named(one.kind, one.name), without.named(one.kind, one.name)
        shape = game.values["documents"].get(one.kind, {})
        if (
            document is None
            or shape.get("numbers") is None
            or not (_is_plain(document, shape) and (before is None or _is_plain(before, shape)))
        ):
            return None
        found.append(document)
    return found


def _is_plain(document: Document, shape: Shape) -> bool:
    return "parameters" not in document.values and not any(document.blocks(key) for key in shape.get("blocks", ()))


def _document(sheet: ToldSheet, library: Library) -> Document:
    made = from_source(Source(sheet.where, sheet.text), library.schemas or read_schemas())
    for finding in made.findings:
        if finding.severity == "error":
            raise sheet.error(finding)
    return made.documents[0]
