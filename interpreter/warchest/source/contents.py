"""The contents of files and the trees of their YAML: none is read twice, nor are those read in an earlier run.

Trees can be written down for another process as plain data, by digests of the texts that they were read from.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.source.limits import MAX_BYTES
from warchest.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from warchest.source.read import Read, begins_with, decode, read_source
from warchest.source.text import Source, Span, digest
from warchest.source.yaml import parse

_Plain: TypeAlias = list[Any]
_LIST, _MAPPING = 0, 1
"""The numbers that the plain data of a list, and of a mapping, begin with; those of a scalar begin with its text."""
_FEW = 8
"""Trees are written down again when one in so many is new."""


class Contents:
    """The contents of files, each read once, and the trees that were read from them."""

    def __init__(self) -> None:
        self._bytes: dict[str, bytes] = {}
        self._written: dict[str, list[_Plain]] = {}
        self._new: dict[str, list[Node]] = {}

    def of(self, path: Path | str) -> bytes:
        """Return the contents of a file, or a byte more of them than is read at most; raises as `begins_with` does."""
        place = os.path.abspath(path)
        if place not in self._bytes:
            self._bytes[place] = begins_with(path, MAX_BYTES + 1)
        return self._bytes[place]

    def source(self, path: Path) -> Read:
        """Return a source of the contents of a file; never raises."""
        try:
            return decode(self.of(path), str(path))
        except (OSError, ValueError):
            return read_source(path)

    def roots(self, source: Source) -> tuple[list[Node], list[Diagnostic]]:
        """Return the documents in a text and the faults of its YAML, as `parse` does."""
        name = digest(source.text)
        with suppress(LookupError, ValueError, TypeError):
            return [_made(one, source) for one in self._written[name]], []
        roots, findings = parse(source)
        if not findings:
            self._new[name] = roots
        return roots, findings

    def recall(self, data: bytes) -> None:
        """Let trees be known that were written down; an unreadable record is as good as none."""
        with suppress(ValueError, RecursionError, TypeError):
            self._written = dict(json.loads(data or b"{}"))

    def written(self, sources: Iterable[Source]) -> bytes:
        """Return the trees of some texts, written down; nothing if there are few new ones among them."""
        if len(self._new) * _FEW <= len(self._written):
            return b""
        trees = {name: self._written[name] if name in self._written else [_plain(one) for one in self._new[name]]
                 for name in (digest(source.text) for source in sources)
                 if name in self._written or name in self._new}  # fmt: skip
        return json.dumps(trees, separators=(",", ":")).encode()


def _plain(node: Node) -> _Plain:
    """Return a tree as plain data: lists that begin with their sort and the place of the node."""
    span = node.span
    if isinstance(node, Sequence):
        return [_LIST, span.start, span.end, [_plain(one) for one in node.items]]
    if isinstance(node, Mapping):
        return [_MAPPING, span.start, span.end, [(_plain(one.key), _plain(one.value)) for one in node.entries]]
    block = () if node.block is None else (node.block.start, node.block.end)
    return [node.text, span.start, span.end, node.style, *block]


def _made(plain: _Plain, source: Source) -> Node:
    """Return the tree that was made plain data of."""
    text, start, end, rest, *block = plain
    span = Span(source, start, end)
    if text == _LIST:
        return Sequence(tuple([_made(one, source) for one in rest]), span)
    if text == _MAPPING:
        return Mapping(tuple([Entry(_scalar(key, source), _made(value, source)) for key, value in rest]), span)
    return Scalar(text, rest, span, Span(source, *block) if block else None)


def _scalar(plain: _Plain, source: Source) -> Scalar:
    made = _made(plain, source)
    if not isinstance(made, Scalar):
        raise TypeError("a key is a scalar")
    return made
