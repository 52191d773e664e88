"""Values of acts are kept alike by both machines: in acts within acts, in hooks, and where a text lapses."""

from __future__ import annotations

import pytest
from lockstep_support import play_smiths

import warchest
from machine.machine_support import card, game

WORDS = """\
words: Marches
verbs: {march: {by: unit}, tire: {by: unit}, assault: {by: unit, noun: storming}}
fields:
  march: {stride: number, start: space, last: unit, forced: {flag: true, opposite: easy}}
  storming: {fury: number}
  unit: {pain: number}
"""
RULES = card(
    "Marches",
    kind="action",
    rules="""
    to march: the space of this becomes the start of the march, then until the stride of the march is at least 2,
      either this moves and then the stride of the march increases by 1, or this tires.
    to tire: the stride of the march increases by 2, then the pain of this increases by the stride of the march.
    to assault a unit: the fury of the storming increases by 1,
      then the pain of the unit increases by the fury of the storming,
      then this marches if the fury of the storming is at least 2,
      then the unit loses a coin if the pain of the unit is at least 4.
""",
)
HAMMER = card(
    "Hammer",
    tactic="""
    march, then this assaults a unit adjacent to this if able, then this tires.
""",
    attribute="""
    before this marches, the march becomes forced, then this becomes the last of the march.
    after this marches, if the march is forced, the pain of the last of the march increases by 1.
    before an enemy unit assaults this, the fury of the storming may increase by 1.
""",
)
ANVIL = card(
    "Anvil",
    tactic="march, then move.",
    attribute="""
    when a unit would assault this, this marches instead.
    after a unit assaults an enemy unit while the fury of the storming is at least 2, the pain of this increases by 1.
    after this moves, if the start of the march is the space of this, the march becomes forced.
""",
)
RIVET = card(
    "Rivet",
    tactic="march; this assaults a unit adjacent to this.",
    attribute="""
    after a unit moves while the march is forced, this may march.
    before this assaults a unit, the fury of the storming becomes the stride of the march + 1.
    when this would tire while the stride of the march is at least 1, remove this instead.
""",
)


@pytest.fixture(scope="module")
def parade() -> warchest.Game:
    return game(WORDS, RULES, HAMMER, ANVIL, RIVET, RIVET.replace("Rivet", "Bolt"))


def test_values_of_acts_are_kept_alike(parade: warchest.Game) -> None:
    play_smiths(parade)
