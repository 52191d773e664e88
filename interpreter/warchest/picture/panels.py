"""The parts beside the board in an SVG picture: the zones of each player, tables, and the legend of all signs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape

from warchest.picture.drawing import (
    NOBODY,
    Dot,
    badge,
    box,
    circle,
    corners,
    cut,
    data,
    fitting,
    lines_of_words,
    points,
    text,
    walls,
    width_of,
)
from warchest.picture.picture_text import heap as heap_in_words
from warchest.picture.scene import HEXES, Heap, Panel, Row, Scene, Side, ZonePile
from warchest.picture.style import ink

Sketch = tuple[list[str], float]
"""The parts of a drawing, and where it ends."""

DrawSign = Callable[[float, float], Iterable[str]]
"""Draws a sign of the legend around a place."""

# ---- the zones of the players

COLUMN = 372.0
"""The width of the zones of a player."""

_PADDING, _PANEL_HEAD = 12.0, 34.0
_CHIP, _PITCH, _LINE = 13.5, 32.0, 31.0
"""The radius of a thing in a zone, the distance of two in a line, and the height of a line."""


def panel(one: Panel, left: float, top: float, width: float) -> Sketch:
    """Return the things of a player: a line or more for each zone, with all its contents."""
    titles = min(max(width_of(f"{pile.title} 99", 12, bold=False) for pile in one.piles) + 8, width / 2)
    inner: list[str] = []
    y = top + _PANEL_HEAD
    for pile in one.piles:
        parts, y = _pile(pile, one.side, left + _PADDING, y, titles, width - 2 * _PADDING)
        inner += parts
    y += _PADDING / 2
    team = f"  ({one.side.team})" if one.side.team != one.side.name else ""
    name = cut(one.side.name + team, 14, width - 60)
    head = [
        box(left, top, width, y - top, "card", 8),
        *badge(left + 22, top + 19, one.side),
        text(left + 40, top + 24, name, "player"),
    ]
    return [f"<g {data(owner=one.side.name)}>", *head, *inner, "</g>"], y


def _pile(pile: ZonePile, side: Side, left: float, top: float, titles: float, width: float) -> Sketch:
    """Return a zone: its title, the number of things in it, and then these things."""
    line = _ZoneLine(left + titles, left + width, top)
    told = data(zone=pile.zone, owner=side.name)
    parts = [f"<g {told}><title>{escape(_in_words(pile), quote=False)}</title>"]
    count = f" {pile.count}" if pile.count else ""
    title = cut(pile.title, 12, titles - width_of(count, 12, bold=False), bold=False)
    parts.append(text(left, top + _LINE / 2 + 4, title + count, "pile"))
    if not any(one.things or one.hidden or one.told for one in pile.heaps):
        parts.append(text(line.x + 6, line.middle + 4, "–", "pile"))
    for one in pile.heaps:
        parts += _heap(one, side, line)
    return [*parts, "</g>"], line.bottom


def _in_words(pile: ZonePile) -> str:
    return f"{pile.title}: {'; '.join(filter(None, map(heap_in_words, pile.heaps))) or 'empty'}"


class _ZoneLine:
    """The place of the next thing in lines of some width."""

    def __init__(self, left: float, right: float, top: float) -> None:
        self.left, self.right, self.top, self.x = left, right, top, left

    def take(self, width: float) -> float:
        """Return the place of a thing of a width, on the next line if this one has no room for it."""
        if self.x + width > self.right and self.x > self.left:
            self.x, self.top = self.left, self.top + _LINE
        found, self.x = self.x, self.x + width
        return found

    @property
    def middle(self) -> float:
        """The middle of the line."""
        return self.top + _LINE / 2

    @property
    def bottom(self) -> float:
        """The end of the last line."""
        return self.top + _LINE


def _heap(one: Heap, side: Side, line: _ZoneLine) -> Iterator[str]:
    """A heap in a line: its face, its things with the number of each, the backs of hidden things, and texts."""
    if not (one.things or one.hidden or one.told):
        return
    if one.face:
        # A sign alone at the end of a line would have no thing to belong to.
        width = width_of(one.face, 10, bold=False) + (14 if line.x > line.left else 6)
        x = line.take(width + _PITCH) + width - width_of(one.face, 10, bold=False) - 6
        line.x -= _PITCH
        yield text(x + 3, line.middle + 4, one.face, "pile", size=10)
    for label, name, count in one.things:
        x = line.take(_PITCH) + _PITCH / 2
        yield from _chip(label, name, count, side, x, line.middle)
    if one.hidden:
        x = line.take(_PITCH) + _PITCH / 2
        yield from _back(one.hidden, x, line.middle)
    for told in lines_of_words(one.told, 12, line.right - line.left - 6, bold=False):
        x = line.take(width_of(told, 12, bold=False) + 10)
        yield text(x + 6, line.middle + 4, told, "pile")


def _chip(label: str, name: str, count: int, side: Side, x: float, y: float) -> Iterable[str]:
    yield f"<g {data(thing=name)}><title>{escape(f'{count} {name}' if count > 1 else name, quote=False)}</title>"
    yield circle(x, y, _CHIP, "disc", f'fill="{side.colour}"')
    size = fitting(label, 9, 2 * _CHIP - 3)
    yield text(x, y + 3.2, label, "chip", "middle", ink(side.colour), size if size < 9 else None)
    if count > 1:
        yield from _number(count, x, y)
    yield "</g>"


def _number(count: int, x: float, y: float) -> Iterable[str]:
    size = fitting(str(count), 9, 11)
    yield circle(x + 11, y - 10.5, 6.6, "badge")
    yield text(x + 11, y - 10.5 + size * 0.36, str(count), "chip", "middle", size=size if size < 9 else None)


def _back(count: int, x: float, y: float) -> Iterable[str]:
    """The back of hidden things, with their number."""
    yield f"<g><title>{count} hidden</title>"
    yield circle(x, y, _CHIP, "back")
    yield text(x, y + 4, "?", "count", "middle", ink(NOBODY))
    yield from _number(count, x, y)
    yield "</g>"


# ---- tables

_LEAST_CARD, _MOST_CARD, CARD_HEIGHT, GAP = 170.0, 240.0, 62.0, 14.0
_MARK, _STEP = 11.0, 31.0


def tables(seen: Scene, left: float, top: float, width: float) -> Sketch:
    """Return the tables as cards in lines, and where they end."""
    parts: list[str] = []
    columns = max(int((width + GAP) // (_LEAST_CARD + GAP)), 1)
    # Cards are as wide as they can be, so that a narrow column is filled.
    wide = min((width + GAP) / columns - GAP, _MOST_CARD)
    for title, rows in seen.tables:
        parts.append(text(left, top + 10, title, "heading"))
        top += 20
        for index, row in enumerate(rows):
            x = left + (index % columns) * (wide + GAP)
            parts += _card(row, seen.heads, x, top + (index // columns) * (CARD_HEIGHT + GAP), wide)
        top += -(-len(rows) // columns) * (CARD_HEIGHT + GAP)
    return parts, top - (GAP if parts else 0)


def _card(row: Row, heads: Sequence[Side], x: float, y: float, width: float) -> Iterable[str]:
    """A card with a place for each team's mark; marks that have no place follow."""
    yield box(x, y, width, CARD_HEIGHT, "card", 7)
    size = fitting(row.name, 14, width - 24)
    yield text(
        x + 14,
        y + 24,
        row.name if size > 9 else cut(row.name, 9, width - 24),
        "sign",
        size=max(size, 9) if size < 14 else None,
    )
    place, middle = x + 14 + _MARK, y + 44
    for head in heads:
        marks = [side for side in row.marks if side.team == head.team]
        if not marks:
            yield circle(place, middle, _MARK - 1, "free", f'stroke="{head.colour}"')
            place += _STEP
        for side in marks:
            yield f'<polygon points="{points(_wax(place, middle))}" fill="{side.colour}" class="wax"/>'
            yield from badge(place, middle, side, _MARK - 2)
            place += _STEP
    if row.rest:
        yield text(place, middle + 4, row.rest, "legend")


