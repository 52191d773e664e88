"""Observations: rows of numbers with everything that a seat sees, made from the game's declarations.

A row has one column for each field, space, token in a zone, and field of a piece on a space, as far as positions
contain them. A zone that the seat does not see is represented by the number of its tokens only, as in `State.view`.
Players and teams are counted from the seat on.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from itertools import chain

from warchest.game.position.zone_codecs import ZoneCodec
from warchest.game.variant import Variant
from warchest.ir.ruleset import Field
from warchest.lowering.layout import DOCUMENT, OWNER
from warchest.native.memory_transfer import Border
from warchest.rl.actions import WHICH, deep_of, holder_from

PARTS_SEEN = 8
"""The most parts of an option under way that are seen; further ones are not."""
FRONT = ("seat", "decides", "question", *(f"part {number + 1}" for number in range(PARTS_SEEN)))
"""The columns in front: the seat, whether it decides, the question, and the parts of the option under way."""
KIND_ROW = 5
"""The numbers of the row of a kind of pieces."""


class SeenAs(IntEnum):
    """The contents of a column: see batch.c."""

    NUMBER = 0
    NAME = 1
    SEAT = 2
    TEAM = 3
    TOKENS = 4


class ObservationTable:
    """The columns of the observations of a variant, and for each seat the cells of native memory in them."""

    def __init__(self, variant: Variant, border: Border) -> None:
        self.variant, self.layout, self.naming = variant, variant.program.layout, variant.naming
        self._border = border
        codecs = variant.format.codecs
        self._told = {(one.about, name) for one in codecs for name in one.told}
        self._told_of = {(one.of, name) for one in codecs if one.about == "piece" for name in one.told}
        zones = [one for one in codecs if one.about == "zone"]
        self._open = {name for one in zones if not isinstance(one, ZoneCodec) for name in one.told}
        """The zones that positions show to all players."""
        fields = [name for kind in SeenAs for name, _ in self._fields(0, kind)]
        self.columns = (*FRONT, *fields, *self._zone_names(), *self._piece_names())
        """The names of the columns."""

    # ---- fields and spaces

    def cells(self) -> list[int]:
        """Return the table of cells: the numbers of columns of each kind, all columns, and the cells of each seat."""
        kinds = [kind for kind in SeenAs if kind is not SeenAs.TOKENS]
        sizes = [sum(1 for _ in self._fields(0, kind)) for kind in kinds]
        found = [*sizes, sum(1 for _ in self._holders(0)), len(self.columns)]
        for seat in range(self.layout.players):
            found += (cell for kind in kinds for _, cell in self._fields(seat, kind))
            found += chain.from_iterable(self._zone_rows(seat))
        return found

    def _fields(self, seat: int, kind: SeenAs) -> Iterator[tuple[str, int]]:
        """Yield the columns of a kind, as a seat sees them: each with its name and its cell."""
        for number, field in enumerate(self.layout.ruleset.fields):
            if field.of != "piece" and seen_as(field) is kind and self._is_told(field):
                yield from self._field(seat, number, field)

    def _is_told(self, field: Field) -> bool:
        return is_lasting(field) and (bool(field.per) or ("field", field.name) in self._told)

    def _field(self, seat: int, number: int, field: Field) -> Iterator[tuple[str, int]]:
        first, count = self.layout.fields[number], self.layout.field_width(number)
        begins = {"player": seat, "team": self.layout.team_of[seat]}.get(field.of, 0)
        for place in range(count):
            name = self.naming.spaces[place] if field.of == "space" else f"{field.of} +{place}"
            cell = first + (begins + place) % count
            yield f"{field.name} of {name}" if field.of else field.name, self._border.place(cell)

    def _holders(self, seat: int) -> Iterator[tuple[str, int, int]]:
        """Yield the holders of the zones in positions: each with its name and its zone."""
        for number, zone in enumerate(self.layout.ruleset.zones):
            holders = self.layout.zones[number]
            for owner in range(holders.owners if ("zone", zone.name) in self._told else 0):
                whose = f" of {zone.of} +{owner}" if zone.of != "game" else ""
                for face in range(holders.faces):
                    name = f"{zone.name} {zone.faces[face]}" if zone.faces else zone.name
                    yield name + whose, number, holder_from(holders, zone.of, seat, owner, face, self.variant)

    def _zone_names(self) -> Iterator[str]:
        for name, zone, _ in self._holders(0):
            yield f"tokens in {name}"
            yield from (f"{self.naming.documents[document]} in {name}" for document in self._documents(zone))

    def _documents(self, zone: int) -> list[int]:
        """Return the documents that tokens in a zone can have."""
        kinds = self.layout.ruleset.kinds_in(zone)
        return [number for number, sheet in enumerate(self.layout.ruleset.sheets) if sheet.kind in kinds]

    def _zone_rows(self, seat: int) -> Iterator[tuple[int, ...]]:
        """Yield the row of each zone, as a seat sees it: see batch.c."""
        first = len(FRONT) + sum(1 for kind in SeenAs for _ in self._fields(0, kind))
        for _, zone, holder in self._holders(seat):
            seen = self.layout.ruleset.zones[zone].name in self._open or self.variant.sees(seat, holder)
            yield holder, first, int(seen), zone * self.layout.documents
            first += 1 + len(self._documents(zone))

    def documents_seen(self) -> list[int]:
        """Return the column of each document in each zone, counted from the column for the zone's number of tokens."""
        found = [0] * (len(self.layout.zones) * self.layout.documents)
        for zone in range(len(self.layout.zones)):
            for place, document in enumerate(self._documents(zone), 1):
                found[zone * self.layout.documents + document] = place
        return found

    def seen_from(self) -> list[int]:
        """Return for each seat the numbers of no player, each player, no team and each team, counted from this seat."""
        found = list[int]()
        for seat, team in enumerate(self.layout.team_of):
            for first, count in ((seat, self.layout.players), (team, self.layout.teams)):
                found += (0, *(1 + (one - first) % count for one in range(count)))
        return found

    # ---- pieces

    def _kind_columns(self, kind: int) -> list[tuple[str, SeenAs, int]]:
        """Return the columns of the pieces of a kind: name, contents, and the cell of the piece."""
        of = self.layout.ruleset.kinds[kind]
        found = [("document", SeenAs.NAME, DOCUMENT), ("owner", SeenAs.SEAT, OWNER), ("tokens", SeenAs.TOKENS, 0)]
        for number, cell in self.layout.piece_field.items():
            field = self.layout.ruleset.fields[number]
            if is_lasting(field) and (field.per or (of.name, field.name) in self._told_of):
                found.append((field.name, seen_as(field), cell))
        return found

    def _piece_names(self) -> Iterator[str]:
        for number, kind in enumerate(self.layout.ruleset.kinds):
            columns = self._kind_columns(number)
            for space in self.naming.spaces:
                yield f"number of {kind.name} on {space}"
                for which in WHICH[: deep_of(kind)]:
                    yield from (f"{which}{kind.name} on {space}: {name}" for name, _, _ in columns)

    def pieces(self) -> list[int]:
        """Return the table of the columns of pieces: see batch.c."""
        ruleset, spaces = self.layout.ruleset, len(self.naming.spaces)
        rows = [self._kind_columns(number) for number in range(len(ruleset.kinds))]
        heads, columns, table, number = list[int](), list[int](), KIND_ROW * len(rows), 0
        first = len(self.columns) - sum(1 for _ in self._piece_names())
        for kind, row in zip(ruleset.kinds, rows, strict=True):
            deep = deep_of(kind)
            heads += [first, len(row), table + len(columns), deep, number]
            columns += chain.from_iterable((as_, cell) for _, as_, cell in row)
            first += (1 + deep * len(row)) * spaces
            number += deep * spaces
        return [*heads, *columns]


def is_lasting(field: Field) -> bool:
    """Whether a field is neither a value of an act nor a piece, whose number has no meaning."""
    return field.act < 0 and field.base != "piece"


def seen_as(field: Field) -> SeenAs:
    """Return the form of a field: a trail is its length, a flag or a number itself, anything else its number."""
    if field.steps is not None or field.base in ("flag", "number"):
        return SeenAs.NUMBER
    return {"player": SeenAs.SEAT, "team": SeenAs.TEAM}.get(field.base, SeenAs.NAME)
