"""Replays as files of JSON, one step a line. Reading any bytes gives a replay, or the reason why not."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from warchest.diagnostics.diagnostic import quoted
from warchest.diagnostics.visible import first_hidden, json_text, visible
from warchest.replay.record import Replay, Start, TakenStep, Unreadable
from warchest.source.file_reading import begins_with
from warchest.source.limits import MAX_REPLAY
from warchest.source.replacing import replace_file

VERSION = 1
_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")


def save(path: Path | str, replay: Replay) -> None:
    """Write a replay; the file is replaced as a whole, so that an interrupted write leaves the old file."""
    replace_file(path, encoded(replay))


def encoded(replay: Replay) -> bytes:
    """Return a replay as the content of a file."""
    return written(replay).encode("utf-8", "backslashreplace")


def written(replay: Replay) -> str:
    """Return a replay as the text of a file."""
    keys = ("seed", "setup", "board", "sets", "armies", "points", "collection")
    told = {key: getattr(replay.start, key) for key in keys}
    start = {key: value for key, value in told.items() if value is not None}
    start["from_position"] = replay.start.from_position
    start["position"] = replay.start.position
    parts = {
        "replay": replay.game,
        "version": VERSION,
        "cards": replay.cards,
        "options": replay.options,
        "layers": replay.layers,
        "start": start,
    }
    lines = [f"{json_text(key)}: {json_text(value)}," for key, value in parts.items()]
    steps = ",\n".join(json_text({"by": step.by, "option": step.option}) for step in replay.taken)
    taken = f"[\n{steps}\n]" if steps else "[]"
    return "\n".join(["{", *lines, f'"taken": {taken},', f'"outcome": {json_text(replay.outcome)}', "}"]) + "\n"


def load(path: Path | str) -> Replay:
    """Read a replay; raises Unreadable, with the path and the fault, if the file holds no replay."""
    named = visible(str(path))
    try:
        data = begins_with(path, MAX_REPLAY + 1)
    except (OSError, ValueError) as error:
        raise Unreadable(f"{named}: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > MAX_REPLAY:
        raise Unreadable(f"{named}: the file is larger than {MAX_REPLAY >> 20} MiB")
    try:
        text = data.decode("utf-8-sig")
    except ValueError as error:
        raise Unreadable(f"{named}: this is not a replay, which is a file of JSON: {error}") from None
    return read(text, named)


def read(text: str, named: str = "replay") -> Replay:
    """Return the replay that a text holds; raises Unreadable, which begins with the name of the text."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{named}: this is not a replay, which is a file of JSON: {error}") from None
    try:
        if "\\" in text or first_hidden(text):
            _check_texts(values)
        return _replay(values)
    except _Wrong as error:
        raise Unreadable(f"{named}: {error}") from None


class _Wrong(Exception):
    """A part of a replay is impossible; the message names it."""


def _check_texts(values: object) -> None:
    """Raise _Wrong if a text or a key has a character that ends the line or cannot be seen."""
    waiting: list[tuple[str, object]] = [("", values)]
    while waiting:
        where, value = waiting.pop()
        if isinstance(value, dict):
            for key, below in value.items():
                waiting += [(where, key), (f"{where}.{key}" if where else key, below)]
        elif isinstance(value, list):
            waiting += [(f"{where}[{index}]", one) for index, one in enumerate(value)]
        elif isinstance(value, str) and visible(value) != value:
            named = f"{visible(where)}: " if where else ""
            raise _Wrong(f"{named}{quoted(value)} holds a character that ends the line or cannot be seen")


def _replay(values: object) -> Replay:
    if not isinstance(values, Mapping) or "replay" not in values:
        raise _Wrong("this is not a replay: it has no key `replay`")
    if values.get("version") != VERSION:
        raise _Wrong(f"version: this program reads version {VERSION}, not {values.get('version')!r}")
    outcome = values.get("outcome")
    return Replay(
        game=_game(_of(values, "replay", str)),
        options=_of(values, "options", Mapping, {}),
        start=_start(_of(values, "start", Mapping)),
        taken=tuple(_step(number, one) for number, one in enumerate(_of(values, "taken", list), 1)),
        outcome=None if outcome is None else _of(values, "outcome", Mapping),
        cards=_of(values, "cards", Mapping, {}),
        layers=_of(values, "layers", Mapping),
    )


def _game(name: str) -> str:
    """Return the name of a game; a folder is never taken from a file, for the file may be a stranger's."""
    if not _NAME.fullmatch(name):
        raise _Wrong(
            f"replay: a game is named by its name, not {name[:60]!r}; the folder of a game stands on "
            "the command line: --game FOLDER"
        )
    return name


def _start(values: Mapping[str, object]) -> Start:
    sets = _of(values, "sets", list, None)
    return Start(
        position=_of(values, "position", Mapping),
        seed=_of(values, "seed", int, None),
        setup=_of(values, "setup", str, None),
        armies=_of(values, "armies", Mapping, None),
        from_position=_of(values, "from_position", bool, False),
        board=_of(values, "board", str, None),
        sets=None if sets is None else tuple(map(str, sets)),
        points=_of(values, "points", int, None),
        collection=_of(values, "collection", Mapping, None),
    )


def _step(number: int, value: object) -> TakenStep:
    if not isinstance(value, Mapping) or not isinstance(value.get("option"), Mapping):
        raise _Wrong(f"taken, step {number}: it needs an `option` with keys and values")
    by = value.get("by")
    if by is not None and not isinstance(by, str):
        raise _Wrong(f"taken, step {number}: `by` is a player's name, or null for chance")
    return TakenStep(by, value["option"])


_MISSING = object()


def _of(values: Mapping[str, object], key: str, kind: type, otherwise: object = _MISSING) -> Any:
    value = values.get(key)
    if value is None and otherwise is not _MISSING:
        return otherwise
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise _Wrong(f"{key}: this is missing" if value is None else f"{key}: this is of the wrong kind")
    return value
