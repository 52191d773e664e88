"""The style of drawn positions: their keys that hold pieces, markers and zones, and the colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from warchest.documents.library import Library
from warchest.documents.packs import BROUGHT
from warchest.game.position.keys import Shape, Shapes
from warchest.source.records import record

# ---- colours

_BRIGHT = 140_000
"""From this brightness on (of 255 000) black is easier to read than white."""

_LIGHTER, _DARKER = 0.5, 0.62
"""The share of a dark colour, and of a light one, that is left in its next shade."""


def ink(colour: str) -> str:
    """Return black or white, whichever is easier to read on a colour."""
    red, green, blue = _parts(colour)
    return "#000000" if 299 * red + 587 * green + 114 * blue > _BRIGHT else "#ffffff"


def shade(colour: str, number: int) -> str:
    """Return the shade of a colour with some number; 0 is the colour itself.

    A dark colour becomes lighter and a light one darker, so that the colour of a text upon it changes, too.
    """
    dark = ink(colour) == "#ffffff"
    kept = (_LIGHTER if dark else _DARKER) ** number
    aim = 255 * (1 - kept) if dark else 0.0
    return "#" + "".join(f"{round(part * kept + aim):02x}" for part in _parts(colour))


def _parts(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return red, green, blue


# ---- the style of drawn positions

KIND = "picture"
_PLACED = "one by owner"
"""The word for the shape of a key of positions with one piece for each owner."""


@record()
class MarkKey:
    """A key of a piece, perhaps inside another key, whose value is yes or a number: its sign, and its meaning."""

    key: str
    sign: str
    title: str
    within: str = ""


@record()
class PiecesKey:
    """A key that lists the pieces on the board, and the keys of each piece; an empty name means that there is no key.

    `values` are written as one word; values in `differing` are shown if they name another player than `owner` does.
    """

    key: str
    at: str
    name: str
    owner: str = ""
    count: str = ""
    facing: str = ""
    notes: tuple[str, ...] = ()
    sign: str = ""
    values: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()
    marks: tuple[MarkKey, ...] = ()


@record()
class PlacedKey:
    """A key that maps a player to the spaces of its own pieces, and the name of the thing there."""

    key: str
    name: str


@record()
class Titled:
    """A key (or a tag) with the words that people read instead."""

    key: str
    title: str


@record()
class ZoneKey:
    """A key that is shown player by player; a `lone` one only if all others are empty."""

    key: str
    title: str
    lone: bool = False


@record()
class Sign:
    """A key that lists spaces with something on them: its sign, and whether it is drawn around the space as walls."""

    key: str
    title: str
    sign: str
    walls: bool = False


@record()
class Rows:
    """A key that lists mappings: the key of each that names it, and the one that lists the players whose marks are on
    it."""

    key: str
    title: str
    name: str
    marks: str = ""


@record()
class CardStyle:
    """A kind of document that is printed as cards: the range that is drawn on them, and their colour.

    The range is `own` (the acts of the card's texts), `whole` (all acts of its piece) or empty (none). An empty colour
    means that of the set.
    """

    kind: str
    range: str = ""
    colour: str = ""


@record()
class Style:
    """Everything that a picture needs besides the position and the board."""

    title: str = ""
    pieces: tuple[PiecesKey, ...] = ()
    placed: tuple[PlacedKey, ...] = ()
    owned: tuple[Titled, ...] = ()
    spaces: tuple[Sign, ...] = ()
    tags: tuple[Titled, ...] = ()
    facts: tuple[Titled, ...] = ()
    rows: tuple[Rows, ...] = ()
    zones: tuple[ZoneKey, ...] = ()
    colours: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    cards: tuple[CardStyle, ...] = ()


def style_of(library: Library, shapes: Shapes | None = None) -> Style:
    """Return the style that a library's documents declare; without one, it is derived from the shapes of positions.

    The last document counts, so that a designer's own folder can redraw a shipped game.
    """
    documents, games = library.of_kind(KIND), library.of_kind("game")
    declared = games[0].values if games else {}
    found = shapes if shapes is not None else declared.get("position", {})
    if not documents:
        return derived(games[0].name if games else "", found)
    style = _read(documents[-1].name, documents[-1].values)
    brought = declared.get(BROUGHT, ())
    return _with(style, {key: shape for key, shape in found.items() if key in brought or "marks" in shape})


def derived(title: str, shapes: Shapes) -> Style:
    """Return the style that follows from the shapes of a game's positions alone."""
    return Style(
        title=title,
        pieces=tuple(_derived_pieces(key, shape) for key, shape in shapes.items() if "pieces" in shape),
        placed=tuple(PlacedKey(key, str(shape[_PLACED])) for key, shape in shapes.items() if _PLACED in shape),
        owned=_keys(shapes, "spaces by"),
        zones=tuple(ZoneKey(one.key, one.title) for one in _keys(shapes, "zone")),
        facts=(*_keys(shapes, "turn of"), *_keys(shapes, "field"), *_keys(shapes, "values")),
    )


def _with(style: Style, shapes: Shapes) -> Style:
    """Return a style that also draws some keys for which it has no rule yet."""
    if not shapes:
        return style
    more = derived("", {key: shape for key, shape in shapes.items() if key not in _drawn(style)})
    marks = {
        key: tuple(MarkKey(mark, mark[:1], mark.replace("_", " ")) for mark in shape.get("marks", {}))
        for key, shape in shapes.items()
    }
    pieces = [replace(one, marks=(*one.marks, *marks.get(one.key, ()))) for one in (*style.pieces, *more.pieces)]
    return replace(
        style,
        pieces=tuple(pieces),
        zones=(*style.zones, *more.zones),
        facts=(*style.facts, *more.facts),
        owned=(*style.owned, *more.owned),
    )


def _drawn(style: Style) -> set[str]:
    parts = (style.pieces, style.placed, style.owned, style.spaces, style.facts, style.rows, style.zones)
    return {one.key for part in parts for one in part}


def _derived_pieces(key: str, shape: Shape) -> PiecesKey:
    def part(name: str) -> str:
        return str(shape.get(name, ""))

    notes = tuple(shape[word] for word in ("stack", "nature") if word in shape)
    return PiecesKey(key, part("place"), part("document"), part("owner"), part("tokens"), part("facing"), notes)


def _keys(shapes: Shapes, word: str) -> tuple[Titled, ...]:
    return tuple(Titled(key, key.replace("_", " ")) for key, shape in shapes.items() if word in shape)


def _read(title: str, values: Mapping[str, Any]) -> Style:
    return Style(
        title=title,
        pieces=tuple(_pieces(one) for one in values.get("pieces", ())),
        placed=tuple(PlacedKey(**one) for one in values.get("placed", ())),
        owned=tuple(Titled(**one) for one in values.get("owned", ())),
        spaces=tuple(Sign(**one) for one in values.get("spaces", ())),
        tags=tuple(Titled(one["tag"], one["title"]) for one in values.get("tags", ())),
        facts=tuple(Titled(**one) for one in values.get("facts", ())),
        rows=tuple(Rows(**one) for one in values.get("rows", ())),
        zones=tuple(ZoneKey(**one) for one in values.get("zones", ())),
        colours=values.get("colours", {}),
        labels=values.get("labels", {}),
        cards=tuple(CardStyle(**one) for one in values.get("cards", ())),
    )


def _pieces(given: Mapping[str, Any]) -> PiecesKey:
    lists = {key: tuple(given.get(key, ())) for key in ("notes", "values", "differing")}
    marks = tuple(MarkKey(one["key"], one["sign"], one["title"], one.get("in", "")) for one in given.get("marks", ()))
    return PiecesKey(**{**given, **lists, "marks": marks})
