"""Both machines keep trails of places and go back on them alike."""

from __future__ import annotations

from random import Random

import pytest
from lockstep_support import among_others, play_positions

import warchest
from machine.machine_support import Data, card, game

WORDS = """\
words: Tracks
fields:
  unit:
    track: {trail of: [space, marked, keeper, lair]}
    marked: {flag: true, opposite: plain}
    keeper: player
    lair: space
    path: {trail of: space}
    road: {trail of: [space, marked], until: [maneuver, bolster]}
    eager: {flag: true, opposite: calm, until: maneuver}
    heat: {number: true, until: attack}
"""
# Places with all kinds of parts; the texts go back in an option, an offer, a loop and an answer.
CARD = card(
    "Walker",
    tactic="""
    either the track of this goes back, or put this onto the path of this, or move and then this becomes marked.
""",
    attribute="""
    before a unit moves, the place of that unit becomes the track of that unit.
    before this moves, its space becomes the path of this, then you become the keeper of this.
    after this moves, its space becomes the lair of this, then the track of this may go back.
    after this attacks a unit, the place of that unit becomes the track of this.
    when this is attacked, if a space is the path of this, the path of this goes back.
    after a unit attacks this, the track of that unit may go back.
    after this is bolstered, for each unit, the track of it may go back.
""",
)
# Fields that last for acts within acts, and the first step of a way.
STRIDER = card(
    "Strider",
    tactic="""
    its place becomes the road of this, then this becomes eager, then move, then this attacks if able,
      then put this onto the first space of the road of this if able,
      then if its space is the first space of its road, this moves if able.
""",
    attribute="""
    before this moves, its place becomes the road of this, then its space becomes the path of this.
    before this attacks, its heat increases by 1, then this becomes eager.
    after this attacks a unit while the heat of this is at least 1, if that unit is calm, that unit may move.
    when a unit attacks this, the place of this becomes the road of this, then the heat of this increases by 2,
      then this may move.
    after this moves while it is eager, if its space is the first space of the path of this, it may attack.
    after this is bolstered, its place becomes its road, then this becomes eager, then this may move.
""",
)


@pytest.fixture(scope="module")
def walks() -> warchest.Game:
    """War Chest with that card."""
    return game(WORDS, CARD, STRIDER)


def walk(rng: Random) -> Data:
    """Return a position with a Walker and some other units near it."""
    bag = {"raven": ["Walker", "Scout", "Knight"], "wolf": ["Archer", "Pikeman", "Archer"]}
    return among_others(rng, "Walker 2", "Walker, Walker, Royal Coin", "Royal Coin, Archer, Pikeman", bag=bag)


def test_trails_of_places_are_played_alike(walks: warchest.Game) -> None:
    play_positions(walks, walk)


def stride(rng: Random) -> Data:
    """Return a position with a Strider and some other units near it."""
    bag = {"raven": ["Strider", "Scout", "Knight"], "wolf": ["Archer", "Pikeman", "Archer"]}
    return among_others(rng, "Strider 2", "Strider, Strider, Royal Coin", "Royal Coin, Archer, Pikeman", bag=bag)


def test_fields_that_last_for_acts_are_played_alike(walks: warchest.Game) -> None:
    play_positions(walks, stride)


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
