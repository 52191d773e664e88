"""Pictures as SVG: a file that stands by itself, and is the same for equal positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from textwrap import wrap
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from warchest.diagnostics.visible import visible_lines
from warchest.picture.colours import ink
from warchest.picture.key import legend, tables
from warchest.picture.scene import Cell, Scene, Stone, scene
from warchest.picture.shapes import NOBODY, STYLE, circle, corners, letter, points, rim, text, walls
from warchest.picture.shapes import number as _n
from warchest.picture.style import Style
from warchest.picture.words import description, space

if TYPE_CHECKING:
    from warchest.game.state import State

SIDE = 56.0
"""The length of the side of a hex, in pixels."""

SQUARE = 98.0
"""The width of a square, in pixels."""

MARGIN, HEAD = 28.0, 64.0
FACT, FACT_LETTER = 19.0, 7.8
"""The distance of the lines above the board from each other, and the greatest average width of a letter in them."""

LEAST = 480.0
"""The least width of a picture."""

_MOST_DISCS = 5
_MOST_STONES = 3
_LIFT, _MOST_LIFT = 5.0, 13.0
_TURNS = {"n": 0, "ne": 60, "e": 90, "se": 120, "s": 180, "sw": 240, "w": 270, "nw": 300}


def svg(state: State | Scene, style: Style | None = None, viewer: str | None = None) -> str:
    """Return the picture of a state, or of a scene, as an SVG document."""
    return _document(state if isinstance(state, Scene) else scene(state, style, viewer))


def _document(seen: Scene) -> str:
    size = SIDE if seen.shape == "hexes" else SQUARE
    half_width, half_height = (size, size * sqrt(3) / 2) if seen.shape == "hexes" else (size / 2, size / 2)
    xs, ys = [cell.x * size for cell in seen.cells] or [0.0], [cell.y * size for cell in seen.cells] or [0.0]
    width = max(max(xs) - min(xs) + 2 * (half_width + MARGIN), LEAST)
    facts = _facts(seen, width)
    head_height = HEAD + (len(facts) - 1) * FACT
    left, upper = width / 2 - (min(xs) + max(xs)) / 2, head_height + MARGIN + half_height - min(ys)
    bottom = upper + max(ys) + half_height + MARGIN
    below, height = _below(seen, bottom, width)
    parts = [
        f'<rect width="{_n(width)}" height="{_n(height)}" rx="12" fill="#fbf7ee"/>',
        text(MARGIN, 38, seen.title, "title"),
        *(text(MARGIN, 60 + index * FACT, line, "fact") for index, line in enumerate(facts)),
        # All spaces come before what lies on them, so that none covers its neighbour's.
        *(_shape(seen, cell, left + cell.x * size, upper + cell.y * size) for cell in seen.cells),
        *(part for cell in seen.cells for part in _group(seen, cell, left + cell.x * size, upper + cell.y * size)),
        *below,
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}" height="{_n(height)}" '
        f'viewBox="0 0 {_n(width)} {_n(height)}" role="img" aria-labelledby="picture-title picture-words">'
    )
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', head, f'<title id="picture-title">{escape(seen.title)}</title>',
             f'<desc id="picture-words">{escape(description(seen))}</desc>', f"<style>{STYLE}</style>",
             *parts, "</svg>"]  # fmt: skip
    return visible_lines("\n".join(lines) + "\n")


def _facts(seen: Scene, width: float) -> list[str]:
    """Return the facts above the board, in lines."""
    told = " · ".join(f"{title}: {value}" if value else title for title, value in seen.facts)
    return wrap(told, int((width - 2 * MARGIN) // FACT_LETTER)) or [""]


def _below(seen: Scene, top: float, width: float) -> tuple[list[str], float]:
    """Return the parts below the board, and the height of the picture with them."""
    cards, end = tables(seen, MARGIN, top, width - 2 * MARGIN)
    known, height = legend(seen, MARGIN, end, width - 2 * MARGIN)
    return cards + known, height + MARGIN / 2


# ---- spaces


def _shape(seen: Scene, cell: Cell, x: float, y: float) -> str:
    kind = "cell tagged" if cell.tagged else "cell"
    if seen.shape == "hexes":
        return f'<polygon class="{kind}" points="{points(corners(x, y, SIDE))}"/>'
    left, upper = _n(x - SQUARE / 2), _n(y - SQUARE / 2)
    return f'<rect class="{kind}" x="{left}" y="{upper}" width="{_n(SQUARE)}" height="{_n(SQUARE)}"/>'


def _group(seen: Scene, cell: Cell, x: float, y: float) -> Iterable[str]:
    """The things on a space, with words that are shown where the mouse rests."""
    yield f"<g><title>{escape(space(seen, cell))}</title>"
    yield from _inside(seen, cell, x, y)
    yield "</g>"


def _inside(seen: Scene, cell: Cell, x: float, y: float) -> Iterable[str]:
    hexes = seen.shape == "hexes"
    if cell.walls:
        yield from walls(x, y + 1, SIDE * 0.83 if hexes else SQUARE * 0.61, 6 if hexes else 4)
    yield from _holder(cell, x, y)
    above = SIDE * 0.63 if hexes else SQUARE * 0.36
    if cell.walls:
        yield f'<rect x="{_n(x - 12)}" y="{_n(y - above - 10)}" width="24" height="14" rx="4" class="card"/>'
    yield text(x, y - above, f"{cell.name} {cell.marks}".strip(), "name", "middle")
    yield from _stones(cell.stones[:_MOST_STONES], x, y + 2, (1 if hexes else SQUARE / SIDE / 2) * SIDE)
    if cell.holder is not None:
        yield circle(x, y + 37, 9.5, "", f'fill="{cell.holder.colour}" stroke="#fbf7ee"')
        yield letter(x, y + 41, cell.holder)


def _holder(cell: Cell, x: float, y: float) -> Iterable[str]:
    """A ring in the holder's colour, or a broken one while the space is free."""
    if cell.holder is None:
        if cell.tagged:
            yield circle(x, y + 3, 31, "ring")
        return
    colour = cell.holder.colour
    yield circle(x, y + 3, 31, "held", f'fill="{colour}" stroke="{colour}"')


