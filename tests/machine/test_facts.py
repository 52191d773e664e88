"""Verbs that are said as facts: their definitions are read where no text asks for them, and hold of any of some."""

from __future__ import annotations

from machine_support import card, game, position, refused

WORDS = "words: Oversight\nverbs: {oversee: {by: unit}}\n"


def test_a_fact_is_read_although_no_text_asks_for_it() -> None:
    sight = card("Sight", kind="action", rules="a unit oversees a location when that location is bolstered.")
    assert [one.name for one in refused(WORDS, sight)] == ["wrong-kind"]


def test_a_fact_of_any_of_some_reaches_through_a_chain_of_others() -> None:
    sight = card(
        "Sight",
        kind="action",
        rules="a unit oversees a location when a unit adjacent to a unit adjacent to that unit is on that location.",
    )
    asks = "choose a location. if an enemy unit oversees that location, you become the holder of the initiative."
    there = position("Probe c4, wolf Scout e7, wolf Knight e6, wolf Archer e5", "Probe") | {"initiative": "wolf"}
    state = game(WORDS, sight, card("Probe", tactic=asks)).position(there)
    holders = {
        option.data["chosen"]: state.clone().apply(option).position()["initiative"]
        for option in state.decision.options
        if option.data["act"] == "tactic"
    }
    # The Scout sees the Archer's location past the Knight, and no other.
    assert len(holders) == 10 and [at for at, holder in holders.items() if holder == "raven"] == ["e5"]
