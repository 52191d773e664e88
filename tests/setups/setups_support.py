"""Setups to test with, and games played through in them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from textwrap import dedent

import warchest
from loaded import shipped
from warchest import State

DRAFTS = {"Draft": 4, "Elimination draft": 4, "Four players draft": 3}
"""The setups in which players choose, with how many cards each ends up with."""
DEALT = {"Random armies": 4, "Four players random": 3}
BATTLES = {
    "First game": ("Crossbowman Pikeman Swordsman", "Archer Cavalry Lancer Scout"),
    "Gaugamela": ("Knight Marshall Pikeman", "Cavalry Footman Mercenary"),
    "Bannockburn": ("Archer Cavalry Footman Lancer", "Pikeman Swordsman"),
    "Crecy": ("Archer Ensign Knight", "Cavalry Crossbowman Lancer Scout"),
}
"""The setups with armies of their own: names of one word in them, for raven and for wolf."""
SEATS = {2: ["raven", "wolf"], 4: ["raven", "wolf", "raven2", "wolf2"]}


def game(*documents: str) -> warchest.Game:
    """Return War Chest, with further documents of a designer."""
    return shipped("war-chest", *map(dedent, documents))


def setup_decisions(state: State, rng: Random) -> Iterator[State]:
    """Play a setup to its end at random; yield the state at each decision before the first turn's draw."""
    while "pending" in state.position():
        yield state
        assert state.decision is not None
        state.apply(state.decision.sample(rng))


def played(state: State, seed: int, cap: int = 1000) -> int:
    """Play a game on, taking control wherever it is on offer; return how many decisions that took."""
    rng = Random(seed)
    for taken in range(cap):
        decision = state.decision
        if decision is None:
            return taken
        state.apply(decision.sample(rng, ("control",)))
    return cap
