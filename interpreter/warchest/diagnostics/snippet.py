"""One source line with the marks under it, in columns of a terminal rather than characters."""

from __future__ import annotations

import unicodedata

from warchest.diagnostics.visible import is_visible, visible
from warchest.source.records import record
from warchest.source.text import Span

_TAB = 4
# A longer line is cut around its first mark.
_MAX_CHARACTERS = 160
_BEFORE_MARK = 60


@record()
class Underline:
    """A span to be underlined with `sign`, and the words beside it."""

    span: Span
    sign: str
    text: str


def width(character: str) -> int:
    """Return the number of terminal columns a character takes: 0 (combining), 1 or 2 (wide)."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def snippet(marks: list[Underline]) -> tuple[str, list[str]]:
    """Return the line on which all `marks` start, as it is shown, and the lines of marks that are shown below."""
    first = marks[0].span
    line = first.source.line(first.line)
    low, high = _window(line, min(mark.span.column for mark in marks) - 1)
    shown, columns = _lay_out(line[low:high])
    before, after = ("…" if low else ""), ("…" if high < len(line) else "")
    return before + shown + after, [_underline(mark, low, columns, len(before)) for mark in marks]


def _window(line: str, at: int) -> tuple[int, int]:
    if len(line) <= _MAX_CHARACTERS:
        return 0, len(line)
    low = max(0, at - _BEFORE_MARK)
    return low, low + _MAX_CHARACTERS


def _lay_out(line: str) -> tuple[str, list[int]]:
    """Return the line, with tabs as spaces and hidden characters replaced, and the column of each character."""
    shown, columns, column = "", [0], 0
    for character in line:
        if character == "\t":
            character = " " * (_TAB - column % _TAB)
            column += len(character)
        else:
            character = character if is_visible(character) else "\ufffd"
            column += width(character)
        shown += character
        columns.append(column)
    return shown, columns


def _underline(mark: Underline, low: int, columns: list[int], indent: int) -> str:
    span = mark.span
    last = len(columns) - 1
    start = min(max(span.column - 1 - low, 0), last)
    # A span of several lines is marked to the end of its first.
    end = span.end_column - 1 - low if span.end_line == span.line else last
    end = min(max(end, start), last)
    signs = mark.sign * max(1, columns[end] - columns[start])
    return f"{' ' * (columns[start] + indent)}{signs} {visible(mark.text)}".rstrip()
