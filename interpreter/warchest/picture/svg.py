"""Pictures as SVG: a file that stands by itself, and is the same for equal positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import cos, pi, sin, sqrt
from textwrap import wrap
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from warchest.diagnostics.visible import visible_lines
from warchest.picture.scene import Cell, Row, Scene, Side, Stone, scene
from warchest.picture.style import Style, ink

if TYPE_CHECKING:
    from warchest.game.state import State


# ---- shapes of SVG pictures

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


# ---- the parts below the board in an SVG picture

LINE = 24.0
CARD_WIDTH, CARD_HEIGHT, GAP = 184.0, 62.0, 14.0
_MARK, _STEP = 11.0, 31.0

Draw = Callable[[float, float], Iterable[str]]
"""Draws a sign of the legend around a place."""


# ---- tables


def tables(seen: Scene, left: float, top: float, width: float) -> tuple[list[str], float]:
    """Return the tables as cards in lines, and where they end."""
    parts: list[str] = []
    columns = max(int((width + GAP) // (CARD_WIDTH + GAP)), 1)
    for title, rows in seen.tables:
        parts.append(text(left, top + 4, title, "heading"))
        top += 14
        for index, row in enumerate(rows):
            x = left + (index % columns) * (CARD_WIDTH + GAP)
            parts += _card(row, seen.heads, x, top + (index // columns) * (CARD_HEIGHT + GAP))
        top += -(-len(rows) // columns) * (CARD_HEIGHT + GAP) + GAP
    return parts, top


def _card(row: Row, heads: Sequence[Side], x: float, y: float) -> Iterable[str]:
    """A card with a place for each team's mark; marks that have none of their own stand behind."""
    yield f'<rect class="card" x="{x:.0f}" y="{y:.0f}" width="{CARD_WIDTH:.0f}" height="{CARD_HEIGHT:.0f}" rx="7"/>'
    yield text(x + 14, y + 24, row.name, "sign")
    place, middle = x + 14 + _MARK, y + 44
    for head in heads:
        marks = [side for side in row.marks if side.team == head.team]
        if not marks:
            yield circle(place, middle, _MARK - 1, "free", f'stroke="{head.colour}"')
            place += _STEP
        for side in marks:
            yield f'<polygon points="{points(_wax(place, middle))}" fill="{side.colour}" class="disc"/>'
            yield from badge(place, middle, side, _MARK - 2)
            place += _STEP
    if row.rest:
        yield text(place, middle + 4, row.rest, "legend")


def _wax(x: float, y: float) -> list[tuple[float, float]]:
    """The edge of a mark: a star of many blunt points."""
    outer, inner = corners(x, y, _MARK + 1.5, 12), corners(x, y, _MARK - 0.5, 12, 0.2618)
    return [place for pair in zip(outer, inner, strict=True) for place in pair]


# ---- the legend


