"""Pictures as SVG: a self-contained file, the same for equal positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from math import sqrt
from typing import TYPE_CHECKING

from warchest.diagnostics.visible import visible_lines
from warchest.picture.arrows import above, below, meanings
from warchest.picture.board_drawing import SIDE, SQUARE, free, group, shape
from warchest.picture.drawing import PREFIX, STYLE, Dot, box, cut, fitting, lines_of_words, number, text, width_of
from warchest.picture.panels import COLUMN, Sketch, legend, panel, tables
from warchest.picture.picture_text import description
from warchest.picture.scene import HEXES, Scene, scene
from warchest.picture.style import Style, ink

if TYPE_CHECKING:
    from warchest.game.state import State

MARGIN, GAP = 28.0, 16.0
"""The empty edge of a picture, and the distance of its parts."""

LEAST = 480.0
"""The least width of a picture."""

_TITLE, _FACT = 38.0, 19.0
"""The foot of the title, and the distance of the lines below it from each other."""
_NEUTRAL = "#4a3f37"
"""The colour of an end without a winner."""


def svg(
    state: State | Scene,
    style: Style | None = None,
    viewer: str | None = None,
    styled: bool = True,
    prefix: str = PREFIX,
) -> str:
    """Return the picture of a state, or of a scene, as an SVG document.

    Its parts say what they show: `data-space` a space, `data-piece` a piece, with its `data-owner`, `data-zone` a zone
    with its `data-owner`, and `data-thing` a thing in a zone. Each space and piece has an `id`, which begins with
    `prefix`. If the picture is not `styled`, it has no style sheet, so that a page can show several beside other
    text: the page has `sheet(prefix)` once.
    """
    return _document(state if isinstance(state, Scene) else scene(state, style, viewer), styled, prefix)


def _document(seen: Scene, styled: bool, prefix: str) -> str:
    ground = Ground(seen, prefix)
    panels = [one for one in seen.panels if one.piles]
    width = max(ground.width + 2 * MARGIN + (GAP + COLUMN if panels else 0), LEAST)
    heading, top = _heading(seen, width)
    left = _Column(MARGIN, width - 2 * MARGIN - (GAP + COLUMN if panels else 0), top)
    right = _Column(width - MARGIN - COLUMN, COLUMN, top)
    board = ground.drawn(left.left + (left.width - ground.width) / 2, top)
    left.bottom += ground.height
    parts = [*heading, *board]
    for one in panels:
        parts += right.add(lambda x, y, room, one=one: panel(one, x, y, room))  # type: ignore[misc]
    columns = [left, right] if panels else [left]
    for draw in (tables, legend):
        parts += _added(lambda x, y, room, draw=draw: draw(seen, x, y, room), columns)  # type: ignore[misc]
    height = max(column.bottom for column in columns) + MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width)}" height="{number(height)}" '
        f'viewBox="0 0 {number(width)} {number(height)}" role="img" class="{prefix}" '
        f'aria-labelledby="{prefix}-title {prefix}-words">'
    )
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        head,
        f'<title id="{prefix}-title">{escape(seen.title, quote=False)}</title>',
        f'<desc id="{prefix}-words">{escape(description(seen), quote=False)}</desc>',
        *([f"<style>{STYLE}</style>"] if styled else []),
        box(0, 0, width, height, "paper", 12),
        *parts,
        "</svg>",
    ]
    return visible_lines("\n".join(lines) + "\n")


# ---- the parts of a picture, in columns

DrawPart = Callable[[float, float, float], Sketch]
"""Draws a part from its upper left corner on, in some width."""


class _Column:
    """A column of a picture, with the place where its next part begins."""

    def __init__(self, left: float, width: float, top: float) -> None:
        self.left, self.width, self.bottom, self._top = left, width, top, top

    @property
    def next(self) -> float:
        """The height at which another part would begin."""
        return self.bottom + (GAP if self.bottom > self._top else 0)

    def add(self, draw: DrawPart) -> list[str]:
        """Add a part; return its drawing."""
        parts, end = draw(self.left, self.next, self.width)
        self.bottom = end if parts else self.bottom
        return parts


def _added(draw: DrawPart, columns: Sequence[_Column]) -> list[str]:
    """Add a part to the column in which it ends highest, and return its drawing."""
    ends = [draw(column.left, column.next, column.width)[1] for column in columns]
    return columns[ends.index(min(ends))].add(draw)


# ---- above the board


def _heading(seen: Scene, width: float) -> Sketch:
    """Return the title, with the facts below it, and after these the ending and the last act."""
    room = width - 2 * MARGIN
    ribbon = min(width_of(seen.ending, 15) + 28, room * 0.7) if seen.ending else 0.0
    size = fitting(seen.title, 24, room - ribbon - GAP)
    parts, foot = [text(MARGIN, _TITLE, seen.title, "title", size=size if size < 24 else None)], _TITLE + 3
    if seen.ending:
        parts += _ending(seen, width - MARGIN - ribbon, ribbon)
    facts = " · ".join(f"{title}: {value}" if value else title for title, value in seen.facts)
    # One line for each even if it says nothing, and one only for the caption: so the board stays where it is from one
    # picture to the next.
    lines = [(line, "fact") for line in lines_of_words(facts, 14.5, room, bold=False) or [""]]
    if seen.caption:
        signs, end = meanings(seen.motions, width - MARGIN, foot + _FACT * (len(lines) + 1) - 5)
        parts += signs
        lines.append((cut(seen.caption, 14, end - MARGIN), "caption"))
    for line, kind in lines:
        foot += _FACT
        parts += [text(MARGIN, foot, line, kind)] if line else []
    return parts, foot + MARGIN


def _ending(seen: Scene, left: float, width: float) -> Iterable[str]:
    """A ribbon in the winner's colour: the game is over, and who has won."""
    colour = seen.winners[0].colour if seen.winners else _NEUTRAL
    yield box(left, 16, width, 30, "disc", 15, f'fill="{colour}"')
    size = fitting(seen.ending, 15, width - 20)
    yield text(left + width / 2, 36, seen.ending, "ending", "middle", ink(colour), size if size < 15 else None)


