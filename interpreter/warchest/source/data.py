"""The data that travels with the package: beside it in a wheel, at the top level in a checkout."""

from __future__ import annotations

import os
import re
from pathlib import Path

from warchest.source.file_reading import begins_with

GAME_FILE = "game.yaml"
"""The file that makes a folder the folder of a game."""
PACKS = "packs"
"""The folder of the shipped packs, among those of the games."""
_BEGINS = re.compile(r"^begins from[ \t]*:[ \t]*([a-z][a-z0-9-]*)", re.MULTILINE)
_HEAD = 1 << 16
"""The most bytes of a game's document that are looked through for the game it begins from."""
_PACKAGE = Path(__file__).resolve().parent.parent


def data_folder(name: str) -> Path:
    """Return the folder `name` (`grammar`, `cards` or `schemas`); raises FileNotFoundError if it is missing."""
    for parent in (_PACKAGE / "_data", _PACKAGE.parent.parent):
        if (parent / name).is_dir():
            return parent / name
    raise FileNotFoundError(f"the package was installed without its {name} folder")


def is_shipped(path: str | Path) -> bool:
    """Whether a file comes with the package, as a text of one of its games."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(data_folder("cards")))


def folders_of(folder: Path) -> list[Path]:
    """Return the folders of a game: its own, after that of the shipped game that it extends, if any."""
    try:
        begins = _BEGINS.search(begins_with(folder / GAME_FILE, _HEAD).decode("utf-8", errors="replace"))
    except (OSError, ValueError):
        begins = None
    base = shipped_game(begins[1]) if begins is not None else None
    return [folder] if base is None or base == folder else [base, folder]


def shipped_games() -> list[Path]:
    """Return the folders of the games that come with the package, by name."""
    return sorted(file.parent for file in data_folder("cards").glob(f"*/{GAME_FILE}"))


def folder_around(path: Path) -> Path | None:
    """Return the folder of the game that a file or a folder belongs to: the nearest one with a game's document."""
    place = Path(os.path.realpath(path))
    return next((folder for folder in (place, *place.parents) if os.path.isfile(folder / GAME_FILE)), None)


def shipped_game(name: str) -> Path | None:
    """Return the folder of the game of a name that comes with the package; a path is never a name."""
    return next((folder for folder in shipped_games() if folder.name == name), None)


def shipped_packs() -> list[Path]:
    """Return the folders of the packs that come with the package, by name."""
    return sorted(folder for folder in (data_folder("cards") / PACKS).iterdir() if folder.is_dir())


def pack_or_path(name: str | Path) -> Path:
    """Return the folder of the shipped pack with a name, unless a file or a folder here has it; otherwise the path."""
    packs = {} if isinstance(name, Path) or os.path.exists(name) else {one.name: one for one in shipped_packs()}
    return packs.get(str(name)) or Path(name)
