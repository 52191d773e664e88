"""Completion outside sentences: the keys that a document can have at a place, and the values that a key can have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from warchest.lsp.text_positions import range_of
from warchest.paraphrase.reading import Study
from warchest.source.text import Source

PROPERTY, REFERENCE, VALUE = 10, 18, 12
"""The kinds of completions of the protocol."""
MOST = 400
"""The most keys or values in a list."""
_KEY = re.compile(r"(?:- )?[a-z ]*")
_VALUE = re.compile(r"(?:^ *(?:- )?|[{,] ?)([a-z][a-z_ ]{0,40}): ?([^,{}\[\]:#\n]*)$")
_LISTED = re.compile(r"[\[,] ?([^,{}\[\]:#\n]*)$")
_OWN_KEYS = ("position", "then")
"""The keys whose mappings have the keys of the game's positions."""


def completed(study: Study, source: Source, offset: int) -> Iterator[dict[str, object]]:
    """Yield the keys, or the values and names, that are possible at an offset outside sentences."""
    if study.library.schemas is None:
        return
    line = source.text[source.text.rfind("\n", 0, offset) + 1 : offset]
    value = _VALUE.search(line)
    if value is not None:
        yield from _values(study, source, offset, value[1], value[2])
    elif _KEY.fullmatch(line.lstrip(" ")):
        yield from _keys(study, source, offset, line)
    else:
        listed = _LISTED.search(line)
        if listed is not None:
            yield from _named(study, source, offset, listed[1], "")


def _keys(study: Study, source: Source, offset: int, line: str) -> Iterator[dict[str, object]]:
    """Yield the keys of the mapping around the offset that it does not have yet."""
    begun = line.lstrip(" ").removeprefix("- ")
    margin = len(line) - len(begun)
    above, below = _document(source, offset)
    shape, path = _shape_at(study, above, margin)
    keys = shape.get("properties")
    if not keys and path and path[-1] in _OWN_KEYS:
        keys = study.game.values.get("position")
    given = _given(above, below, margin)
    edit = range_of(source.span(offset - len(begun), offset))
    for key, one in keys.items() if isinstance(keys, Mapping) else ():
        if key not in given and key.startswith(begun):
            told = one.get("description", "") if isinstance(one, dict) else ""
            yield {
                "label": key,
                "kind": PROPERTY,
                "detail": str(told),
                "textEdit": {"range": edit, "newText": f"{key}: "},
            }


def _document(source: Source, offset: int) -> tuple[list[str], list[str]]:
    """Return the lines of the document around an offset, before its line and after it."""
    start = source.text.rfind("\n", 0, offset) + 1
    end = source.text.find("\n", offset)
    above = source.text[:start].split("\n---")[-1].split("\n")
    below = source.text[end:].split("\n---")[0].split("\n") if end >= 0 else []
    return above, below


def _given(above: Iterable[str], below: Iterable[str], margin: int) -> set[str]:
    """Return the keys that the mapping around a line has on other lines."""
    found = set[str]()
    for lines in (reversed(list(above)), below):
        for line in lines:
            told = line.lstrip(" ")
            key = told.removeprefix("- ")
            indent = len(line) - len(key)
            if told and indent < margin:
                break
            if indent == margin and ":" in key:
                found.add(key.partition(":")[0])
                if told != key and lines is not below:
                    break  # the item begins here
    return found


def _shape_at(study: Study, above: list[str], margin: int) -> tuple[Mapping[str, object], list[str]]:
    """Return the schema of the mapping at a margin, and the keys that lead there from the document."""
    path, limit, kind = list[str](), margin, ""
    for line in reversed(above):
        key = line.lstrip(" ").removeprefix("- ")
        indent = len(line) - len(key)
        if indent < limit and ":" in key:
            path.insert(0, key.partition(":")[0])
            limit = indent - 2 if line.lstrip(" ").startswith("- ") else indent
        if indent == 0 and ":" in key:
            kind = key.partition(":")[0]
    schema = study.library.schemas.for_kind(kind) if study.library.schemas is not None else None
    shape: Mapping[str, object] = schema or {}
    for key in path:
        shape = _inner(schema or {}, shape, key)
    return shape, path


def _inner(schema: Mapping[str, object], shape: Mapping[str, object], key: str) -> Mapping[str, object]:
    """Return the schema of the mapping, or of the items, that a key of a mapping holds."""
    keys, others = shape.get("properties"), shape.get("additionalProperties")
    found = keys.get(key, others) if isinstance(keys, Mapping) else others
    for _ in range(4):
        if not isinstance(found, Mapping):
            return {}
        if isinstance(found.get("$ref"), str):
            place: object = schema
            for step in found["$ref"].removeprefix("#/").split("/"):
                place = place.get(step, {}) if isinstance(place, Mapping) else {}
            found = place
        elif "items" in found:
            found = found["items"]
        else:
            break
    return found if isinstance(found, Mapping) else {}


def _values(study: Study, source: Source, offset: int, key: str, begun: str) -> Iterator[dict[str, object]]:
    """Yield the values that a schema lists for a key, or the names of the documents of its kind."""
    above, _ = _document(source, offset)
    line = source.text[source.text.rfind("\n", 0, offset) + 1 : offset]
    told = line.lstrip(" ")
    shape, _ = _shape_at(study, above, len(line) - len(told.removeprefix("- ")))
    listed = _inner(shape, shape, key).get("enum")
    edit = range_of(source.span(offset - len(begun), offset))
    for one in listed if isinstance(listed, list) else ():
        if str(one).startswith(begun):
            yield {"label": str(one), "kind": VALUE, "textEdit": {"range": edit, "newText": str(one)}}
    if not listed:
        yield from _named(study, source, offset, begun, key)


def _named(study: Study, source: Source, offset: int, begun: str, kind: str) -> Iterator[dict[str, object]]:
    """Yield the names that begin as written, of documents of a kind; if `kind` is no kind, of all documents."""
    kinds = {one.kind for one in study.library.documents}
    if kind not in kinds and not begun[:1].isupper():
        return
    edit = range_of(source.span(offset - len(begun), offset))
    named = {one.name: one.kind for one in study.library.documents if kind not in kinds or one.kind == kind}
    for name in [one for one in sorted(named) if one.startswith(begun)][:MOST]:
        yield {"label": name, "kind": REFERENCE, "detail": named[name], "textEdit": {"range": edit, "newText": name}}
