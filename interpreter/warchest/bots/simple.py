"""Bots that do not look ahead: one takes any option, one prefers its favourite acts."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from warchest.bots.bot import Bot
from warchest.game.decision import Option
from warchest.game.state import State


class Uniform:
    """Takes any option, each as likely as the others."""

    acts: frozenset[str] = frozenset()
    """It has no favourite acts."""

    def choose(self, state: State, rng: Random) -> Option:
        """Return any option."""
        decision = state.decision
        assert decision is not None
        return decision.draw(rng)


class Eager:
    """Takes an option with one of its favourite acts whenever there is one, otherwise any option."""

    def __init__(self, acts: Iterable[str]) -> None:
        self.acts = frozenset(acts)

    def choose(self, state: State, rng: Random) -> Option:
        """Return any option with a favourite act, or any option at all."""
        decision = state.decision
        assert decision is not None
        return decision.draw(rng, self.acts)


def acts_drawn(bot: Bot) -> frozenset[str] | None:
    """Return the favourite acts of a bot that chooses at random; None for one that looks ahead."""
    return bot.acts if isinstance(bot, Uniform | Eager) else None
