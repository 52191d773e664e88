"""Windows are played alike by both machines, and no act in progress depends on the answers in them."""

from __future__ import annotations

from random import Random

import pytest
from lockstep_support import among_others, play_positions

import warchest
from machine.machine_support import Data, card, game, offered, position

# Two windows, one of them in the answer to an act in the other; the step after the first can be impossible.
CARD = card(
    "Auctioneer",
    tactic="""
    each player may move one of their units until all decline, beginning with your opponent, then attack.
""",
    attribute="after this moves, each opponent may discard a coin in its hand until all decline.",
)


@pytest.fixture(scope="module")
def auctions() -> warchest.Game:
    """War Chest with that card."""
    return game(CARD)


def auction(rng: Random) -> Data:
    """Return a position with an Auctioneer and some other units near it."""
    return among_others(rng, "Auctioneer", "Auctioneer, Royal Coin", "Royal Coin, Archer")


def test_windows_are_played_alike(auctions: warchest.Game) -> None:
    play_positions(auctions, auction, cap=30)


def test_offers_do_not_depend_on_acts_within_a_window(auctions: warchest.Game) -> None:
    """The tactic is on offer where an enemy is in reach already, and not where one of the players could bring it."""
    for at, is_near in (("f5", True), ("f6", False)):
        state = auctions.position(position(f"Auctioneer f4, wolf Scout {at}", "Auctioneer"))
        assert state.decision is not None
        assert bool(offered(state, act="tactic")) == is_near
