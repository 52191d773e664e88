"""Windows are played alike by both machines, and nothing that is begun counts on the answers in them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from lockstep_support import Seen, checked_library, play_both

import warchest
from loaded import shipped
from warchest.native.library import NativeGame

# Two windows, one of them in the answer to an act in the other; what is said behind the first can be impossible.
CARD = """\
unit: Auctioneer
set: base
coins: 4
source: a test
tactic: |
  each player may move one of their units until all decline, beginning with your opponent, then attack.
attribute: |
  after this moves, each opponent may discard a coin in its hand until all decline.
"""
NAMES = ["Scout", "Archer", "Knight", "Pikeman"]
SPACES = ["e4", "f4", "f5", "e5", "g4", "d4", "g5", "f6"]
COUNT = 40


@pytest.fixture(scope="module")
def auctions() -> warchest.Game:
    """War Chest with that card."""
    return shipped("war-chest", CARD)


def auction(rng: Random) -> dict[str, Any]:
    """Return a position with an Auctioneer and some other units near it."""
    spaces = iter(rng.sample(SPACES, 5))
    units = [{"at": next(spaces), "unit": "Auctioneer", "owner": "raven"}]
    units += [{"at": next(spaces), "unit": name, "owner": ("raven", "wolf")[number % 2]}
              for number, name in enumerate(NAMES) if rng.random() < 0.7]  # fmt: skip
    return {"to_act": "raven", "initiative": "raven", "units": units,
            "hand": {"raven": ["Auctioneer", "Royal Coin"], "wolf": ["Royal Coin", "Archer"]}}  # fmt: skip


def test_windows_are_played_alike(auctions: warchest.Game) -> None:
    library = checked_library(auctions.position(auction(Random(0))).variant)
    natively, seen = NativeGame(library), Seen()
    for seed in range(COUNT):
        state = auctions.position(auction(Random(seed)))
        play_both(natively, state, Random(seed), 30, seen, "tactic")
    assert seen.decisions > 10 * COUNT


def test_nothing_counts_on_what_is_done_in_a_window(auctions: warchest.Game) -> None:
    """The tactic is on offer where an enemy is in reach already, and not where one of the players could bring it."""
    for at, is_near in (("f5", True), ("f6", False)):
        state = auctions.position({
            "to_act": "raven", "initiative": "raven", "hand": {"raven": ["Auctioneer"], "wolf": ["Royal Coin"]},
            "units": [{"at": "f4", "unit": "Auctioneer", "owner": "raven"},
                      {"at": at, "unit": "Scout", "owner": "wolf"}],
        })  # fmt: skip
        assert state.decision is not None
        assert any(one.data["act"] == "tactic" for one in state.decision.options) == is_near
