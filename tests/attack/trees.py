"""Mutations of data of JSON: a branch is dropped, doubled, swapped, spliced from elsewhere, or made strange."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
STRANGE: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    7,
    99,
    10**6,
    10**20,
    -(2**63),
    0.5,
    1e300,
    "",
    " ",
    "x",
    "0",
    "a\nb",
    "\x1b[2J",
    "\u202e",
    "\x9b",
    "\u2028",
    [],
    {},
    [[]],
    [0],
    [-1],
    [None],
    {"": 0},
    "a" * 2000,
    [1] * 200,
    "../..",
    "__class__",
]
"""Values that fit hardly anywhere."""


def branches(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield all that is inside of a value, with the way there; the value itself is not among it."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inside:
        yield (*path, key), below
        yield from branches(below, (*path, key))


def at(value: Any, path: Path) -> Any:
    """Return the part at the end of a path."""
    for key in path:
        value = value[key]
    return value


def mutated(value: Any, rng: Random, donors: list[Any], favourite: str = "") -> Any:
    """Return a value with a few branches changed, often ones below its key `favourite`; `donors` give branches."""
    value = copy.deepcopy(value)
    for _ in range(rng.choice((1, 1, 1, 1, 2, 2, 3))):
        ways = list(branches(value))
        liked = [one for one in ways if one[0][0] == favourite]
        if not ways:
            return value
        path, old = rng.choice(liked if liked and rng.random() < 0.5 else ways)
        _changed(at(value, path[:-1]), path[-1], old, ways, rng, donors)
    return value


def _changed(parent: Any, key: Any, old: Any, ways: list[tuple[Path, Any]], rng: Random, donors: list[Any]) -> None:
    """Change one branch of its parent."""
    match rng.randrange(8):
        case 0:
            del parent[key]
        case 1 if isinstance(parent, list):
            parent[key:key] = [copy.deepcopy(old)] * rng.choice((1, 1, 2, 30))
        case 1:
            parent[f"{key}{rng.choice(('', ' ', 's', '2'))}x"] = old
        case 2:
            parent[key] = copy.deepcopy(rng.choice(STRANGE))
        case 3 if isinstance(old, int) and not isinstance(old, bool):
            parent[key] = old + rng.choice((-2, -1, 1, 2, 3, 10))
        case 3 if isinstance(old, str):
            parent[key] = old + rng.choice(("\x1b]0;x\a", "\u202e", "\x9b2J", "\n", "x", " ", "[0]", ".a"))
        case 4:
            # Another part of it, of the same type if there is one.
            alike = [one for _, one in ways if type(one) is type(old) and one != old]
            parent[key] = copy.deepcopy(rng.choice(alike) if alike else rng.choice(ways)[1])
        case 5 if isinstance(parent, list):
            rng.shuffle(parent)
        case 6 if isinstance(old, list):
            old.append(copy.deepcopy(rng.choice(ways)[1]))
        case _:
            _spliced(parent, key, rng, donors)


def _spliced(parent: Any, key: Any, rng: Random, donors: list[Any]) -> None:
    """Put a branch of another value here: one under the same key if it has one."""
    ways = list(branches(rng.choice(donors)))
    alike = [one for path, one in ways if path[-1] == key]
    parent[key] = copy.deepcopy(rng.choice(alike) if alike else rng.choice(ways)[1])
