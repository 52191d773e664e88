"""Motions in an SVG picture: arrows between spaces, rings around those that are named, crosses on pieces that leave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import hypot

from warchest.game.telling.motions import Motion, MotionKind
from warchest.picture.drawing import Dot, circle, number, points, text, width_of

_ASIDE, _BEND, _MOST_BEND = 9.0, 0.3, 75.0
"""The distance of arrows between neighbours from the middle, and the bend of longer ones around the pieces between."""
_HEAD, _HALF = 15.0, 8.0
_RING, _CROSS = 34.5, 8.0


def below(motions: Iterable[Motion], at: Mapping[str, Dot], reach: Mapping[str, float], near: float) -> Iterable[str]:
    """Return the arrows between the places of spaces, and the rings, to be drawn below the pieces.

    `reach` has the distance from the middle of each space at which an arrow ends; `near` is that of neighbours at most.
    """
    for motion in motions:
        if motion.start not in at or motion.end not in at or motion.kind is MotionKind.LEAVES:
            continue
        start, end = at[motion.start], at[motion.end]
        if start == end:
            yield from _named(motion, ring(end[0], end[1] + 2, _RING, motion.kind))
        else:
            yield from _named(motion, _arrow(motion.kind, start, end, reach[motion.end], near))


def above(motions: Iterable[Motion], at: Mapping[str, Dot], corner: Dot) -> Iterable[str]:
    """Return the crosses, to be drawn in a corner of each space upon the pieces."""
    for motion in motions:
        if motion.kind is MotionKind.LEAVES and motion.end in at:
            x, y = at[motion.end]
            yield from _named(motion, cross(x + corner[0], y + corner[1]))


def meanings(motions: Iterable[Motion], right: float, y: float) -> tuple[list[str], float]:
    """Return the signs of motions with their meanings, in a line that ends at a place; and the start of that line."""
    parts: list[str] = []
    for kind, alone in sorted({(one.kind, one.start == one.end) for one in motions}, reverse=True):
        right -= width_of(str(kind), 13, bold=False)
        parts.append(text(right, y + 4, str(kind), "legend"))
        if kind is MotionKind.LEAVES:
            parts += cross(right - 18, y, 6)
        else:
            parts += ring(right - 18, y, 8, kind) if alone else straight(kind, (right - 38, y), (right - 8, y))
        right -= 52
    return parts, right


def _named(motion: Motion, parts: Iterable[str]) -> Iterable[str]:
    yield f'<g class="{motion.kind.name.lower()}" data-from="{motion.start}" data-to="{motion.end}">'
    yield from parts
    yield "</g>"


def ring(x: float, y: float, radius: float, kind: MotionKind) -> Iterable[str]:
    """Return a ring around a place."""
    yield circle(x, y, radius, "halo around")
    yield circle(x, y, radius, "motion around acts" if kind is MotionKind.NAMED else "motion around")


def cross(x: float, y: float, size: float = _CROSS) -> Iterable[str]:
    """Return a cross upon a place."""
    far = number(2 * size)
    path = f"M {number(x - size)} {number(y - size)} l {far} {far} m -{far} 0 l {far} -{far}"
    yield f'<path class="halo" d="{path}"/><path class="motion" d="{path}"/>'


def straight(kind: MotionKind, start: Dot, end: Dot) -> Iterable[str]:
    """Return an arrow from one place to another, without a bend."""
    yield from _curve(kind, start, start, end)


def _arrow(kind: MotionKind, start: Dot, end: Dot, reach: float, near: float) -> Iterable[str]:
    """Return an arrow; one that comes back along the same spaces passes it on the other side."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    across = -(end[1] - start[1]) / length, (end[0] - start[0]) / length
    aside = _ASIDE if length <= near else min(length * _BEND, _MOST_BEND)
    middle = (start[0] + end[0]) / 2 + across[0] * aside, (start[1] + end[1]) / 2 + across[1] * aside
    begin = start
    if length <= near:
        begin = start[0] + across[0] * aside, start[1] + across[1] * aside
        end = end[0] + across[0] * aside, end[1] + across[1] * aside
    yield from _curve(kind, begin, middle, _towards(end, middle, reach))


def _curve(kind: MotionKind, begin: Dot, middle: Dot, tip: Dot) -> Iterable[str]:
    neck = _towards(tip, middle, _HEAD - 2)
    path = (
        f"M {number(begin[0])} {number(begin[1])} Q {number(middle[0])} {number(middle[1])} "
        f"{number(neck[0])} {number(neck[1])}"
    )
    acts = " acts" if kind is MotionKind.ACTS else ""
    yield f'<path class="halo" d="{path}"/><path class="motion{acts}" d="{path}"/>'
    yield f'<polygon class="head" points="{points(_head(middle, tip))}"/>'


def _towards(place: Dot, aim: Dot, distance: float) -> Dot:
    """Return the place at some distance from another on the way to an aim, at most 85 % of the way."""
    whole = hypot(aim[0] - place[0], aim[1] - place[1]) or 1.0
    share = min(distance / whole, 0.85)
    return place[0] + (aim[0] - place[0]) * share, place[1] + (aim[1] - place[1]) * share


def _head(source: Dot, tip: Dot) -> list[Dot]:
    """Return the corners of the head of an arrow that comes from a place."""
    length = hypot(tip[0] - source[0], tip[1] - source[1]) or 1.0
    right, down = (tip[0] - source[0]) / length, (tip[1] - source[1]) / length
    base = tip[0] - right * _HEAD, tip[1] - down * _HEAD
    return [tip, (base[0] - down * _HALF, base[1] + right * _HALF), (base[0] + down * _HALF, base[1] - right * _HALF)]
