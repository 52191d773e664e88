"""The shapes and texts of an SVG picture where they are drawn, to be asked whether one covers another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import cos, hypot, pi, radians, sin
from xml.etree import ElementTree

from warchest.picture.drawing import STYLE, width_of

SVG = "{http://www.w3.org/2000/svg}"
SIZES = {kind: float(size) for kind, size in re.findall(r"\.(\w+) \{ font-size: ([0-9.]+)px", STYLE)}
_ROOM = 0.75
"""How much two things may overlap, since numbers are written with one digit after the point."""


@dataclass(frozen=True)
class Drawn:
    """A thing in a picture: its class, the corners around it, and its middle and radius if it is round."""

    kind: str
    corners: tuple[tuple[float, float], ...]
    said: str = ""
    middle: tuple[float, float] = (0.0, 0.0)
    radius: float = 0.0

    def holds(self, x: float, y: float) -> bool:
        """Whether a place is in it, clearly."""
        if self.radius:
            return hypot(x - self.middle[0], y - self.middle[1]) < self.radius - _ROOM
        signs = []
        for (x1, y1), (x2, y2) in zip(self.corners, (*self.corners[1:], self.corners[0]), strict=True):
            length = hypot(x2 - x1, y2 - y1) or 1.0
            signs.append(((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) / length)
        return all(one > _ROOM for one in signs) or all(one < -_ROOM for one in signs)

    def nearly(self, x: float, y: float) -> bool:
        """Whether a place is in it, or at most at its edge."""
        middle_x, middle_y = (sum(values) / len(values) for values in zip(*self.corners, strict=True))
        far = hypot(x - middle_x, y - middle_y) or 1.0
        share = max(1 - 2.5 / far, 0.0)
        return self.holds(middle_x + (x - middle_x) * share, middle_y + (y - middle_y) * share)

    @property
    def places(self) -> Iterator[tuple[float, float]]:
        """Places all around its edge, and its middle."""
        count = len(self.corners)
        for number, (x1, y1) in enumerate(self.corners):
            x2, y2 = self.corners[(number + 1) % count]
            yield from ((x1 + (x2 - x1) * part / 4, y1 + (y2 - y1) * part / 4) for part in range(4))
        yield sum(x for x, _ in self.corners) / count, sum(y for _, y in self.corners) / count

    @cached_property
    def _ends(self) -> tuple[float, float, float, float]:
        """The least and the most of x, and then of y."""
        across, down = zip(*self.corners, strict=True)
        return min(across), max(across), min(down), max(down)

    def covers(self, other: Drawn) -> bool:
        (left, right, top, bottom), (left2, right2, top2, bottom2) = self._ends, other._ends
        if left > right2 or left2 > right or top > bottom2 or top2 > bottom:
            return False
        return any(self.holds(*place) for place in other.places) or any(other.holds(*place) for place in self.places)


def read(drawn: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawn)


def shapes(root: ElementTree.Element, scale: float = 1.0, dx: float = 0.0, dy: float = 0.0) -> Iterator[Drawn]:
    """All shapes and texts below an element, at their final places."""
    for one in root:
        if one.tag == f"{SVG}g":
            moved = re.fullmatch(r"translate\((\S+) (\S+)\) scale\((\S+)\)", one.get("transform", ""))
            if moved:
                x, y, inner = map(float, moved.groups())
                yield from shapes(one, scale * inner, dx + x * scale, dy + y * scale)
            else:
                yield from shapes(one, scale, dx, dy)
            continue
        found = _shape(one)
        if found is not None:
            yield Drawn(
                found.kind,
                tuple((x * scale + dx, y * scale + dy) for x, y in found.corners),
                found.said,
                (found.middle[0] * scale + dx, found.middle[1] * scale + dy),
                found.radius * scale,
            )


def _shape(one: ElementTree.Element) -> Drawn | None:
    kind, tag = one.get("class", "").split(" ")[0], one.tag.removeprefix(SVG)
    if tag == "text":
        return _text(one, kind)
    if tag == "circle":
        x, y, radius = (float(one.get(key, "0")) for key in ("cx", "cy", "r"))
        around = tuple((x + radius * cos(k * pi / 6), y + radius * sin(k * pi / 6)) for k in range(12))
        return Drawn(kind, around, "", (x, y), radius)
    if tag == "rect":
        x, y, width, height = (float(one.get(key, "0")) for key in ("x", "y", "width", "height"))
        return Drawn(kind, ((x, y), (x + width, y), (x + width, y + height), (x, y + height)))
    if tag == "polygon":
        places = tuple(tuple(map(float, pair.split(","))) for pair in one.get("points", "").split())
        return Drawn(kind, places)  # type: ignore[arg-type]
    if kind == "facing":
        x, y = map(float, re.findall(r"M (\S+) (\S+)", one.get("d", ""))[0])
        turn, around_x, around_y = map(float, re.findall(r"rotate\((\S+) (\S+) (\S+)\)", one.get("transform", ""))[0])
        corners = ((x, y), (x + 7, y - 9), (x + 14, y))
        return Drawn(kind, tuple(_turned(place, turn, around_x, around_y) for place in corners))
    return None


def _turned(place: tuple[float, float], turn: float, x: float, y: float) -> tuple[float, float]:
    right, down, angle = place[0] - x, place[1] - y, radians(turn)
    return x + right * cos(angle) - down * sin(angle), y + right * sin(angle) + down * cos(angle)


def _text(one: ElementTree.Element, kind: str) -> Drawn:
    said, x, y = one.text or "", float(one.get("x", "0")), float(one.get("y", "0"))
    own = re.search(r"font-size: ([0-9.]+)px", one.get("style", ""))
    classes = one.get("class", "").split(" ")
    size = float(own[1]) if own else SIZES["small"] if "small" in classes else SIZES.get(kind, 14.0)
    # An upper estimate is right for texts laid out by it; those that only must not be covered are a little narrower.
    width = width_of(said, size, bold=kind not in ("fact", "name", "legend", "pile")) * 0.94
    left = x - width / 2 if one.get("text-anchor") == "middle" else x
    return Drawn(kind, ((left, y - 0.73 * size), (left + width, y - 0.73 * size), (left + width, y), (left, y)), said)
