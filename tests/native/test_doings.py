"""Relative clauses about acts under way fit the same things on both machines."""

from __future__ import annotations

from lockstep_support import play_smiths

from machine.machine_support import card, game

WORDS = """\
words: Braces
verbs: {brace: {by: unit}}
fields: {unit: {pain: number}}
"""
RULES = card(
    "Braces",
    kind="action",
    rules="""
    to brace: for each unit that attacks or braces, the pain of it increases by 1.
    a unit that attacks a unit that moves cannot brace.
""",
)
HAMMER = card(
    "Hammer",
    tactic="move, then this attacks if able, then this braces.",
    attribute="""
    before this attacks, each enemy unit adjacent to a unit that attacks braces.
    after this moves, if a friendly unit that moves is on a location, this may attack.
""",
)
ANVIL = card(
    "Anvil",
    tactic="move, then this braces.",
    attribute="""
    when this is attacked, choose a unit that attacks this, then the pain of that unit doubles.
    after an enemy unit attacks, if the number of units that attack is 1, this may attack.
    this may attack a unit exactly 2 spaces away that attacks a unit adjacent to this.
    an enemy unit that moves to a space adjacent to this cannot attack.
    a unit that attacks this cannot move.
""",
)
RIVET = card(
    "Rivet",
    tactic="this may move, then this attacks.",
    attribute="""
    before this attacks, for each unit adjacent to a unit that attacks a Scout in any order, it may brace.
    after a unit braces, if all units that brace are friendly, this may move.
    when a unit that moves or attacks would brace, this attacks that unit instead.
""",
)


def test_acts_of_things_are_judged_alike() -> None:
    play_smiths(game(WORDS, RULES, HAMMER, ANVIL, RIVET, RIVET.replace("Rivet", "Bolt")))
