"""Bots in the form for the native machine: those that draw options, and those that look ahead with a valuation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from warchest.bots.bot import Bot
from warchest.bots.greedy import Greedy
from warchest.bots.simple import acts_drawn
from warchest.game.valuation import Valuation
from warchest.game.variant import Variant


@dataclass(frozen=True, slots=True)
class Seated:
    """The bots of all seats: their favourite acts, the percentage in which each looks ahead, and the valuation."""

    favourites: tuple[frozenset[str], ...]
    looks: tuple[int, ...]
    valuation: Valuation | None


def seated(bots: Sequence[Bot], variant: Variant) -> Seated | str:
    """Return bots in the form for the native machine, one for each seat; or the reason why it cannot play them."""
    valuation: Valuation | None = None
    for bot in bots:
        if isinstance(bot, Greedy):
            found = bot.valuation(variant)
            if isinstance(found, str):
                return found
            if valuation is not None and found != valuation:
                return "two bots count different things"
            valuation = found
        elif acts_drawn(bot) is None:
            return f"there is no native {type(bot).__name__}"
    looks = tuple(bot.looks if isinstance(bot, Greedy) else 0 for bot in bots)
    return Seated(tuple(acts_drawn(bot) or frozenset() for bot in bots), looks, valuation)
