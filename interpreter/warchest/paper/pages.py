"""The data of pages, for the templates of cards, tokens, boards and summaries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from math import ceil, sqrt
from typing import Any, TypeAlias

from warchest.documents.library import Document
from warchest.lowering.board import Board
from warchest.paper.game_parts import PALETTE, CardFace, PrintedGame, PrintedToken
from warchest.paper.ranges import CardRange
from warchest.paper.sizes import CardSheet, PageSize, SizeError
from warchest.picture.style import ink

PageData: TypeAlias = dict[str, Any]
"""Data for a template, as JSON can hold them."""
CARDS, TOKENS, BOARD, SUMMARY = "cards.typ", "tokens.typ", "board.typ", "summary.typ"
"""The templates of sheets of cards and of tokens, of a board, and of a summary."""
BACK, BLANK = "back", "blank"
"""The words for the back of a card, and for a place without a card, among the cards of a sheet."""
EDGE = 8.0
"""The edge of a page with a board, in millimetres."""
MOST_PAGES = 64
"""The most pages of a board."""


def drawn_range(found: CardRange | None) -> PageData | None:
    """Return the data of the drawing of a range: spaces and marks around the piece, and the meanings of the marks."""
    if found is None:
        return None
    said = dict.fromkeys((str(mark.sort), mark.word) for mark in found.marks)
    legend = [{"sort": sort, "word": word} for sort, word in said]
    legend += [{"sort": str(sort), "word": f"{word} anywhere"} for sort, word in found.everywhere]
    return {
        "shape": found.shape,
        "stands": found.stands,
        "facing": found.faces,
        "spaces": [{"x": x, "y": y} for x, y in found.spaces],
        "marks": [{"sort": str(mark.sort), "word": mark.word, "x": mark.x, "y": mark.y} for mark in found.marks],
        "legend": legend,
    }


def faces(contents: PrintedGame, documents: Sequence[Document], ranges: Iterable[CardRange | None]) -> list[CardFace]:
    """Return the fronts of the cards of documents with these ranges."""
    return [replace(contents.face(one), range=drawn_range(found)) for one, found in zip(documents, ranges, strict=True)]


def card_pages(
    contents: PrintedGame, cards: Sequence[CardFace], sheet: CardSheet, marks: bool, backs: bool
) -> PageData:
    """Return the data of sheets of cards, each followed by a sheet of backs if these are wanted."""
    room = sheet.columns * sheet.rows
    shown: list[PageData | str] = []
    for start in range(0, len(cards), room):
        part = [asdict(one) for one in cards[start : start + room]]
        shown += part
        if backs:
            shown += [BLANK] * (room - len(part)) + [BACK] * room
    return {"options": _options(contents), "sheet": _sheet(sheet, marks), "cards": shown}


def _options(contents: PrintedGame) -> PageData:
    return {"title": contents.title, "colour": PALETTE[-1], "ink": ink(PALETTE[-1])}


def _sheet(sheet: CardSheet, marks: bool) -> PageData:
    return {
        "page": {"width": sheet.page.x, "height": sheet.page.y},
        "width": sheet.thing.x,
        "height": sheet.thing.y,
        "bleed": {"x": sheet.bleed.x, "y": sheet.bleed.y},
        "columns": sheet.columns,
        "rows": sheet.rows,
        "marks": marks,
    }


def bare_sheet(thing: PageSize, columns: int = 1, rows: int = 1) -> CardSheet:
    """Return a page with things edge to edge, and nothing else."""
    return CardSheet(PageSize(thing.x * columns, thing.y * rows), thing, PageSize(0.0, 0.0), columns, rows)


# ---- tokens


def token_pages(contents: PrintedGame, tokens: Sequence[PrintedToken], sheet: CardSheet, marks: bool) -> PageData:
    """Return the data of sheets of tokens."""
    return {"options": _options(contents), "sheet": _sheet(sheet, marks), "tokens": [asdict(one) for one in tokens]}


# ---- a board


def board_pages(contents: PrintedGame, board: Board, page: PageSize, space: float | None, marks: bool) -> PageData:
    """Return the data of a board: on one page, turned if that is better, or in parts if the width of spaces is given.

    The width of a space is the distance between opposite sides. Raises SizeError if there would be too many pages.
    """
    hexes = board.shape == "hexes"
    half = (1.0, sqrt(3) / 2) if hexes else (0.5, 0.5)
    middles = [board.centre(number) for number in range(len(board.spaces))]
    left, top = (min(middle[axis] for middle in middles) - half[axis] for axis in (0, 1))
    across, down = (max(middle[axis] for middle in middles) + half[axis] - edge for axis, edge in ((0, left), (1, top)))
    if (across > down) != (page.x > page.y):
        page = PageSize(page.y, page.x)
    room = PageSize(page.x - 2 * EDGE, page.y - 2 * EDGE)
    unit = min(room.x / across, room.y / down) if space is None else space / (sqrt(3) if hexes else 1.0)
    parts = [(ceil(unit * side / length - 1e-6)) for side, length in ((across, room.x), (down, room.y))]
    if parts[0] * parts[1] > MOST_PAGES:
        raise SizeError(f"this board would take {parts[0] * parts[1]} pages; {MOST_PAGES} is the most")
    return {
        "options": _options(contents),
        "page": {"width": page.x, "height": page.y, "edge": EDGE},
        "marks": marks,
        "name": board.name,
        "shape": board.shape,
        "unit": unit,
        "width": unit * across,
        "height": unit * down,
        "parts": [{"x": room.x * x, "y": room.y * y} for y in range(parts[1]) for x in range(parts[0])],
        "spaces": list(_spaces(contents, board, (left, top))),
    }


def _spaces(contents: PrintedGame, board: Board, corner: tuple[float, float]) -> Iterator[PageData]:
    """Yield the spaces with their distances from a corner; the unit is the side of a hex or the width of a square."""
    shown = {tag.key for tag in contents.style.tags}
    colours = {seat.name: contents.style.colours.get(seat.colour, "") for seat in board.seats}
    held = {
        space: colours.get(player, "")
        for players in board.start.values()
        for player, spaces in players.items()
        for space in spaces
    }
    for number, space in enumerate(board.spaces):
        x, y = board.centre(number)
        yield {
            "name": space.name,
            "x": round(x - corner[0], 4),
            "y": round(y - corner[1], 4),
            "tagged": bool(space.tags & shown),
            "colour": held.get(space.name, ""),
        }


# ---- a summary


def summary_pages(contents: PrintedGame, title: str, documents: Sequence[Document], page: PageSize) -> PageData:
    """Return the data of a summary: the documents by kind, each as on a card, and the errata in use."""
    order = [*contents.kinds, "setup"]
    parts = []
    for kind in order:
        items = [asdict(contents.face(one)) for one in documents if one.kind == kind]
        items = [one for one in items if one["texts"] or one["values"]]
        if items:
            parts.append({"title": kind, "items": items})
    return {
        "options": _options(contents) | {"title": title},
        "page": {"width": page.x, "height": page.y},
        "game": contents.title,
        "rules": [asdict(one) for document in documents for one in contents.rules_of(document)],
        "parts": parts,
        "errata": [asdict(one) for one in contents.errata_for(documents)],
    }
