"""Offers of changes, and fields for a time, are played alike by both machines, with the same labels."""

from __future__ import annotations

from random import Random

import pytest
from lockstep_support import Seen, checked_library, play_both

import warchest
from loaded import shipped
from warchest.native.library import NativeGame

WORDS = """\
words: Marks
fields:
  unit: {marked: {flag: true, opposite: plain}, heat: {number: true, until: round}}
  player: {fame: {number: true, until: turn}}
  location: {burnt: {flag: true, opposite: green, until: round}}
"""
CARD = """\
unit: Brander
set: base
coins: 4
source: a test
tactic: |
  move, then this may become marked, then it may attack; the heat of this may increase by 1.
attribute: |
  after this is attacked, each adjacent unit may become marked until your next turn.
  before this attacks, its heat may double; this may become plain if this is marked.
  after this moves to a location, that location may become burnt; your fame increases by 1.
  this cannot move while it is on a burnt location, or your fame is at least 2.
"""
NAMES = ["Scout", "Archer", "Knight", "Pikeman"]
SPACES = ["e4", "f4", "f5", "e5", "g4", "d4", "g5", "f6"]
COUNT = 40


@pytest.fixture(scope="module")
def branding() -> warchest.Game:
    return shipped("war-chest", WORDS, CARD)


def test_offered_changes_are_played_alike(branding: warchest.Game) -> None:
    seen = Seen()
    for seed in range(COUNT):
        rng = Random(seed)
        at = rng.sample(SPACES, 5)
        units = [{"at": at[0], "unit": "Brander", "owner": "raven", "coins": 2}]
        units += [{"at": one, "unit": name, "owner": ("raven", "wolf")[number % 2]}
                  for number, (one, name) in enumerate(zip(at[1:], NAMES, strict=True))]  # fmt: skip
        state = branding.position({
            "to_act": "raven", "initiative": "raven", "units": units,
            "hand": {"raven": ["Brander", "Brander", "Scout"], "wolf": ["Royal Coin", "Archer"]},
        })  # fmt: skip
        if seed == 0:
            natively = NativeGame(checked_library(state.variant))
        play_both(natively, state, Random(seed), 30, seen, "tactic")
    assert seen.decisions > 10 * COUNT
