"""Moments and parts of acts on both machines: within each other, and after a participant has left the board."""

from __future__ import annotations

import pytest
from lockstep_support import play_smiths

import warchest
from machine.machine_support import card, game
from warchest.native.native_layout import roomy

WORDS = """\
words: Duels
verbs:
  duel: {by: unit, past: duelled, parts: {champion: by, loser: object, ground: onto}, moments: [open, clash, close]}
  brood: {by: unit, parts: {brooder: by}, moments: [peak]}
fields:
  duel: {fury: number, bloody: {flag: true, opposite: polite}}
  unit: {pain: number}
adjectives: [uneven]
"""
RULES = card(
    "Duels",
    kind="action",
    rules="""
    to duel a unit onto a space: the duel opens, then the duel clashes if able, then the duel closes.
    as a duel opens, the fury of the duel becomes the number of coins in its loser.
    as a polite duel clashes, the pain of its loser increases by its fury.
    as a bloody duel clashes, its loser loses a coin, then its champion loses a coin if its fury is at least 3.
    as a duel closes, its champion moves to its ground if able.
    a duel cannot clash while its loser is on a location.
    a duel is uneven when its loser is bolstered.
    normally, a unit duels an adjacent unit onto an adjacent empty space.
    to brood: the brood peaks.
    as a brood peaks, the pain of its brooder increases by 1.
""",
)
HAMMER = card(
    "Hammer",
    tactic="""
    this duels a unit adjacent to this if able, then this broods.
""",
    attribute="""
    before this duels a unit, the duel may become bloody.
    after its bloody duel clashes, the loser of the duel broods.
    the fury of its uneven duel increases by 1.
""",
)
ANVIL = card(
    "Anvil",
    tactic="move, then this duels a unit adjacent to this if able.",
    attribute="""
    when a duel of an enemy unit on this would clash, this duels the champion of the duel if able instead.
    when a bloody duel on this closes, this loses a coin.
    a polite duel of a friendly unit on this cannot clash.
""",
)
RIVET = card(
    "Rivet",
    tactic="move; this duels a unit adjacent to this.",
    attribute="""
    before its duel closes, this may brood.
    when a brood of a friendly unit peaks, the pain of this increases by 1.
    after a duel on this clashes, if the pain of this is at least 3, remove this.
    before this loses a coin, if a bloody duel on this clashes, the pain of the champion of the duel increases by 1.
""",
)


@pytest.fixture(scope="module")
def tourney() -> warchest.Game:
    return game(WORDS, RULES, HAMMER, ANVIL, RIVET, RIVET.replace("Rivet", "Bolt"))


def test_native_memory_has_its_own_cells_for_participants(tourney: warchest.Game) -> None:
    layout = tourney.variant().program.layout
    before, made = layout.parts, roomy(layout)
    assert len(before) == 3 and made.parts == tuple(made.fields[number] for number in made.part_fields) != before


def test_moments_of_acts_are_alike_on_both_machines(tourney: warchest.Game) -> None:
    play_smiths(tourney)
