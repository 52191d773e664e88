"""A game that begins from another one: the documents of both, as those of one game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from warchest.documents.library import Document
from warchest.documents.packs import Values, tell
from warchest.source.nodes import Entry, Mapping, Node
from warchest.source.nodes import Sequence as Items

BEGINS = "begins from"
"""The key under which the document of a game names the one that it begins from."""
_JOINED = ("documents", "things", "fields", "zones", "position", "words", "fill", "remarks")
"""The keys whose entries are added to those of the other game; under all others the own value counts."""
_ADDED, _KEPT = "rules", "play"
"""The text that is added to that of the other game, and the one that takes its place."""


def begun(base: Document, own: Document) -> Document:
    """Return the document of a game that begins from another: it also has all parts that only the other has."""
    values: Values = {**base.values, **own.values}
    for key in _JOINED:
        if key in base.values or key in own.values:
            values[key] = _joined_values(base.values.get(key) or {}, own.values.get(key) or {})
    tell(values, own.values)
    node = _joined(base.node, own.node)
    texts = ((_ADDED, (*base.blocks(_ADDED), *own.blocks(_ADDED))), (_KEPT, own.blocks(_KEPT) or base.blocks(_KEPT)))
    return replace(own, node=node, values=values, amended=texts)


def without_replaced(documents: Sequence[Document], folder: Path) -> list[Document]:
    """Return the documents, except documents of the other game that share kind and name with a document outside it."""
    own = {(one.kind, one.name) for one in documents if not _lies_in(one, folder)}
    return [one for one in documents if not _lies_in(one, folder) or (one.kind, one.name) not in own]


def _lies_in(document: Document, folder: Path) -> bool:
    return Path(document.span.path).is_relative_to(folder)


def _joined_values(base: Values, own: Values) -> Values:
    joined = {**base, **own}
    for key, value in own.items():
        if isinstance(value, list) and isinstance(base.get(key), list):
            joined[key] = [*base[key], *(one for one in value if one not in base[key])]
        elif isinstance(value, dict) and isinstance(base.get(key), dict):
            joined[key] = {**base[key], **value}
    return joined


def _joined(base: Mapping, own: Mapping) -> Mapping:
    """Return the entries of both documents; the own entries are first, and replace entries of the same name."""
    entries = [
        replace(entry, value=_with(base, entry)) if entry.key.text in _JOINED else entry for entry in own.entries
    ]
    named = {entry.key.text for entry in own.entries}
    return replace(own, entries=(*entries, *(entry for entry in base.entries if entry.key.text not in named)))


def _with(base: Mapping, entry: Entry) -> Node:
    """Return the value of an entry, joined with the value under the same key of the other document."""
    other, value = base.get(entry.key.text), entry.value
    if isinstance(other, Items) and isinstance(value, Items):
        return replace(value, items=(*other.items, *value.items))
    if not isinstance(other, Mapping) or not isinstance(value, Mapping):
        return value
    own = {one.key.text: one for one in value.entries}
    kept = [one for one in other.entries if one.key.text not in own]
    inner = [
        replace(one, value=_with(other, one)) if isinstance(one.value, Items) or _is_nested(one) else one
        for one in value.entries
    ]
    return replace(value, entries=(*kept, *inner))


def _is_nested(entry: Entry) -> bool:
    """Whether the value of an entry is a mapping whose entries are added one by one, such as the fields of a thing."""
    return isinstance(entry.value, Mapping) and any(isinstance(one.value, Mapping) for one in entry.value.entries)
