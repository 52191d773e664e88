"""Scalars as they are written: in one line, or over several lines where one would be too long."""

from __future__ import annotations

import re

from warchest.source.nodes import Scalar

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_ESCAPED = re.compile(r'[\\"\n\t\r]')
_BREAKS = re.compile(r"(?<=[^\s\\]) (?=[A-Za-z0-9(])")
"""The blanks in a text that can be replaced by a line break."""


def in_one_line(scalar: Scalar) -> str:
    """Return a scalar, other than a block, in one line, with double quotes unless its text would need escapes."""
    written, text = scalar.span.text, scalar.text
    if scalar.style == "plain":
        return _quoted(text) if "\n" in text else text
    if scalar.style == "double":
        return _quoted(text) if "\n" in written else written
    if "\n" in text:
        return _quoted(text)
    return f'"{text}"' if _ESCAPED.search(text) is None else "'" + text.replace("'", "''") + "'"


def _quoted(text: str) -> str:
    return '"' + _ESCAPED.sub(lambda found: _ESCAPES[found.group()], text) + '"'


def over_lines(written: str, first: int, others: int) -> list[str]:
    """Return a scalar in lines of limited length, if possible: `first` for the first line, `others` for all others."""
    if len(written) <= first:
        return [written]
    lines, begin, last = list[str](), 0, 0
    for place in [*(found.start() for found in _BREAKS.finditer(written)), len(written)]:
        if place - begin > (others if lines else first) and last > begin:
            lines.append(written[begin:last])
            begin = last + 1
        last = place
    return [*lines, written[begin:]]


def block_lines(scalar: Scalar) -> tuple[str, list[str]]:
    """Return the indicator of a literal block (such as `|`) and the lines of its text, without blanks at their ends."""
    *lines, rest = [line.rstrip() for line in scalar.text.split("\n")]
    lines += [rest] if rest else []
    while lines and not lines[-1] and not keeps_blank_lines(scalar):
        lines.pop()
    first = next((line for line in lines if line), "")
    chomping = "-" if rest else "+" if lines and not lines[-1] else ""
    return f"|{2 if first[:1] in (' ', chr(9)) else ''}{chomping}", lines


def block_comment(scalar: Scalar) -> str:
    """Return the comment after the indicator of a literal block; empty if there is none."""
    _, sign, comment = _mark(scalar).partition("#")
    return f"{sign}{comment}".strip()


def keeps_blank_lines(scalar: Scalar) -> bool:
    """Whether the blank lines at the end of a literal block are part of it."""
    return "+" in _mark(scalar).partition("#")[0]


def _mark(scalar: Scalar) -> str:
    """Return the rest of the line in which a literal block begins, from its indicator on."""
    assert scalar.block is not None
    return scalar.span.source.text[scalar.span.start : scalar.block.start]
