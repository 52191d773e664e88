"""Pictures as SVG: a file that stands by itself, and is the same for equal positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from warchest.picture.scene import Cell, Scene, Stone, scene
from warchest.picture.style import Style
from warchest.picture.terminal import ink

if TYPE_CHECKING:
    from warchest.game.state import State

SIDE = 56.0
"""How long the side of a hex is, in pixels."""

SQUARE = 98.0
"""How wide a square is, in pixels."""

MARGIN, HEAD, LINE = 28.0, 64.0, 22.0
_MOST_DISCS = 5
_LIFT = 5.0
_TURNS = {"n": 0, "ne": 60, "e": 90, "se": 120, "s": 180, "sw": 240, "w": 270, "nw": 300}
_NOBODY = "#8a8175"
_STYLE = """
text { font-family: "DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif; fill: #3a3128; }
.title { font-size: 24px; font-weight: bold; }
.fact { font-size: 14px; fill: #6b5d4b; }
.name { font-size: 11px; fill: #8b7b62; }
.legend { font-size: 13px; }
.cell { fill: #f3ead6; stroke: #b9a683; stroke-width: 2; stroke-linejoin: round; }
.tagged { fill: #dfd6c6; }
.ring { fill: none; stroke: #a58743; stroke-width: 2.5; stroke-dasharray: 5 4; }
.held { fill-opacity: 0.22; stroke-width: 4.5; }
.disc { stroke: #2b2520; stroke-width: 1.4; }
.label { font-size: 15px; font-weight: bold; }
.count { font-size: 11px; font-weight: bold; }
.sign { font-size: 14px; font-weight: bold; }
"""


def svg(state: State, style: Style | None = None, viewer: str | None = None) -> str:
    """Return the picture of a state as an SVG document."""
    return _document(scene(state, style, viewer))


def _document(seen: Scene) -> str:
    size = SIDE if seen.shape == "hexes" else SQUARE
    half_width, half_height = (size, size * sqrt(3) / 2) if seen.shape == "hexes" else (size / 2, size / 2)
    xs, ys = [cell.x * size for cell in seen.cells] or [0.0], [cell.y * size for cell in seen.cells] or [0.0]
    left, upper = MARGIN + half_width - min(xs), HEAD + MARGIN + half_height - min(ys)
    width = max(max(xs) - min(xs) + 2 * (half_width + MARGIN), 480)
    bottom = upper + max(ys) + half_height + MARGIN
    legend, height = _legend(seen, bottom, width)
    parts = [
        f'<rect width="{_n(width)}" height="{_n(height)}" rx="12" fill="#fbf7ee"/>',
        _text(MARGIN, 38, seen.title, "title"),
        _text(MARGIN, 60, " · ".join(f"{title}: {value}" if value else title for title, value in seen.facts), "fact"),
        # All spaces come before what lies on them, so that none covers its neighbour's.
        *(_shape(seen, cell, left + cell.x * size, upper + cell.y * size) for cell in seen.cells),
        *(part for cell in seen.cells for part in _inside(seen, cell, left + cell.x * size, upper + cell.y * size)),
        *legend,
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}" height="{_n(height)}" '
        f'viewBox="0 0 {_n(width)} {_n(height)}" role="img">'
    )
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', head, f"<title>{escape(seen.title)}</title>",
             f"<style>{_STYLE}</style>", *parts, "</svg>"]  # fmt: skip
    return "\n".join(lines) + "\n"


# ---- spaces


def _shape(seen: Scene, cell: Cell, x: float, y: float) -> str:
    kind = "cell tagged" if cell.tagged else "cell"
    if seen.shape == "hexes":
        corners = " ".join(f"{_n(x + SIDE * cos(k * pi / 3))},{_n(y + SIDE * sin(k * pi / 3))}" for k in range(6))
        return f'<polygon class="{kind}" points="{corners}"/>'
    left, upper = _n(x - SQUARE / 2), _n(y - SQUARE / 2)
    return f'<rect class="{kind}" x="{left}" y="{upper}" width="{_n(SQUARE)}" height="{_n(SQUARE)}"/>'


def _inside(seen: Scene, cell: Cell, x: float, y: float) -> Iterable[str]:
    yield from _holder(cell, x, y)
    above = SIDE * 0.63 if seen.shape == "hexes" else SQUARE * 0.36
    yield _text(x, y - above, f"{cell.name} {cell.signs}".strip(), "name", "middle")
    for index, stone in enumerate(cell.stones[:3]):
        spread = (index - (min(len(cell.stones), 3) - 1) / 2) * 14
        yield from _stone(stone, x + spread, y + 2)


def _holder(cell: Cell, x: float, y: float) -> Iterable[str]:
    """A ring in the holder's colour with its letter below, or a broken one while the space is free."""
    if cell.holder is None:
        if cell.tagged:
            yield f'<circle class="ring" cx="{_n(x)}" cy="{_n(y + 3)}" r="31"/>'
        return
    colour = cell.holder.colour
    yield f'<circle class="held" cx="{_n(x)}" cy="{_n(y + 3)}" r="31" fill="{colour}" stroke="{colour}"/>'
    yield f'<circle cx="{_n(x)}" cy="{_n(y + 37)}" r="9.5" fill="{colour}" stroke="#fbf7ee"/>'
    yield _text(x, y + 41, cell.holder.letter, "count", "middle", ink(colour))


def _stone(stone: Stone, x: float, y: float) -> Iterable[str]:
    """Discs on top of each other, at most a few; the whole number stands beside them."""
    colour = stone.side.colour if stone.side is not None else _NOBODY
    discs = max(min(stone.count, _MOST_DISCS), 1)
    top = y - (discs - 1) * _LIFT / 2
    for disc in range(discs - 1, -1, -1):
        yield f'<circle class="disc" cx="{_n(x)}" cy="{_n(top + disc * _LIFT)}" r="25" fill="{colour}"/>'
    paint = ink(colour)
    yield f'<circle cx="{_n(x)}" cy="{_n(top)}" r="21" fill="none" stroke="{paint}" stroke-opacity="0.45"/>'
    yield _text(x, top + 3, stone.label, "label", "middle", paint)
    if stone.side is not None:
        yield _text(x, top + 16, stone.side.letter, "count", "middle", paint)
    if stone.facing in _TURNS:
        turn = f"rotate({_TURNS[stone.facing]} {_n(x)} {_n(top)})"
        yield f'<path d="M {_n(x - 6)} {_n(top - 25)} l 6 -9 l 6 9 z" fill="{colour}" class="disc" transform="{turn}"/>'
    if stone.count > 1:
        yield f'<circle cx="{_n(x + 21)}" cy="{_n(top - 17)}" r="9" fill="#ffffff" stroke="#2b2520"/>'
        yield _text(x + 21, top - 13, str(stone.count), "count", "middle")


# ---- the legend


def _legend(seen: Scene, top: float, width: float) -> tuple[list[str], float]:
    """Return what explains the picture, and where the picture ends."""
    parts: list[str] = []
    for number, side in enumerate(seen.sides):
        y = top + number * LINE
        parts.append(f'<circle class="disc" cx="{_n(MARGIN + 9)}" cy="{_n(y - 4)}" r="9" fill="{side.colour}"/>')
        parts.append(_text(MARGIN + 9, y, side.letter, "count", "middle", ink(side.colour)))
        team = f" ({side.team})" if side.team != side.name else ""
        parts.append(_text(MARGIN + 26, y, side.name + team, "legend"))
    end = top + len(seen.sides) * LINE
    column = MARGIN + 150
    if any(cell.tagged for cell in seen.cells):
        parts.append(f'<circle class="ring" cx="{_n(column + 9)}" cy="{_n(top - 4)}" r="8"/>')
        parts.append(_text(column + 26, top, seen.words[0], "legend"))
        parts.append(f'<circle class="held" cx="{_n(column + 9)}" cy="{_n(top + LINE - 4)}" r="8" '
                     f'fill="{_NOBODY}" stroke="{_NOBODY}"/>')  # fmt: skip
        parts.append(_text(column + 26, top + LINE, seen.words[1], "legend"))
        end = max(end, top + 2 * LINE)
        column += 130
    bottom = _names(parts, seen.legend, column, top, width)
    return parts, max(end, bottom) + MARGIN / 2


def _names(parts: list[str], names: Sequence[tuple[str, str]], left: float, top: float, width: float) -> float:
    """Write what the short labels stand for, in as many columns as there is room for; return where they end."""
    columns = max(int((width - left - MARGIN) // 150), 1)
    for index, (label, name) in enumerate(names):
        x, y = left + (index % columns) * 150, top + (index // columns) * LINE
        parts.append(_text(x, y, label, "legend sign"))
        parts.append(_text(x + 40, y, name, "legend"))
    return top + -(-len(names) // columns) * LINE


# ---- writing


def _text(x: float, y: float, text: str, kind: str, anchor: str = "", colour: str = "") -> str:
    where = f' text-anchor="{anchor}"' if anchor else ""
    # A style of its own, because a rule of the sheet goes before an attribute.
    paint = f' style="fill: {colour}"' if colour else ""
    return f'<text x="{_n(x)}" y="{_n(y)}" class="{kind}"{where}{paint}>{escape(text)}</text>'


def _n(number: float) -> str:
    """Return a number in as few digits as do, the same on every machine."""
    written = f"{number:.1f}".removesuffix(".0")
    return "0" if written == "-0" else written
