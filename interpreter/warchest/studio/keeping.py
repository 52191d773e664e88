"""The data that the exported page keeps of the shipped games, made by the Python of the page: see `run.mjs`."""

from __future__ import annotations

import shutil
from pathlib import Path

from warchest.game.game import load_game
from warchest.source.beside import BUILT
from warchest.source.data import shipped_games

KEPT = Path("/work/kept")


def main() -> None:
    """Read the shipped games, which keeps the table of the parser and their blocks, and copy all that is kept."""
    for game in shipped_games():
        load_game(game.name)
    shutil.copytree(BUILT, KEPT)


if __name__ == "__main__":
    main()
