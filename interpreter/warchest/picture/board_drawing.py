"""The spaces of a board in an SVG picture, with the pieces and signs on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from warchest.picture.drawing import (
    NOBODY,
    PREFIX,
    Dot,
    box,
    circle,
    corners,
    data,
    fitting,
    letter,
    number,
    points,
    rim,
    text,
    walls,
    width_of,
)
from warchest.picture.picture_text import space
from warchest.picture.scene import HEXES, Cell, Scene, Stone
from warchest.picture.style import ink
from warchest.source.records import record

SIDE = 56.0
"""The length of the side of a hex, in pixels."""

SQUARE = 112.0
"""The width of a square, in pixels."""

# ---- the places of things in a space, relative to its middle


@record()
class SpaceLayout:
    """The places in a space of some shape, seen from its middle.

    Marks take the first free places, which are the places of their outer ends; no mark is wider than `widest`.

    The holder's sign has one place beside a piece with numbers, and another if several pieces share the space. A piece
    alone has the `radius`, or `looking` if it has a facing. Several pieces have `scales` by number and some `room`; a
    space that becomes narrow below has less room there.
    """

    name: float
    radius: float
    looking: float
    values: float
    holder: Dot
    shared: Dot
    count: Dot
    marks: tuple[Dot, ...]
    widest: float
    scales: tuple[float, ...]
    room: float
    narrow: float
    walls: float


_MIDDLE = 2.0
"""The distance of a piece below the middle of its space, because of the name above it."""

_HEX = SpaceLayout(
    name=-35.0,
    radius=25.0,
    looking=21.0,
    values=45.5,
    holder=(-27.0, 27.0),
    shared=(0.0, 38.5),
    count=(34.0, 1.0),
    marks=((44.5, -14.0), (45.0, 16.0), (-44.5, -14.0), (-50.0, 1.0), (50.0, 1.0), (-45.0, 16.0)),
    widest=19.0,
    scales=(1.0, 0.68, 0.46),
    room=96.0,
    narrow=1.75,
    walls=SIDE * 0.83,
)
_SQUARE = SpaceLayout(
    name=-41.0,
    radius=25.0,
    looking=25.0,
    values=50.0,
    holder=(-43.0, -43.0),
    shared=(-43.0, -43.0),
    count=(22.0, -16.0),
    marks=(*((x, y) for x in (53.0, -53.0) for y in (-42.0, -28.0, -14.0, 18.0, 32.0)),),
    widest=40.0,
    scales=(1.0, 0.78, 0.56),
    room=110.0,
    narrow=0.0,
    walls=SQUARE * 0.61,
)

_MOST_DISCS = 5
_LIFT, _MOST_LIFT = 5.0, 13.0
_TURNS = {"n": 0, "ne": 60, "e": 90, "se": 120, "s": 180, "sw": 240, "w": 270, "nw": 300}
_MARK_HEIGHT = 12.0


def shape(seen: Scene, cell: Cell, x: float, y: float, prefix: str = PREFIX) -> str:
    """Return the outline of a space around a place."""
    kind = "cell tagged" if cell.tagged else "cell"
    told = f'id="{escape(f"{prefix}-space-{cell.name}")}" {data(space=cell.name)}'
    if seen.shape == HEXES:
        return f'<polygon class="{kind}" points="{points(corners(x, y, SIDE))}" {told}/>'
    return box(x - SQUARE / 2, y - SQUARE / 2, SQUARE, SQUARE, kind, more=told)


def free(seen: Scene, cell: Cell) -> float:
    """Return the radius of the area that drawn things occupy around the middle of a space."""
    if len(cell.stones) > 1:
        return 36.0 if seen.shape == HEXES else 46.0
    if not cell.stones:
        return 6.0
    return 34.0 if cell.holder is not None or cell.tagged else 26.5


def group(seen: Scene, cell: Cell, x: float, y: float, prefix: str = PREFIX) -> Iterable[str]:
    """Return the things on a space, with words that are shown where the mouse rests."""
    yield f"<g {data(space=cell.name)}><title>{escape(space(seen, cell), quote=False)}</title>"
    yield from _inside(seen, cell, x, y, prefix)
    yield "</g>"


def _piece(prefix: str, cell: Cell, number: int, transform: str = "") -> str:
    """Return the beginning of the group of a piece on a space."""
    stone = cell.stones[number]
    told = data(piece=stone.name, owner=stone.side.name if stone.side is not None else "")
    return f'<g id="{escape(f"{prefix}-piece-{cell.name}-{number + 1}")}" {told}{transform}>'


def _inside(seen: Scene, cell: Cell, x: float, y: float, prefix: str) -> Iterable[str]:
    places = _HEX if seen.shape == HEXES else _SQUARE
    if cell.walls:
        yield from walls(x, y + 1, places.walls, 6 if seen.shape == HEXES else 4)
    yield from _ring(cell, x, y)
    name = f"{cell.name} {cell.marks}".strip()
    if cell.walls:
        width = width_of(name, 11) + 8
        yield box(x - width / 2, y + places.name - 10, width, 14, "card", 4)
    # Arrows pass below: a rim of the ground keeps crossed texts readable.
    over = " over" if seen.motions else ""
    yield text(x, y + places.name, name, f"name{over}", "middle")
    if len(cell.stones) == 1:
        yield _piece(prefix, cell, 0)
        yield from _alone(cell, x, y + _MIDDLE, places, over)
        yield "</g>"
    else:
        yield from _several(cell, x, y, places, over, prefix)
    if cell.holder is not None:
        away = places.holder if any(stone.facing or stone.values for stone in cell.stones) else (0.0, 37.0)
        away = places.shared if len(cell.stones) > 1 else away
        yield circle(x + away[0], y + away[1], 9.5, "holder", f'fill="{cell.holder.colour}" stroke="#fbf7ee"')
        yield letter(x + away[0], y + away[1] + 4, cell.holder)


def _ring(cell: Cell, x: float, y: float) -> Iterable[str]:
    """A ring in the holder's colour, or a broken one while the space is free."""
    if cell.holder is None:
        if cell.tagged:
            yield circle(x, y + 3, 31, "ring")
        return
    colour = cell.holder.colour
    yield circle(x, y + 3, 31, "held", f'fill="{colour}" stroke="{colour}"')


