"""Symmetries: ways to turn a board onto itself while its players change seats, found by tags and starts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from warchest.game.variant import Variant
from warchest.lowering.board import Board

_NAME = re.compile(r"(?<![^@/])[^@/]+(?=/|$)")
"""The names in a text that identifies a thing by its place, such as `a1/1` or `Name@a1`; another form is `a1 Name`."""


@dataclass(frozen=True)
class Symmetry:
    """A way to turn a game: the new names of spaces, players, teams and directions."""

    names: Mapping[str, str]
    documents: frozenset[str]
    """The names that stay unchanged, even where other things have the same name."""

    def of(self, value: Any) -> Any:
        """Return a position, or the data of an option, with everything turned."""
        if isinstance(value, Mapping):
            return {self.of(key): self.of(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self.of(one) for one in value]
        if not isinstance(value, str) or value in self.documents:
            return value
        space, _, document = value.partition(" ")
        if document in self.documents:
            return f"{self.of(space)} {document}"
        return self.names.get(value) or _NAME.sub(lambda found: self.names.get(found[0], found[0]), value)


def canonical(value: Any) -> str:
    """Return a text that is the same for values which differ only in the order of their lists."""
    return json.dumps(_sorted(value), sort_keys=True)


def _sorted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _sorted(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return sorted((_sorted(one) for one in value), key=lambda one: json.dumps(one, sort_keys=True))
    return value


@lru_cache(maxsize=32)
def symmetries_of(variant: Variant) -> tuple[Symmetry, ...]:
    """Return the symmetries of a variant under which players change seats; none if its board has none."""
    board, found = variant.board, []
    documents = frozenset(variant.naming.documents)
    for turn in range(len(board.directions)):
        spaces = _turned(board, turn)
        for seats in range(1, len(board.seats)) if spaces is not None else ():
            names = _names(board, spaces or (), turn, seats)
            if names is not None and _is_kept(board, names):
                found.append(Symmetry(names, documents))
    return tuple(found)


def _turned(board: Board, turn: int) -> tuple[int, ...] | None:
    """Return the image of each space when the board is turned by `turn` directions; None if one has no image."""
    count = len(board.directions)
    for goal in range(len(board.spaces)):
        image, edge = {0: goal}, [0]
        while edge and image is not None:
            space = edge.pop()
            for direction, ray in enumerate(board.rays[space]):
                other = board.rays[image[space]][(direction + turn) % count]
                if bool(ray) != bool(other):
                    edge = []
                    image = {}
                    break
                if ray and ray[0] not in image:
                    image[ray[0]] = other[0]
                    edge.append(ray[0])
        if len(image) == len(board.spaces) == len(set(image.values())):
            return tuple(image[number] for number in range(len(board.spaces)))
    return None


def _names(board: Board, spaces: tuple[int, ...], turn: int, seats: int) -> dict[str, str] | None:
    """Return the new name of everything that changes; None if a thing would have two new names."""
    found = {space.name: board.spaces[other].name for space, other in zip(board.spaces, spaces, strict=True)}
    players, directions = board.seats, board.directions
    pairs = [(directions[number], directions[(number + turn) % len(directions)]) for number in range(len(directions))]
    for number, seat in enumerate(players):
        other = players[(number + seats) % len(players)]
        pairs += [(seat.name, other.name), (seat.team, other.team)]
    for name, other_name in pairs:
        if found.setdefault(name, other_name) != other_name:
            return None
    return found


def _is_kept(board: Board, names: Mapping[str, str]) -> bool:
    """Whether tags, and the things of the players at the start, are invariant."""
    tags = {space.name: space.tags for space in board.spaces}
    if any(tags[names[name]] != tags[name] for name in tags):
        return False
    for holders in board.start.values():
        turned = {names.get(who, who): {names.get(one, one) for one in what} for who, what in holders.items()}
        if turned != {who: set(what) for who, what in holders.items()}:
            return False
    return True
