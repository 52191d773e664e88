"""Files that commands write. None of them replaces a file of another kind, which may well be an input."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from warchest.diagnostics.visible import visible
from warchest.source.file_reading import NotAFileError, begins_with

STANDARD_OUTPUT = "-"
_HEAD = 1024
"""The number of bytes at the beginning of a file that show its kind."""


def refusal(path: Path, kind: str, is_one: Callable[[Path], bool]) -> str:
    """Return the reason why a file of a kind cannot be written to a path; empty if it can be written.

    An existing file of another kind, by the test `is_one`, is such a reason. An empty file can be of any kind.
    """
    if not os.path.exists(path) or (os.path.isfile(path) and not os.path.getsize(path)) or is_one(path):
        return ""
    return f"{visible(str(path))} is there already, and is no {kind}; choose another name"


@dataclass(frozen=True, slots=True)
class Output:
    """A kind of file that a command writes; for argparse, the reader of such an option.

    `begins` are the first bytes that files of the kind can have, and `has` are bytes soon afterwards. With `is_piped`,
    `-` is standard output.
    """

    kind: str
    begins: tuple[bytes, ...]
    has: bytes = b""
    is_piped: bool = False

    def __call__(self, named: str) -> str:
        """Return a path as it was given; raises ArgumentTypeError if a file of another kind exists there."""
        if named == STANDARD_OUTPUT and not self.is_piped:
            raise ArgumentTypeError(f"no {self.kind} is written to standard output; name a file")
        reason = refusal(Path(named), self.kind, self._is_one) if named != STANDARD_OUTPUT else ""
        if reason:
            raise ArgumentTypeError(reason)
        return named

    def _is_one(self, path: Path) -> bool:
        try:
            head = begins_with(path, _HEAD)
        except NotAFileError:
            return not path.is_dir()  # a pipe or a device has no content to lose
        except OSError:
            return False
        return head.lstrip().lower().startswith(self.begins) and self.has in head


@dataclass(frozen=True, slots=True)
class OutputFolder:
    """A folder that a command writes files into; for argparse, the reader of such an option.

    Files whose names match `names` are replaced if they are of the kind `files`; without `files`, no file is replaced.
    """

    names: str = ""
    files: Output | None = None

    def __call__(self, named: str) -> str:
        """Return a path as it was given; raises ArgumentTypeError where the path is not a folder."""
        if os.path.lexists(named) and not os.path.isdir(named):
            raise ArgumentTypeError(f"{visible(named)} is there already, and is no folder; choose another name")
        if self.files is not None:
            for file in sorted(Path(named).glob(self.names)):
                self.files(str(file))
        return named


SVG = Output("picture in SVG", (b"<?xml", b"<svg"), b"<svg")
PIPED_SVG = replace(SVG, is_piped=True)
PNG = Output("picture in PNG", (b"\x89png\r\n",))
GIF = Output("animated GIF", (b"gif8",))
PDF = Output("document in PDF", (b"%pdf-",))
HTML = Output("page in HTML", (b"<!doctype html", b"<html"))
TABLETOP = Output("saved object of Tabletop Simulator", (b"{",), b'"SaveName"')
CARD_GAME = Output("file for Card Game Simulator", (b"{", b"["), b'"name"')
TEMPLATE = Output("template", (b"//", b"#"))
TEMPLATES = OutputFolder("*.typ", TEMPLATE)
REPLAY = Output("replay", (b"{",), b'"replay"')
LCOV = Output("tracefile", (b"tn:", b"sf:"))
PICTURES = OutputFolder("step-*.svg", SVG)
FINDINGS_FOLDER = OutputFolder()


EXPORTS = OutputFolder()
