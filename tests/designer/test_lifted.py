"""Properties of the game that a pack means to break are lifted by a document beside its cards."""

from __future__ import annotations

from pathlib import Path

import pytest

import warchest
from warchest.game.errors import CardError
from warchest.testing.properties.stated_properties import properties_of

COINS = "never the number of all coins changes while no card is in the pool."
LIFTED = "properties: Mine\nsource: a test\nbecause: a card of ours makes coins\nlifts: |\n  {}\n"


def said(folder: Path, text: str = "") -> list[str]:
    """Return the properties of War Chest with a document in a folder."""
    if text:
        (folder / "mine.yaml").write_text(text, encoding="utf-8")
    extra = [folder] if text else []
    return [one.text for one in properties_of(warchest.load("war-chest", extra=extra))]


def test_a_lifted_property_is_not_asked_for(tmp_path: Path) -> None:
    usual = said(tmp_path)
    assert COINS.rstrip(".") in [one.rstrip(".") for one in usual]
    lifted = said(tmp_path, LIFTED.format(COINS))
    assert len(lifted) == len(usual) - 1 and set(lifted) < set(usual)


def test_line_breaks_make_no_difference(tmp_path: Path) -> None:
    broken = COINS.replace(" while", "\n    while")
    assert len(said(tmp_path, LIFTED.format(broken))) == len(said(tmp_path)) - 1


def test_a_missing_rule_cannot_be_lifted(tmp_path: Path) -> None:
    with pytest.raises(CardError) as wrong:
        said(tmp_path, LIFTED.format("never a Scout attacks."))
    (one,) = wrong.value.diagnostics
    assert one.name == "lifts-nothing" and one.span is not None and one.span.line == 5 and one.help


@pytest.mark.parametrize("left_out", ["because", "lifts"])
def test_a_reason_is_needed(tmp_path: Path, left_out: str) -> None:
    lines = LIFTED.format(COINS).splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith(left_out) and (left_out != "lifts" or line[0] != " ")]
    with pytest.raises(CardError):
        said(tmp_path, "".join(kept))
