"""A canvas of characters, each with a style, that becomes coloured text."""

from __future__ import annotations

from itertools import groupby

from rich.text import Text

StyledCharacter = tuple[str, str]


class Canvas:
    """Characters at columns and lines; nothing outside the canvas is drawn."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._lines: list[list[StyledCharacter]] = [[(" ", "")] * width for _ in range(height)]

    def put(self, column: int, line: int, text: str, style: str = "") -> None:
        """Write a text that begins at a place."""
        for offset, character in enumerate(text):
            if 0 <= column + offset < self.width and 0 <= line < self.height:
                self._lines[line][column + offset] = (character, style)

    def put_middle(self, column: int, line: int, width: int, text: str, style: str = "") -> None:
        """Write a text into the middle of a stretch of some width; a text that is too long is cut off."""
        text = text[:width]
        self.put(column + (width - len(text) + 1) // 2, line, text, style)

    def text(self) -> Text:
        """Return everything as text with its styles, without blanks at the ends of lines."""
        lines = []
        for cells in self._lines:
            line = Text(no_wrap=True)
            for style, run in groupby(cells, key=lambda cell: cell[1]):
                line.append("".join(character for character, _ in run), style or None)
            line.rstrip()
            lines.append(line)
        return Text("\n").join(lines)