def _wax(x: float, y: float) -> list[Dot]:
    """The edge of a mark: a star of many blunt points."""
    outer, inner = corners(x, y, _MARK + 1.5, 12), corners(x, y, _MARK - 0.5, 12, 0.2618)
    return [place for pair in zip(outer, inner, strict=True) for place in pair]


# ---- the legend

LINE = 24.0
_SIGN, _SPARE = 40.0, 14.0


def legend(seen: Scene, left: float, top: float, width: float) -> Sketch:
    """Return the legend of all signs, in as many columns as there is room for, and where it ends."""
    items = [*_players(seen), *_marks(seen), *_signs(seen), *_names(seen)]
    widest = max((width_of(told, 13, bold=False) for _, told in items), default=0.0) + _SIGN + _SPARE
    columns = max(int(width // widest), 1)
    height = -(-len(items) // columns)
    parts: list[str] = []
    for index, (draw, told) in enumerate(items):
        x, y = left + (index // height) * (width / columns), top + (index % height + 0.5) * LINE
        parts += draw(x + 16, y)
        parts.append(text(x + _SIGN, y + 4, cut(told, 13, max(width / columns - _SIGN, 60), bold=False), "legend"))
    return parts, top + height * LINE


def _players(seen: Scene) -> Iterable[tuple[DrawSign, str]]:
    """The players whose names are not beside the board."""
    for side in seen.sides if not any(panel.piles for panel in seen.panels) else ():
        team = f" ({side.team})" if side.team != side.name else ""
        yield lambda x, y, side=side: badge(x, y, side), side.name + team  # type: ignore[misc]


def _marks(seen: Scene) -> Iterable[tuple[DrawSign, str]]:
    if any(cell.tagged for cell in seen.cells):
        yield lambda x, y: [circle(x, y, 8, "ring")], seen.words[0]
    if any(cell.holder for cell in seen.cells):
        yield lambda x, y: [circle(x, y, 8, "held", f'fill="{NOBODY}" stroke="{NOBODY}"')], seen.words[1]
    count = 6 if seen.shape == HEXES else 4
    for sign in seen.signs:
        if sign.walls:
            yield lambda x, y: walls(x, y, 9, count), sign.title
        else:
            yield _written(sign.sign), sign.title


def _signs(seen: Scene) -> Iterable[tuple[DrawSign, str]]:
    return ((_written(sign), told) for sign, told in seen.marks)


def _names(seen: Scene) -> Iterable[tuple[DrawSign, str]]:
    names = seen.short if any(panel.piles for panel in seen.panels) else seen.legend
    return ((_written(label), name) for label, name in names)


def _written(label: str) -> DrawSign:
    size = fitting(label, 14, 36)
    return lambda x, y: [text(x, y + 4, label, "sign", "middle", size=size if size < 14 else None)]
