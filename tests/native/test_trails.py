"""Both machines keep trails of places and go back on them alike."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from lockstep_support import Seen, checked_library, play_both

import warchest
from loaded import shipped
from warchest.native.library import NativeGame

WORDS = """\
words: Tracks
fields:
  unit:
    track: {trail of: [space, marked, keeper, lair]}
    marked: {flag: true, opposite: plain}
    keeper: player
    lair: space
    path: {trail of: space}
"""
# Places with all kinds of parts; the texts go back in an option, an offer, a loop and an answer.
CARD = """\
unit: Walker
set: base
coins: 5
source: a test
tactic: |
  either the track of this goes back, or put this onto the path of this, or move and then this becomes marked.
attribute: |
  before a unit moves, the place of that unit becomes the track of that unit.
  before this moves, its space becomes the path of this, then you become the keeper of this.
  after this moves, its space becomes the lair of this, then the track of this may go back.
  after this attacks a unit, the place of that unit becomes the track of this.
  when this is attacked, if a space is the path of this, the path of this goes back.
  after a unit attacks this, the track of that unit may go back.
  after this is bolstered, for each unit, the track of it may go back.
"""
NAMES = ["Scout", "Archer", "Knight", "Pikeman"]
SPACES = ["e4", "f4", "f5", "e5", "g4", "d4", "g5", "f6"]
COUNT = 40


@pytest.fixture(scope="module")
def walks() -> warchest.Game:
    """War Chest with that card."""
    return shipped("war-chest", WORDS, CARD)


def walk(rng: Random) -> dict[str, Any]:
    """Return a position with a Walker and some other units near it."""
    spaces = iter(rng.sample(SPACES, 5))
    units: list[dict[str, Any]] = [{"at": next(spaces), "unit": "Walker", "owner": "raven", "coins": 2}]
    units += [{"at": next(spaces), "unit": name, "owner": ("raven", "wolf")[number % 2]}
              for number, name in enumerate(NAMES) if rng.random() < 0.7]  # fmt: skip
    return {"to_act": "raven", "initiative": "raven", "units": units,
            "hand": {"raven": ["Walker", "Walker", "Royal Coin"], "wolf": ["Royal Coin", "Archer", "Pikeman"]},
            "bag": {"raven": ["Walker", "Scout", "Knight"], "wolf": ["Archer", "Pikeman", "Archer"]}}  # fmt: skip


def test_trails_of_places_are_played_alike(walks: warchest.Game) -> None:
    library = checked_library(walks.position(walk(Random(0))).variant)
    natively, seen = NativeGame(library), Seen()
    for seed in range(COUNT):
        state = walks.position(walk(Random(seed)))
        play_both(natively, state, Random(seed), 40, seen, "tactic")
    assert seen.decisions > 10 * COUNT


def test_a_trail_of_places_is_the_same_on_both_machines(walks: warchest.Game) -> None:
    """States that are held natively are written, compared and restored like those of the reference machine."""
    for seed in range(8):
        natively, state = (walks.position(walk(Random(seed))) for _ in range(2))
        natively.play_natively()
        rng, other = Random(seed), Random(seed)
        for _ in range(25):
            if state.decision is None or natively.decision is None:
                break
            state.apply(state.decision.sample(rng))
            natively.apply(natively.decision.sample(other))
            assert natively.position() == state.position() and natively == state
            back = walks.position(natively.position())
            assert back == natively
