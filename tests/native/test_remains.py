"""Both machines treat remains alike: the fields that stay, the bonuses that end, and the memory of the piece."""

from __future__ import annotations

from random import Random

import pytest
from lockstep_support import NativeGame, Seen, checked_library, play_both, play_smiths

import warchest
from loaded import shipped
from machine.machine_support import card
from squares.squares_support import game, position

WORDS = """\
words: Wrecks
things:
  wreck: {piece: unit, holds: coin, remains of: unit, keeps: [marked, rust, route, master]}
  hulk: {piece: unit, holds: coin, remains of: wreck, alone: true}
documents: {unit: {numbers: [rank]}}
fields:
  unit:
    marked: {flag: true, opposite: clean}
    rust: number
    pain: {number: true, until: round}
    route: {trail of: space}
    way: {trail of: direction}
    master: player
verbs: {founder: {by: unit}, refloat: {by: wreck}, scuttle: {by: wreck}}
"""
RULES = card(
    "Wrecks",
    kind="action",
    rules="""
    to founder: its space becomes the route of this, then this becomes marked, then this becomes a wreck,
      then the rust of that wreck increases by 1.
    to refloat: this becomes a unit, then the pain of that unit increases by the rust of this,
      then that unit has +1 rank forever.
    to scuttle: this becomes a hulk, then the rust of that hulk increases by 2.
    when a wreck is rotten, that wreck scuttles.
    a wreck is rotten when its rust is at least 3.
    a marked wreck cannot refloat more than once a round.
""",
)
ADJECTIVES = "numbers: [rank]\nadjectives: [rotten]\n"
HAMMER = card(
    "Hammer",
    rank=2,
    tactic="""
    choose a unit within 2 spaces of this, then that unit has +2 rank until this attacks,
      then you become the master of that unit until this attacks; that unit founders; this may move.
""",
    attribute="after this attacks, this may become a wreck, then it refloats.",
)
ANVIL = card(
    "Anvil",
    tactic="""
    choose a wreck within 3 spaces of this, then that wreck refloats.
""",
    attribute="""
    when a unit attacks this, this founders.
    after a unit founders while its rank is at least 2, this may move.
    once a turn, after a unit adjacent to this founders, this may attack.
""",
)
RIVET = card(
    "Rivet",
    tactic="""
    at the start of your next turn, this moves if able.
    this becomes a wreck, then this refloats if able.
""",
    attribute="""
    when this would fall, this founders instead.
    before a unit attacks this, if a wreck is within 2 spaces of this, that unit founders.
""",
)
BOLT = card(
    "Bolt",
    tactic="""
    for each wreck, it refloats if able; choose another unit, then that unit cannot attack this round.
""",
    attribute="""
    before this refloats, the rust of this increases by 1.
    after this moves, for each adjacent unit whose rank is at least 1, it founders.
""",
)


@pytest.fixture(scope="module")
def wharf() -> warchest.Game:
    return shipped("war-chest", WORDS + ADJECTIVES, RULES, HAMMER, ANVIL, RIVET, BOLT)


def test_remains_are_kept_alike(wharf: warchest.Game) -> None:
    play_smiths(wharf)


FIGURES = (
    "Ghast 9/1/5 Reanimate; Swarming; Multi-Action",
    "Mirror 9/2/5 Doppelganger; Missile (9, range 9)",
    "Jackal 9/2/5 Scavenge (+1 attack); Swarming",
    "Wolf 9/1/5 Transform (Bear); Reanimate",
    "Bear 9/2/4 Reanimate; Doppelganger",
    "Witch 2/1/4 Boost (Reanimate); Mind Control (9)",
    "Archer 3/1/3 Missile (9, range 9)",
    "Maker 2/2/4 Create (Ghast); Missile (9, range 9)",
)


def test_figures_and_their_corpses_are_kept_alike() -> None:
    of, seen, count = game(*FIGURES), Seen(), 40
    for seed in range(count):
        rng = Random(seed)
        names, columns = rng.sample([one.split()[0] for one in FIGURES], 6), rng.sample("bcdefg", 6)
        figures = ", ".join(
            f"P{1 + number % 2} {name} {column}{4 + number % 2} {'ns'[number % 2]}"
            for number, (name, column) in enumerate(zip(names, columns, strict=True))
        )
        state = position(of, figures)
        if seed == 0:
            natively = NativeGame(checked_library(state.variant))
        play_both(natively, state, rng, 40, seen, "shoot" if seed % 2 else "reanimate")
    assert seen.decisions > 10 * count