def _stones(stones: Sequence[Stone], x: float, y: float, room: float) -> Iterable[str]:
    """One stone in its size, or several side by side in a smaller one; `room` is half the width there is."""
    if len(stones) == 1:
        yield from _stone(stones[0], x, y)
        return
    size = 1 / max(len(stones), 1)
    for index, stone in enumerate(stones):
        place = x + (2 * index + 1 - len(stones)) * size * room * 0.94
        scale = f"translate({_n(place)} {_n(y)}) scale({size * 1.6:.2f})"
        yield f'<g transform="{scale}">'
        yield from _stone(stone, 0, 0)
        yield "</g>"


def _stone(stone: Stone, x: float, y: float) -> Iterable[str]:
    """Discs on top of each other, at most a few; the whole number stands beside them."""
    colour = stone.side.colour if stone.side is not None else NOBODY
    discs = max(min(stone.count, _MOST_DISCS), 1)
    lift = min(_LIFT, _MOST_LIFT / max(discs - 1, 1))
    top = y - (discs - 1) * lift / 2
    for disc in range(discs - 1, -1, -1):
        yield circle(x, top + disc * lift, 25, "disc", f'fill="{colour}"')
    paint = ink(colour)
    yield from rim(x, top, 21.5, stone.side, 2.4)
    yield text(x, top + 3, stone.label, "label", "middle", paint)
    if stone.side is not None:
        yield letter(x, top + 16, stone.side)
    if stone.facing in _TURNS:
        turn = f"rotate({_TURNS[stone.facing]} {_n(x)} {_n(top)})"
        yield f'<path d="M {_n(x - 6)} {_n(top - 25)} l 6 -9 l 6 9 z" fill="{colour}" class="disc" transform="{turn}"/>'
    if stone.count > 1:
        yield circle(x + 21, top - 17, 9, "", 'fill="#ffffff" stroke="#2b2520"')
        yield text(x + 21, top - 13, str(stone.count), "count", "middle")
    if stone.values or stone.marks:
        yield text(x, top + 43, f"{stone.values} {stone.marks}".strip(), "count", "middle")
