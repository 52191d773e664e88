"""Conditions where designers put them first, and the language does not have them: the whole sentence is advised."""

from __future__ import annotations

import pytest

from designer.reading_support import advised
from machine.machine_support import card, game

STEPS = [
    ("either move if this is bolstered, or attack", "if this is bolstered, either move, or attack; otherwise, attack"),
    ("either move, or attack if this is bolstered", "if this is bolstered, either move, or attack; otherwise, move"),
    ("attack if this is bolstered, otherwise move", "if this is bolstered, attack; otherwise, move"),
    ("if this is bolstered, attack, else move", "if this is bolstered, attack; otherwise, move"),
    ("attack only if this is bolstered", "if this is bolstered, attack"),
    ("if this is bolstered or this is on a location, attack", "if this is bolstered, or this is on a location, attack"),
    ("move, then attack if possible", "move, then attack if able"),
    ("move, then attack if you can", "move, then attack if able"),
    ("if possible, attack", "attack if able"),
    ("move and then attack", "move, then attack"),
    ("move or attack", "either move, or attack"),
    ("draw a coin, then put that coin into your hand or attack", ""),
    ("if you control at least 3 locations, attack", "if the number of locations you control is at least 3, attack"),
    (
        "if you control fewer than three locations, attack",
        "if the number of locations you control is less than 3, attack",
    ),
]
RULES = [
    ("this can attack only if it is bolstered", "this cannot attack unless it is bolstered"),
    ("this may attack only while it is bolstered", "this cannot attack unless it is bolstered"),
    ("this is bolstered if it is on a location", "this is bolstered when it is on a location"),
    (
        "when an enemy unit would attack this, that unit moves instead if this is bolstered",
        "when an enemy unit would attack this while this is bolstered, that unit moves instead",
    ),
]


@pytest.mark.parametrize(
    ("block", "text", "whole"), [("tactic", *one) for one in STEPS] + [("attribute", *one) for one in RULES]
)
def test_the_whole_sentence_is_advised_and_accepted(block: str, text: str, whole: str) -> None:
    (first, *_) = advised(card("Lamp", **{block: f"{text}."}))
    if whole:
        assert f"`{whole}.`" in (first.help or "")
        game(card("Lamp", **{block: f"{whole}."}))
    else:
        assert "either draw" not in (first.help or "")
