"""Things without a key in positions: zones and fields that matter only while something is pending.

A hidden deck during a draft, a mark that a card sets and takes away again: in a position they are told with what is
pending, under `zones` and `fields`, and only where they are not as usual.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from warchest.engine.evaluation import members_of
from warchest.engine.runs import Overfull
from warchest.game.errors import PositionError
from warchest.game.position.checked_values import CheckedReader
from warchest.game.position.keys import Keys, Memory
from warchest.game.position.makeup import Untold
from warchest.game.position.modifiers import Bonuses, Links
from warchest.lowering.layout import DECLARED, LIVE, Layout

_ZONE_KEYS = ("zone", "rows", "in", "count", "counts")


class Unlisted:
    """Writes and reads the zones and fields without a key."""

    def __init__(self, format_: Keys, links: Links) -> None:
        self.format = format_
        self.layout: Layout = format_.layout
        ruleset, shapes = self.layout.ruleset, format_.shapes.values()
        zones = {shape[key] for shape in shapes for key in _ZONE_KEYS if key in shape}
        fields = {shape[key] for shape in shapes for key in ("field", "turn of", "spaces by", "values") if key in shape}
        of_pieces = set(_texts([shape.get(key, {}) for shape in shapes for key in ("fields", "marks")]))
        self.zones = [number for number, zone in enumerate(ruleset.zones) if zone.name not in zones]
        self.fields = [
            number
            for number, field in enumerate(ruleset.fields)
            if not field.per
            and field.part is None
            and (field.act >= 0 or field.name not in (of_pieces if field.of == "piece" else fields))
        ]
        self.partly = {number: kinds for number, kinds in self._told_of_some().items() if kinds}
        """The fields that only some kinds of pieces have in their entries, each with the kinds that lack it."""
        self.usual = self._start(self.layout.blank())
        self.makeup = Untold(format_)
        self.bonuses = Bonuses(self.layout, format_.naming, links)

    def _told_of_some(self) -> dict[int, list[int]]:
        """Return for each field of pieces with a key the kinds that lack it, among remains and their origins."""
        kinds = self.layout.ruleset.kinds
        akin = [
            number
            for number, kind in enumerate(kinds)
            if kind.remains_of >= 0 or any(one.remains_of == number for one in kinds)
        ]
        shapes: dict[str, list[str]] = {kinds[number].name: [] for number in akin}
        for shape in self.format.shapes.values():
            if shape.get("pieces") in shapes:
                shapes[shape["pieces"]] += _texts([shape.get(key, {}) for key in ("fields", "marks")])
        fields = enumerate(self.layout.ruleset.fields)
        return {
            number: [one for one in akin if field.name not in shapes[kinds[one].name]]
            for number, field in fields
            if akin and field.of == "piece" and not field.per and number not in self.fields
        }

    def _start(self, memory: Memory) -> Memory:
        """Put the board's values of the fields into a memory."""
        for number in self.fields:
            if self.layout.ruleset.fields[number].of == "space":
                self.layout.put_start(memory, number)
        return memory

    def write(self, memory: Memory) -> dict[str, Any]:
        """Return `zones`, `fields`, `pieces` and `bonuses` with all that is not as usual, each only if there is any."""
        ruleset = self.layout.ruleset
        zones = {ruleset.zones[number].name: self.format.zone(memory, number) for number in self.zones}
        fields = {self._called(number): self._values(memory, number) for number in (*self.fields, *self.partly)}
        told = {
            "zones": {name: value for name, value in zones.items() if holds_something(value)},
            "fields": {name: value for name, value in fields.items() if value},
            "pieces": self.makeup.write(memory),
            "bonuses": self.bonuses.write(memory),
        }
        return {key: value for key, value in told.items() if value}

    def _called(self, number: int) -> str:
        ruleset = self.layout.ruleset
        field = ruleset.fields[number]
        of = ruleset.verbs[field.act].act if field.act >= 0 else field.of or "game"
        return field.name if field.is_under_way else f"{field.name} of {of}"

    def _values(self, memory: Memory, number: int) -> dict[str, int]:
        """Return the values of a field that are not as usual, by the things that have it."""
        field, naming = self.layout.ruleset.fields[number], self.format.naming
        if field.of == "piece":
            index, stride = self.layout.piece_field[number], self.layout.stride
            first, usual = self.layout.pieces + index, self.layout.fresh[index - DECLARED]
            masks = [memory[self.layout.of_kind + kind] for kind in self.partly.get(number, ())] or [memory[LIVE]]
            odd = [one for mask in masks for one in members_of(mask) if memory[first + one * stride] != usual]
            there = naming.pieces(memory) if odd else ()
            return {naming.piece(one, memory): memory[first + one * stride] for one in there if one in odd}
        cells = slice(self.layout.fields[number], self.layout.fields[number] + self.layout.field_width(number))
        both = enumerate(zip(memory[cells], self.usual[cells], strict=True))
        return {str(place): value for place, (value, usual) in both if value != usual}

    def read(self, pending: Any, reader: CheckedReader, memory: Memory) -> None:
        """Put what is told, and what is usual elsewhere, into a memory; raises PositionError."""
        self._start(memory)
        told = pending if isinstance(pending, Mapping) else {}
        for name, value in reader.mapping("pending.zones", told.get("zones", {})).items():
            number = self.format.zones.get(name)
            if number not in self.zones:
                raise PositionError(f"pending.zones.{name}", "this is not pending work of the game")
            reader.read_zone(f"pending.zones.{name}", number, value)
        called = {self._called(number): number for number in (*self.fields, *self.partly)}
        for name, values in reader.mapping("pending.fields", told.get("fields", {})).items():
            where = f"pending.fields.{name}"
            if name not in called:
                raise PositionError(where, "this is not pending work of the game")
            for of, value in reader.mapping(where, values).items():
                if type(value) is not int or not self.layout.field_can_be(called[name], value):
                    raise PositionError(f"{where}.{of}", f"there is no such value: {value!r}")
                try:
                    memory[self._cell(called[name], of, memory)] = value
                except (LookupError, ValueError, TypeError, AttributeError):
                    raise PositionError(f"{where}.{of}", "there is nothing that is called so") from None
        self.makeup.read(told.get("pieces", {}), reader, "pending.pieces")
        try:
            self.bonuses.read(reader.mapping("pending.bonuses", told.get("bonuses", {})), reader.run)
        except (LookupError, ValueError, TypeError, AttributeError, Overfull):
            raise PositionError("pending.bonuses", "this is not pending work of the game") from None

    def _cell(self, number: int, of: str, memory: Memory) -> int:
        if number in self.layout.piece_field:
            piece = self.format.naming.piece_named(of, memory, whole=False)
            return self.layout.piece(piece) + self.layout.piece_field[number]
        if not 0 <= int(of) < self.layout.field_width(number):
            raise IndexError(of)
        return self.layout.fields[number] + int(of)


def _texts(value: Any) -> Iterator[str]:
    """Yield all texts in lists and mappings, whatever their keys."""
    if isinstance(value, str):
        yield value
    else:
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(inner)


def holds_something(value: Any) -> bool:
    """Whether there is anything in a list, or in one of the lists of a mapping."""
    return any(map(holds_something, value.values())) if isinstance(value, Mapping) else bool(value)
