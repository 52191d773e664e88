"""Board games as text: cards are sentences of a small language, and this package checks and plays them.

`load` gives a game, a game makes states, a state says what is asked and takes options.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warchest.game.board_view import BoardMap, Space
    from warchest.game.decision import Decision, Option
    from warchest.game.errors import CardError, OptionError, PositionError
    from warchest.game.game import Game
    from warchest.game.game import load_game as load
    from warchest.game.placing import OptionPlace
    from warchest.game.state import EndlessError, Outcome, State
    from warchest.game.telling.log import LogEntry
    from warchest.game.telling.public_events import Clause, Event, ToldPiece

__version__ = "0.1.0"

__all__ = [
    "BoardMap",
    "CardError",
    "Clause",
    "Decision",
    "EndlessError",
    "Event",
    "Game",
    "LogEntry",
    "Option",
    "OptionError",
    "OptionPlace",
    "Outcome",
    "PositionError",
    "Space",
    "State",
    "ToldPiece",
    "load",
]

_PLACES = {
    "BoardMap": "board_view",
    "CardError": "errors",
    "Clause": "telling.public_events",
    "Decision": "decision",
    "EndlessError": "state",
    "Event": "telling.public_events",
    "Game": "game",
    "LogEntry": "telling.log",
    "Option": "decision",
    "OptionError": "errors",
    "OptionPlace": "placing",
    "Outcome": "state",
    "PositionError": "errors",
    "Space": "board_view",
    "State": "state",
    "ToldPiece": "telling.public_events",
    "load": "game",
}


def __getattr__(name: str) -> Any:
    """Import names on first use, so that a command starts at once."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"warchest.game.{_PLACES[name]}")
    found = getattr(module, "load_game" if name == "load" else name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return all names, also those that have not been imported yet."""
    return sorted({*globals(), *__all__})
