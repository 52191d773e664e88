"""Numbers of acts that hooks change are played alike by both machines: their orders, offers, budgets and judgements."""

from __future__ import annotations

import pytest
from lockstep_support import play_smiths

import warchest
from machine.machine_support import card, game

WORDS = """\
words: Wounds
numbers: [damage, due]
plurals: {damage: damage}
verbs: {suffer: {by: unit}, hurt: {by: unit}}
fields: {unit: {pain: number}}
"""
RULES = card(
    "Wounds",
    kind="action",
    rules="""
    to suffer damage from a unit: the pain of this increases by that damage,
      then until the pain of this is at most 3, this loses a coin,
        then the pain of this decreases by 4 to a minimum of 0.
    to hurt a unit: the unit suffers damage equal to the height of this + 1 from this.
""",
)
HAMMER = card(
    "Hammer",
    tactic="""
    move, then this hurts a unit adjacent to this if able; each adjacent unit suffers 1 damage from nobody.
""",
    attribute="""
    after a unit suffers damage from this, if that damage is at least 3, the pain of this increases by 1.
    before an enemy unit suffers damage from this, that damage may increase by 1.
""",
)
ANVIL = card(
    "Anvil",
    tactic="this suffers 2 damage from nobody, then this may move.",
    attribute="""
    before this suffers damage, that damage may decrease by the first 2 each round.
    before this suffers damage from a unit, that damage doubles.
    when this would suffer damage while that damage is at least 5 and the pain of this is at most 1,
      the pain of this increases by 2 instead.
""",
)
SHIELD = card(
    "Rivet",
    tactic="""
    let due be the height of this, then until that due is 0, this suffers damage equal to that due from nobody,
      then that due decreases by 1.
""",
    attribute="""
    before a friendly unit adjacent to this suffers damage, that damage decreases by 1,
      then the pain of this increases by 1.
    when a friendly unit would suffer damage from nobody while that damage is at most 1, this may move instead.
""",
)


@pytest.fixture(scope="module")
def smithy() -> warchest.Game:
    return game(WORDS, RULES, HAMMER, ANVIL, SHIELD, SHIELD.replace("Rivet", "Bolt"))


def test_numbers_that_hooks_change_are_played_alike(smithy: warchest.Game) -> None:
    play_smiths(smithy)
