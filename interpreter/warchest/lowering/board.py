"""Boards: spaces with their names and places, neighbours, distances, rings and straight lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt

from warchest.source.records import record

Offset = tuple[int, int]

HEX_STEPS: dict[str, Offset] = {"n": (0, -1), "ne": (1, -1), "se": (1, 0), "s": (0, 1), "sw": (-1, 1), "nw": (-1, 0)}
SQUARE_STEPS: dict[str, Offset] = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
FAR = 10**9
"""The distance between unconnected spaces, or without a space: greater than any number in a sentence."""


@record()
class Space:
    """A space: its name, its column and row counted from the origin, its tags."""

    name: str
    column: int
    row: int
    tags: frozenset[str]


@dataclass(frozen=True)
class Seat:
    """A player: name, team, and colour in pictures."""

    name: str
    team: str
    colour: str


@dataclass(frozen=True)
class Board:
    """A board of flat-top hexes (axial coordinates, r down) or of squares, with its players."""

    name: str
    shape: str
    spaces: tuple[Space, ...]
    seats: tuple[Seat, ...]
    numbers: dict[str, int] = field(default_factory=dict)
    start: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    pieces: int = 0
    """The most pieces that there is room for at once; 0 for as many as on most boards."""

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each space, by name."""
        return {space.name: index for index, space in enumerate(self.spaces)}

    @cached_property
    def teams(self) -> tuple[str, ...]:
        """The teams, in the order of their first seats."""
        return tuple(dict.fromkeys(seat.team for seat in self.seats))

    @property
    def steps(self) -> dict[str, Offset]:
        """The directions, by name."""
        return HEX_STEPS if self.shape == "hexes" else SQUARE_STEPS

    @cached_property
    def directions(self) -> tuple[str, ...]:
        """The names of the directions; a direction's number is its index here."""
        return tuple(self.steps)

    @cached_property
    def rays(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each space and direction, the spaces on the straight line from it, nearest first."""
        at = {(space.column, space.row): index for index, space in enumerate(self.spaces)}
        return tuple(tuple(tuple(_walk(at, space, step)) for step in self.steps.values()) for space in self.spaces)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For each space, the spaces next to it, by number."""
        return tuple(tuple(sorted(ray[0] for ray in rays if ray)) for rays in self.rays)

    @cached_property
    def distance(self) -> tuple[tuple[int, ...], ...]:
        """For each pair of spaces the length of the shortest way."""
        return tuple(_distances(start, self.neighbours) for start in range(len(self.spaces)))

    @property
    def longest(self) -> int:
        """The greatest length of the shortest way between two spaces."""
        return max(steps for row in self.distance for steps in row if steps != FAR)

    @cached_property
    def trek(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each space, heading and goal the least number of steps ahead and turns to a side."""
        ways, count = _turning(self.rays), len(self.steps)
        rows = [_distances(start, ways) for start in range(len(ways))]
        nearest = [tuple([min(row[goal : goal + count]) for goal in range(0, len(ways), count)]) for row in rows]
        return tuple(tuple(nearest[first : first + count]) for first in range(0, len(ways), count))

    @cached_property
    def between(self) -> tuple[dict[int, tuple[int, ...]], ...]:
        """For each space, the spaces in a straight line from it, each with the spaces strictly between."""
        return tuple({end: ray[:index] for ray in rays for index, end in enumerate(ray)} for rays in self.rays)

    @cached_property
    def bearing(self) -> tuple[dict[int, int], ...]:
        """For each space, the spaces in a straight line from it, each with the direction that leads there."""
        return tuple({end: direction for direction, ray in enumerate(rays) for end in ray} for rays in self.rays)

    def ring(self, low: int, high: int) -> tuple[tuple[int, ...], ...]:
        """For each space, the spaces from `low` to `high` away, by number."""
        return tuple(tuple(end for end, steps in enumerate(row) if low <= steps <= high) for row in self.distance)

    def ray_part(self, low: int, high: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each space and direction, the spaces from `low` to `high` away in a straight line."""
        return tuple(tuple(ray[max(low - 1, 0) : high] for ray in rays) for rays in self.rays)

    def tagged(self, tag: str) -> frozenset[int]:
        """The spaces that bear a tag."""
        return frozenset(index for index, space in enumerate(self.spaces) if tag in space.tags)

    def centre(self, number: int) -> tuple[float, float]:
        """The middle of a space in a picture: x to the right, y down, in units of a side (hexes) or a width."""
        space = self.spaces[number]
        if self.shape == "hexes":
            return 1.5 * space.column, sqrt(3) * (space.row + space.column / 2)
        return float(space.column), float(space.row)


def _walk(at: dict[Offset, int], space: Space, step: Offset) -> Iterable[int]:
    place = (space.column + step[0], space.row + step[1])
    while place in at:
        yield at[place]
        place = (place[0] + step[0], place[1] + step[1])


def _distances(start: int, neighbours: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """For each place, the length of the shortest way to it from a start."""
    unseen = len(neighbours)
    found = [unseen] * unseen
    found[start] = steps = 0
    edge = [start]
    while edge:
        steps += 1
        further = []
        for space in edge:
            for near in neighbours[space]:
                if found[near] == unseen:
                    found[near] = steps
                    further.append(near)
        edge = further
    return tuple([FAR if steps == unseen else steps for steps in found])


def _turning(rays: tuple[tuple[tuple[int, ...], ...], ...]) -> tuple[tuple[int, ...], ...]:
    """For each space and heading, as one number, the pairs that are reached by a step ahead or a turn to a side."""
    count = len(rays[0])
    return tuple(
        (
            *(space * count + (heading + turn) % count for turn in (1, -1)),
            *(near * count + heading for near in ahead[:1]),
        )
        for space, headings in enumerate(rays)
        for heading, ahead in enumerate(headings)
    )
