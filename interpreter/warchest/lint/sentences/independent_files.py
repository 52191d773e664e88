"""Independent files: their texts add no findings to other files.

The texts of such a file answer acts, order and forbid, and contain no definition that another text could use. They can
only help other files to be clean: their orders and answers can make another text possible that would otherwise be
reported. A file that was clean without this help, with only the texts that are not independent, stays clean as long
as these texts, the names of all documents and the meaning that the game's document gives them are unchanged
(`faces_of`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from warchest.documents.layers import LAYER
from warchest.documents.library import Document, Library
from warchest.lint.documents.question_findings import KIND as QUESTION
from warchest.lint.documents.ruling_positions import RULINGS
from warchest.resolve.resolve import Parsed
from warchest.resolve.stated import KIND as PROPERTIES
from warchest.source.nodes import Mapping as Keys
from warchest.source.nodes import Scalar
from warchest.source.text import Span, digest
from warchest.syntax import ast

_BESIDE = (RULINGS, QUESTION, PROPERTIES)
"""The kinds of document without texts of rules."""
_PARTS = ("replace", "add")
_Block: TypeAlias = Sequence[tuple[Span, Sequence[ast.Sentence], object]]


def apart(library: Library, game: Document, parsed: Iterable[Parsed]) -> frozenset[str]:
    """Return the independent files; all texts that are not skipped have been parsed."""
    read = {span: block for each in parsed for span, block in each.items()}
    kinds = _standing_alone(game)
    shared = {one.span.path for one in library.documents if not _is_apart(one, kinds, library, game, read)}
    return frozenset({one.span.path for one in library.documents} - shared)


def _standing_alone(game: Document) -> set[str]:
    """Return the kinds of documents that have pieces, and that no other documents bear."""
    pieces = {thing.get("piece") for thing in game.values["things"].values()}
    borne = {kind for one in game.values["documents"].values() for kind in one.get("bears", {}).values()}
    return {
        kind
        for kind, shape in game.values["documents"].items()
        if shape.get("numbers") is not None and kind in pieces - borne
    }


def _is_apart(
    document: Document, kinds: Collection[str], library: Library, game: Document, read: Mapping[Span, _Block]
) -> bool:
    if document.kind in _BESIDE or document.span.path in library.unread:
        return True
    if document.kind not in kinds or document.values.get("parameters"):
        return False
    shape = game.values["documents"][document.kind]
    rules = [key for key, meaning in shape.get("blocks", {}).items() if meaning == "rules"]
    spans = [span for key in rules for span in document.blocks(key)]
    spans += [span for layer in layers_on(document, library) for span in texts_of(layer, rules)]
    return all(span in read for span in spans) and all(
        _defines_nothing(one) for span in spans for _, sentences, _ in read[span] for one in sentences
    )


def _defines_nothing(sentence: ast.Sentence) -> bool:
    match sentence:
        case ast.HookSentence():
            return not isinstance(sentence.event, ast.Turns)
        case ast.Guarded(ast.Cannot()) | ast.Cannot() | ast.Only():
            return True
    return False


def layers_on(document: Document, library: Library) -> list[Document]:
    """Return the layers that amend a document."""
    target = {"kind": document.kind, "name": document.name}
    return [layer for layer in library.of_kind(LAYER) if layer.values["amends"] == target]


def texts_of(layer: Document, keys: Collection[str] | None = None) -> list[Span]:
    """Return the texts of a layer: of all its blocks, or of the given blocks."""
    parts = [node for part in _PARTS if isinstance(node := layer.node.get(part), Keys)]
    return [
        entry.value.block
        for node in parts
        for entry in node.entries
        if (keys is None or entry.key.text in keys)
        and isinstance(entry.value, Scalar)
        and entry.value.block is not None
    ]


def faces_of(library: Library, game: Document) -> dict[str, str]:
    """Return, by file, a digest of all that its documents mean for others, apart from their texts."""
    faces: dict[str, list[object]] = {}
    for document in library.documents:
        shape = game.values["documents"].get(document.kind, {})
        own = {*shape.get("blocks", ()), *(shape.get("numbers") or ()), "source", RULINGS}
        values = {} if document.kind in _BESIDE else document.values
        face = {key: value for key, value in values.items() if key not in own}
        faces.setdefault(document.span.path, []).append([document.kind, document.name, face])
    return {path: digest(json.dumps(face, sort_keys=True, default=str)) for path, face in faces.items()}
