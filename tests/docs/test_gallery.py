"""The gallery has all cards as they are, with the ranges that the program finds."""

from __future__ import annotations

import pytest
from gallery_support import DRAWINGS, FOLDER, PAGES, GalleryPage, cards, draw, drawing, printed, text_of

each = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
AGAIN = "run `python tests/docs/gallery_support.py --ranges`"


@each
def test_the_page_is_current(page: GalleryPage) -> None:
    assert (FOLDER / f"{page.name}.md").read_text(encoding="utf-8") == text_of(page), AGAIN


def test_no_card_and_no_drawing_is_left_over() -> None:
    shown = {(page.game, card.name) for page in PAGES for card in cards(page)}
    for page in PAGES:
        contents = printed(page.game, page.pack)
        every = contents.documents(("unit", "coin", "decree", "figure", "ability"), contents.game.sets("all"))
        assert {(page.game, one.name) for one in every} <= shown
    files = {drawing(page, card) for page in PAGES for card in cards(page)}
    assert set(DRAWINGS.iterdir()) <= files


@each
def test_a_drawing_is_current(page: GalleryPage) -> None:
    drawn = [card for card in cards(page) if drawing(page, card).exists()]
    for file, text in draw(page, drawn[-1:]).items():
        assert file.read_text(encoding="utf-8") == text, AGAIN


@each
def test_all_drawings_are_current(page: GalleryPage) -> None:
    found = draw(page, cards(page))
    assert set(found) == {file for card in cards(page) if (file := drawing(page, card)).exists()}, AGAIN
    assert [file for file, text in found.items() if file.read_text(encoding="utf-8") != text] == [], AGAIN
