"""The law of views finds cards that leak hidden things to a player, and no cards whose rules reveal them."""

from __future__ import annotations

import pytest

from machine.machine_support import card, game, position
from warchest.testing.laws import faults_in, law_named

THEIRS = "the hand of that opponent"
HELD = f"if the number of Royal Coins in {THEIRS} is at least 1"
LEAKS = {
    "names a coin that nobody sees": ("tactic", "choose a coin in your bag, then put it into your hand.", "names a"),
    "names a coin of another": (
        "tactic",
        f"""
        choose an opponent.
        you may choose a coin in {THEIRS}, then put it into the bag of that opponent.""",
        "names a token",
    ),
    "names a coin later": (
        "tactic",
        f"""
        move.
        choose an opponent.
        move.
        you may choose a coin in {THEIRS}, then put it into the bag of that opponent.""",
        "`put: chosen",
    ),
    "asks by hidden things": (
        "attribute",
        f"""
        after this moves, choose an opponent, then {HELD}, it may move.""",
        "the question who decides shows raven",
    ),
    "offers by hidden things": (
        "tactic",
        f"""
        choose an opponent.
        {HELD}, you may recruit.
        move.""",
        "the choice shows raven",
    ),
    "acts by hidden things": (
        "tactic",
        f"""
        move.
        choose an opponent.
        {HELD}, recruit.""",
        "the view (discard, supply) shows raven",
    ),
}
TOLD = {
    "a coin that was shown": (
        "tactic",
        f"""
        choose an opponent.
        see all coins in {THEIRS}.
        you may choose a coin in {THEIRS}, then put it into the bag of that opponent.""",
    ),
    "a coin that chance has taken": (
        "tactic",
        f"""
        choose an opponent.
        choose a random coin in {THEIRS}, then put it into the bag of that opponent.""",
    ),
    "an own coin": (
        "tactic",
        """
        choose a coin in your hand, then put it into your bag.""",
    ),
    "an own coin that was put there": (
        "tactic",
        """
        choose a coin in your hand, then put it into your bag, then put it into your hand.
        move.""",
    ),
    "coins that come into the open": (
        "tactic",
        f"""
        choose an opponent.
        put all Royal Coins in {THEIRS} into the bag of that opponent.
        {HELD}, you may recruit.""",
    ),
    "the number of coins": (
        "attribute",
        """
        after this moves, choose an opponent, then if the number of coins in the hand of that opponent is at least 1,
        it may move.""",
    ),
}


def faults(block: str, text: str) -> list[str]:
    """Return the faults in a position near a card that is made up."""
    seer = game(card("Seer", coins=4, **{block: text}))
    bags = {"raven": ["Archer", "Archer"], "wolf": ["Scout", "Knight"]}
    data = position("Seer f4, wolf Scout f7", "Seer", bag=bags, supply={"raven": ["Seer"], "wolf": []})
    return [fault.text for fault in faults_in(seer.position(data), [law_named("views")])]


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_is_found(name: str) -> None:
    block, text, said = LEAKS[name]
    (fault,) = faults(block, text)
    assert said in fault


@pytest.mark.parametrize("name", TOLD)
def test_facts_known_by_the_rules_are_no_leak(name: str) -> None:
    assert faults(*TOLD[name]) == []
