"""Ruling files: a position and the steps taken there as the text of a ruling, written next to others and read again.

A file is never overwritten with other contents; so findings stay until they are removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from warchest.diagnostics.visible import json_text, visible
from warchest.documents.load import declaring_files
from warchest.game.game import Game
from warchest.rulings.cases import Case, read_cases
from warchest.rulings.runner import run_case
from warchest.source.data import folders_of
from warchest.source.file_reading import begins_with
from warchest.source.limits import MAX_BYTES
from warchest.source.text import slug

LINE, NAME, SOURCE = 110, 120, 200
"""The longest that an entry is written in one line, and the longest names and sources of cases."""
_PLAIN = re.compile(r"[A-Za-z][\w'’.-]*( [\w'’.-]+)*")
_NO_TEXT = frozenset(("true", "false", "yes", "no", "on", "off", "null", "y", "n"))
_TITLE = re.compile(r"^rulings: .*$", re.MULTILINE)
_WRITTEN_BY_ITSELF = "game"


def ruling_text(
    title: str,
    name: str,
    source: str,
    position: Mapping[str, Any],
    do: Sequence[Mapping[str, Any]] = (),
    rest: Mapping[str, Any] | None = None,
    remarks: Sequence[str] = (),
) -> str:
    """Return a document with one case after some remarks: its position, its acts, and the other keys of the case."""
    keys = {key: value for key, value in position.items() if key != _WRITTEN_BY_ITSELF and not _is_empty(value)}
    lines = [f"# {visible(' '.join(one.split()))}" for one in remarks]
    lines += [
        f"rulings: {title}",
        "cases:",
        f"  - name: {_scalar(_cut(name, NAME))}",
        f"    source: {_scalar(_cut(source, SOURCE))}",
        "    position:",
    ]
    for key, value in keys.items():
        lines += _entry(key, value, 6)
    for key, value in (("do", list(do)), *(rest or {}).items()):
        if value or key != "do":
            lines += _entry(key, value, 4)
    return "\n".join(lines) + "\n"


def _cut(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def _is_empty(value: object) -> bool:
    """Whether a value of a position can be left out without loss."""
    if isinstance(value, Mapping):
        return all(map(_is_empty, value.values()))
    return value == [] or value is False


def _entry(key: str, value: object, indent: int) -> Iterator[str]:
    flow = f"{' ' * indent}{_scalar(key)}: {_flow(value)}"
    if not isinstance(value, list | Mapping) or not value:
        yield flow
    elif isinstance(value, Mapping):
        if len(flow) <= LINE:
            yield flow
            return
        yield f"{' ' * indent}{_scalar(key)}:"
        for inner, one in value.items():
            yield from _entry(inner, one, indent + 2)
    elif len(flow) <= LINE and not any(isinstance(one, Mapping) for one in value):
        yield flow
    else:
        yield f"{' ' * indent}{_scalar(key)}:"
        yield from (f"{' ' * (indent + 2)}- {_flow(one)}" for one in value)


def _flow(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value)


def _scalar(value: object) -> str:
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.casefold() not in _NO_TEXT:
        return value
    return json_text(value)


# ---- files


def file_stem(*parts: str) -> str:
    """Return the name of a file, without its ending, for something with some names."""
    return slug(" ".join(parts).casefold())[:80] or "found"


def write_ruling(folder: Path, stem: str, text: str) -> Path:
    """Write a ruling into a folder and return its file; an equal file, or another finding of that name, stays."""
    folder.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        file = folder / f"{stem}{f'-{number}' if number > 1 else ''}.yaml"
        told = _with_title_of_its_own(file, text)
        try:
            with file.open("x", encoding="utf-8") as written:
                written.write(told)
        except FileExistsError:
            if _text_of(file) != told:
                number += 1
                continue
        except OSError as error:
            # Half a ruling would be a fault of the folder from then on.
            file.unlink(missing_ok=True)
            raise OSError(error.errno, error.strerror, str(file)) from None
        return file


def _text_of(file: Path) -> str:
    """Return the text of an existing file, even one that others have written; empty if none can be read."""
    with suppress(OSError, ValueError):
        return begins_with(file, MAX_BYTES).decode("utf-8", "replace")
    return ""


def _with_title_of_its_own(file: Path, text: str) -> str:
    """Return a ruling under a name that no other file in the folder has: equal names could not be read together."""
    others = [one for one in file.parent.glob("*.yaml") if one != file]
    taken = {found[0] for one in others if (found := _TITLE.search(_text_of(one)))}
    title, number = _TITLE.search(text), 1
    told = title[0] if title is not None else ""
    while told in taken:
        number += 1
        told = f"{title[0]} {number}" if title is not None else ""
    return _TITLE.sub(lambda _: told, text, count=1)


def case_text(title: str, case: Mapping[str, Any]) -> str:
    """Return the text of a document with a case, which is given by all its keys."""
    rest = {key: value for key, value in case.items() if key not in ("name", "source", "position", "do")}
    return ruling_text(title, case["name"], case["source"], case["position"], case.get("do", ()), rest)


def found_cases(game: Game, folder: Path) -> Iterator[Case]:
    """Yield the cases in the files of a folder, in the order of their names; those that cannot be read are left out."""
    beside = [file for file in declaring_files([*folders_of(game.folder), *game.extra]) if file.parent != folder]
    for file in sorted(folder.glob("*.yaml")) if folder.is_dir() else ():
        cases, _, errors = read_cases([file], beside)
        yield from cases if not errors else ()


def fails(game: Game, case: Case) -> bool:
    """Whether a case does not hold, so that it shows a fault."""
    return run_case(game, case).outcome == "failed"
