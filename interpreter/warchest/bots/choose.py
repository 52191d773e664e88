"""Bots by their names."""

from __future__ import annotations

from typing import Any

from warchest.bots.bot import Bot
from warchest.bots.greedy import Greedy
from warchest.bots.simple import Eager, Uniform
from warchest.diagnostics.suggest import did_you_mean
from warchest.game.errors import OptionError
from warchest.game.game import Game
from warchest.game.valuation import Weight
from warchest.picture.style import style_of

KIND = "bots"
BOTS = ("random", "policy-c", "greedy")


def bot_named(name: str, game: Game) -> Bot:
    """Return the bot of this name for a game; raises OptionError if there is none."""
    if name not in BOTS:
        hint = did_you_mean(name, BOTS)
        raise OptionError("bot", f"there is no {name!r}; {hint or 'there are: ' + ', '.join(BOTS)}")
    values = _values(game)
    if name == "greedy":
        return Greedy((Weight(**one) for one in values.get("weights", ())), style_of(game.library))
    return Eager(values.get("eager", ())) if name == "policy-c" else Uniform()


def _values(game: Game) -> dict[str, Any]:
    """Return the values of the last document of the kind, so that a designer's own folder can have its say."""
    documents = game.library.of_kind(KIND)
    return documents[-1].values if documents else {}
