"""The shipped games, random walks through them, and what else cases are made of."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

import warchest
from warchest import Game, PositionError, State
from warchest.game import game as games
from warchest.scripts.line_script import run_script
from warchest.source.text import Source

CARDS = Path(__file__).resolve().parents[2] / "cards"
NAMES = ("war-chest", "unigames")
BEGINNINGS: list[tuple[str, dict[str, Any]]] = [
    ("war-chest", {}),
    ("unigames", {"setup": "Ambush"}),
    ("war-chest", {"sets": "all"}),
    ("unigames", {"setup": "Conjurers"}),
    ("war-chest", {"sets": "all", "players": 4}),
    ("war-chest", {"sets": "all", "setup": "Draft"}),
    ("unigames", {"setup": "Alternate reveal"}),
    ("war-chest", {"sets": "all", "setup": "Four players draft"}),
]
"""How new games begin: by games of two and of four, with all sets, dealt and drafted."""
_load = games.load_game


@lru_cache
def game(name: str) -> Game:
    """The shipped game of a name."""
    return _load(name)


instead: dict[str, Game] = {}
"""The replacement of a shipped game for the commands."""


def keep() -> None:
    """Give the commands the shipped games that are loaded already, or their replacements."""

    def load_game(name: str = NAMES[0], extra: Any = ()) -> Game:
        if name in NAMES and not extra:
            return instead.get(name) or game(name)
        return _load(name, extra)

    games.load_game = load_game
    for name in NAMES:
        assert warchest.load(name).variant() is not None


# ---- documents


@lru_cache
def files(name: str) -> dict[str, str]:
    """The texts of all files of a game, by their places in its folder."""
    folder = CARDS / name
    return {str(one.relative_to(folder)): one.read_text(encoding="utf-8") for one in sorted(folder.rglob("*.yaml"))}


@lru_cache
def rulings(name: str) -> list[dict[str, Any]]:
    """All cases of rulings of a game."""
    found: list[dict[str, Any]] = []
    for text in files(name).values():
        if "\ncases:" in text or "\nrulings:" in text:
            document = yaml.load(text, yaml.CSafeLoader)
            inside = document.get("cases", document.get("rulings"))
            found += [one for one in inside if isinstance(one, dict)] if isinstance(inside, list) else []
    return found


@lru_cache
def scripts() -> list[str]:
    """All scripts of rulings."""
    return [one["script"] for one in rulings("unigames") if "script" in one]


def scripted(at: Game, script: str) -> State | None:
    """Return the state that a script leads to; None if it does not hold."""
    source = Source("script", script)
    return run_script(at, source.span(0, len(source.text))).state


# ---- random games


def walk(rng: Random, number: int, most: int = 40) -> list[State]:
    """Return the states of a random walk: from the beginning of a game, or from where a ruling begins."""
    state, left = _first(rng, number), rng.randrange(4, most)
    found = []
    while state.decision is not None and left:
        found.append(state.clone())
        state.apply(chosen(state, rng))
        left -= 1
    return [*found, state]


def chosen(state: State, rng: Random) -> Any:
    """Return an option: by weight at chance, otherwise each act with equal probability."""
    decision = state.decision
    assert decision is not None
    if decision.is_chance:
        return decision.sample(rng)
    acts = [option.act for option in decision.options]
    act = rng.choice(sorted(set(acts)))
    return rng.choice([option for option, one in zip(decision.options, acts, strict=True) if one == act])


def _first(rng: Random, number: int) -> State:
    if number % 2:
        return of_ruling(rng, NAMES[number // 2 % 2])
    name, how = BEGINNINGS[number // 2 % len(BEGINNINGS)]
    return game(name).new(seed=rng.randrange(1 << 30), **how)


def of_ruling(rng: Random, name: str, at: Game | None = None, options: dict[str, Any] | None = None) -> State:
    """Return the state of a ruling of a shipped game (in another game that is like it), at its beginning or further on.

    Raises PositionError where none of some can be there.
    """
    at = at or game(name)
    positions = [one["position"] for one in rulings(name) if "setup" not in one.get("position", {"setup": 0})]
    for _ in range(40):
        if name == "unigames":
            lines = rng.choice(scripts()).splitlines()
            setting = [line for line in lines if line[:1] not in ("=", "!")]
            state = scripted(at, "\n".join(setting[: rng.randrange(1, len(setting) + 1)]))
        else:
            try:
                state = at.position({**rng.choice(positions), **({"options": options} if options else {})})
            except PositionError:
                continue
        if state is not None and state.decision is not None:
            return state
    raise PositionError("", "no ruling can be played")
