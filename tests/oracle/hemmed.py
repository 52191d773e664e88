"""Positions without room: a unit at the edge of the board, others packed around it, and pairs that order each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from .board import BOARDS, Board
from .convert import from_position, to_position
from .random_positions import random_position
from .state import ALL_COUNTS, COIN_COUNTS, NOBILITY_COUNTS, SIEGE_COUNTS, Position

PAIRS = (
    ("Bishop", "Mercenary"),
    ("Earl", "Herald"),
    ("Warrior Priest", "Herald"),
    ("Warrior Priest", "Earl"),
    ("War Wagon", "Berserker"),
    ("War Wagon", "Bannerman"),
    ("War Wagon", "Swordsman"),
    ("War Wagon", "Sapper"),
    ("Ensign", "Berserker"),
    ("Marshall", "Berserker"),
    ("Marshall", "Warrior Priest"),
    ("Sapper", "Ensign"),
    ("Siege Tower", "War Wagon"),
    ("Bishop", "War Wagon"),
    ("Footman", "Mercenary"),
    ("Lancer", "Herald"),
    ("Royal Guard", "War Wagon"),
    ("Cavalry", "Bannerman"),
    ("Light Cavalry", "Ensign"),
)
"""Units of one army; one orders the other, answers it, or makes room for it."""
TRIES = 200


def hemmed_position(rng: Random, pair: tuple[str, str] | None = None, players: int = 2) -> Position:
    """A random position in which a unit of a pair has hardly any room, and its owner is to act with its coin."""
    first, second = pair or rng.choice(PAIRS)
    position, owner = _with_both(rng, first, second, players)
    at_bay = next(unit for unit in position["units"] if unit["unit"] == first and unit["owner"] == owner)
    if rng.random() < 0.25:
        at_bay = rng.choice([unit for unit in position["units"] if unit["owner"] == owner])
    position["to_act"] = owner
    _pack(rng, position, at_bay, BOARDS[players])
    _hold(position, owner, "hand", at_bay["unit"])
    _hold(position, owner, "supply", second)
    return to_position(from_position(position))


def dense_position(rng: Random, players: int = 2) -> Position:
    """A random position, mostly with all sets, with all units close together somewhere on the board."""
    sets = rng.choice((("nobility", "siege"), ("nobility", "siege"), ("nobility",), ("siege",), ()))
    position, table = random_position(rng, sets=sets, players=players), BOARDS[players]
    start = rng.choice(table.spaces)
    free = iter((start, *_nearest(rng, start, table)))
    rng.shuffle(position["units"])
    for unit in position["units"]:
        unit["at"] = next(free)
        if rng.random() < 0.15:
            next(free)
    return to_position(from_position(position))


def _with_both(rng: Random, first: str, second: str, players: int) -> tuple[Position, str]:
    """A position with both units of a pair on the board for the same player, who is the second value."""
    sets = _sets_of((first, second)) | {one for one in ("nobility", "siege") if rng.random() < 0.3}
    pool = [*COIN_COUNTS, *(NOBILITY_COUNTS if "nobility" in sets else ()), *(SIEGE_COUNTS if "siege" in sets else ())]
    for _ in range(TRIES):
        others = [one for one in rng.sample(sorted(pool), 4) if one not in (first, second)]
        found = random_position(rng, [first, second, *others], sorted(sets), players)
        there = {(unit["owner"], unit["unit"]) for unit in found["units"]}
        owners = [player for player in found["armies"] if {(player, first), (player, second)} <= there]
        if owners:
            return found, owners[0]
    raise ValueError(f"no position with {first} and {second}")


def _sets_of(kinds: Iterable[str]) -> set[str]:
    named = {"nobility": NOBILITY_COUNTS, "siege": SIEGE_COUNTS}
    return {name for name, counts in named.items() if any(kind in counts for kind in kinds)}


def _pack(rng: Random, position: Position, at_bay: Position, table: Board) -> None:
    """Put one unit at the edge, mostly in a corner, and the others as close to it as they can be."""
    room = {space: len(near) for space, near in table.neighbours.items()}
    corners = [space for space, count in room.items() if count == min(room.values())]
    edge = [space for space, count in room.items() if count < 6]
    start = rng.choice(corners if rng.random() < 0.7 else edge)
    free = _nearest(rng, start, table)
    at_bay["at"] = start
    others = [unit for unit in position["units"] if unit is not at_bay]
    rng.shuffle(others)
    for unit in others:
        unit["at"] = next(free)
        if rng.random() < 0.12:
            # One that is left out makes a gap.
            next(free)


def _nearest(rng: Random, start: str, table: Board) -> Iterator[str]:
    """The spaces around one, the nearest first, each ring in any order."""
    spaces = [space for space in table.spaces if space != start]
    rng.shuffle(spaces)
    return iter(sorted(spaces, key=lambda space: table.distance[start, space]))


def _hold(position: Position, player: str, zone: str, kind: str) -> None:
    """Have a coin of a kind in a zone of a player, if there is one beside the board; another one takes its place."""
    held = position[zone][player]
    discard = position["discard"][player]
    places = [position["bag"][player], *discard.values(), position["box"][player], position["supply"][player]]
    if kind in held or kind not in ALL_COUNTS:
        return
    for place in places:
        if place is not held and kind in place:
            place.remove(kind)
            others = [one for one in held if one in ALL_COUNTS]
            if zone == "hand" and others:
                held.remove(others[0])
                place.append(others[0])
            held.append(kind)
            return
