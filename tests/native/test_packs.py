"""Packs of generated cards are played alike by both machines."""

from __future__ import annotations

import pytest
from packs_support import Pack, Tally, clean, made, played

from loaded import load_once

FEW = 24
"""The number of cards of the packs that are played in each run; `make explore` plays many."""


@pytest.mark.parametrize("number", [0, 1])
def test_a_generated_pack_is_played_alike(number: int) -> None:
    tally = Tally()
    tally.add(number, played(number, "1", FEW))
    assert not tally.wrong, str(tally)
    assert tally.fates["acted"] > tally.fates["idle"] and tally.counts["decisions"] > 100, str(tally)
    assert tally.fates.total() == tally.counts["clean"] <= FEW == tally.counts["made"]


def test_packs_are_the_same_for_the_same_seed() -> None:
    game = load_once("war-chest")
    assert made(game, "1 0", 3) == made(game, "1 0", 3) != made(game, "1 1", 3)


def test_cards_with_findings_are_left_out_and_cards_that_end_the_game_reported() -> None:
    sound = "unit: Novice\ncoins: 4\nset: base\nsource: a test\nattribute: |\n  after this attacks, it may move.\n"
    idle = sound.replace("it may move", "remove this, then this attacks").replace("Novice", "Idler")
    ending = sound.replace("after this attacks, it may move", "a player is out when a coin is in a hand")
    ending = ending.replace("a player is out", "a team is complete").replace("Novice", "Ender")
    texts = clean({"Novice": sound, "Idler": idle, "Ender": ending})
    assert set(texts) == {"Novice", "Ender"}
    pack = Pack(texts, "1")
    assert [names for names, _ in pack.sources(list(texts))] == [["Novice"]]
    assert pack.fates["Ender"] == "over"
