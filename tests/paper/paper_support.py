"""Games, cards and pages for the tests of printing; each is made once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from loaded import shipped
from warchest.game.game import Game
from warchest.paper.game_parts import CardFace, PrintedGame
from warchest.paper.pages import CARDS, card_pages
from warchest.paper.ranges import CardRange, RangeFinder
from warchest.paper.sizes import PageSize, card_size, sheet_of
from warchest.paper.typeset import PageFormat, PrintedPages, Templates

A4 = PageSize(210.0, 297.0)
_POINT = 25.4 / 72


def printed(game: Game, sets: str | None = None) -> PrintedGame:
    return PrintedGame(game, game.options(None, sets))


@cache
def finder(name: str) -> RangeFinder:
    return RangeFinder(shipped(name))


@cache
def range_of(card: str, name: str = "war-chest", whole: bool = False) -> CardRange | None:
    found = next(one for one in shipped(name).library.documents if one.name == card and one.kind in ("unit", "figure"))
    return finder(name).range_of(found, whole)


def laid_out(
    game: PrintedGame, cards: Iterable[CardFace], form: PageFormat = "svg", templates: Templates | None = None
) -> PrintedPages:
    """Sheets of cards on A4."""
    data = card_pages(game, list(cards), sheet_of(A4, card_size("poker"), 2.0), marks=True, backs=False)
    return (templates or Templates()).laid_out(CARDS, data, form, 72)


def size_of(svg: bytes) -> tuple[float, float]:
    """The width and height of a page in millimetres."""
    found = re.search(rb'width="([0-9.]+)pt" height="([0-9.]+)pt"', svg)
    assert found is not None
    return round(float(found[1]) * _POINT, 2), round(float(found[2]) * _POINT, 2)
