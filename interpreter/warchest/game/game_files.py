"""The files of a game: its folder, by name or by path, and the documents in it that play needs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from warchest.diagnostics.codes import report
from warchest.diagnostics.suggest import did_you_mean
from warchest.game.errors import CardError
from warchest.source.contents import Contents
from warchest.source.data import GAME_FILE, folders_of, shipped_game, shipped_games
from warchest.source.folders import TooMuch
from warchest.source.records import record

DocumentPath = str | Path


@record()
class GamePlace:
    """The place of a game: its folders, its own after that of the game that it extends, and its name if it is
    shipped."""

    folders: tuple[Path, ...]
    shipped: str = ""


@record()
class SentGame:
    """A game as it is sent to another machine: with the contents of its files, by their whole paths."""

    here: str
    """The working folder of the process that sends it."""
    files: Mapping[str, bytes]
    folder: Path
    extra: tuple[Path, ...]
    texts: Mapping[str, str | None]
    is_checked: bool
    place: GamePlace
    sheets: tuple[tuple[str, str, Mapping[str, object], str], ...]
    """The sheets of a position: for each its kind, its name, its values, and the field that has it."""
    digest: str

    @property
    def key(self) -> str:
        """A digest of all parts."""
        told = self.here, self.folder, self.extra, self.texts, self.is_checked, self.place, self.sheets, self.digest
        made = sha256(repr(told).encode(errors="surrogatepass"))
        for place in sorted(self.files):
            made.update(f"\0{place}\0{len(self.files[place])}\0".encode(errors="surrogatepass") + self.files[place])
        return made.hexdigest()


def place_of(folder: Path) -> GamePlace:
    """Return the place of the game in a folder of this machine."""
    return GamePlace(tuple(folders_of(folder)), folder.name if folder_of(folder.name) == folder else "")


def folder_of(name: DocumentPath) -> Path | None:
    """Return the folder of the shipped game with a name, or the folder given as a path; None if it holds no game."""
    if isinstance(name, Path):
        return name if os.path.isfile(name / GAME_FILE) else None
    return shipped_game(name)


def no_game(name: DocumentPath) -> str:
    """Return the message that a name is not a shipped game, or that a folder holds no game."""
    if isinstance(name, Path):
        return f"{str(name)!r} is no folder of a game: there is no {GAME_FILE} in it"
    shipped = [one.name for one in shipped_games()]
    hint = did_you_mean(name, shipped) or f"there are: {', '.join(shipped)}"
    return f"there is no game {name[:60]!r}; {hint}"


def unusable(kind: str, message: str) -> CardError:
    """Return the error for arguments of a caller that name no usable documents."""
    return CardError([report(kind, message, None)])


def existing_folder(name: DocumentPath) -> Path:
    """Return the folder of a game; raises CardError if there is none."""
    folder = folder_of(name)
    if folder is None:
        raise unusable("no-such-document", f"name: {no_game(name)}")
    return folder


def files_in(folder: Path, contents: Contents, lost: list[Path]) -> list[Path]:
    """Return the files of a game: all in its folder but rulings, questions and properties, which play does not need.

    Broken links are added to `lost`.
    """
    try:
        looked = contents.files(folder)
    except TooMuch:
        return [folder]  # which is refused when it is loaded
    lost += looked.lost
    depth = len(folder.parts)
    return [file for file in looked.files if file.parts[depth] not in ("rulings", "questions", "properties")]


def files_beside(paths: Iterable[Path], texts: Mapping[str, str | None]) -> list[Path]:
    """Return the files of given texts that are in none of the folders and not among the files."""
    places = [Path(os.path.abspath(path)) for path in paths]
    given = [Path(path) for path, text in texts.items() if text is not None]
    return [path for path in given if not any(Path(os.path.abspath(path)).is_relative_to(one) for one in places)]
