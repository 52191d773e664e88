"""Environments for programs that learn: many games at once, natively, and adapters for known libraries.

NumPy is needed, and for the adapters PettingZoo, Gymnasium or OpenSpiel: `pip install 'warchest[rl]'`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warchest.rl.batch import Batch, GameStatus
    from warchest.rl.gymnasium_env import VectorEnv
    from warchest.rl.open_spiel_env import open_spiel_game
    from warchest.rl.pettingzoo_env import TableEnv

__all__ = ["Batch", "GameStatus", "TableEnv", "VectorEnv", "open_spiel_game"]

_PLACES = {
    "Batch": "batch",
    "GameStatus": "batch",
    "TableEnv": "pettingzoo_env",
    "VectorEnv": "gymnasium_env",
    "open_spiel_game": "open_spiel_env",
}


_PACKAGES = {"pyspiel": "open_spiel"}
"""The packages of modules that the extra `rl` does not install."""


def __getattr__(name: str) -> object:
    """Import each name on first use, as each needs libraries of its own."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = import_module(f"warchest.rl.{_PLACES[name]}")
    except ModuleNotFoundError as error:
        package = _PACKAGES.get(str(error.name), "'warchest[rl]'")
        said = f"warchest.rl.{name} needs {error.name}: pip install {package}"
        raise ModuleNotFoundError(said, name=error.name) from error
    found = getattr(module, name)
    globals()[name] = found
    return found
