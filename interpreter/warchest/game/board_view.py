"""The board of a game as callers see it: spaces and players by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from warchest.diagnostics.suggest import did_you_mean
from warchest.game.errors import PositionError
from warchest.lowering.board import FAR, Board, Space


@dataclass(frozen=True)
class BoardMap:
    """A board, with all that is on it by name: spaces, who is next to whom, distances, and the players."""

    board: Board

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"BoardMap({self.name!r})"

    @property
    def name(self) -> str:
        """The name of its document."""
        return self.board.name

    @property
    def shape(self) -> str:
        """The shape of its spaces: `hexes` or `squares`."""
        return self.board.shape

    @property
    def spaces(self) -> tuple[Space, ...]:
        """All spaces; elsewhere they are referred to by their names."""
        return self.board.spaces

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The players, in turn order."""
        return tuple(seat.name for seat in self.board.seats)

    @cached_property
    def teams(self) -> Mapping[str, str]:
        """The team of each player."""
        return {seat.name: seat.team for seat in self.board.seats}

    @property
    def directions(self) -> tuple[str, ...]:
        """The directions in which one can go from a space."""
        return self.board.directions

    def space(self, name: str) -> Space:
        """Return a space: its name, column, row and tags. Raises PositionError for an unknown one, as all do here."""
        return self.spaces[self._number(name)]

    def tagged(self, tag: str) -> tuple[str, ...]:
        """Return the spaces that bear a tag."""
        return tuple(space.name for space in self.spaces if tag in space.tags)

    def neighbours(self, space: str) -> tuple[str, ...]:
        """Return the spaces next to a space."""
        return tuple(self.spaces[near].name for near in self.board.neighbours[self._number(space)])

    def distance(self, space: str, other: str) -> int | None:
        """Return the length of the shortest way between two spaces; None where no way joins them."""
        steps = self.board.distance[self._number(space)][self._number(other)]
        return None if steps == FAR else steps

    def ahead(self, space: str, direction: str) -> tuple[str, ...]:
        """Return the spaces that one meets going straight on in a direction, the nearest first."""
        if direction not in self.directions:
            there = ", ".join(self.directions)
            raise PositionError("direction", f"there are only {there}, not {direction!r}")
        rays = self.board.rays[self._number(space)]
        return tuple(self.spaces[one].name for one in rays[self.directions.index(direction)])

    def _number(self, name: str) -> int:
        if name not in self.board.number:
            hint = did_you_mean(str(name), self.board.number)
            raise PositionError("space", f"there is no space {name!r}" + (f"; {hint}" if hint else ""))
        return self.board.number[name]


__all__ = ["BoardMap", "Space"]
