"""The protocol of bots, and the driver of games between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Protocol

from warchest.game.decision import Option
from warchest.game.errors import NoRoomError
from warchest.game.state import EndlessError, Overfull, State

CAP = 1000
"""The most decisions that a game may take before its driver gives up."""


class Bot(Protocol):
    """Chooses an option for the player who is to decide; it neither changes the state nor uses hidden things."""

    def choose(self, state: State, rng: Random) -> Option:
        """Return one of the options of the state's decision."""


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a game that was driven: the number of its decisions, and the error that ended it, if any."""

    decisions: int
    endless: EndlessError | None = None
    """The rule that did not terminate."""
    full: str = ""
    """The reason, in words, why a state had no room to go on."""


def played(
    state: State,
    bots: Mapping[str, Bot],
    rng: Random,
    cap: int = CAP,
    turns: int | None = None,
    watch: Callable[[], None] | None = None,
    taking: Callable[[str | None, Option], None] | None = None,
) -> Course:
    """Play until the game is over, or up to `cap` decisions or a number of turns; `watch` is called after each
    decision.

    `taking` is called before each decision, with the player (None for chance) and the option that will be taken.
    Rules that never end break a game off, and so does a state that is full. The state is then as it was before the
    decision, and a caller that plays many games can go on.
    """
    for taken in range(cap):
        try:
            decision = state.decision
            if decision is None or (turns is not None and state.turn > turns):
                return Course(taken)
            player = decision.player
            option = decision.sample(rng) if player is None else bots[player].choose(state, rng)
            if taking is not None:
                taking(player, option)
            state.apply(option)
        except EndlessError as error:
            return Course(taken, error)
        except (NoRoomError, Overfull) as error:
            return Course(taken, full=str(error))
        if watch is not None:
            watch()
    return Course(cap)


def drive(state: State, bots: Mapping[str, Bot], rng: Random, cap: int = CAP, turns: int | None = None) -> int:
    """Play as `played` does; return the number of decisions taken."""
    return played(state, bots, rng, cap, turns).decisions
