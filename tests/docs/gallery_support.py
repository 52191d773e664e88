"""The gallery: pages with all cards of the shipped games and packs, and the drawings of their ranges.

`python tests/docs/gallery_support.py` writes the pages; with `--ranges` it draws the ranges, too, in some minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, pi, sin
from pathlib import Path
from textwrap import wrap

from warchest.documents.library import Document
from warchest.game.game import load_game
from warchest.paper.game_parts import CardFace, PrintedGame
from warchest.paper.pages import drawn_range
from warchest.paper.ranges import CardRange, MarkSort, RangeFinder
from warchest.source.text import slug

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "reference" / "cards"
DRAWINGS = DOCS / "pictures" / "ranges"
SIDE = 12.0
"""The side of a hex in a drawing; a square is as wide as a hex is high."""
COLOURS: Mapping[MarkSort, str] = {
    MarkSort.GOES: "#2f4f6f",
    MarkSort.ACTS: "#a02c2c",
    MarkSort.HELPS: "#3f6d3a",
    MarkSort.COMES: "#7a5a1f",
}
SIGNS: Mapping[MarkSort, str] = {
    MarkSort.GOES: "disc",
    MarkSort.ACTS: "cross",
    MarkSort.HELPS: "ring",
    MarkSort.COMES: "triangle",
}
HEAD = "<!-- Made by `python tests/docs/gallery_support.py`. -->"


@dataclass(frozen=True, slots=True)
class GalleryPage:
    """A page: its file, its title, its game and pack, and the kinds and the sets (none: all) of its cards."""

    name: str
    title: str
    game: str
    pack: str
    kinds: tuple[str, ...]
    sets: tuple[str, ...] = ()
    about: str = ""


PAGES = (
    GalleryPage("war-chest", "Cards of War Chest", "war-chest", "", ("unit", "coin"), ("base",)),
    GalleryPage(
        "nobility-and-siege",
        "Cards of Nobility and Siege",
        "war-chest",
        "",
        ("unit", "decree", "fortification"),
        ("nobility", "siege"),
    ),
    GalleryPage("nightfall", "Cards of Nightfall", "war-chest", "nightfall", ("unit", "coin"), ("nightfall",)),
    GalleryPage("shock-tactics", "Cards of Shock Tactics", "war-chest", "shock-tactics", ("unit",), ("shock-tactics",)),
    GalleryPage(
        "unigames",
        "Figures of UNIgames",
        "unigames",
        "",
        ("figure",),
        about="Its abilities are on [a page of their own](unigames-abilities.md).",
    ),
    GalleryPage("unigames-abilities", "Abilities of UNIgames", "unigames", "", ("ability",)),
)


@cache
def printed(game: str, pack: str) -> PrintedGame:
    """The printed parts of a game, with a pack if one is named."""
    loaded = load_game(game, pack) if pack else load_game(game)
    return PrintedGame(loaded, loaded.options(None))


def cards(page: GalleryPage) -> list[Document]:
    """The cards of a page; without a set are those that a page of all sets has, and coins of a pack."""
    contents = printed(page.game, page.pack)
    every = contents.documents(page.kinds, contents.game.sets("all"))
    return [one for one in every if not page.sets or one.values.get("set", page.sets[0]) in page.sets]


# ---- pages


def text_of(page: GalleryPage) -> str:
    """The text of a page; a drawing is shown if there is a file with it."""
    found = "\n".join(line for card in cards(page) for line in card_lines(page, card)).rstrip("\n") + "\n"
    signs = ", ".join(f"{sign}: {meaning(sort)}" for sort, sign in SIGNS.items())
    drawn = any(drawing(page, card).exists() for card in cards(page))
    about = [page.about, f"Drawings show the range; {signs}." if drawn else ""]
    told = "\n".join(wrap(" ".join(filter(None, about)), 120))
    return "\n".join([f"# {page.title}", "", HEAD, "", *([told, ""] if told else []), found])


def meaning(sort: MarkSort) -> str:
    """The meaning of a sign."""
    return {
        MarkSort.GOES: "it goes there",
        MarkSort.ACTS: "it acts on an enemy there",
        MarkSort.HELPS: "it acts on a friend there",
        MarkSort.COMES: "it is put there",
    }[sort]


def card_lines(page: GalleryPage, card: Document) -> Iterator[str]:
    """Yield the lines of a card: its name, drawing, values, texts and source."""
    face = printed(page.game, page.pack).face(card)
    yield from (f"## {face.name}", "")
    file = drawing(page, card)
    if file.exists():
        yield from (f"![Range of {face.name}](../../pictures/ranges/{file.name})", "")
    told = [f"set {face.set}"] if face.set else []
    yield from (
        ", ".join([face.kind.capitalize(), *told, *(f"{one.key} {one.value}" for one in face.values)]) + ".",
        "",
    )
    yield from texts_of(page, face)
    if face.source:
        yield from (*wrap(f"**Source:** {face.source}.", 120), "")


def texts_of(page: GalleryPage, face: CardFace) -> Iterator[str]:
    """Yield the lines of the texts of a card; of a figure, just the names of its abilities."""
    if "figure" in page.kinds:
        if face.texts:
            yield from (*wrap("**Abilities:** " + "; ".join(one.key for one in face.texts) + ".", 120), "")
        return
    for text in face.texts:
        yield from (*wrap(f"**{text.key.capitalize()}:** {' '.join(text.lines)}", 120), "")


# ---- drawings


def drawing(page: GalleryPage, card: Document) -> Path:
    """The file with the drawing of the range of a card."""
    return DRAWINGS / f"{page.game}-{slug(card.name)}.svg"


def ranges_of(page: GalleryPage, among: Sequence[Document]) -> Iterator[tuple[Document, CardRange]]:
    """Yield the cards of a page that have a range, with it."""
    contents = printed(page.game, page.pack)
    finder = RangeFinder(contents.game, contents.options)
    for card in among:
        how = contents.style_of(card).range
        found = finder.range_of(card, whole=how == "whole") if how else None
        if found is not None and found.marks:
            yield card, found


def svg_of(found: CardRange) -> str:
    """The drawing of a range: its spaces, the piece in the middle, the signs, and their meanings."""
    scale = SIDE if found.shape == "hexes" else SIDE * 2
    places = [(x * scale, y * scale) for x, y in found.spaces]
    left, right = min(x for x, _ in places) - scale, max(x for x, _ in places) + scale
    top, bottom = min(y for _, y in places) - scale, max(y for _, y in places) + scale
    data = drawn_range(found)
    assert data is not None
    legend = [(MarkSort(one["sort"]), str(one["word"])) for one in data["legend"]]
    width, height = max(right - left, 150.0), bottom - top + 14 * len(legend) + 4
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
        f' viewBox="{left:.1f} {top:.1f} {width:.1f} {height:.1f}" font-family="sans-serif" font-size="10">',
        f'<path d="{"".join(space(found.shape, x, y, scale) for x, y in places)}" fill="#f4efe4" stroke="#8a8172"/>',
        piece(found),
        *(sign(mark.sort, mark.x * scale, mark.y * scale, offset(found, mark.sort)) for mark in found.marks),
    ]
    for number, (sort, word) in enumerate(legend):
        y = bottom + 14 * number + 7
        lines += [sign(sort, left + 8, y, 0), f'<text x="{left + 18:.1f}" y="{y + 3.5:.1f}">{word}</text>']
    return "\n".join([*lines, "</svg>", ""])


def offset(found: CardRange, sort: MarkSort) -> float:
    """How far a sign is from the middle of its space, so that two there do not hide each other."""
    sorts = list(dict.fromkeys(mark.sort for mark in found.marks))
    return (sorts.index(sort) - (len(sorts) - 1) / 2) * 8


def space(shape: str, x: float, y: float, scale: float) -> str:
    """The path of a space: a hex with two level sides, or a square."""
    if shape != "hexes":
        return f"M{x - scale / 2:.0f},{y - scale / 2:.0f}h{scale:.0f}v{scale:.0f}h-{scale:.0f}z"
    corners = [(x + scale * cos(pi * step / 3), y + scale * sin(pi * step / 3)) for step in range(6)]
    return f"M{points(corners)}z"


def points(corners: Sequence[tuple[float, float]]) -> str:
    """Corners as SVG writes them."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def piece(found: CardRange) -> str:
    """The piece in the middle, or a friend of it; a piece that faces upwards has a point."""
    fill = "#222" if found.stands else "none"
    if found.faces:
        return f'<polygon points="0,-8 6,6 -6,6" fill="{fill}" stroke="#222"/>'
    return f'<circle cx="0" cy="0" r="6" fill="{fill}" stroke="#222"/>'