def legend(seen: Scene, left: float, top: float, width: float) -> tuple[list[str], float]:
    """Return the legend of all signs, in as many columns as there is room for, and where it ends."""
    items = [*_players(seen), *_marks(seen), *_signs(seen), *_names(seen)]
    widest = max((len(told) for _, told in items), default=0)
    columns = max(int(width // (widest * 7.4 + 54)), 1)
    height = -(-len(items) // columns)
    parts: list[str] = []
    for index, (draw, told) in enumerate(items):
        x, y = left + (index // height) * (width / columns), top + (index % height) * LINE
        parts += draw(x + 16, y)
        parts.append(text(x + 40, y + 4, told, "legend"))
    return parts, top + height * LINE


def _players(seen: Scene) -> Iterable[tuple[Draw, str]]:
    for side in seen.sides:
        team = f" ({side.team})" if side.team != side.name else ""
        yield lambda x, y, side=side: badge(x, y, side), side.name + team  # type: ignore[misc]


def _marks(seen: Scene) -> Iterable[tuple[Draw, str]]:
    if any(cell.tagged for cell in seen.cells):
        yield lambda x, y: [circle(x, y, 8, "ring")], seen.words[0]
    if any(cell.holder for cell in seen.cells):
        yield lambda x, y: [circle(x, y, 8, "held", f'fill="{NOBODY}" stroke="{NOBODY}"')], seen.words[1]
    count = 6 if seen.shape == "hexes" else 4
    for sign in seen.signs:
        if sign.walls:
            yield lambda x, y: walls(x, y, 9, count), sign.title
        else:
            yield _written(sign.sign), sign.title


def _signs(seen: Scene) -> Iterable[tuple[Draw, str]]:
    return ((_written(sign), told) for sign, told in seen.marks)


def _names(seen: Scene) -> Iterable[tuple[Draw, str]]:
    return ((_written(label), name) for label, name in seen.legend)


def _written(label: str) -> Draw:
    return lambda x, y: [text(x, y + 4, label, "legend sign", "middle")]


# ---- pictures in words


def description(seen: Scene) -> str:
    """Return everything that is to be seen, without the empty spaces."""
    facts = [f"{title}: {value}" if value else title for title, value in seen.facts]
    spaces = [told for cell in seen.cells if cell.stones or cell.signs or cell.holder if (told := space(seen, cell))]
    tables = [f"{title}: {'; '.join(map(row, rows))}" for title, rows in seen.tables]
    return " ".join(f"{sentence}." for sentence in (*facts, *spaces, *tables))


def space(seen: Scene, cell: Cell) -> str:
    """Return the name of a space and the things to be seen on it."""
    return f"{cell.name}: {', '.join(_parts_in_words(seen, cell)) or 'empty'}"


def row(one: Row) -> str:
    """Return a thing with those whose marks lie on it."""
    marks = ", ".join([*(side.name for side in one.marks), *([one.rest] if one.rest else [])])
    return f"{one.name} ({marks})" if marks else one.name


def _parts_in_words(seen: Scene, cell: Cell) -> Iterable[str]:
    yield from map(_stone_in_words, cell.stones)
    yield from (sign.title for sign in cell.signs)
    if cell.tagged:
        yield seen.words[0]
    if cell.holder is not None:
        yield f"{seen.words[1]}: {cell.holder.team}"


def _stone_in_words(stone: Stone) -> str:
    whose = f" ({stone.side.name})" if stone.side is not None else ""
    count = f"{stone.count} " if stone.count > 1 else ""
    rest = "".join(f" {word}" for word in (stone.facing, stone.values, stone.notes) if word)
    return f"{count}{stone.name}{whose}{rest}"


# ---- pictures as SVG

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
        f'<rect width="{number(width)}" height="{number(height)}" rx="12" fill="#fbf7ee"/>',
        text(MARGIN, 38, seen.title, "title"),
        *(text(MARGIN, 60 + index * FACT, line, "fact") for index, line in enumerate(facts)),
        # All spaces come before what lies on them, so that none covers its neighbour's.
        *(_shape(seen, cell, left + cell.x * size, upper + cell.y * size) for cell in seen.cells),
        *(part for cell in seen.cells for part in _group(seen, cell, left + cell.x * size, upper + cell.y * size)),
        *below,
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width)}" height="{number(height)}" '
        f'viewBox="0 0 {number(width)} {number(height)}" role="img" aria-labelledby="picture-title picture-words">'
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
    left, upper = number(x - SQUARE / 2), number(y - SQUARE / 2)
    return f'<rect class="{kind}" x="{left}" y="{upper}" width="{number(SQUARE)}" height="{number(SQUARE)}"/>'


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
        yield f'<rect x="{number(x - 12)}" y="{number(y - above - 10)}" width="24" height="14" rx="4" class="card"/>'
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
        scale = f"translate({number(place)} {number(y)}) scale({size * 1.6:.2f})"
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
        turn = f"rotate({_TURNS[stone.facing]} {number(x)} {number(top)})"
        path = f"M {number(x - 6)} {number(top - 25)} l 6 -9 l 6 9 z"
        yield f'<path d="{path}" fill="{colour}" class="disc" transform="{turn}"/>'
    if stone.count > 1:
        yield circle(x + 21, top - 17, 9, "", 'fill="#ffffff" stroke="#2b2520"')
        yield text(x + 21, top - 13, str(stone.count), "count", "middle")
    if stone.values or stone.marks:
        yield text(x, top + 43, f"{stone.values} {stone.marks}".strip(), "count", "middle")
