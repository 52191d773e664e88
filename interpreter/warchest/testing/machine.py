"""A machine of Hypothesis that plays a game: each of its steps takes an option that is on offer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from warchest.game.game import Game
from warchest.game.state import State
from warchest.testing.positions import PositionData
from warchest.testing.strategies import positions, take

MOST_OPTIONS = 2**16
"""The numbers from which one is drawn for an option; they are counted round where there are fewer options."""


class GameMachine(RuleBasedStateMachine):
    """Plays games from random small positions, for a subclass that has a `game`, and `invariant`s to hold.

    Each run begins from another position, in which only a few cards are in play: the `cards`, mostly, and up to three
    others. `state` is where the game stands. A step takes one of the options, or of the outcomes of chance. A failure
    is printed as the position that the run began from, and the options that were taken.
    """

    game: ClassVar[Game]
    """The game that is played."""
    cards: ClassVar[Sequence[str]] = ()
    """The names of the cards that are mostly in play."""
    others: ClassVar[Sequence[str]] = ()
    """The names of the cards for company; none given: any."""
    options: ClassVar[Mapping[str, str] | None] = None
    """The options of the cards, such as a printing."""
    state: State
    """The state that is played on."""

    @classmethod
    def beginnings(cls) -> st.SearchStrategy[PositionData]:
        """Return a strategy for the positions that runs begin from; a subclass may have others."""
        return positions(cls.game, cls.cards, cls.others, options=cls.options)

    @initialize(position=st.runner().flatmap(lambda machine: machine.beginnings()))
    def begin(self, position: PositionData) -> None:
        """Begin from a position."""
        self.state = self.game.position(position)

    @precondition(lambda self: self.state.decision is not None)
    @rule(number=st.integers(0, MOST_OPTIONS))
    def step(self, number: int) -> None:
        """Take an option of the state."""
        take(self.state, number)

    @precondition(lambda self: self.state.decision is None)
    @rule()
    def stand(self) -> None:
        """Do nothing where the game is over, so that there is always something to do."""


__all__ = ["GameMachine"]
