"""The keys of positions: each with its shape, and the things of the game that shapes name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

from warchest.engine.evaluation import members_of
from warchest.game.position.read_cells import Memory, ReadCells, remember, tokens_at
from warchest.game.telling.naming import Naming
from warchest.ir.ruleset import LASTS
from warchest.ir.values import steps_of
from warchest.lowering.layout import DECLARED, Layout

Shape = Mapping[str, Any]
Shapes = Mapping[str, Shape]
"""The shapes that a game's document gives the keys of positions."""
OVER = "winner"
"""The key of a position of a finished game: the winner, or none."""
LASTING = "lasting"
"""The key for texts that hold until a moment or are carried out at one, by document, then by piece or player."""
USED = "used"
"""The key for the uses of limits, by document, then by piece or player."""
TOLD = (USED, LASTING)
"""The keys for the fields that texts have without a declaration."""


class Keys(ReadCells):
    """The keys of the positions of a variant, and single values in the form that positions use.

    `sheets` has the values of documents by kind and name, `told` the sheets that came with a position. `packs` are the
    names of those packs that declare more than words: a position names them, for without them it cannot be read.
    """

    def __init__(
        self,
        layout: Layout,
        naming: Naming,
        shapes: Shapes,
        options: Mapping[str, str],
        limits: Mapping[int, int],
        sheets: Mapping[tuple[str, str], Mapping[str, Any]],
        told: Sequence[tuple[str, str]] = (),
        packs: Sequence[str] = (),
    ) -> None:
        super().__init__(layout)
        self.naming, self.shapes, self.limits = naming, shapes, limits
        self.options, self.sheets, self.told, self.packs = options, sheets, told, list(packs)
        ruleset = layout.ruleset
        self.zones = {zone.name: number for number, zone in enumerate(ruleset.zones)}
        named = [(number, field) for number, field in enumerate(ruleset.fields) if not field.per]
        self.fields = {field.name: number for number, field in named if field.of != "piece" and field.act < 0}
        self.kinds = {kind.name: number for number, kind in enumerate(ruleset.kinds)}
        self._documents: dict[tuple[str, ...], dict[str, int]] = {}
        self.of_pieces = {field.name: number for number, field in named if field.of == "piece"}
        self.names: dict[str, tuple[str, ...]] = {
            "player": naming.players,
            "team": tuple(layout.board.teams),
            "space": naming.spaces,
            "direction": tuple(layout.board.directions),
            "document": naming.documents,
        }
        """The names of the values of each base that has names."""
        self.of_texts: dict[str, dict[str, int]] = {key: {} for key in TOLD}
        """The fields of limits and of texts that last, by key and by the name of the document that they belong to."""
        for number, field in enumerate(ruleset.fields):
            if field.per:
                self.of_texts[LASTING if field.per == LASTS else USED][field.name] = number

    def over(self, layout: Layout) -> Self:
        """Return the same keys for memories with another layout."""
        return type(self)(
            layout, self.naming.over(layout), self.shapes, self.options, self.limits, self.sheets, self.told, self.packs
        )

    @cached_property
    def counted(self) -> list[tuple[str, str]]:
        """The documents that came with a position and are on no sheet: they are listed even when their count is 0."""
        said = {
            value
            for kind, name in self.told
            for key, value in self.sheets[kind, name].items()
            if key != kind and isinstance(value, str)
        }
        return [one for one in self.told if one[1] not in said]

    @cached_property
    def armies(self) -> list[int]:
        """The zones that show the owners of documents."""
        return [self.zones[shape["zone"]] for shape in self.shapes.values() if shape.get("apart")]

    @cached_property
    def brought(self) -> set[str]:
        """The kinds of the documents that armies are made of."""
        return {kind for army in self.armies for kind in self.layout.ruleset.kinds_in(army)}

    @cached_property
    def holdings(self) -> list[tuple[int, int, int]]:
        """The holders of the zones of players that are not for armies: the zone, the player, and the holder."""
        return [
            (number, player, self.layout.zones[number].number(player, face))
            for number, zone in enumerate(self.layout.ruleset.zones)
            if zone.of_player and number not in self.armies
            for player in range(self.layout.players)
            for face in range(self.layout.zones[number].faces)
        ]

    def shown(self, field: int, cell: int, memory: Memory) -> Any:
        """Return the value of a field in a cell, as positions write it; for a trail, a list of all its values."""
        one = self.layout.ruleset.fields[field]
        if one.steps is not None:
            steps = reversed(steps_of(self.layout.trail_in(memory, cell)))
            return [self.naming.name(one.steps, step - 1, memory) for step in steps]
        return bool(memory[cell]) if one.base == "flag" else self.naming.name(one.base, memory[cell], memory)

    def values(self, memory: Memory, field: int) -> dict[str, Any]:
        """Return the values of a field that differ from the default, by the names of the players, teams or spaces."""
        first, usual = self.layout.fields[field], self.blank
        if self.is_blank(memory, first, first + self.layout.field_width(field)):
            return {}
        return {
            name: self.shown(field, cell, memory)
            for cell, name in enumerate(self.names[self.layout.ruleset.fields[field].of], first)
            if memory[cell] != usual[cell]
        }

    @cached_property
    def held_by(self) -> list[list[slice]]:
        """The rows that count the tokens in the zones of each player, except zones of armies."""
        players = range(self.layout.players)
        return [self.layout.rows_of(one for _, whose, one in self.holdings if whose == player) for player in players]

    @cached_property
    def army_holders(self) -> list[int]:
        """The holders of the armies of all players."""
        return [self.layout.zones[army].number(player) for player in range(self.layout.players) for army in self.armies]

    def odd_pieces(self, memory: Memory, field: int, sets: Iterable[int]) -> list[int]:
        """Return the pieces whose value of a field differs from the default, among the sets of pieces in some cells."""
        index, stride = self.layout.piece_field[field], self.layout.stride
        first, usual = self.layout.pieces + index, self.layout.fresh[index - DECLARED]
        there = (members_of(self.layout.set_in(memory, cell)) for cell in sets)
        odd = {one for some in there for one in some if memory[first + one * stride] != usual}
        return [one for one in self.naming.pieces(memory) if one in odd] if odd else []

    def printed(self, document: int, sheet: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values printed on a document under some keys, or the default values there."""
        if not sheet:
            return {}
        values = self.sheets.get((self.layout.ruleset.sheets[document].kind, self.naming.documents[document]), {})
        return {key: values.get(key, usual) for key, usual in sheet.items()}

    def zone(self, memory: Memory, number: int) -> Any:
        """Return the tokens in a zone: a list, or for zones of players and teams a list for each, face by face."""
        zone, holders = self.layout.ruleset.zones[number], self.layout.zones[number]
        if zone.of == "game":
            return self.tokens(memory, holders.first)
        owners = enumerate(self.names[zone.of])
        if not zone.faces:
            return {name: self.tokens(memory, holders.first + owner) for owner, name in owners}
        return {
            name: {face: self.tokens(memory, holders.number(owner, index)) for index, face in enumerate(zone.faces)}
            for owner, name in owners
        }

    def tokens(self, memory: Memory, holder: int) -> list[str]:
        """Return the names of the tokens of a holder, each as often as there are of it, sorted."""
        cells = self._part_of(memory, self._tokens + holder * self._width, self._tokens + (holder + 1) * self._width)
        names = self._lists.get(cells)
        if names is None:
            names = remember(self._lists, cells, self.listed(tokens_at(self.layout, memory, holder)))
        return names[:]

    def listed(self, tokens: Mapping[int, int]) -> list[str]:
        """Return the names of tokens, each as often as there are of it, sorted."""
        return sorted([self.naming.documents[document] for document, count in tokens.items() for _ in range(count)])

    def documents_of(self, kinds: tuple[str, ...]) -> Mapping[str, int]:
        """Return the numbers of the documents of some kinds, by their names."""
        if kinds not in self._documents:
            ruleset = self.layout.ruleset
            names = dict.fromkeys(sheet.name for sheet in ruleset.sheets if sheet.kind in kinds)
            self._documents[kinds] = {name: ruleset.sheet_number(name, kinds) for name in names}
        return self._documents[kinds]

    def kind(self, noun: str) -> int:
        """Return the number of the kind of piece with this noun."""
        return self.kinds[noun]
