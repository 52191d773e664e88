"""Codecs of the keys of positions for tokens in zones: their names, rows, or numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from warchest.engine.evaluation import members_of
from warchest.game.errors import PositionError
from warchest.game.position.belonging import Belonging
from warchest.game.position.checked_values import CheckedMemory, CheckedReader
from warchest.game.position.key_codecs import KeyCodec
from warchest.game.position.position_parts import KeyPart, ValuePart
from warchest.game.position.read_cells import Memory, tokens_at
from warchest.lowering.layout import LIVE, Holders


class TokensCodec(KeyCodec):
    """A key for the tokens in a zone."""

    about = "zone"

    @cached_property
    def _holders(self) -> Holders:
        return self.layout.zones[self.number]

    @cached_property
    def _kinds(self) -> tuple[str, ...]:
        return self.ruleset.kinds_in(self.number)

    @cached_property
    def cells(self) -> range | None:
        holders, cells = self._holders, self.layout.holder_cells(self._holders.first)
        return range(cells.start, cells.start + len(cells) * holders.owners * holders.faces)

    def part(self) -> KeyPart:
        zone, names = self.ruleset.zones[self.number], tuple(sorted(self.format.documents_of(self._kinds)))
        owners = self.format.names.get(zone.of, ())
        return KeyPart(self.key, self.words[0], zone.name, names, owners, not owners, zone.faces)


class ZoneCodec(TokensCodec):
    """A key for the names of the tokens in a zone: a list, or one for each owner, and for each face."""

    words = ("zone",)

    def write(self, memory: Memory) -> object:
        return self.format.zone(memory, self.number)

    def hidden(self, sees: Callable[[int], bool]) -> Iterator[tuple[str, ...]]:
        zone, holders = self.ruleset.zones[self.number], self._holders
        for owner, name in enumerate(self.format.names.get(zone.of, ("",))):
            for face in range(holders.faces):
                if not sees(holders.number(owner, face)):
                    yield (self.key, *([name] if name else ()), *zone.faces[face : face + 1])

    def read(self, reader: CheckedReader, value: object) -> None:
        reader.read_zone(self.key, self.number, value)

    def fill(self, reader: CheckedReader, value: object) -> None:
        if self.shape.get("gathered") and not value:
            for cell in reader.belonging.gathered(self.number):
                reader.memory[cell] = 1

    def check_apart(self, reader: CheckedMemory) -> None:
        if self.shape.get("apart"):
            reader.belonging.check_apart(self.key, self.number)

    def check_whole(self, reader: CheckedMemory, value: object) -> None:
        if self.shape.get("gathered") and value:
            reader.belonging.check_gathered(self.key, self.number)

    def held(self, belonging: Belonging, document: int, player: int) -> Mapping[str, int]:
        notes = belonging.notes.get(document, ())
        found = {one: count for zone, one, _, whose, count in notes if (zone, whose) == (self.number, player)}
        return {f"{self.key}.{self.naming.players[one]}": count for one, count in found.items()}


class CountsCodec(TokensCodec):
    """A key for the number of tokens of each document that every player has in a zone."""

    words = ("counts",)

    def write(self, memory: Memory) -> object:
        found = dict[str, dict[str, int]]()
        for player, name in enumerate(self.naming.players):
            there = tokens_at(self.layout, memory, self._holders.number(player))
            found[name] = dict(sorted((self.naming.documents[document], count) for document, count in there.items()))
        for kind, document in self.format.counted:
            if kind in self._kinds and not any(document in has for has in found.values()):
                found[self.naming.players[0]][document] = 0
        return found

    def read(self, reader: CheckedReader, value: object) -> None:
        for place, name, counts in reader.entries(self.key, value):
            cells = self.layout.holder_cells(self._holders.number(reader.named(self.key, "player", name)))
            for where, document, count in reader.entries(place, counts):
                count = reader.count(where, count)
                reader.memory[cells[reader.document(where, document, self._kinds)]] = count


class CountCodec(TokensCodec):
    """A key for the number of tokens in a zone of the game that holds only one document."""

    words = ("count",)

    def write(self, memory: Memory) -> object:
        return sum(memory[cell] for cell in self.layout.holder_cells(self._holders.number(0)))

    def read(self, reader: CheckedReader, value: object) -> None:
        count = reader.count(self.key, value)
        reader.memory[self.layout.holder_cells(self._holders.number(0))[reader.only_document(self._kinds)]] = count

    @property
    def is_checked(self) -> bool:
        return True

    @cached_property
    def _only(self) -> tuple[int, int | None]:
        """The only document with tokens, and the number of its tokens, if this is declared."""
        document = next(number for number, one in enumerate(self.ruleset.sheets) if one.kind in self._kinds)
        copies = self.ruleset.copies.get(self.ruleset.zones[self.number].holds, "")
        return document, self.ruleset.sheets[document].numbers.get(copies)

    def check(self, reader: CheckedMemory, value: object) -> None:
        """Also check that the tokens of the document in this zone and on the board are no more than exist."""
        super().check(reader, value)
        document, most = self._only
        layout, memory = self.layout, reader.memory
        pieces = self.format.of_pieces_in(memory)
        if (self.key, "made of it") not in pieces:
            first, width = layout.tokens + layout.first_piece_holder * layout.documents + document, layout.documents
            there = members_of(layout.set_in(memory, LIVE))
            pieces[self.key, "made of it"] = sum([memory[first + piece * width] for piece in there])
        in_zone = memory[layout.tokens + self._holders.first * layout.documents + document]
        count = in_zone + pieces[self.key, "made of it"]
        if most is not None and count > most:
            raise PositionError(self.key, f"there are {count} of them then, and only {most} exist")

    def part(self) -> KeyPart:
        return KeyPart(self.key, "count", self.of, tuple(self.format.documents_of(self._kinds))[:1], nobody=True)


class RowsCodec(TokensCodec):
    """A key for a mapping for each token in a zone of the game: its name, and the teams that have marked it."""

    words = ("rows",)
    cells = None

    @property
    def told(self) -> tuple[str, ...]:
        return self.of, self.shape["in"]

    @cached_property
    def _marks(self) -> Holders:
        return self.layout.zones[self.format.zones[self.shape["in"]]]

    def write(self, memory: Memory) -> object:
        rows = []
        for name in self.format.tokens(memory, self._holders.first):
            document = self.naming.documents.index(name)
            teams = [
                team
                for number, team in enumerate(self.layout.board.teams)
                if memory[self.layout.holder_cells(self._marks.number(number))[document]]
            ]
            rows.append({self.shape["name"]: name, self.shape["teams"]: teams})
        return rows

    def read(self, reader: CheckedReader, value: object) -> None:
        name, teams = self.shape["name"], self.shape["teams"]
        for where, one in reader.items(self.key, value):
            row = reader.row(where, one, (name, teams), (name,))
            document = reader.document(f"{where}.{name}", row[name], self._kinds)
            reader.mark(f"{where}.{name}", self._holders.number(0), document, row[name])
            for place, team in reader.items(f"{where}.{teams}", row.get(teams, ())):
                reader.mark(place, self._marks.number(reader.named(place, "team", team)), document, team)

    def part(self) -> KeyPart:
        names, marks = tuple(sorted(self.format.documents_of(self._kinds))), (self.shape["teams"],)
        values = (ValuePart(marks, "names", self.format.names["team"]),)
        return KeyPart(self.key, "rows", self.of, names, entry={"document": self.shape["name"]}, values=values)
