"""The data that the exported page keeps of the shipped games, made by the Python of the page: see `run.mjs`."""

from __future__ import annotations

import shutil
from pathlib import Path

from warchest.game.game import Game
from warchest.source.beside import BUILT
from warchest.source.contents import Contents, keep_built
from warchest.source.data import shipped_games

KEPT = Path("/work/kept")


def main() -> None:
    """Read the shipped games, which keeps the table of the parser and their blocks; keep trees; and copy all of it."""
    trees = list[bytes]()
    for folder in shipped_games():
        contents = Contents()
        game = Game(folder, contents=contents)
        trees.append(contents.written(game.library.sources))
    keep_built(trees)
    shutil.copytree(BUILT, KEPT)


if __name__ == "__main__":
    main()
