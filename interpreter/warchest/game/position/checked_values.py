"""Checked values of positions: each must be of the kind that its key asks for, or a known name."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.suggest import did_you_mean
from warchest.engine.runs import Run
from warchest.game.errors import PositionError
from warchest.game.position.keys import Keys
from warchest.ir.values import NOTHING


class CheckedReader:
    """Reads single values of one position; each method raises PositionError, with the place, where one cannot be."""

    def __init__(self, format_: Keys, run: Run) -> None:
        self.format, self.run, self.memory = format_, run, run.memory
        self.layout, self.naming = format_.layout, format_.naming
        self.least = 1
        """The fewest tokens that a piece can be made of: none, while it waits to be taken off the board."""
        self.said: list[tuple[str, int, int]] = []
        """The values in entries of pieces of fields that something can prevail over: where, the cell, and its value."""

    def name(self, field: str, value: Any, names: Sequence[str], what: str) -> int:
        """Return the number of a name among some; raises PositionError."""
        if not isinstance(value, str):
            raise PositionError(field, f"the name of {with_article(what)} is needed, not {value!r}")
        if value not in names:
            hint = did_you_mean(value, names)
            raise PositionError(field, f"there is no {what} {value!r}" + (f"; {hint}" if hint else ""))
        return names.index(value)

    def team(self, field: str, value: Any) -> int:
        """Return the number of a team."""
        return self.name(field, value, self.layout.board.teams, "team")

    def player(self, field: str, value: Any) -> int:
        """Return the number of a player."""
        return self.name(field, value, self.naming.players, "player")

    def space(self, field: str, value: Any) -> int:
        """Return the number of a space."""
        return self.name(field, value, self.naming.spaces, "space")

    def document(self, field: str, value: Any, kinds: tuple[str, ...]) -> int:
        """Return the number of a document of one of some kinds."""
        numbers = self.format.documents_of(kinds)
        if not isinstance(value, str) or value not in numbers:
            self.name(field, value, list(numbers), " or ".join(kinds))
        return numbers[value]

    def listed(self, field: str, value: Any) -> list[Any]:
        """Return a value that must be a list; raises PositionError."""
        if not isinstance(value, list | tuple):
            raise PositionError(field, f"a list is needed, not {value!r}")
        return list(value)

    def mapping(self, field: str, value: Any) -> Mapping[str, Any]:
        """Return a value that must be a mapping; raises PositionError."""
        if not isinstance(value, Mapping):
            raise PositionError(field, f"a mapping is needed, not {value!r}")
        return value

    def known(self, where: str, item: Mapping[str, Any], names: Sequence[str]) -> None:
        """Check that a mapping has no keys but some; raises PositionError."""
        for key in item:
            if key not in names:
                hint = did_you_mean(str(key), names)
                raise PositionError(f"{where}.{key}", f"no such key; {hint}" if hint else "no such key", by_key=True)

    def value(self, where: str, base: str, value: Any) -> int:
        """Return the value of a field; raises PositionError where it is of another kind."""
        if base == "flag":
            if not isinstance(value, bool):
                raise PositionError(where, f"true or false is needed, not {value!r}")
            return int(value)
        if base == "number":
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise PositionError(where, f"a number from 0 is needed, not {value!r}")
            return value
        if value is None:
            return NOTHING
        names = {
            "player": self.naming.players,
            "team": self.layout.board.teams,
            "space": self.naming.spaces,
            "direction": self.layout.board.directions,
            "document": self.naming.documents,
        }
        return self.name(where, value, names[base], base)

    def read_zone(self, key: str, number: int, value: Any) -> None:
        """Read the contents of a zone."""
        zone = self.layout.ruleset.zones[number]
        if zone.of == "game":
            self._tokens(key, number, 0, 0, value)
            return
        for name, tokens in self.mapping(key, value).items():
            player = self.player(key, name) if zone.of_player else self.team(key, name)
            where = f"{key}.{name}"
            if not zone.faces:
                self._tokens(where, number, player, 0, tokens)
                continue
            for face, items in self.mapping(where, tokens).items():
                index = self.name(where, face, zone.faces, "face")
                self._tokens(f"{where}.{face}", number, player, index, items)

    def _tokens(self, where: str, number: int, player: int, face: int, value: Any) -> None:
        cells = self.layout.holder_cells(self.layout.zones[number].number(player, face))
        kinds = self.layout.ruleset.kinds_in(number)
        for index, name in enumerate(self.listed(where, value)):
            self.memory[cells[self.document(f"{where}[{index}]", name, kinds)]] += 1

    def only_document(self, kinds: Collection[str]) -> int:
        """Return the document of some kinds, of which there is only one."""
        return next(number for number, one in enumerate(self.layout.ruleset.sheets) if one.kind in kinds)
