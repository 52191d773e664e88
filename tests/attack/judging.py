"""The oracle: what must hold of a command, whatever it is given, and of a game that was accepted."""

from __future__ import annotations

import io
import json
import re
import sys
import traceback
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from random import Random
from typing import Any

from attack.limits import rearm
from warchest import EndlessError, OptionError, State
from warchest.game.decision import Decision

DECISIONS = 20
"""The number of decisions taken after accepted input."""
CODES = (0, 1, 2)
_PLACED = re.compile(r" *--> .+:\d+:\d+")
_HEAD = re.compile(r"(error|warning|info)\[WC\d+\] ")
_JOINERS = "\u200c\u200d"


class Wrong(Exception):
    """A failure: `sort` is the same for all failures of one kind, `detail` describes this one."""

    def __init__(self, sort: str, detail: str = "") -> None:
        super().__init__(sort)
        self.sort, self.detail = sort, detail


@dataclass(frozen=True, slots=True)
class Ran:
    """The outcome of a command: its exit code, and its output."""

    code: int
    out: str
    err: str


def run(main: Callable[[Sequence[str]], int], *arguments: str, portions: int = 1) -> Ran:
    """Run a command in this process; raises Wrong for an exception, another exit code, or control characters.

    The time that it may take is that of one command for each of the `portions` of its work.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    rearm(portions)
    with redirect_stdout(out), redirect_stderr(err):
        code = guarded(lambda: main(arguments))
    ran = Ran(code, *(stream.buffer.getvalue().decode("utf-8", "replace") for stream in (out, err)))
    if code not in CODES:
        raise Wrong(f"exit code {code}", ran.err)
    if "fault of the program" in ran.err or "Traceback" in ran.err:
        raise Wrong("a fault of the program", ran.err)
    plain("standard output", ran.out)
    plain("standard error", ran.err)
    return ran


def guarded(work: Callable[[], Any], *fine: type[Exception]) -> Any:
    """Do some work; raises Wrong for its exceptions, by the function of the package that raised them, unless they are
    allowed."""
    try:
        return work()
    except BaseException as error:
        if isinstance(error, (Wrong, *fine)):
            raise
        raise Wrong(f"{type(error).__name__} in {_origin(error)}", "".join(traceback.format_exception(error))) from None


def _origin(error: BaseException) -> str:
    """Return the innermost function of the package in which an error was raised; generated code is called so."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if "/warchest/" in frame.filename or frame.filename.startswith("<")
    ]
    if not frames:
        return "nothing of the package"
    last = frames[-1]
    return f"{last.filename.rpartition('/warchest/')[2]}:{last.name}"


def plain(what: str, text: str) -> None:
    """Raise Wrong where a text holds a character that steers a terminal, turns the reading direction, or hides."""
    for character in text:
        kind = unicodedata.category(character)
        if character != "\n" and (kind in ("Cc", "Cs", "Zl", "Zp") or (kind == "Cf" and character not in _JOINERS)):
            at = text.index(character)
            raise Wrong(f"character U+{ord(character):04X} in {what}", ascii(text[max(0, at - 80) : at + 40]))


def findings_placed(text: str, path: str = "") -> int:
    """Return how many findings a text shows; raises Wrong where one has no place, or none in the file of a path."""
    lines, count = text.split("\n"), 0
    for number, line in enumerate(lines):
        if _HEAD.match(line):
            count += 1
            below = lines[number + 1] if number + 1 < len(lines) else ""
            if not _PLACED.fullmatch(below) or "(no file)" in below or (path and path not in below):
                raise Wrong("a finding without a place", text[:2000])
    return count


# ---- games


def play(state: State, restore: Callable[[dict[str, Any]], State], rng: Random, count: int = DECISIONS) -> int:
    """Take random decisions; at each the state is saved and restored. Returns how many were taken.

    Rules that do not end, and pieces that there is no room for, may stop a game, but not change it.
    """
    for taken in range(count):
        before = restorable(state, restore)
        decision = guarded(lambda: state.decision)
        if decision is None:
            return taken
        rearm()
        chosen = guarded(lambda d=decision: _pick(d, rng))  # type: ignore[misc]
        try:
            state.apply(chosen)
        except (EndlessError, OptionError) as error:
            plain("a message", str(error))
            if guarded(state.position) != before:
                raise Wrong("a state changed by a decision that failed", str(error)) from None
            return taken
        except Exception as error:
            message = "".join(traceback.format_exception(error))
            raise Wrong(f"{type(error).__name__} in {_origin(error)}", f"{chosen}\n{message}") from None
    return count


def restorable(state: State, restore: Callable[[dict[str, Any]], State]) -> dict[str, Any]:
    """Return the position of a state; raises Wrong unless it gives the same state again."""
    rearm()
    saved = guarded(state.position)
    position: dict[str, Any] = json.loads(guarded(lambda: json.dumps(saved)))
    try:
        twin = restore(position)
    except Exception as error:
        # Which key and which name it is about makes no other sort of failure.
        sort = re.sub(r"['\"`].*?['\"`]|\d+", "…", re.sub(r"^\w[\w.\[\]]*: ", "", str(error)))
        raise Wrong(f"not restored: {type(error).__name__}: {sort[:90]}", f"{error}\n{json.dumps(saved)}") from None
    again = guarded(twin.position)
    if again != position:
        keys = [key for key in {**position, **again} if position.get(key) != again.get(key)]
        raise Wrong(f"restored otherwise: {', '.join(keys)}", f"{json.dumps(saved)}\n{json.dumps(again)}")
    if guarded(lambda: _asked(twin)) != guarded(lambda: _asked(state)):
        raise Wrong("restored with other options", json.dumps(saved))
    return position


def _asked(state: State) -> Any:
    decision = state.decision
    if decision is None:
        return state.outcome
    return decision.player, decision.prompt, [option.data for option in decision.options]


def _pick(decision: Decision, rng: Random) -> Any:
    """Return an option: by weight at chance, otherwise each act with equal probability."""
    if decision.is_chance:
        return decision.sample(rng)
    by_act: dict[str, list[Any]] = {}
    for option in decision.options:
        by_act.setdefault(str(option.data.get("act")), []).append(option)
    return rng.choice(by_act[rng.choice(sorted(by_act))])


def deaf() -> None:
    """Give no input: standard input is at its end."""
    sys.stdin = io.StringIO()
