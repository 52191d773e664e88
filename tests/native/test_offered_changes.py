"""Offers of changes, and fields for a time, are played alike by both machines, with the same labels."""

from __future__ import annotations

from random import Random

from lockstep_support import among_others, play_positions

from machine.machine_support import Data, card, game

WORDS = """\
words: Marks
fields:
  unit: {marked: {flag: true, opposite: plain}, heat: {number: true, until: round}}
  player: {fame: {number: true, until: turn}}
  location: {burnt: {flag: true, opposite: green, until: round}}
"""
CARD = card(
    "Brander",
    tactic="""
    move, then this may become marked, then it may attack; the heat of this may increase by 1.
""",
    attribute="""
    after this is attacked, each adjacent unit may become marked until your next turn.
    before this attacks, its heat may double; this may become plain if this is marked.
    after this moves to a location, that location may become burnt; your fame increases by 1.
    this cannot move while it is on a burnt location, or your fame is at least 2.
""",
)


def brand(rng: Random) -> Data:
    """Return a position with a Brander and four other units near it."""
    return among_others(rng, "Brander 2", "Brander, Brander, Scout", "Royal Coin, Archer", likely=1)


def test_offered_changes_are_played_alike() -> None:
    play_positions(game(WORDS, CARD), brand, cap=30)
