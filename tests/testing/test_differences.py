"""Two games compared: a changed word is found by a small position, and equal games are equal."""

from __future__ import annotations

from functools import cache

import pytest

import warchest
from loaded import shipped
from warchest.source.data import data_folder
from warchest.testing.differences import Difference, GameComparison
from warchest.testing.mutants.adopting import case_of
from warchest.testing.shrinking import size

PIKEMAN = "units/pikeman.yaml", "that unit loses", "this loses"
CHANGED = [
    ("war-chest", "Lancer", "units/lancer.yaml", "1-2 spaces", "1-3 spaces", "options"),
    ("war-chest", "Archer", "units/archer.yaml", "exactly 2 spaces", "exactly 3 spaces", "options"),
    ("war-chest", "Pikeman", *PIKEMAN, "outcome"),
    ("war-chest", "Swordsman", "units/swordsman.yaml", "after this attacks", "after this moves", "outcome"),
]


@cache
def changed(name: str, file: str, old: str, new: str) -> warchest.Game:
    """Return a shipped game with one text replaced by another."""
    path = data_folder("cards") / name / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    return shipped(name).with_text(path, text.replace(old, new, 1))


@pytest.mark.parametrize(("name", "card", "file", "old", "new", "sort"), CHANGED)
def test_a_changed_word_is_found(name: str, card: str, file: str, old: str, new: str, sort: str) -> None:
    comparison = GameComparison(shipped(name), changed(name, file, old, new))
    # These seeds have a position early that tells them apart, that of the Pikeman and the Swordsman by a longer way.
    seed = {"Lancer": 7, "Archer": 4, "Pikeman": 22, "Swordsman": 3}[card]
    found = comparison.look([card], seed=seed, most=3).found
    assert isinstance(found, Difference) and found.sort == sort
    assert comparison.at(found.position, found.path) == found
    assert size(found.position) <= 20 and len(found.path) <= 2


def test_the_same_seed_finds_the_same() -> None:
    comparison = GameComparison(shipped(), changed("war-chest", *PIKEMAN))
    found = comparison.look(["Pikeman"], seed=22, most=3).found
    assert found is not None and comparison.look(["Pikeman"], seed=22, most=3).found == found


def test_equal_games_have_no_difference() -> None:
    other = changed("war-chest", "units/archer.yaml", "exactly 2", "exactly  2")
    compared = GameComparison(shipped(), other).look(["Archer"], most=8)
    assert compared.found is None and compared.positions == 8 and compared.steps > 100


def test_the_printings_of_a_card_differ() -> None:
    comparison = GameComparison(shipped(), shipped(), ({"royal_guard": "original"}, {"royal_guard": "revised"}))
    found = comparison.look(["Royal Guard"]).found
    assert found is not None and len(found.position["units"]) == 1 and not found.path
    assert any("Royal Coin" in one for one in found.only[0]) and not found.only[1]


def test_fewer_options_are_implied_and_more_are_not() -> None:
    wide = changed("war-chest", "units/lancer.yaml", "1-2 spaces", "1-3 spaces")
    # Options of the first game that the second one lacks are reported, and no others.
    assert GameComparison(shipped(), wide, implied=True).look(["Lancer"], seed=7, most=3).found is None
    found = GameComparison(wide, shipped(), implied=True).look(["Lancer"], seed=7, most=3).found
    assert found is not None and found.only[0] and not found.only[1]


def test_known_positions_and_beginnings_are_compared_first() -> None:
    other = changed("war-chest", "setups/first-game.yaml", "Swordsman, Pikeman", "Swordsman, Knight")
    known = [{"setup": "Gaugamela", "seed": 2}, {"setup": "First game", "seed": 2}, {"setup": "Crecy"}]
    compared = GameComparison(shipped(), other).look(most=3, known=known)
    assert compared.positions == 2 and compared.found is not None
    assert compared.found.position == {"setup": "First game"} and compared.found.sort == "options"


def test_rules_that_are_endless_in_one_game_are_a_difference() -> None:
    old, new = "then that player becomes the active player", "then until that player is not the active player, pass"
    endless = changed("war-chest", "actions/initiative.yaml", old, new)
    begun = {"setup": "Crecy", "seed": 1}
    for games, told in (((shipped(), endless), "this ends"), ((endless, shipped()), "this does not end")):
        found = GameComparison(*games).look(most=1, known=[begun]).found
        assert found is not None and found.lines[0].startswith(told) and not found.path
        assert case_of(GameComparison(*games), found, "Begun")["position"]["setup"] == "Crecy"
