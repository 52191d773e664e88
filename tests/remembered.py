"""Memory for processes that load and lint games again and again: unchanged files are not parsed again.

The memory depends on the paths and contents of files alone, and is never changed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from warchest.documents import load
from warchest.documents.schemas import Schemas
from warchest.source import contents
from warchest.source.contents import Contents
from warchest.source.file_reading import Read
from warchest.source.nodes import Node
from warchest.source.text import Source

MOST = 60_000
"""How many things of a kind are remembered; they are forgotten together."""
_files: dict[tuple[str, bytes], Read] = {}
_trees: dict[int, list[Any]] = {}
"""The sources that were read, each with its trees and the findings in it once they are known."""
_values: dict[tuple[int, int], tuple[Node, Any]] = {}
"""Results of checking documents against schemas, by the identities of their roots and the numbers of the schemas."""
_schemas: dict[int, tuple[Any, int]] = {}
"""The schemas met so far, by their identities; those that say the same have one number."""
_numbers: dict[str, int] = {}
_extended: dict[tuple[int, str], tuple[Schemas, Schemas]] = {}
"""Schemas that were extended, with the results, by their identities and the declarations of a game."""
_read: Callable[[Contents, Path], Read] = Contents.source
_parse, _validate, _extend = contents.parse, load.validated, load.extended  # type: ignore[attr-defined]
_within: list[str] = []
"""The beginnings of the paths of files that are remembered."""


def remember_files(within: Path | None = None) -> None:
    """Let loading and linting remember all files from now on, or those in a folder, besides those in others."""
    _within.append("" if within is None else f"{within.absolute()}{os.sep}")
    put(
        (Contents, "source", _read_once),
        (contents, "parse", _parse_once),
        (load, "validated", _validate_once),
        (load, "extended", _extend_once),
    )


def put(*instead: tuple[Any, str, Any]) -> None:
    """Put functions that remember into the places of those that do the work."""
    for module, name, work in instead:
        assert hasattr(module, name), f"{module.__name__} has no {name} any more"
        setattr(module, name, work)


def keep(known: dict[Any, Any], key: Any, value: Any) -> Any:
    """Remember a thing, and return it."""
    if len(known) >= MOST:
        known.clear()
    known[key] = value
    return value


def _read_once(of: Contents, path: Path) -> Read:
    name = str(path)
    if name in of._read:
        return of._read[name]
    # Files of the working directory are named as they are called there.
    place = os.path.abspath(path)
    if not any(map(place.startswith, _within)) or not os.path.isfile(place):
        return _read(of, path)
    key = (name, of.of(path))
    found: Read = _files.get(key) or keep(_files, key, _read(of, path))
    of._read[name] = found
    if found.source is not None and id(found.source) not in _trees:
        keep(_trees, id(found.source), [found.source])
    return found


def _parse_once(source: Source) -> Any:
    known = _trees.get(id(source), [None])
    if known[0] is not source:
        return _parse(source)
    if len(known) == 1:
        known += _parse(source)
    _, roots, findings = known
    return list(roots), list(findings)


def _validate_once(root: Node, schema: Any) -> Any:
    if id(root.span.source) not in _trees:
        return _validate(root, schema)
    key = (id(root), _number_of(schema))
    found = _values.get(key) or keep(_values, key, (root, _validate(root, schema)))
    values, findings = found[1]
    return values, list(findings)


def _extend_once(schemas: Schemas, declared: Mapping[str, Any]) -> Schemas:
    key = (id(schemas), repr(declared))
    found = _extended.get(key) or keep(_extended, key, (schemas, _extend(schemas, declared)))
    return found[1]


def _number_of(schema: Any) -> int:
    found = _schemas.get(id(schema))
    if found is None:
        number = _numbers.setdefault(json.dumps(schema, sort_keys=True), len(_numbers))
        found = keep(_schemas, id(schema), (schema, number))
    return found[1]