# ---- the things on it


def _alone(cell: Cell, x: float, y: float, places: SpaceLayout, over: str) -> Iterable[str]:
    """A stone that has the space for itself: numbers below it, marks at the edges."""
    stone, signs = cell.stones[0], cell.stones[0].marks.split()
    yield from _stone(stone, x, y, places)
    if stone.values:
        if cell.walls:
            width = width_of(stone.values, 11) + 6
            yield box(x - width / 2, y + places.values - 12 - _MIDDLE, width, 14, "card", 4)
        size = fitting(stone.values, 11, 56)
        yield text(
            x, y + places.values - _MIDDLE, stone.values, f"values{over}", "middle", size=size if size < 11 else None
        )
    taken = [places.count] if stone.count > 1 else []
    taken += [places.holder] if cell.holder is not None else []
    free = [place for place in places.marks if all(_apart(place, other) for other in taken)]
    for sign, (outer, down) in zip(_first(signs, len(free)), free, strict=False):
        half = min(_wide(sign), places.widest) / 2
        yield from _mark(sign, x + (outer - half if outer > 0 else outer + half), y + down - _MIDDLE, 2 * half)


def _apart(place: Dot, other: Dot) -> bool:
    """Whether a mark that ends at a place keeps clear of a disc at another."""
    inner = place[0] - (10 if place[0] > 0 else -10)
    return abs(inner - other[0]) > 20 or abs(place[1] - other[1]) > 16


