"""Zones and fields without a key in positions: they are written and read with the pending work.

Examples are a hidden deck during a draft, or a mark that a text sets and removes again. In a position they are part of
the pending work, under `zones` and `fields`, and only where they differ from the default.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from warchest.engine.evaluation import members_of
from warchest.engine.runs import Overfull
from warchest.game.errors import PositionError
from warchest.game.position.checked_values import CheckedReader
from warchest.game.position.key_codecs import KeyCodec, holds_something
from warchest.game.position.keys import Keys
from warchest.game.position.modifier_codecs import Bonuses
from warchest.game.position.piece_codecs import PlacesCodec, make_of, tokens_in
from warchest.game.position.read_cells import Memory, PositionMapping, copied, remember
from warchest.lowering.layout import DECLARED, KIND, LIVE, NATURE

_NOT_PENDING = "this is not pending work of the game"
_STACK, _NATURE = "stack", "nature"
"""The facts of pieces that the keys of their kinds may not tell."""


class Unlisted:
    """Writes and reads the zones and fields without a key."""

    def __init__(self, format_: Keys, codecs: Sequence[KeyCodec]) -> None:
        self.format, self.layout, self.naming = format_, format_.layout, format_.naming
        ruleset = self.layout.ruleset
        told = {(one.about, name) for one in codecs for name in one.told}
        self.of_kinds = {one.number: one for one in codecs if isinstance(one, PlacesCodec)}
        """The keys for pieces, by the kinds of these."""
        self.zones = [number for number, zone in enumerate(ruleset.zones) if ("zone", zone.name) not in told]
        self.fields = [
            number
            for number, field in enumerate(ruleset.fields)
            if not field.per
            and field.part is None
            and (field.act >= 0 or ("piece" if field.of == "piece" else "field", field.name) not in told)
        ]
        self.partly = {number: kinds for number, kinds in self._told_of_some(codecs).items() if kinds}
        """The fields that only some kinds of pieces have in their entries, each with the kinds that lack it."""
        self.usual = self.layout.kept(self._start(self.layout.blank()))
        self.bonuses = Bonuses(format_)
        self._of_others = [number for number in self.fields if number not in self.layout.piece_field]
        self._cells_of = {one: self.layout.field_cells(one) for one in self._of_others}
        self._usual_of = {
            one: self.layout.part_of(self.usual, cells.start, cells.stop) for one, cells in self._cells_of.items()
        }
        self._holders = {number: self._holder_cells(number) for number in self.zones}
        self._plain: dict[Hashable, bool] = {}
        """Whether the cells of a piece hold only usual values."""

    def _told_of_some(self, codecs: Sequence[KeyCodec]) -> dict[int, list[int]]:
        """Return for each field of pieces with a key the remains, and origins of remains, whose keys lack the field."""
        kinds = self.layout.ruleset.kinds
        origins = {kind.remains_of for kind in kinds}
        akin = [number for number, kind in enumerate(kinds) if kind.remains_of >= 0 or number in origins]
        told = {(one.of, name) for one in codecs for name in one.told if one.about == "piece"}
        return {
            number: [one for one in akin if (kinds[one].name, field.name) not in told]
            for number, field in enumerate(self.layout.ruleset.fields)
            if akin and field.of == "piece" and not field.per and number not in self.fields
        }

    def _start(self, memory: list[int]) -> list[int]:
        """Put the initial values of the fields of spaces into a memory."""
        for number in self.fields:
            if self.layout.ruleset.fields[number].of == "space":
                self.layout.put_start(memory, number)
        return memory

    def write(self, memory: Memory) -> PositionMapping:
        """Return `zones`, `fields`, `pieces` and `bonuses` with all values that are no defaults; without empty ones."""
        ruleset, (of_pieces, makeup, bonuses) = self.layout.ruleset, self._of_pieces(memory)
        filled = [number for number in self.zones if not self.format.is_blank(memory, *self._holders[number])]
        zones = {ruleset.zones[number].name: self.format.zone(memory, number) for number in filled}
        others = {number: values for number in self._of_others if (values := self._values(memory, number))}
        fields = {**others, **of_pieces}
        told = {
            "zones": {name: value for name, value in zones.items() if holds_something(value)},
            "fields": {self._called(one): fields[one] for one in (*self.fields, *self.partly) if one in fields},
            "pieces": makeup,
            "bonuses": bonuses,
        }
        return {key: value for key, value in told.items() if value}

    def _of_pieces(self, memory: Memory) -> tuple[dict[int, dict[str, int]], PositionMapping, PositionMapping]:
        """Return the part about pieces: their fields by number, their natures and tokens, and bonuses."""
        pieces, layout = self.format.of_pieces_in(memory), self.layout
        any_given = memory[layout.granted]
        given = layout.part_of(memory, layout.granted, layout.grants_end) if any_given else None
        if (given, "unlisted") not in pieces:
            if not any_given and self._all_plain(memory):
                pieces[given, "unlisted"] = None
            else:
                numbers = [one for one in (*self.fields, *self.partly) if one in layout.piece_field]
                fields = {one: values for one in numbers if (values := self._values(memory, one))}
                pieces[given, "unlisted"] = fields, self._makeup(memory), self.bonuses.write(memory)
        known = pieces[given, "unlisted"]
        return copied(known) if known is not None else ({}, {}, {})

    def _holder_cells(self, number: int) -> tuple[int, int]:
        """Return the cells for the tokens in a zone: the first cell, and the end."""
        holders, width = self.layout.zones[number], self.layout.documents
        first = self.layout.holder_cells(holders.first).start
        return first, first + holders.owners * holders.faces * width

    def _all_plain(self, memory: Memory) -> bool:
        """Whether all pieces have only usual values."""
        layout, known = self.layout, self._plain
        for one in members_of(layout.set_in(memory, LIVE)):
            cells = layout.piece_in(memory, one)
            plain = known.get(cells)
            if plain is None:
                plain = remember(known, cells, self._is_plain(memory, one))
            if not plain:
                return False
        return True

    def _is_plain(self, memory: Memory, number: int) -> bool:
        """Whether a piece has only default values in its fields, nothing raised, and only the tokens in its key."""
        layout, first = self.layout, self.layout.piece(number)
        cells = [layout.piece_field[field] for field in (*self.fields, *self.partly) if field in layout.piece_field]
        codec = self.of_kinds.get(memory[first + KIND])
        return (
            all(memory[first + cell] == layout.fresh[cell - DECLARED] for cell in cells)
            and not any(memory[first + layout.raised : first + layout.beneath])
            and not any(memory[first + layout.away : first + layout.stride])
            and not (codec is not None and codec.untold(memory, number))
        )

    def _makeup(self, memory: Memory) -> dict[str, PositionMapping]:
        """Return by piece the nature and the tokens that the piece's key does not cover."""
        told = {}
        for number in self.naming.pieces(memory):
            codec = self.of_kinds.get(memory[self.layout.piece(number) + KIND])
            if codec is not None and (untold := codec.untold(memory, number)):
                told[self.naming.piece(number, memory)] = untold
        return told

    def _called(self, number: int) -> str:
        ruleset = self.layout.ruleset
        field = ruleset.fields[number]
        of = ruleset.verbs[field.act].act if field.act >= 0 else field.of or "game"
        return field.name if field.is_under_way else f"{field.name} of {of}"

    def _values(self, memory: Memory, number: int) -> dict[str, int]:
        """Return the values of a field that differ from the default, by the things that have them."""
        if number in self.layout.piece_field:
            cell, lacking = self.layout.piece_field[number], self.partly.get(number, ())
            sets = [self.layout.of_kind + kind for kind in lacking] or [LIVE]
            odd = self.format.odd_pieces(memory, number, sets)
            return {
                self.naming.piece(one, memory): self._value(memory, number, self.layout.piece(one) + cell)
                for one in odd
            }
        cells = self._cells_of[number]
        if self.layout.part_of(memory, cells.start, cells.stop) == self._usual_of[number]:
            return {}
        odd = [cell for cell in cells if memory[cell] != self.usual[cell]]
        return {str(cell - cells.start): self._value(memory, number, cell) for cell in odd}

    def _value(self, memory: Memory, field: int, cell: int) -> int:
        """Return the value of a field in a cell, as a plain number."""
        of_steps = self.layout.ruleset.fields[field].steps is not None
        return self.layout.trail_in(memory, cell) if of_steps else memory[cell]

    def read(self, pending: Any, reader: CheckedReader) -> None:
        """Put the given values, and the defaults elsewhere, into the memory of a reader; raises PositionError."""
        self._start(reader.memory)
        told = pending if isinstance(pending, Mapping) else {}
        for where, name, value in reader.entries("pending.zones", told.get("zones", {})):
            number = self.format.zones.get(name)
            if number not in self.zones:
                raise PositionError(where, _NOT_PENDING)
            reader.read_zone(where, number, value)
        called = {self._called(number): number for number in (*self.fields, *self.partly)}
        for where, name, values in reader.entries("pending.fields", told.get("fields", {})):
            if name not in called:
                raise PositionError(where, _NOT_PENDING)
            for place, of, value in reader.entries(where, values):
                if type(value) is not int or not self.layout.field_can_be(called[name], value):
                    raise PositionError(place, f"there is no such value: {value!r}")
                try:
                    reader.memory[self._cell(called[name], of, reader.memory)] = value
                except (LookupError, ValueError, TypeError, AttributeError):
                    raise PositionError(place, "nothing has that name") from None
        for where, name, item in reader.entries("pending.pieces", told.get("pieces", {})):
            self._read_makeup(reader, where, name, item)
        try:
            self.bonuses.read(reader.mapping("pending.bonuses", told.get("bonuses", {})), reader.run)
        except (LookupError, ValueError, TypeError, AttributeError, Overfull):
            raise PositionError("pending.bonuses", _NOT_PENDING) from None

    def _read_makeup(self, reader: CheckedReader, where: str, name: str, item: object) -> None:
        """Read the nature and the tokens of a piece."""
        try:
            first = self.layout.piece(number := self.naming.piece_named(name, reader.memory, whole=False))
        except (LookupError, ValueError, AttributeError):
            raise PositionError(where, _NOT_PENDING) from None
        told, kind = reader.row(where, item, (_STACK, _NATURE), ()), reader.memory[first + KIND]
        if _NATURE in told:
            kinds = (self.layout.ruleset.kinds[kind].sheet,)
            reader.memory[first + NATURE] = reader.document(f"{where}.{_NATURE}", told[_NATURE], kinds)
        if _STACK in told:
            make_of(reader, number, tokens_in(reader, f"{where}.{_STACK}", kind, told[_STACK]))

    def _cell(self, number: int, of: str, memory: Memory) -> int:
        if number in self.layout.piece_field:
            piece = self.naming.piece_named(of, memory, whole=False)
            return self.layout.piece(piece) + self.layout.piece_field[number]
        if not 0 <= int(of) < self.layout.field_width(number):
            raise IndexError(of)
        return self.layout.fields[number] + int(of)
