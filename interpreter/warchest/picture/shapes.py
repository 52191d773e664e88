"""Shapes of SVG pictures: texts, discs, rings, walls; each as the text of its elements."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, pi, sin
from xml.sax.saxutils import escape

from warchest.picture.colours import ink
from warchest.picture.scene import Side

NOBODY = "#8a8175"
"""The colour of things that belong to nobody."""

STYLE = """
text { font-family: "DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif; fill: #3a3128; }
.title { font-size: 24px; font-weight: bold; }
.fact { font-size: 14px; fill: #6b5d4b; }
.name { font-size: 11px; fill: #8b7b62; }
.legend { font-size: 13px; }
.heading { font-size: 14px; font-weight: bold; fill: #6b5d4b; }
.cell { fill: #f3ead6; stroke: #b9a683; stroke-width: 2; stroke-linejoin: round; }
.tagged { fill: #dfd6c6; }
.ring { fill: none; stroke: #a58743; stroke-width: 2.5; stroke-dasharray: 5 4; }
.held { fill-opacity: 0.22; stroke-width: 4.5; }
.disc { stroke: #2b2520; stroke-width: 1.4; }
.label { font-size: 15px; font-weight: bold; }
.count { font-size: 11px; font-weight: bold; }
.small { font-size: 9px; font-weight: bold; }
.sign { font-size: 14px; font-weight: bold; }
.wall { fill: none; stroke-linejoin: round; }
.edge { stroke: #4a3f37; }
.face { stroke: #a79b8c; }
.post { fill: #a79b8c; stroke: #4a3f37; stroke-width: 1.4; }
.card { fill: #fffdf7; stroke: #b9a683; stroke-width: 1.5; }
.free { fill: none; stroke-opacity: 0.55; stroke-width: 1.5; stroke-dasharray: 3 3; }
"""


def number(value: float) -> str:
    """Return a number in as few digits as do, the same on every machine."""
    written = f"{value:.1f}".removesuffix(".0")
    return "0" if written == "-0" else written


def text(x: float, y: float, said: str, kind: str, anchor: str = "", colour: str = "") -> str:
    """Return a text that begins at a place, or has it in its middle."""
    where = f' text-anchor="{anchor}"' if anchor else ""
    # A style of its own, because a rule of the sheet goes before an attribute.
    paint = f' style="fill: {colour}"' if colour else ""
    return f'<text x="{number(x)}" y="{number(y)}" class="{kind}"{where}{paint}>{escape(said)}</text>'


def circle(x: float, y: float, radius: float, kind: str = "", more: str = "") -> str:
    """Return a circle of some kind."""
    words = "".join(f" {word}" for word in (f'class="{kind}"' if kind else "", more) if word)
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"{words}/>'


def corners(x: float, y: float, radius: float, count: int = 6, turn: float = 0.0) -> list[tuple[float, float]]:
    """Return the corners of a figure, the first to the right unless turned."""
    angles = [turn + k * 2 * pi / count for k in range(count)]
    return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]


def points(places: Iterable[tuple[float, float]]) -> str:
    """Return places as the points of a polygon."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in places)


def letter(x: float, y: float, side: Side) -> str:
    """Return a player's letter, to be read on the player's colour."""
    return text(x, y, side.letter, "count" if len(side.letter) == 1 else "count small", "middle", ink(side.colour))


def badge(x: float, y: float, side: Side, radius: float = 10.0) -> Iterable[str]:
    """Return a player's disc with its letter, and for those who are not the first of a team a ring of dashes."""
    yield circle(x, y, radius, "disc", f'fill="{side.colour}"')
    yield from rim(x, y, radius - 2.2, side, 1.2) if side.rank else ()
    yield letter(x, y + 4 - (len(side.letter) > 1) * 0.7, side)


def rim(x: float, y: float, radius: float, side: Side | None, width: float) -> Iterable[str]:
    """Return the ring within the edge of a disc: a thin line, or broken ones for the later players of a team."""
    paint = ink(side.colour if side is not None else NOBODY)
    rank = side.rank if side is not None else 0
    dashes = f' stroke-width="{number(width)}" stroke-dasharray="{number(2.4 * width)} {number(1.8 * width * rank)}"'
    faint = ' stroke-opacity="0.45"' if not rank else ' stroke-opacity="0.8"'
    yield circle(x, y, radius, "", f'fill="none" stroke="{paint}"{faint}{dashes if rank else ""}')


def walls(x: float, y: float, radius: float, count: int) -> Iterable[str]:
    """Return walls around a place, with a post at each of their corners."""
    places = corners(x, y, radius, count, 0.0 if count == 6 else pi / 4)
    thick = radius / 6.5
    for kind, width in (("edge", thick + 2.8), ("face", thick)):
        yield f'<polygon class="wall {kind}" stroke-width="{number(width)}" points="{points(places)}"/>'
    for corner_x, corner_y in places:
        yield circle(corner_x, corner_y, thick * 0.85, "post")