def _first(signs: Sequence[str], room: int) -> Sequence[str]:
    """Return as many signs as fit; if there are more, the last place says so."""
    return signs if len(signs) <= room else (*signs[: room - 1], "…")


def _row(signs: Sequence[str], room: float, y: float) -> Iterable[str]:
    """As many marks as there is room for, side by side."""
    shown = list(signs)
    while len(shown) > 1 and sum(_wide(sign) + 1 for sign in shown) > room:
        shown = [*shown[: -2 if shown[-1] == "…" else -1], "…"]
    left = -sum(_wide(sign) + 1 for sign in shown) / 2
    for sign in shown:
        yield from _mark(sign, left + _wide(sign) / 2, y, min(_wide(sign), room))
        left += _wide(sign) + 1


def _wide(sign: str) -> float:
    return max(width_of(sign, 10) + 5, 16.0)


def _mark(sign: str, x: float, y: float, width: float) -> Iterable[str]:
    yield box(x - width / 2, y - _MARK_HEIGHT / 2, width, _MARK_HEIGHT, "pill", 5)
    size = fitting(sign, 10, width - 4)
    yield text(x, y + 3.6, sign, "mark", "middle", size=size if size < 10 else None)


def _several(cell: Cell, x: float, y: float, places: SpaceLayout, over: str, prefix: str) -> Iterable[str]:
    """Stones side by side, as many as there is room for; each with its numbers and marks in lines below it."""
    stones, shown = cell.stones, cell.stones[: len(places.scales)]
    for index, stone in enumerate(shown):
        scale, room = places.scales[len(shown) - 1], places.room / len(shown)
        right = x + (index - (len(shown) - 1) / 2) * room
        moved = f' transform="translate({number(right)} {number(y - 4)}) scale({scale:.2f})"'
        yield _piece(prefix, cell, index, moved)
        yield from _stone(stone, 0, 0, places)
        wide = room / scale - 2
        if stone.values:
            size = fitting(stone.values, 13, wide - places.looking * places.narrow / 2)
            yield text(0, places.looking + 21, stone.values, f"values{over}", "middle", size=size)
        yield from _row(stone.marks.split(), wide - places.looking * places.narrow, places.looking + 32)
        yield "</g>"
    if len(stones) > len(shown):
        yield text(x + places.room / 2 - 8, y + places.name, f"+{len(stones) - len(shown)}", "count", "middle")


def _stone(stone: Stone, x: float, y: float, places: SpaceLayout) -> Iterable[str]:
    """Discs on top of each other, at most a few; the whole number is written beside them."""
    colour = stone.side.colour if stone.side is not None else NOBODY
    looks = stone.facing in _TURNS
    radius = places.looking if looks else places.radius
    discs = max(min(stone.count, _MOST_DISCS), 1) if not looks else 1
    lift = min(_LIFT, _MOST_LIFT / max(discs - 1, 1))
    top = y - (discs - 1) * lift / 2
    if looks:
        path = f"M {number(x - 7)} {number(top - radius + 0.5)} l 7 -9 l 7 9 z"
        turn = f"rotate({_TURNS[stone.facing]} {number(x)} {number(top)})"
        yield f'<path d="{path}" fill="{colour}" class="facing" transform="{turn}"/>'
    for disc in range(discs - 1, -1, -1):
        yield circle(x, top + disc * lift, radius, "disc", f'fill="{colour}"')
    paint = ink(colour)
    yield from rim(x, top, radius - 3.5, stone.side, 2.4)
    size = fitting(stone.label, 15, 2 * radius - (12 if stone.side is not None and stone.side.rank else 7))
    yield text(x, top + 3, stone.label, "label", "middle", paint, size if size < 15 else None)
    if stone.side is not None:
        yield letter(x, top + 15, stone.side)
    if stone.count > 1:
        right, up = places.count if looks else (21.0, -17.0)
        yield circle(x + right, top + up, 9, "badge")
        yield text(x + right, top + up + 4, str(stone.count), "count", "middle")
