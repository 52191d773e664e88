"""Texts in the corners that a board leaves free, like players around a table: clockwise from the upper left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

GAP = 2
"""The distance of a text from the board, in characters."""

_INDENT = "  "

Paragraph = tuple[Text, str]
"""A title with the text behind it."""


def around(drawn: Text, texts: Sequence[Sequence[Paragraph]], width: int) -> Text | None:
    """Return a drawing in the middle of some width with a text in each corner; None if there is no room for them."""
    lines = list(drawn.split("\n"))
    offset = (width - max(line.cell_len for line in lines)) // 2
    if offset < 0 or len(texts) > 4:
        return None
    lefts = [offset + len(line.plain) - len(line.plain.lstrip()) for line in lines]
    rights = [width - offset - line.cell_len for line in lines]
    middle = len(lines) // 2
    found: list[tuple[list[Text], bool]] = []
    for number, one in enumerate(texts):
        right, lower = number in (1, 2), number in (2, 3)
        rooms = [max(room - GAP, 0) for room in (rights if right else lefts)]
        placed = _lower(one, rooms, middle + 1) if lower else _flow(one, rooms[:middle])
        if placed is None:
            return None
        found.append((placed, right))
    return Text("\n").join(_joined(lines, offset, found, width))


def _joined(
    lines: Sequence[Text], offset: int, texts: Sequence[tuple[list[Text], bool]], width: int
) -> Iterator[Text]:
    """Put together each line of the board with the texts on its left and its right."""
    for number, line in enumerate(lines):
        left, right = Text(), Text()
        for placed, is_right in texts:
            if number < len(placed) and placed[number].plain:
                left, right = (left, placed[number]) if is_right else (placed[number], right)
        blank = len(line.plain) - len(line.plain.lstrip())
        whole = Text(no_wrap=True).append_text(left)
        whole.append(" " * (offset + blank - left.cell_len)).append_text(line[blank:] if blank < len(line) else Text())
        if right.plain:
            whole.append(" " * (width - whole.cell_len - right.cell_len)).append_text(right)
        yield whole


def _lower(paragraphs: Sequence[Paragraph], rooms: Sequence[int], first: int) -> list[Text] | None:
    """Return the lines of a text that ends as low as it can, with empty ones before it."""
    for start in range(len(rooms) - 1, first - 1, -1):
        placed = _flow(paragraphs, rooms[start:])
        if placed is not None:
            return [Text()] * start + placed
    return None


def _flow(paragraphs: Sequence[Paragraph], rooms: Sequence[int]) -> list[Text] | None:
    """Return the lines of a text, each no longer than there is room for in it; None if there is not enough."""
    placed: list[Text] = []
    for title, value in paragraphs:
        line = title.copy()
        for word in _words(value):
            if len(placed) < len(rooms) and line.cell_len + 1 + len(word) <= rooms[len(placed)]:
                line.append(f" {word}")
                continue
            if not _put(placed, line, rooms):
                return None
            line = Text(_INDENT + word)
        if not _put(placed, line, rooms):
            return None
    return placed


def _put(placed: list[Text], line: Text, rooms: Sequence[int]) -> bool:
    """Add a line where it fits in; False if it does not before the room ends."""
    while len(placed) < len(rooms) and line.cell_len > rooms[len(placed)]:
        placed.append(Text())
    if len(placed) == len(rooms):
        return False
    placed.append(line)
    return True


def _words(value: str) -> list[str]:
    return value.split()
