"""Checked values of positions: each must be of the kind that its key asks for, or a known name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.suggest import did_you_mean
from warchest.engine.runs import Run
from warchest.game.errors import PositionError
from warchest.game.position.belonging import Belonging
from warchest.game.position.keys import Keys
from warchest.game.position.read_cells import Memory
from warchest.ir.values import NOTHING


class CheckedMemory:
    """A memory that is checked against a position; methods raise PositionError, with the place, for impossible values.

    Each value of the position must have the right type.
    """

    def __init__(self, format_: Keys, memory: Memory) -> None:
        self.format, self.memory = format_, memory
        self.layout, self.naming = format_.layout, format_.naming
        self.belonging = Belonging(format_, memory)

    def name(self, field: str, value: object, names: Sequence[str], what: str) -> int:
        """Return the index of a name in a list; raises PositionError for an unknown one."""
        if not isinstance(value, str):
            raise PositionError(field, f"the name of {with_article(what)} is needed, not {value!r}")
        if value not in names:
            hint = did_you_mean(value, names)
            raise PositionError(field, f"there is no {what} {value!r}" + (f"; {hint}" if hint else ""))
        return names.index(value)

    def named(self, field: str, base: str, value: object) -> int:
        """Return the number of a player, a team, a space or another named value."""
        return self.name(field, value, self.format.names[base], base)

    def tagged(self, field: str, value: object, tag: str) -> int:
        """Return the number of a space; if a tag is given, the space must have it."""
        space = self.named(field, "space", value)
        if tag and space not in self.layout.board.tagged(tag):
            raise PositionError(field, f"{value} is not {with_article(tag)}")
        return space

    def document(self, field: str, value: object, kinds: tuple[str, ...]) -> int:
        """Return the number of a document, which must be of one of the given kinds."""
        numbers = self.format.documents_of(kinds)
        if not isinstance(value, str) or value not in numbers:
            self.name(field, value, list(numbers), " or ".join(kinds))
        return numbers[str(value)]

    def listed(self, field: str, value: object) -> list[Any]:
        """Return a value that must be a list; raises PositionError."""
        if not isinstance(value, list | tuple):
            raise PositionError(field, f"a list is needed, not {value!r}")
        return list(value)

    def items(self, field: str, value: object) -> Iterator[tuple[str, Any]]:
        """Yield the place and the value of each item of a value, which must be a list."""
        return ((f"{field}[{index}]", item) for index, item in enumerate(self.listed(field, value)))

    def mapping(self, field: str, value: object) -> Mapping[str, Any]:
        """Return a value that must be a mapping; raises PositionError."""
        if not isinstance(value, Mapping):
            raise PositionError(field, f"a mapping is needed, not {value!r}")
        return value

    def entries(self, field: str, value: object) -> Iterator[tuple[str, str, Any]]:
        """Yield the place, the key and the value of each entry of a value, which must be a mapping."""
        return ((f"{field}.{key}", key, inner) for key, inner in self.mapping(field, value).items())

    def known(self, where: str, item: Mapping[str, Any], names: Collection[str], besides: Sequence[str] = ()) -> None:
        """Check that a mapping has no unknown keys; keys in `besides` are allowed, but never suggested."""
        for key in item:
            if key not in names and key not in besides:
                hint = did_you_mean(str(key), names)
                raise PositionError(
                    f"{where}.{key}".lstrip("."), f"no such key; {hint}" if hint else "no such key", by_key=True
                )

    def row(self, where: str, value: object, names: Sequence[str], needed: Sequence[str]) -> Mapping[str, Any]:
        """Return a mapping that has only known keys, and all keys that are needed; raises PositionError."""
        item = self.mapping(where, value)
        self.known(where, item, names)
        for key in needed:
            if key not in item:
                raise PositionError(f"{where}.{key}", "this is missing")
        return item

    def count(self, where: str, value: object) -> int:
        """Return a number that is not less than zero; raises PositionError."""
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise PositionError(where, f"a number from 0 is needed, not {value!r}")
        return value

    def value(self, where: str, base: str, value: object) -> int:
        """Return the value of a field; raises PositionError where it has another type."""
        if base == "flag":
            if not isinstance(value, bool):
                raise PositionError(where, f"true or false is needed, not {value!r}")
            return int(value)
        if base == "number":
            return self.count(where, value)
        return NOTHING if value is None else self.named(where, base, value)

    def only_document(self, kinds: Collection[str]) -> int:
        """Return the only document of some kinds."""
        return next(number for number, one in enumerate(self.layout.ruleset.sheets) if one.kind in kinds)


class CheckedReader(CheckedMemory):
    """Reads a position into the memory of a run."""

    memory: list[int]

    def __init__(self, format_: Keys, run: Run) -> None:
        super().__init__(format_, run.memory)
        self.run = run
        self.least = 1
        """The fewest tokens of a piece: 0 in a position with pending work, which may be about to remove the piece."""
        self.said: list[tuple[str, int, int]] = []
        """The values in entries of pieces for fields that rules can override: the place, the cell, and the value."""

    def put(self, where: str, holder: int, kinds: tuple[str, ...], value: object) -> None:
        """Add the tokens named in a list to a holder."""
        cells = self.layout.holder_cells(holder)
        for place, name in self.items(where, value):
            self.memory[cells[self.document(place, name, kinds)]] += 1

    def mark(self, where: str, holder: int, document: int, name: object) -> None:
        """Put the one token of a document into a holder; raises PositionError if the token is there already."""
        cell = self.layout.holder_cells(holder)[document]
        if self.memory[cell]:
            raise PositionError(where, f"{name} is given twice")
        self.memory[cell] = 1

    def read_zone(self, key: str, number: int, value: object) -> None:
        """Read the contents of a zone."""
        zone, holders = self.layout.ruleset.zones[number], self.layout.zones[number]
        kinds = self.layout.ruleset.kinds_in(number)
        if zone.of == "game":
            self.put(key, holders.number(0), kinds, value)
            return
        for where, name, tokens in self.entries(key, value):
            owner = self.named(key, zone.of, name)
            if not zone.faces:
                self.put(where, holders.number(owner), kinds, tokens)
                continue
            for place, face, items in self.entries(where, tokens):
                self.put(place, holders.number(owner, self.name(where, face, zone.faces, "face")), kinds, items)
