"""Spectators of a play: they see the events of each step, and the state after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from warchest.game.decision import Option
from warchest.game.state import State


class Spectator(Protocol):
    """A spectator, who watches one play after the other, step by step."""

    def begin(self, state: State) -> None:
        """Note the state at the beginning of a play."""

    def take(self, state: State, option: Option) -> State:
        """Take an option in a state, note its events, and return the state."""

    def wrong(self) -> list[str]:
        """Return a line for each fault that was seen since the play began."""


@runtime_checkable
class ListeningSpectator(Protocol):
    """A spectator that is also notified of options that are not on offer."""

    def miss(self, state: State, wanted: Sequence[Mapping[str, Any]]) -> None:
        """Take note of options, given by data or parts of it, that are correctly not on offer in a state."""