def sign(sort: MarkSort, x: float, y: float, aside: float) -> str:
    """A sign on a space."""
    x, colour = x + aside, COLOURS[sort]
    if sort is MarkSort.ACTS:
        path = f"M{x - 3:.1f},{y - 3:.1f} l6,6 M{x + 3:.1f},{y - 3:.1f} l-6,6"
        return f'<path d="{path}" stroke="{colour}" stroke-width="2"/>'
    if sort is MarkSort.COMES:
        return f'<polygon points="{points([(x, y - 4), (x + 4, y + 3), (x - 4, y + 3)])}" fill="{colour}"/>'
    fill = colour if sort is MarkSort.GOES else "none"
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{fill}" stroke="{colour}" stroke-width="1.5"/>'


def draw(page: GalleryPage, among: Sequence[Document]) -> dict[Path, str]:
    """The drawings of cards of a page, by their files."""
    return {drawing(page, card): svg_of(found) for card, found in ranges_of(page, among)}


def write(ranges: bool) -> None:
    """Write all pages, and the drawings if they are asked for."""
    for folder in (FOLDER, DRAWINGS):
        folder.mkdir(parents=True, exist_ok=True)
    for page in PAGES:
        for file, text in draw(page, cards(page)).items() if ranges else ():
            file.write_text(text, encoding="utf-8")
        (FOLDER / f"{page.name}.md").write_text(text_of(page), encoding="utf-8")


if __name__ == "__main__":
    write("--ranges" in sys.argv)
