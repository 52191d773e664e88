"""Exports: the files that Tabletop Simulator and Card Game Simulator read, with their documented keys."""

from __future__ import annotations

import json
import struct
from typing import Any

from paper_support import printed

from loaded import shipped
from warchest.paper.exports import WIDEST, CardExport, file_name
from warchest.paper.sizes import CARDS, PageSize
from warchest.paper.typeset import Templates

DECK_KEYS = {"FaceURL", "BackURL", "NumWidth", "NumHeight", "BackIsHidden", "UniqueBack", "Type"}
GAME_KEYS = {
    "name",
    "allCardsUrl",
    "allSetsUrl",
    "autoUpdate",
    "autoUpdateUrl",
    "cardBackImageFileType",
    "cardBackImageUrl",
    "cardIdIdentifier",
    "cardImageFileType",
    "cardImageUrl",
    "cardNameIdentifier",
    "cardNameIsUnique",
    "cardPrimaryProperty",
    "cardProperties",
    "cardSetIdentifier",
    "cardSize",
}
"""The keys of the specification of Card Game Simulator that are used here."""


def export(count: int, base: str = "https://example.org/cards/") -> CardExport:
    game = printed(shipped())
    cards = [game.face(one) for one in game.library.of_kind("decree")]
    many = (cards * (count // len(cards) + 1))[:count]
    return CardExport(game, many, PageSize(*CARDS["poker"]), Templates(), base)


def files_of(found: Any) -> dict[str, Any]:
    return {one.path: json.loads(one.content) if one.path.endswith(".json") else one.content for one in found}


def dots(png: bytes) -> tuple[int, ...]:
    assert png.startswith(b"\x89PNG")
    return struct.unpack(">II", png[16:24])


def test_a_saved_object_shows_each_card_at_its_place_in_an_image() -> None:
    files = files_of(export(72).tabletop())
    (deck,) = files["war-chest.json"]["ObjectStates"]
    assert deck["Name"] == "DeckCustom" and len(deck["DeckIDs"]) == len(deck["ContainedObjects"]) == 72
    assert set(deck["CustomDeck"]) == {"1", "2"}
    for key, one in deck["CustomDeck"].items():
        assert set(one) == DECK_KEYS
        face, back = (files[one[url].removeprefix("https://example.org/cards/")] for url in ("FaceURL", "BackURL"))
        wide, high = dots(face)
        assert max(wide, high) <= WIDEST and one["NumWidth"] <= 10 and one["NumHeight"] <= 7
        # The cells are as wide and as high as a card.
        assert abs(wide / one["NumWidth"] - dots(back)[0]) <= 1 and abs(high / one["NumHeight"] - dots(back)[1]) <= 1
        ids = [number for number in deck["DeckIDs"] if number // 100 == int(key)]
        assert max(number % 100 for number in ids) < one["NumWidth"] * one["NumHeight"]
    assert len(set(deck["DeckIDs"])) == 72
    assert [one["CardID"] for one in deck["ContainedObjects"]] == deck["DeckIDs"]
    assert deck["ContainedObjects"][0]["Nickname"] == export(1).cards[0].name


def test_a_single_card_is_no_deck() -> None:
    (card,) = files_of(export(1).tabletop())["war-chest.json"]["ObjectStates"]
    assert card["Name"] == "Card" and card["CardID"] == 100 and set(card["CustomDeck"]) == {"1"}


def test_the_game_of_a_card_game_simulator_has_all_its_files() -> None:
    found = export(7)
    files = files_of(found.card_game(addressed=True))
    rules = files["cgs.json"]
    assert set(rules) <= GAME_KEYS and rules == files["War Chest.json"]
    properties = {one["name"] for one in rules["cardProperties"]}
    sets = {one["code"] for one in files["AllSets.json"]}
    assert len(files["AllCards.json"]) == 7 and rules["cardNameIsUnique"]
    for card in files["AllCards.json"]:
        assert set(card) == {"id", "name", "set"} | properties and card["set"] in sets
        assert dots(files[f"sets/{card['set']}/{card['id']}.png"])
    assert rules["cardImageUrl"] == "https://example.org/cards/sets/{cardSet}/{cardId}.{cardImageFileType}"
    assert "autoUpdateUrl" not in files_of(found.card_game(addressed=False))["cgs.json"]


def test_cards_of_one_name_have_different_identifiers() -> None:
    cards = files_of(export(15).card_game(addressed=False))["AllCards.json"]
    assert len({card["id"] for card in cards}) == 15


def test_names_of_files_are_names_everywhere() -> None:
    assert file_name("Royal Guard") == "royal-guard" and file_name("../..") == "card" and file_name("Æ #1") == "1"
