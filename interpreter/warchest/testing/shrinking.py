"""Shrinking of positions: less on the board and in hand, and smaller numbers, while a condition still holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from warchest.game.errors import PositionError
from warchest.game.game import Game
from warchest.game.setup.boards import KEY as BOARD
from warchest.game.variant import Variant
from warchest.testing.positions import PositionData, zone_of_players

MOST = 2000
"""The most positions that are tried to find a small one."""
OptionPath = tuple[str, ...]
"""The options that are taken in a position, by their ids."""


def shrunk(
    told: PositionData, holds: Callable[[PositionData], bool], most: int = MOST, game: Game | None = None
) -> PositionData:
    """Return the smallest position found that satisfies a condition, beginning with this one; deterministic.

    `holds` must return False for positions that the game refuses. If the game is given, other players to act are tried
    as well, and so are tokens in an earlier zone of positions, such as a hand instead of a bag.
    """
    return shrunk_way(told, (), lambda smaller, _: holds(smaller), most, game)[0]


def shrunk_way(
    told: PositionData,
    way: OptionPath,
    holds: Callable[[PositionData, OptionPath], bool],
    most: int = MOST,
    game: Game | None = None,
) -> tuple[PositionData, OptionPath]:
    """Return the smallest position and the shortest path found that satisfy a condition, as `shrunk` does."""
    asked = 0
    again = True
    while again:
        again = False
        # Simpler cases are generated from the last one, so that parts left out before are not tried again.
        for smaller in _simpler_cases(told, way, game):
            if asked == most:
                return told, way
            asked += 1
            if holds(*smaller):
                (told, way), again = smaller, True
                break
    return told, way


def size(value: object) -> int:
    """Return the size of a position: each key, entry and value counts, and a number counts by its value."""
    if isinstance(value, Mapping):
        return sum(1 + size(one) for one in value.values())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return sum(1 + size(one) for one in value)
    if isinstance(value, bool):
        return int(value)
    return value if isinstance(value, int) else 0


def _simpler_cases(told: PositionData, way: OptionPath, game: Game | None) -> Iterator[tuple[PositionData, OptionPath]]:
    """Yield simpler cases: shorter paths, then simpler positions, then positions with changed players or zones."""
    shorter = [way[:number] + way[number + 1 :] for number in range(len(way))]
    yield from ((told, one) for one in shorter)
    yield from ((simpler, way) for simpler in _simpler(told))
    variant = _variant_of(told, game)
    if variant is None:
        return
    acting = list(_as_others_act(told, variant))
    yield from ((other, one) for other in acting for one in shorter)
    for moved in _moved(told, variant):
        yield from ((moved, one) for one in (*shorter, way))
    # Another player to act is only simpler if a part can be left out as well.
    yield from ((simpler, way) for other in acting for simpler in _simpler(other))


def _variant_of(told: PositionData, game: Game | None) -> Variant | None:
    try:
        return game.variant(told.get("options"), told.get(BOARD)) if game is not None else None
    except (PositionError, TypeError):
        return None


def _as_others_act(told: PositionData, variant: Variant) -> Iterator[PositionData]:
    """Yield the positions in which another player is to act."""
    for key, shape in variant.format.shapes.items():
        if "turn of" in shape and key in told:
            yield from ({**told, key: player} for player in variant.naming.players if player != told[key])


def _moved(told: PositionData, variant: Variant) -> Iterator[PositionData]:
    """Yield the positions in which a token of a player is in an earlier zone of the same player."""
    zones = [key for key, shape in variant.format.shapes.items() if zone_of_players(shape, variant) is not None]
    for number, key in enumerate(zones):
        lying = told.get(key)
        if not isinstance(lying, Mapping):
            continue
        for player, tokens in lying.items():
            for first in zones[:number] if isinstance(tokens, list) else ():
                for token in dict.fromkeys(map(str, tokens)):
                    there = told.get(first, {})
                    if isinstance(there, Mapping) and isinstance(there.get(player, []), list):
                        left = {**lying, player: _without(tokens, token)}
                        yield {**told, first: {**there, player: [*there.get(player, ()), token]}, key: left}


def _without(tokens: Iterable[str], token: str) -> list[str]:
    left = [str(one) for one in tokens]
    left.remove(token)
    return left


def _simpler(value: Any) -> Iterator[Any]:
    """Yield simpler values: with an entry less, the largest first, or with a simpler one in its place."""
    if isinstance(value, Mapping):
        for key in sorted(value, key=lambda key: -size(value[key])):
            yield {name: one for name, one in value.items() if name != key}
        for key, one in value.items():
            yield from ({**value, key: simpler} for simpler in _simpler(one))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield [*value[:index], *value[index + 1 :]]
        for index, one in enumerate(value):
            yield from ([*value[:index], simpler, *value[index + 1 :]] for simpler in _simpler(one))
    elif isinstance(value, bool):
        if value:
            yield False
    elif isinstance(value, int):
        yield from dict.fromkeys(one for one in (1, value // 2, value - 1) if 0 < one < value)
