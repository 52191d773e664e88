"""The position given by --warchest-position, in which properties in Python are checked instead of random ones."""

from __future__ import annotations

import shlex
from contextvars import ContextVar
from pathlib import Path

from warchest.diagnostics.render import text as told_of
from warchest.diagnostics.visible import json_text
from warchest.source.file_reading import decode, read_source
from warchest.source.yaml import parse, plain
from warchest.testing.positions import PositionData

OPTION = "--warchest-position"
"""The option of pytest for the position, as a text or as the path of a file."""
ASKED: ContextVar[PositionData | None] = ContextVar("ASKED", default=None)
"""The position given for this run, if any."""


def position_in(given: str) -> PositionData:
    """Return the position in a text that begins with a brace, or in a named file; raises ValueError with the reason."""
    read = decode(given.encode(), OPTION) if given.lstrip().startswith("{") else read_source(Path(given))
    roots, findings = parse(read.source) if read.source is not None else ([], [])
    errors = [one for one in (*read.diagnostics, *findings) if one.severity == "error"]
    value = plain(roots[0]) if len(roots) == 1 and not errors else None
    if not isinstance(value, dict):
        raise ValueError(told_of(errors) if errors else f"{OPTION}: a position is needed, as one mapping")
    return value


def again(test: str, told: PositionData) -> str:
    """Return the command that runs a test of pytest again in one position; empty if there is no test."""
    return f"pytest {shlex.quote(test)} {OPTION} {shlex.quote(json_text(told))}" if test else ""
