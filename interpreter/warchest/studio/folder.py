"""The folder of a designer: the page reads and writes card files in it, and nothing outside."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import NotRequired, TypeAlias, TypedDict

from warchest.diagnostics.visible import visible
from warchest.lsp.parameters import MOST_CHARACTERS, checked
from warchest.lsp.protocol import MODIFIED, RequestError
from warchest.lsp.text_positions import path_of, uri_of
from warchest.source.data import is_shipped
from warchest.source.folders import TooMuch, files_in, is_yaml
from warchest.source.replacing import replace_file

MOST_FILES = 500
"""The most files that the page opens."""
MOST_DEPTH = 8
"""The most folders within each other in the path of a file."""
LONGEST = 200
"""The most characters of the path of a file."""


FileMarks: TypeAlias = tuple[tuple[str, int, int], ...]
"""The card files of a folder, each with the time of its last change and its size."""


class SaveParams(TypedDict):
    """A file by its path from the folder, its new text, and the text that the page knew (null for a new file)."""

    path: str
    text: str
    was: NotRequired[str | None]


class TextParams(TypedDict):
    """A file that is shipped with the game."""

    uri: str


class ListedFolder(TypedDict):
    """A folder with its files, each with its path, its URI, and its text or the problem with it."""

    root: str
    name: str
    writable: bool
    files: list[dict[str, str]]


class CardFolder:
    """A folder with card files."""

    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.realpath(root))

    def marks(self) -> FileMarks:
        """Return the marks that show changes of the folder; none if it cannot be read."""
        try:
            stats = [(str(one), one.stat()) for one in files_in(self.root)]
        except (OSError, TooMuch):
            return ()
        return tuple((path, one.st_mtime_ns, one.st_size) for path, one in stats)

    def listed(self, _: object) -> ListedFolder:
        """Return the folder and its files with their texts; raises RequestError if it cannot be read."""
        try:
            files = files_in(self.root)
            if len(files) > MOST_FILES:
                raise RequestError(f"the folder has {len(files):,} card files; the studio opens {MOST_FILES} at most")
            found = [self._file(one) for one in files]
        except OSError as error:
            raise RequestError(f"the folder cannot be read: {_reason(error, self.root)}") from None
        except TooMuch as error:
            raise RequestError(str(error)) from None
        return {
            "root": uri_of(str(self.root)),
            "name": self.root.name,
            "writable": os.access(self.root, os.W_OK),
            "files": found,
        }

    def _file(self, file: Path) -> dict[str, str]:
        """Return a file with its text, or with the reason why it has none."""
        path = file.relative_to(self.root).as_posix()
        told = {"path": path, "uri": uri_of(str(self.root / path))}
        try:
            return told | {"text": _text_of(file)}
        except OSError as error:
            return told | {"problem": f"{visible(path)} cannot be read: {_reason(error, file)}"}
        except ValueError as error:
            return told | {"problem": f"{visible(path)} {error}"}

    def save(self, params: object) -> dict[str, str]:
        """Write a file; raises RequestError if it would be outside, or if another program has changed it."""
        given = checked(SaveParams, params)
        target = self._inside(given["path"])
        try:
            now = _text_of(target) if target.exists() else None
            if now is not None and now not in (given.get("was"), given["text"]):
                raise RequestError(
                    f"{visible(given['path'])} was changed by another program", MODIFIED, {"field": "was", "text": now}
                )
            target.parent.mkdir(parents=True, exist_ok=True)
            if now != given["text"]:
                replace_file(target, given["text"].encode("utf-8", "replace"))
        except OSError as error:
            why = f"{visible(given['path'])} cannot be written: {_reason(error, target)}"
            raise RequestError(why, data={"field": "path"}) from None
        except ValueError as error:
            raise RequestError(f"{visible(given['path'])} {error}", data={"field": "path"}) from None
        return {"path": given["path"], "uri": uri_of(str(target))}

    def _inside(self, said: str) -> Path:
        """Return the file at a path in the folder; raises RequestError if the path leads out or is no card file."""
        path = PurePosixPath(said)
        parts = said.split("/")
        fits = said.isprintable() and "\\" not in said and len(said) <= LONGEST and len(parts) <= MOST_DEPTH
        if not fits or path.is_absolute() or any(one.startswith(".") or not one.strip() for one in parts):
            why = f"path: {visible(said[:60])!r} is no name of a file in the folder"
            raise RequestError(why, data={"field": "path"})
        if not is_yaml(said):
            raise RequestError("path: the name of a card file ends with .yaml", data={"field": "path"})
        target = self.root / path
        if not Path(os.path.realpath(target)).is_relative_to(self.root) or target.is_symlink():
            raise RequestError(f"path: {visible(said)} leads out of the folder", data={"field": "path"})
        return target


def shipped_text(params: object) -> dict[str, str]:
    """Return the text of a file that is shipped with a game; raises RequestError for any other file."""
    path = path_of(checked(TextParams, params)["uri"])
    if not is_shipped(path) or not is_yaml(path):
        raise RequestError("uri: only the files of the games that are shipped can be read", data={"field": "uri"})
    try:
        return {"text": _text_of(Path(path))}
    except (OSError, ValueError):
        raise RequestError("uri: there is no such file", data={"field": "uri"}) from None


def _text_of(file: Path) -> str:
    """Return the text of a file; raises OSError, or ValueError if it is not a text or too long."""
    if file.stat().st_size > 4 * MOST_CHARACTERS:
        raise ValueError("is too long for the studio")
    try:
        text = file.read_bytes().decode()
    except UnicodeDecodeError:
        raise ValueError("is not written in UTF-8") from None
    if len(text) > MOST_CHARACTERS:
        raise ValueError("is too long for the studio")
    return text


def _reason(error: OSError, path: Path) -> str:
    """Return the reason of an error without the path, which the reader knows."""
    return error.strerror or str(error).replace(str(path), visible(path.name))
