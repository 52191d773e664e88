"""The parts below the board in an SVG picture: tables with marks, and the legend of the signs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from warchest.picture.scene import Row, Scene, Side
from warchest.picture.shapes import NOBODY, badge, circle, corners, points, text, walls

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
