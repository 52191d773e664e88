"""The cards that a document affects: those whose sheets name it, or whose texts are about its acts."""

from __future__ import annotations

import pytest

from loaded import shipped
from warchest.documents.library import Document
from warchest.testing.bearers import bearers_of


def document(game: str, kind: str, name: str) -> Document:
    found = shipped(game).library.named(kind, name)
    assert found is not None
    return found


def test_a_card_with_pieces_bears_itself() -> None:
    for name in ("war-chest", "unigames"):
        game = shipped(name)
        for kind in game.piece_kinds:
            assert all(bearers_of(game, one) == (one.name,) for one in game.library.of_kind(kind))


def test_bearers_of_abilities_and_classes_are_the_figures_with_them() -> None:
    game = shipped("unigames")
    for ability in game.library.of_kind("ability"):
        listed = {
            one.name
            for one in game.library.of_kind("figure")
            if any(said.startswith(ability.name) for said in one.values.get("abilities", ()))
        }
        # An ability can be filled into another one, too.
        found = set(bearers_of(game, ability))
        assert found and listed <= found
    dwarves = bearers_of(game, document("unigames", "class", "Dwarf"))
    assert dwarves and all(name.startswith("Dwarf") for name in dwarves)


@pytest.mark.parametrize(
    ("kind", "name", "some", "others"),
    [
        ("action", "Control", {"Footman", "Bannerman"}, {"Archer", "Knight"}),
        ("decree", "Redeploy", {"Scout"}, {"Archer", "Pikeman"}),
        ("errata", "Royal Guard revised", {"Royal Guard"}, {"Archer"}),
    ],
)
def test_the_bearers_of_rules_are_the_cards_that_act_by_them(
    kind: str, name: str, some: set[str], others: set[str]
) -> None:
    found = set(bearers_of(shipped(), document("war-chest", kind, name)))
    assert some <= found and not others & found


def test_a_document_about_no_card_has_no_bearers() -> None:
    assert bearers_of(shipped(), document("war-chest", "plan", "Plan 1")) == ()
