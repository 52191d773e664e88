"""The ranges on cards: those of known cards agree with their printed texts, by the geometry of the board alone."""

from __future__ import annotations

from itertools import product
from math import sqrt
from pathlib import Path

import pytest
from paper_support import range_of

from warchest.game.game import load_game
from warchest.paper.ranges import CardRange, MarkSort, RangeFinder

Place = tuple[int, int]
"""A space by its columns and rows from the piece."""
STEPS: list[Place] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]
SPACES = [place for place in product(range(-6, 7), repeat=2) if place != (0, 0)]
GOES, ACTS, HELPS, COMES = MarkSort


def away(place: Place) -> int:
    column, row = place
    return max(abs(column), abs(row), abs(column + row))


def ring(low: int, high: int) -> set[Place]:
    return {place for place in SPACES if low <= away(place) <= high}


def lines(low: int, high: int) -> set[Place]:
    return {(column * far, row * far) for column, row in STEPS for far in range(low, high + 1)}


def marked(found: CardRange | None, sort: MarkSort, hexes: bool = True) -> set[Place]:
    """The places of the marks of a sort."""
    assert found is not None
    places = {(mark.x, mark.y) for mark in found.marks if mark.sort is sort}
    if not hexes:
        return {(round(x), round(y)) for x, y in places}
    columns = {(round(x / 1.5), y) for x, y in places}
    return {(column, round(y / sqrt(3) - column / 2)) for column, y in columns}


KNOWN = [
    ("Archer", {ACTS: ring(2, 2)}),
    ("Cavalry", {GOES: ring(1, 1), ACTS: ring(1, 2)}),
    ("Crossbowman", {ACTS: lines(2, 2)}),
    ("Ensign", {HELPS: ring(1, 2)}),
    ("Lancer", {GOES: lines(1, 2), ACTS: lines(2, 3)}),
    ("Light Cavalry", {GOES: ring(2, 2)}),
    ("Marshall", {HELPS: ring(1, 2)}),
    ("Royal Guard", {GOES: ring(1, 1)}),
    ("Scout", {COMES: ring(1, 1)}),
    ("Swordsman", {GOES: ring(1, 1)}),
    ("Trebuchet", {ACTS: lines(2, 3)}),
]


@pytest.mark.parametrize(("card", "wanted"), KNOWN, ids=[card for card, _ in KNOWN])
def test_a_known_card_has_the_range_of_its_text(card: str, wanted: dict[MarkSort, set[Place]]) -> None:
    found = range_of(card)
    assert found is not None and found.shape == "hexes"
    assert {sort: marked(found, sort) for sort in MarkSort} == {sort: wanted.get(sort, set()) for sort in MarkSort}
    assert found.stands == (card != "Scout")


@pytest.mark.parametrize("card", ["Knight", "Pikeman"])
def test_a_card_without_a_range_of_its_own_has_no_drawing(card: str) -> None:
    assert range_of(card) is None


def test_a_new_card_has_a_range_beyond_the_shipped_board(tmp_path: Path) -> None:
    text = "unit: Kite\nset: base\ncoins: 4\nsource: our own\ntactic: |\n  attack a target exactly 5 spaces away.\n"
    (tmp_path / "kite.yaml").write_text(text, encoding="utf-8")
    game = load_game("war-chest", tmp_path)
    kite = game.library.named("unit", "Kite")
    assert kite is not None
    assert marked(RangeFinder(game).range_of(kite), ACTS) == ring(5, 5)


def test_the_words_are_the_verbs_of_the_game() -> None:
    found = range_of("Lancer")
    assert found is not None
    assert {(mark.sort, mark.word) for mark in found.marks} == {(GOES, "move"), (ACTS, "attack")}


def trek(place: Place) -> int:
    """The points that a way to a square takes for a figure that faces north: a step each, and a point for each turn."""
    across, down = place
    turns = (1 if across else 0) if down <= 0 else 2
    return abs(across) + abs(down) + turns


def test_the_range_of_a_figure_is_all_that_it_can_reach() -> None:
    found = range_of("Goblin Runt", "unigames", whole=True)
    assert marked(found, GOES, hexes=False) == {place for place in SPACES if trek(place) <= 3}
    assert marked(found, ACTS, hexes=False) == {(0, -1)}
    assert found is not None and found.shape == "squares" and found.faces


def test_an_act_that_reaches_every_space_has_no_marks() -> None:
    found = range_of("Dwarf Elder", "unigames", whole=True)
    assert found is not None and (ACTS, "heal") in found.everywhere
    assert not any(mark.word == "heal" for mark in found.marks)


def test_marks_are_on_drawn_spaces() -> None:
    for found in (range_of("Lancer"), range_of("Scout"), range_of("Goblin Runt", "unigames", whole=True)):
        assert found is not None
        assert {(mark.x, mark.y) for mark in found.marks} <= set(found.spaces)
        assert len(set(found.spaces)) == len(found.spaces) and (0.0, 0.0) in found.spaces
