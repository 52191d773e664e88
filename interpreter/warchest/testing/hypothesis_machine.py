"""A machine of Hypothesis that plays a game: each of its steps takes an option that is on offer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import wraps
from typing import Any, ClassVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from warchest.game.game import Game
from warchest.game.state import State
from warchest.testing.positions import PositionData
from warchest.testing.stepwise import unexplained
from warchest.testing.strategies import positions, take

MOST_OPTIONS = 2**16
"""One of these numbers is drawn for an option, modulo the number of options."""


class GameMachine(RuleBasedStateMachine):
    """Plays games from random small positions; a subclass has a `game`, and `invariant`s that must hold.

    Each run begins from another position with only a few cards in play: the `cards`, mostly, and up to three others.
    `state` is the state of the game. A step takes one of the options, or of the outcomes of chance. A failure is
    printed as the position that the run began from, and the options that were taken.
    """

    game: ClassVar[Game]
    """The game that is played."""
    cards: ClassVar[Sequence[str]] = ()
    """The names of the cards that are mostly in play."""
    others: ClassVar[Sequence[str]] = ()
    """The names of further cards in play; if empty, any."""
    options: ClassVar[Mapping[str, str] | None] = None
    """The options of the cards, such as a printing."""
    explained: ClassVar[bool] = False
    """Whether Hypothesis also looks for the lines of Python that a failure depends on, which takes long."""
    state: State
    """The state that is played on."""

    def __init_subclass__(cls, **further: Any) -> None:
        super().__init_subclass__(**further)
        case = cls.TestCase
        whole = case.runTest

        @wraps(whole)
        def run(self: Any) -> None:
            __tracebackhide__ = True
            if not cls.explained:
                self.settings = settings(self.settings, phases=unexplained(self.settings))
            whole(self)

        case.runTest = run  # type: ignore[method-assign]

    @classmethod
    def beginnings(cls) -> st.SearchStrategy[PositionData]:
        """Return a strategy for the positions that runs begin from; a subclass may have others."""
        return positions(cls.game, cls.cards, cls.others, options=cls.options)

    @initialize(position=st.runner().flatmap(lambda machine: machine.beginnings()))
    def begin(self, position: PositionData) -> None:
        """Begin from a position."""
        self.state = self.game.position(position)

    # There is one rule that can always be applied: of several rules, Hypothesis leaves some out for whole runs, which
    # then end at once if the remaining rules cannot be applied.
    @rule(number=st.integers(0, MOST_OPTIONS))
    def step(self, number: int) -> None:
        """Take an option of the state; do nothing if the game is over."""
        if self.state.decision is not None:
            take(self.state, number)
