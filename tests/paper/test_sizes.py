"""Sizes on paper: as many things on a page as fit, with the bleed that there is room for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warchest.paper.sizes import CARDS, MARGIN, PAPERS, PageSize, SizeError, card_size, length, sheet_of, side

PAGES = [PageSize(*sides) for sides in PAPERS.values()]
SIDES = st.floats(10, 200).map(lambda value: round(value, 1))


@given(st.sampled_from(PAGES), SIDES, SIDES, st.floats(0, 10))
def test_all_cards_of_a_sheet_fit(page: PageSize, x: float, y: float, bleed: float) -> None:
    sheet = sheet_of(page, PageSize(x, y), bleed)
    for whole, one, count, more in ((page.x, x, sheet.columns, sheet.bleed.x), (page.y, y, sheet.rows, sheet.bleed.y)):
        assert count >= 1 and 0 <= more <= bleed + 1e-3
        assert count * (one + 2 * more) <= whole - 2 * MARGIN + 0.01
        assert (count + 1) * one > whole - 2 * MARGIN, "another one would have had room"
        # The bleed is less than asked for only where the page is full.
        assert more >= bleed - 1e-3 or count * (one + 2 * more) >= whole - 2 * MARGIN - 0.05


@pytest.mark.parametrize("page", PAGES)
def test_nine_cards_of_poker_size_are_on_a_page(page: PageSize) -> None:
    sheet = sheet_of(page, card_size("poker"), 3.0)
    assert (sheet.columns, sheet.rows) == (3, 3)
    assert min(sheet.bleed.x, sheet.bleed.y) > 1


def test_lengths_are_in_millimetres() -> None:
    assert [length(one) for one in ("3", "3mm", "2.5cm", "0.5in")] == [3, 3, 25, 12.7]
    assert card_size("2.5inx3.5in") == PageSize(63.5, 88.9) and card_size("63x88") == PageSize(*CARDS["poker"])


@pytest.mark.parametrize("written", ["", "mm", "-3mm", "3 mm", "3px", "1e3", "٣", "nan", "12345"])
def test_invalid_lengths_are_refused(written: str) -> None:
    with pytest.raises(SizeError):
        length(written)


@pytest.mark.parametrize("written", ["poke", "63", "63x", "x88", "63x88x1", "1x1", "9999x9999"])
def test_invalid_sizes_are_refused(written: str) -> None:
    with pytest.raises(SizeError):
        card_size(written)


def test_cards_larger_than_a_page_are_refused() -> None:
    with pytest.raises(SizeError, match="does not fit"):
        sheet_of(PAGES[0], PageSize(side("300mm"), 50), 2.0)
