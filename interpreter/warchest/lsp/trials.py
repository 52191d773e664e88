"""Rulings: made of plays, put into texts, run and drawn."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from warchest.game.decision import Option
from warchest.game.errors import CardError, OptionError, PositionError
from warchest.game.game import Game
from warchest.game.state import EndlessError, State
from warchest.game.telling.labels import id_of
from warchest.lsp.plays import PREFIX, PlayedGame
from warchest.lsp.protocol import RequestError
from warchest.lsp.text_positions import range_of, uri_of
from warchest.picture import svg
from warchest.rulings.cases import Case
from warchest.rulings.runner import run_case
from warchest.source.nodes import Mapping as YamlMapping
from warchest.source.nodes import Sequence as YamlSequence
from warchest.source.text import Source
from warchest.source.yaml import parse

MOST_RULINGS = 500
"""The most rulings that one request runs."""
MOST_TRIED = 60
"""The most smaller positions that are tried for a ruling."""
_ASIDE = ("game", "pending")
"""The keys of positions that expectations leave out."""
_SOURCE = "ruling: as it was played"


def ruling_of(play: PlayedGame, start: int, end: int, name: str, shrink: bool) -> str:
    """Return a ruling of the decisions of a play from one number up to another; raises RequestError."""
    from warchest.testing.ruling_files import ruling_text
    from warchest.testing.shrinking import shrunk_way

    if not 0 <= start <= end <= play.count:
        raise RequestError(f"start, end: there are {play.count} decisions", data={"field": "end"})
    session = play.session
    (state, first), (_, last) = session.moment(start), session.moment(end)
    position = state.position()
    way = tuple(id_of(one.option) for one in session.taken[first:last])
    if shrink:
        expected = _news(play.game, position, way)
        position, way = shrunk_way(
            position, way, lambda told, ids: _news(play.game, told, ids) == expected, MOST_TRIED, play.game
        )
    before, after, done = _gone(play.game, position, way)
    changed = {key: value for key, value in after.position().items() if key not in _ASIDE and value != before.get(key)}
    return ruling_text(name, name, _SOURCE, position, done, {"then": changed} if changed else {})


def _gone(
    game: Game, position: Mapping[str, object], way: Sequence[str]
) -> tuple[dict[str, object], State, list[dict[str, object]]]:
    """Return a position written in full, the state after some options, and the options' data; raises OptionError."""
    state, done = game.position(position), list[dict[str, object]]()
    before = state.position()
    for chosen in way:
        if state.decision is None:
            raise OptionError("way", "the game is over")
        option = state.decision.by_id(chosen)
        done.append(dict(option.data))
        state.apply(option)
    return before, state, done


def _news(game: Game, position: Mapping[str, object], way: Sequence[str]) -> tuple[str, ...] | None:
    """Return the news of taking some options; None if they cannot be taken."""
    try:
        _, state, _ = _gone(game, position, way)
        return tuple(one.text for one in state.news_entries(None))
    except (PositionError, OptionError, CardError, EndlessError):
        return None


# ---- in a text


def edit_for(source: Source, ruling: str) -> dict[str, object]:
    """Return the edit that puts a ruling into the first document of a text; raises RequestError where it has none."""
    item = ruling[ruling.index("  - name:") :]
    roots, _ = parse(source)
    root = next((one for one in roots if isinstance(one, YamlMapping) and one.entries), None)
    if root is None:
        raise RequestError("the text holds no document to put the ruling into", data={"field": "uri"})
    key = "cases" if root.entries[0].key.text == "rulings" else "rulings"
    there = root.get(key)
    if isinstance(there, YamlSequence) and there.items:
        last = there.items[-1].span
        margin = there.items[0].span.column - 1 - len("- ")
        item = re.sub(r"^  ", " " * max(0, margin), item, flags=re.MULTILINE)
    elif there is None:
        last, item = root.span, f"{key}:\n{item}"
    else:
        raise RequestError(f"`{key}` in the text is not a list with entries", data={"field": "uri"})
    line_end = source.text.find("\n", last.start + len(last.text.rstrip()))
    offset = line_end + 1 if line_end >= 0 else len(source.text)
    return {"range": range_of(source.span(offset, offset)), "newText": item if line_end >= 0 else f"\n{item}"}


# ---- run and drawn


class _SeenStates:
    """A spectator that keeps the first and the last state of a ruling."""

    def __init__(self) -> None:
        self.first: State | None = None
        self.last: State | None = None

    def begin(self, state: State) -> None:
        self.first, self.last = state.clone(), state

    def take(self, state: State, option: Option) -> State:
        self.last = state.apply(option)
        return self.last

    def wrong(self) -> list[str]:
        return []


def run_rulings(game: Game, cases: Sequence[Case], pictures: bool) -> list[dict[str, object]]:
    """Return the outcomes of rulings, each with a picture of the resulting state on request."""
    found = list[dict[str, object]]()
    for case in cases[:MOST_RULINGS]:
        seen = _SeenStates()
        result = run_case(game, case, spectator=seen)
        drawn = {"svg": svg(seen.last, styled=False, prefix=PREFIX)} if pictures and seen.last is not None else {}
        found.append(
            {
                "uri": uri_of(case.span.path),
                "name": case.name,
                "range": range_of(case.node.span),
                "outcome": result.outcome,
                "message": result.message,
                "wrong": list(result.wrong),
                **drawn,
            }
        )
    return found


def begun_at(game: Game, cases: Sequence[Case], name: str) -> State:
    """Return the state at the beginning of a ruling; raises RequestError."""
    case = next((one for one in cases if one.name == name), None)
    if case is None:
        raise RequestError(f"name: there is no ruling {name[:60]!r} in the file", data={"field": "name"})
    seen = _SeenStates()
    run_case(game, case, spectator=seen)
    if seen.first is None:
        raise RequestError("the position of the ruling is not possible", data={"field": "name"})
    return seen.first
