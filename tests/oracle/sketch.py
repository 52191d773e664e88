"""Short notations for positions and their successors; for the oracle's own tests."""

from typing import Any

from .naive import turn_successors
from .state import FOUR_PLAYERS, PLAYERS, Position

Stacks = dict[str, tuple[str, int]]


def _stacks_of(owner: str, text: str) -> list[dict[str, Any]]:
    """The stacks of a notation such as "f4 Archer 2, g3 Scout"."""
    units = []
    for item in filter(None, text.split(", ")):
        at, *words = item.split()
        coins = int(words.pop()) if words[-1].isdigit() else 1
        units.append({"at": at, "unit": " ".join(words), "owner": owner, "coins": coins})
    return units


def pos(raven: str = "", wolf: str = "", hand: str = "Royal Coin", **keys: Any) -> Position:
    """A position from short texts: "f4 Archer 2, g3 Scout" a side; raven is to act."""
    position: Position = {
        "game": "war-chest",
        "to_act": "raven",
        "initiative": "raven",
        "control": {"raven": ["e2", "h1"], "wolf": ["g6", "d7"]},
        "units": _stacks_of("raven", raven) + _stacks_of("wolf", wolf),
        "hand": {"raven": hand.split(", "), "wolf": ["Royal Coin"]},
    }
    return position | keys


def pos4(hand: str = "Royal Coin", **texts: Any) -> Position:
    """The same for four; texts under a player's name are stacks, others are keys."""
    position: Position = {
        "game": "war-chest",
        "to_act": "raven",
        "initiative": "raven",
        "control": {"raven": ["e2", "h1", "b5"], "wolf": ["g6", "d7", "j3"]},
        "units": [u for p in FOUR_PLAYERS for u in _stacks_of(p, texts.pop(p, ""))],
        "hand": {p: ["Royal Coin"] for p in FOUR_PLAYERS} | {"raven": hand.split(", ")},
    }
    return position | texts


def decrees(*names: str, **seals: str) -> list[dict[str, Any]]:
    """Decrees by name; `March="raven wolf"` is one with seals."""
    fresh: list[dict[str, Any]] = [{"name": name, "seals": []} for name in names]
    return fresh + [{"name": name, "seals": text.split()} for name, text in seals.items()]


def stacks(position: Position, owner: str) -> Stacks:
    """The stacks of a player by space."""
    return {u["at"]: (u["unit"], u["coins"]) for u in position["units"] if u["owner"] == owner}


def boards(start: Position) -> list[tuple[Stacks, Stacks]]:
    """Raven's and wolf's stacks in each successor."""
    return [(stacks(p, PLAYERS[0]), stacks(p, PLAYERS[1])) for p in turn_successors(start)]


def up(position: Position, player: str = "raven") -> list[str]:
    """A player's face-up discard."""
    up_coins: list[str] = position["discard"][player]["up"]
    return up_coins


def count(start: Position) -> int:
    """How many positions can follow."""
    return len(turn_successors(start))
