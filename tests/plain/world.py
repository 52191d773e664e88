"""A position of the game: units, coins, control and the initiative, as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from plain.board import LOCATIONS

PLAYERS = ("raven", "wolf")
ZONES = ("hand", "bag", "supply", "box", "up", "down")
ROYAL = "Royal Coin"
BOARD = "board"


@dataclass
class Unit:
    """A unit; one that has left the board is kept as it was last."""

    kind: str
    owner: str
    space: str
    coins: int
    there: bool = True


@dataclass
class World:
    """A position, with all that has left it."""

    units: list[Unit] = field(default_factory=list)
    zones: dict[tuple[str, str], list[str]] = field(
        default_factory=lambda: {(zone, player): [] for zone in ZONES for player in PLAYERS}
    )
    control: dict[str, str] = field(default_factory=dict)
    holder: str = "raven"
    stale: bool = False
    active: str = "raven"

    def copy(self) -> World:
        """A copy that goes its own way."""
        zones = {key: coins[:] for key, coins in self.zones.items()}
        return World([copy(one) for one in self.units], zones, dict(self.control), self.holder, self.stale, self.active)

    def present(self) -> Iterator[int]:
        """The numbers of the units on the board, column by column."""
        there = [number for number, one in enumerate(self.units) if one.there]
        return iter(sorted(there, key=lambda number: self.units[number].space))

    def on(self, space: str) -> int | None:
        """The number of the unit on a space, if there is one."""
        return next((number for number in self.present() if self.units[number].space == space), None)

    def position(self) -> dict[str, Any]:
        """The position in the keys of the game."""
        units = [
            {"at": one.space, "unit": one.kind, "owner": one.owner, "coins": one.coins}
            for one in self.units
            if one.there
        ]
        zones = {
            zone: {player: sorted(self.zones[zone, player]) for player in PLAYERS}
            for zone in ("hand", "bag", "supply", "box")
        }
        discard = {player: {side: sorted(self.zones[side, player]) for side in ("up", "down")} for player in PLAYERS}
        control = {player: sorted(one for one in LOCATIONS if self.control.get(one) == player) for player in PLAYERS}
        return {
            "to_act": self.active,
            "initiative": self.holder,
            "initiative_moved": self.stale,
            "control": control,
            "units": sorted(units, key=lambda one: str(one["at"])),
            **zones,
            "discard": discard,
        }


def opponent(player: str) -> str:
    """The other player."""
    return PLAYERS[player == PLAYERS[0]]
