"""What a bot is, and how a game between bots is driven."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Protocol

from warchest.game.decision import Option
from warchest.game.state import State

CAP = 1000
"""How many decisions a game may take before whoever drives it gives up."""


class Bot(Protocol):
    """Chooses an option for the player who is to decide; it neither changes the state nor looks at hidden things."""

    def choose(self, state: State, rng: Random) -> Option:
        """Return one of the options of the state's decision."""


def drive(
    state: State, bots: Mapping[str, Bot], rng: Random, cap: int = CAP, turns: int | None = None
) -> int:
    """Play until the game is over, or `cap` decisions or so many turns are; return how many decisions were taken."""
    for taken in range(cap):
        decision = state.decision
        if decision is None or (turns is not None and state.turn > turns):
            return taken
        if decision.player is None:
            state.apply(decision.sample(rng))
        else:
            state.apply(bots[decision.player].choose(state, rng))
    return cap
