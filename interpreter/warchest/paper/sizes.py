"""Sizes on paper, in millimetres: of pages, and of cards and other things on them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import floor

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""The pages, upright: width and height."""
CARDS = {"poker": (63.0, 88.0), "bridge": (57.0, 89.0), "mini": (44.0, 63.0), "tarot": (70.0, 120.0)}
"""The usual sizes of cards: width and height."""
MARGIN = 4.0
"""The edge of a page that is left free for crop marks."""
BLEED = 2.0
"""The usual bleed: the distance that colours extend beyond the cut."""
LEAST, MOST = 10.0, 500.0
"""The least and the greatest side of a thing that is printed."""
_UNITS = {"": 1.0, "mm": 1.0, "cm": 10.0, "in": 25.4}
_LENGTH = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,3})?)(mm|cm|in|)")


class SizeError(ValueError):
    """The size is invalid, or does not fit; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class PageSize:
    """Two sides, or two distances, across and down."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class CardSheet:
    """A page with things in columns and rows, each with some bleed around it."""

    page: PageSize
    thing: PageSize
    bleed: PageSize
    columns: int
    rows: int


def length(written: str) -> float:
    """Return a length such as `3mm`, `2.5cm`, `0.125in` or (in millimetres) `3`; raises SizeError."""
    found = _LENGTH.fullmatch(written)
    if found is None:
        raise SizeError(f"a length such as 3mm, 2.5cm or 0.125in is needed, not {written[:40]!r}")
    return round(float(found[1]) * _UNITS[found[2]], 3)


def side(written: str) -> float:
    """Return the length of a side; raises SizeError if it is too large or too small."""
    found = length(written)
    if not LEAST <= found <= MOST:
        raise SizeError(f"a side is at least {LEAST:g} mm and at most {MOST:g} mm, and not {found:g} mm")
    return found


def card_size(written: str) -> PageSize:
    """Return the size of a card by its name, or from `63x88`, `63mmx88mm` or `2.5inx3.5in`; raises SizeError."""
    if written in CARDS:
        return PageSize(*CARDS[written])
    across, times, down = written.partition("x")
    if not times:
        raise SizeError(f"a size is {', '.join(CARDS)}, or width x height as in 63x88, not {written[:40]!r}")
    return PageSize(side(across), side(down))


def sheet_of(page: PageSize, thing: PageSize, bleed: float) -> CardSheet:
    """Return a page with as many things as fit; raises SizeError if there is no room for one.

    The bleed is the requested one, but less if it would leave no room for a further column or row.
    """
    columns, rows = (floor((whole - 2 * MARGIN + 1e-6) / one) for whole, one in _sides(page, thing))
    if columns < 1 or rows < 1:
        raise SizeError(f"{thing.x:g} x {thing.y:g} mm does not fit on a page of {page.x:g} x {page.y:g} mm")
    counts = (columns, rows)
    across, down = (
        min(bleed, (whole - 2 * MARGIN - count * one) / (2 * count))
        for count, (whole, one) in zip(counts, _sides(page, thing), strict=True)
    )
    return CardSheet(page, thing, PageSize(floor(1000 * across) / 1000, floor(1000 * down) / 1000), columns, rows)


def _sides(page: PageSize, thing: PageSize) -> tuple[tuple[float, float], tuple[float, float]]:
    return (page.x, thing.x), (page.y, thing.y)
