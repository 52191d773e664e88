"""The page of a replay, made of its template, its words and the data of the game."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from warchest.game.game import Game
from warchest.picture import sheet
from warchest.replay.page.course import PREFIX, course_of
from warchest.replay.record import Replay
from warchest.replay.replay_moments import SeenMoment
from warchest.replay.replay_moments import moments as moments_of

ShowDone = Callable[[Iterable[tuple[SeenMoment, ...]], int], Iterable[tuple[SeenMoment, ...]]]
"""Passes moments on, given their number, and shows the progress."""

_GAP = re.compile(r"\{\{(\w+)\}\}")


def replay_page(
    game: Game,
    replay: Replay,
    viewer: str | None = None,
    path: str = "replay",
    upto: int | None = None,
    language: str = "en",
    counted: ShowDone | None = None,
) -> str:
    """Return a replay as a page of HTML that loads nothing; it is the same for equal replays.

    With a `viewer` it holds nothing that this player may not see; without one, the reader chooses the view. With
    `upto` it ends after that number of steps. Raises Misfit for a replay that does not fit the game, OptionError for an
    unknown viewer, and PageTooLarge.
    """
    viewers = None if viewer is None else [viewer]
    found: Iterable[tuple[SeenMoment, ...]] = moments_of(game, replay, viewers, path, upto, with_chance=False)
    if counted is not None:
        taken = replay.taken if upto is None else replay.taken[:upto]
        found = counted(found, 1 + sum(step.by is not None for step in taken))
    return page_of(found, language)


def languages() -> list[str]:
    """Return the languages of the page's words."""
    return sorted(one.name.removesuffix(".json") for one in files(__package__).iterdir() if one.name.endswith(".json"))


def page_of(moments: Iterable[tuple[SeenMoment, ...]], language: str = "en") -> str:
    """Return the page of a game for its moments: there is at least one, and all are for the same viewers."""
    course = course_of(moments)
    words: dict[str, str] = json.loads(_file(f"{language}.json"))
    style = (
        _file("page.css")
        .replace("/* pictures */", sheet(PREFIX))
        .replace("/* dark pictures */", sheet(PREFIX, dark=True))
    )
    script = _file("page.js")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    names = " – ".join(seat["name"] for seat in course["seats"])
    gaps = {f"word_{key}": escape(word) for key, word in words.items()}
    gaps |= {
        "language": escape(language),
        "policy": escape(policy, quote=False),
        "style": style,
        "script": script,
        "title": escape(course["title"]),
        "names": escape(names),
        "words": _json(words),
        "game": _json(course),
    }
    return _GAP.sub(lambda gap: gaps[gap[1]], _file("page.html"))


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Return the source expression that lets a content security policy allow an inline text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _json(value: Any) -> str:
    """Return a value as JSON that is safe between tags: no text in it can end them, or begin a comment."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
