"""Positions as the protocol defines them: lines from 0, and characters in units of UTF-16; and files as URIs."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from warchest.diagnostics.addresses import escaped, unescaped
from warchest.lsp.protocol import RequestError
from warchest.source.text import Source, Span

FILE = "file://"


def position_of(source: Source, offset: int) -> dict[str, int]:
    """Return the position of an offset in a text."""
    line, column = source.position(offset)
    said = source.text[offset - column + 1 : offset]
    return {"line": line - 1, "character": column - 1 if said.isascii() else len(said.encode("utf-16-le")) // 2}


def offset_of(source: Source, position: Mapping[str, object]) -> int:
    """Return the offset of a position, at most that of the end of its line or of the text; raises RequestError."""
    line, character = position.get("line"), position.get("character")
    if not (_is_number(line) and _is_number(character)):
        raise RequestError("a position has a `line` and a `character`, numbers from 0")
    assert isinstance(line, int) and isinstance(character, int)
    if line >= source.line_count:
        return len(source.text)
    text = source.line(line + 1)
    begin = _start_of(source, line)
    if text.isascii():
        return begin + min(character, len(text))
    units = text.encode("utf-16-le")[: 2 * character]
    return begin + len(units.decode("utf-16-le", errors="ignore"))


def range_of(span: Span) -> dict[str, object]:
    """Return the range of a span."""
    return {"start": position_of(span.source, span.start), "end": position_of(span.source, span.end)}


def whole(source: Source) -> dict[str, object]:
    """Return the range of a whole text."""
    return range_of(source.span(0, len(source.text)))


def uri_of(path: str) -> str:
    """Return the URI of a file."""
    return FILE + escaped(os.path.abspath(path).replace(os.sep, "/"))


def path_of(uri: object) -> str:
    """Return the path of the file that a URI names; raises RequestError where it names no file."""
    if not isinstance(uri, str) or not uri.startswith(FILE):
        raise RequestError(f"the URI of a file begins with {FILE!r}; {uri!r} does not")
    path = unescaped(uri.removeprefix(FILE))
    if re.match(r"/[A-Za-z]:", path):
        path = path[1:]
    if "\0" in path or not path:
        raise RequestError(f"{uri!r} is not the URI of a file")
    return path


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _start_of(source: Source, line: int) -> int:
    """Return the offset at which a line, from 0, begins."""
    low, high = 0, len(source.text)
    while low < high:
        middle = (low + high) // 2
        if source.position(middle)[0] - 1 < line:
            low = middle + 1
        else:
            high = middle
    return low


def line_of(source: Source | None, line: int) -> dict[str, object]:
    """Return the range of a line, counted from 1; if there is no such line, the beginning of the text."""
    if source is None or not 1 <= line <= source.line_count:
        begin = {"line": max(0, line - 1), "character": 0}
        return {"start": begin, "end": begin}
    start = _start_of(source, line - 1)
    return range_of(source.span(start, start + len(source.line(line))))
