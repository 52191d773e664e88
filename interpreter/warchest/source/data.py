"""Where the data that travels with the package stands: beside it in a wheel, at the top level in a checkout."""

from __future__ import annotations

from pathlib import Path

GAME_FILE = "game.yaml"
"""The file by which a folder is that of a game."""
_PACKAGE = Path(__file__).resolve().parent.parent


def data_folder(name: str) -> Path:
    """Return the folder `name` (`grammar`, `cards` or `schemas`); raises FileNotFoundError if it is missing."""
    for parent in (_PACKAGE / "_data", _PACKAGE.parent.parent):
        if (parent / name).is_dir():
            return parent / name
    raise FileNotFoundError(f"the package was installed without its {name} folder")


def shipped_games() -> list[Path]:
    """Return the folders of the games that come with the package, by name."""
    return sorted(file.parent for file in data_folder("cards").glob(f"*/{GAME_FILE}"))


def shipped_game(name: str) -> Path | None:
    """Return the folder of the game of a name that comes with the package; a path is no name, whoever says it."""
    return next((folder for folder in shipped_games() if folder.name == name), None)
