"""Comments and blank lines between the tokens of a YAML text, taken out in the order of the text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from warchest.format.scalars import keeps_blank_lines
from warchest.source.nodes import Node, Scalar, within
from warchest.source.records import record

_BETWEEN = re.compile(r"^(?:---|\.\.\.)(?=\s|\Z)", re.MULTILINE)
"""A line that ends a document or begins one."""


@record()
class Remark:
    """A comment, or a blank line (with an empty `text`)."""

    text: str
    at: int
    column: int
    """The number of characters before it in its line."""
    is_own: bool
    """Whether only blanks are before it in its line."""


def is_flow(node: Node, text: str) -> bool:
    """Whether a list or a mapping is written in brackets."""
    return not isinstance(node, Scalar) and text[node.span.start : node.span.start + 1] in ("[", "{")


def end_of(scalar: Scalar, text: str) -> int:
    """Return the offset after the last character of a scalar.

    A literal block ends with its last line of text, unless it keeps the blank lines after its text.
    """
    if scalar.block is None:
        return scalar.span.end
    blanks = " " if keeps_blank_lines(scalar) else None
    return scalar.span.start + len(text[scalar.span.start : scalar.span.end].rstrip(blanks))


class Remarks:
    """The comments and blank lines of a text; each is returned once, in the order of the text."""

    def __init__(self, text: str, roots: Sequence[Node]) -> None:
        self._text = text
        tokens = sorted(token for root in roots for token in _tokens(root, text))
        self._starts = [start for start, _ in tokens]
        """The offsets at which tokens and lines between documents begin; a comment after one belongs to it."""
        self._waiting: list[Remark] = []
        for end, start in zip([0, *(end for _, end in tokens)], [*self._starts, len(text)], strict=True):
            gap = text[end:start]
            # Most tokens are separated by blanks and signs alone.
            if "#" in gap or gap.count("\n") > 1:
                self._starts += [found.start() for found in _BETWEEN.finditer(text, end, start)]
                self._waiting += _within(text, end, start)
        self._starts.sort()
        self._waiting.reverse()

    def before(self, place: int) -> list[Remark]:
        """Return and remove the remarks before an offset."""
        found = []
        while self._waiting and self._waiting[-1].at < place:
            found.append(self._waiting.pop())
        return found

    def beside(self, end: int) -> str:
        """Return and remove the comment after the end of a token, in the same line; empty if there is none."""
        place = self._waiting[-1].at if self._waiting else len(self._text)
        return self._waiting.pop().text if place < self._next(end) and "\n" not in self._text[end:place] else ""

    def below(self, end: int, column: int) -> list[Remark]:
        """Return and remove the comments after the end of a list or a mapping that are indented like its items."""
        limit, count = self._next(end), 0
        for number, remark in enumerate(reversed(self._waiting), 1):
            if remark.at >= limit or (remark.text and remark.column < column):
                break
            count = number if remark.text else count
        return [self._waiting.pop() for _ in range(count)]

    def _next(self, place: int) -> int:
        """Return the offset of the next token, or of the end of the text."""
        number = bisect_left(self._starts, place)
        return self._starts[number] if number < len(self._starts) else len(self._text)

    def any_within(self, start: int, end: int) -> bool:
        """Whether there is a comment between two offsets."""
        for remark in reversed(self._waiting):
            if remark.at >= end:
                break
            if remark.text and remark.at >= start:
                return True
        return False


def _tokens(node: Node, text: str) -> Iterator[tuple[int, int]]:
    """Yield the beginnings and ends of the keys, values and brackets in a node."""
    for one in within(node):
        if isinstance(one, Scalar):
            if not one.is_absent:
                yield one.span.start, end_of(one, text)
        elif is_flow(one, text):
            yield one.span.start, one.span.start + 1
            yield one.span.end - 1, one.span.end


def _within(text: str, start: int, end: int) -> Iterator[Remark]:
    """Yield the comments and blank lines between two tokens."""
    place = start
    for line in text[start:end].splitlines(keepends=True):
        begin = text.rfind("\n", 0, place) + 1
        sign = line.find("#")
        if sign >= 0:
            before = text[begin : place + sign]
            yield Remark(line[sign:].rstrip(), place + sign, len(before), not before.strip())
        elif place == begin and line.endswith("\n") and not line.strip():
            yield Remark("", place, 0, True)
        place += len(line)
