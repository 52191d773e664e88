"""Board games as text: cards are sentences of a small language, and this package checks and plays them.

`load` gives a game, a game makes states, a state says what is asked and takes options.
"""

from warchest.game.decision import Decision, Option
from warchest.game.errors import CardError, OptionError, PositionError
from warchest.game.game import Game
from warchest.game.game import load_game as load
from warchest.game.state import Outcome, State

__version__ = "0.1.0"

__all__ = [
    "CardError", "Decision", "Game", "Option", "OptionError", "Outcome", "PositionError", "State", "load",
]  # fmt: skip
