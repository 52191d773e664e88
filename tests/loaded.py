"""Games that are loaded once in each process, however many tests play them: a game is never changed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

import warchest
from warchest.game.game import load_game


@cache
def shipped(name: str = "war-chest", *documents: str) -> warchest.Game:
    """Return a shipped game, with the texts of further documents."""
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(documents):
            (Path(folder) / f"extra{number}.yaml").write_text(text, encoding="utf-8")
        return warchest.load(name, extra=[folder] if documents else [])


@lru_cache
def _loaded(name: str | Path, extra: tuple[str | Path, ...], here: str) -> warchest.Game:
    return load_game(name, extra)


def load_once(name: str | Path = "war-chest", extra: Iterable[str | Path] | str | Path = ()) -> warchest.Game:
    """Load a game as `load_game` does, and not again for the same paths; commands run in this process do with it."""
    paths = (extra,) if isinstance(extra, str | Path) else tuple(extra)
    return _loaded(name, paths, os.getcwd())
