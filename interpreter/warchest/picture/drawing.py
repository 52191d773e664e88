"""Shapes of SVG pictures: lines of text, discs, rings, walls, and their colours and sizes."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import cos, pi, sin
from unicodedata import east_asian_width

from warchest.picture.scene import Side
from warchest.picture.style import ink

Dot = tuple[float, float]
"""A place in a picture: x to the right, y down, in pixels."""

NOBODY = "#8a8175"
"""The colour of things without an owner."""

PAPER = "#fbf7ee"
"""The colour of the ground."""

MOTION = "#b3123f"
"""The colour of motions; players have none like it."""

PREFIX = "picture"
"""The usual beginning of the ids in a picture."""

STYLE = f"""
text {{ font-family: "DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif; fill: #3a3128; }}
.paper {{ fill: {PAPER}; }}
.title {{ font-size: 24px; font-weight: bold; }}
.fact {{ font-size: 14px; fill: #6b5d4b; }}
.caption {{ font-size: 14px; font-weight: bold; fill: {MOTION}; }}
.ending {{ font-size: 15px; font-weight: bold; }}
.name {{ font-size: 11px; fill: #7d6d55; }}
.over {{ paint-order: stroke; stroke: #f3ead6; stroke-width: 4px; stroke-linejoin: round; }}
.legend {{ font-size: 13px; }}
.heading {{ font-size: 14px; font-weight: bold; fill: #6b5d4b; }}
.player {{ font-size: 14px; font-weight: bold; }}
.pile {{ font-size: 12px; fill: #6b5d4b; }}
.cell {{ fill: #f3ead6; stroke: #b9a683; stroke-width: 2; stroke-linejoin: round; }}
.tagged {{ fill: #dfd6c6; }}
.ring {{ fill: none; stroke: #a58743; stroke-width: 2.5; stroke-dasharray: 5 4; }}
.held {{ fill-opacity: 0.22; stroke-width: 4.5; }}
.disc, .wax {{ stroke: #2b2520; stroke-width: 1.4; }}
.facing {{ stroke: #2b2520; stroke-width: 1.4; stroke-linejoin: round; }}
.label {{ font-size: 15px; font-weight: bold; }}
.chip {{ font-size: 9px; font-weight: bold; }}
.values {{ font-size: 11px; font-weight: bold; }}
.count {{ font-size: 11px; font-weight: bold; }}
.small {{ font-size: 9px; font-weight: bold; }}
.badge {{ fill: #ffffff; stroke: #2b2520; }}
.pill {{ fill: #fffdf7; stroke: #8c2f39; }}
.mark {{ font-size: 10px; font-weight: bold; fill: #8c2f39; }}
.sign {{ font-size: 14px; font-weight: bold; }}
.wall {{ fill: none; stroke-linejoin: round; }}
.edge {{ stroke: #4a3f37; }}
.face {{ stroke: #a79b8c; }}
.post {{ fill: #a79b8c; stroke: #4a3f37; stroke-width: 1.4; }}
.card {{ fill: #fffdf7; stroke: #b9a683; stroke-width: 1.5; }}
.back {{ fill: #8a8175; stroke: #2b2520; stroke-width: 1.4; }}
.free {{ fill: none; stroke-opacity: 0.55; stroke-width: 1.5; stroke-dasharray: 3 3; }}
.motion {{ fill: none; stroke: {MOTION}; stroke-width: 4; stroke-linecap: round; }}
.halo {{ fill: none; stroke: #ffffff; stroke-width: 7.5; stroke-linecap: round; stroke-opacity: 0.85; }}
.around {{ stroke-width: 3; }}
.halo.around {{ stroke-width: 5.5; }}
.acts {{ stroke-dasharray: 7 6; }}
.head {{ fill: {MOTION}; stroke: #ffffff; stroke-width: 1.5; stroke-linejoin: round; }}
"""

DARK = """
text { fill: #ece3d4; }
.paper { fill: #1d1915; }
.fact, .heading, .pile { fill: #c3b49d; }
.caption { fill: #ff7d9c; }
.name { fill: #c3b49d; }
.over { stroke: #38312a; }
.cell { fill: #38312a; stroke: #6d5f4a; }
.tagged { fill: #4a4136; }
.ring { stroke: #d1b05c; }
.disc, .wax, .facing, .back { stroke: #d8ccb8; }
.badge { fill: #1d1915; stroke: #d8ccb8; }
.pill { fill: #2b1a1c; stroke: #e58a92; }
.mark { fill: #ffb3b9; }
.card { fill: #26211c; stroke: #5e5241; }
.motion { stroke: #ff5c86; }
.halo { stroke: #1d1915; }
.head { fill: #ff5c86; stroke: #1d1915; }
"""
"""The rules that differ on a dark ground; they follow those of `STYLE`."""


def sheet(prefix: str = PREFIX, dark: bool = False) -> str:
    """Return the style sheet for pictures with a prefix that have none of their own; it applies to nothing else.

    With `dark`, return the rules for a dark page, which follow the usual sheet.
    """
    rules = (rule.partition(" {") for rule in (DARK if dark else STYLE).strip().split("\n"))
    return "".join(
        f"{', '.join(f'.{prefix} {one.strip()}' for one in heads.split(','))} {{{rest}\n" for heads, _, rest in rules
    )


def data(**values: str) -> str:
    """Return attributes that name the thing shown by a part of a picture; those without a value are left out."""
    return " ".join(f'data-{key}="{escape(value)}"' for key, value in values.items() if value)


# ---- text

_NARROW, _WIDE, _USUAL = 0.42, 1.08, 0.72
_THIN = 0.88
"""The share of its width in bold type that a text takes in plain type."""
_NARROW_LETTERS, _WIDE_LETTERS = frozenset(" .,:;'|!/()[]fijltIJr-"), frozenset("mwMW@%")


def width_of(said: str, size: float, bold: bool = True) -> float:
    """Return the width of a text in pixels, as an upper estimate for common fonts."""
    shares = (
        _NARROW if one in _NARROW_LETTERS else _WIDE if one in _WIDE_LETTERS else _USUAL * _columns(one) for one in said
    )
    return size * sum(shares) * (1 if bold else _THIN)


def _columns(letter: str) -> int:
    """Return the number of columns that a letter takes in a type of equal widths: Chinese ones take 2."""
    return 2 if letter >= "\u1100" and east_asian_width(letter) in "WF" else 1


def fitting(said: str, size: float, room: float) -> float:
    """Return the size in which a text fits into some room, at most the given one."""
    return min(size, size * room / max(width_of(said, size), 1))


def cut(said: str, size: float, room: float, bold: bool = True) -> str:
    """Return a text, shortened if it does not fit."""
    if width_of(said, size, bold) <= room:
        return said
    while said and width_of(said + "…", size, bold) > room:
        said = said[:-1]
    return said.rstrip() + "…"


def lines_of_words(said: str, size: float, room: float, bold: bool = True) -> list[str]:
    """Return a text in lines that fit into some room; a word that is too long for one is cut off."""
    lines: list[str] = []
    for word in said.split():
        if lines and width_of(f"{lines[-1]} {word}", size, bold) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(cut(word, size, room, bold))
    return lines


def number(value: float) -> str:
    """Return a number in as few digits as suffice, the same on every machine."""
    written = f"{value:.1f}".removesuffix(".0")
    return "0" if written == "-0" else written


def text(
    x: float, y: float, said: str, kind: str, anchor: str = "", colour: str = "", size: float | None = None
) -> str:
    """Return a text that begins or is centred at a place, perhaps in another size than is usual for its kind."""
    where = f' text-anchor="{anchor}"' if anchor else ""
    # A style of its own, because a rule of the sheet goes before an attribute.
    own = [f"fill: {colour}"] if colour else []
    own += [f"font-size: {number(size)}px"] if size is not None else []
    paint = f' style="{"; ".join(own)}"' if own else ""
    return f'<text x="{number(x)}" y="{number(y)}" class="{kind}"{where}{paint}>{escape(said, quote=False)}</text>'


# ---- shapes


def circle(x: float, y: float, radius: float, kind: str = "", more: str = "") -> str:
    """Return a circle of some kind."""
    words = "".join(f" {word}" for word in (f'class="{kind}"' if kind else "", more) if word)
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"{words}/>'


def box(x: float, y: float, width: float, height: float, kind: str, radius: float = 0.0, more: str = "") -> str:
    """Return a rectangle, given its upper left corner; its corners are round if a radius is given."""
    round_ = f' rx="{number(radius)}"' if radius else ""
    words = f" {more}" if more else ""
    return (
        f'<rect class="{kind}" x="{number(x)}" y="{number(y)}" width="{number(width)}" '
        f'height="{number(height)}"{round_}{words}/>'
    )


def corners(x: float, y: float, radius: float, count: int = 6, turn: float = 0.0) -> list[Dot]:
    """Return the corners of a figure, the first to the right unless turned."""
    angles = [turn + k * 2 * pi / count for k in range(count)]
    return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]


def points(places: Iterable[Dot]) -> str:
    """Return places as the points of a polygon."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in places)


def letter(x: float, y: float, side: Side) -> str:
    """Return a player's letter, for reading on the player's colour."""
    return text(x, y, side.letter, "count" if len(side.letter) == 1 else "count small", "middle", ink(side.colour))


def badge(x: float, y: float, side: Side, radius: float = 10.0) -> Iterable[str]:
    """Return a player's disc with its letter, with a dashed ring for players who are not the first of their team."""
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