# ---- the board


class Ground:
    """The board: its measures, and its spaces with everything on them."""

    def __init__(self, seen: Scene, prefix: str = PREFIX) -> None:
        self.seen, self.prefix = seen, prefix
        self.size = SIDE if seen.shape == HEXES else SQUARE
        half = (self.size, self.size * sqrt(3) / 2) if seen.shape == HEXES else (self.size / 2, self.size / 2)
        xs = [cell.x * self.size for cell in seen.cells] or [0.0]
        ys = [cell.y * self.size for cell in seen.cells] or [0.0]
        self.width, self.height = max(xs) - min(xs) + 2 * half[0], max(ys) - min(ys) + 2 * half[1]
        self._left, self._top = half[0] - min(xs), half[1] - min(ys)

    def drawn(self, left: float, top: float) -> list[str]:
        """Return the board drawn from an upper left corner on."""
        seen = self.seen
        at: dict[str, Dot] = {
            cell.name: (left + self._left + cell.x * self.size, top + self._top + cell.y * self.size)
            for cell in seen.cells
        }
        near = self.size * (1.8 if seen.shape == HEXES else 1.5)
        # All spaces come before the things on them, so that none covers its neighbour's.
        reach = {cell.name: free(seen, cell) for cell in seen.cells}
        corner = (-24.0, -22.0) if seen.shape == HEXES else (-40.0, -38.0)
        return [
            *(shape(seen, cell, *at[cell.name], self.prefix) for cell in seen.cells),
            *below(seen.motions, at, reach, near),
            *(part for cell in seen.cells for part in group(seen, cell, *at[cell.name], self.prefix)),
            *above(seen.motions, at, corner),
        ]
