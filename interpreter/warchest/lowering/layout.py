"""The layout of the memory of a state: one flat list of integers.

First some cells of the machine itself, then for each space the set of pieces on it, for each document and for each kind
the set of its pieces, the cells of the pieces, the declared fields, and the counts of tokens: for each holder (nowhere,
the zones, the pieces) and each document, the number of tokens there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from copy import copy
from typing import TypeAlias

from warchest.ir.followed_changes import watched_by
from warchest.ir.ruleset import Kind, Ruleset
from warchest.ir.values import NOTHING, steps_of
from warchest.lowering.board import Board
from warchest.source.records import record

ROUND, TURN, MUST_ASK, ENDED, WINNER, UNSETTLED, LAST, LIVE, POSTPONED = range(9)
FIRST = 9
SCRATCH = (ROUND, TURN, MUST_ASK, UNSETTLED, LAST, POSTPONED)
"""Cells that are ignored by equality: counters, and values that are settled at each decision."""

KIND, DOCUMENT, SPACE, NATURE, OWNER = range(5)
"""The cells of every piece: NATURE is the document that it was made of, also in another form."""
DECLARED = 5
"""The first of the cells of a piece for its declared fields."""
MOST = 10**9
"""The greatest number in untrusted input."""
GRANT, GRANTS = 7, 48
"""The number of cells of a grant that ends, and the greatest number of such grants at the same time."""
LastKnown: TypeAlias = tuple[int, int, int]
"""The recorded facts about a piece: its document, its space, and its nature."""
ROOM, ROOM_EACH = 16, 4
"""The most pieces on a board at the same time: ROOM, and ROOM_EACH more for each seat."""
NOWHERE = 0
"""The holder of tokens that only a variable refers to."""


@record()
class Holders:
    """The holders of a zone: number `first + owner * faces + face`."""

    first: int
    owners: int
    faces: int

    def number(self, owner: int, face: int = 0) -> int:
        """Return the holder for a player or a team (0 for a zone of the game) and a face."""
        return self.first + owner * self.faces + face


def usual_of(base: str) -> int:
    """Return the initial value of a field of the board, a player or the game."""
    return 0 if base in ("flag", "number") else NOTHING


class Layout:
    """The places of all cells for one rule set and one board, with room for some further documents."""

    is_kept_as_it_was = False
    """Whether a memory of this layout never changes."""

    def __init__(self, ruleset: Ruleset, board: Board, further: int = 0, raises: Sequence[str] = ()) -> None:
        self.ruleset, self.board, self.further = ruleset, board, further
        self.raises = tuple(raises or ruleset.raised)
        """The names that bonuses can raise, each with a cell of a piece; first those raised in texts, in that order."""
        self.documents = max(len(ruleset.sheets), 1) + further
        """The greatest possible number of documents."""
        self.players, self.teams = len(board.seats), len(board.teams)
        self.room = board.pieces or ROOM + ROOM_EACH * self.players
        """The most pieces that can be on the board at once; each takes a cell for every document it can be made of."""
        self.team_of = tuple(board.teams.index(seat.team) for seat in board.seats)
        # Fields that matter only while an act is under way are after all others, so that one comparison checks them.
        of_pieces = [number for number, field in enumerate(ruleset.fields) if field.of == "piece"]
        piece_fields = sorted(of_pieces, key=lambda number: ruleset.fields[number].lasts_for)
        self.at = FIRST
        self.of_document = self.at + len(board.spaces)
        self.of_kind = self.of_document + self.documents
        self.raised = DECLARED + len(piece_fields)
        """The first of the cells of a piece that add up bonuses."""
        self.beneath = self.raised + len(self.raises)
        """The first of the cells of a piece for the values of fields before they were overridden."""
        self.away = self.beneath + len(ruleset.prevailing)
        """The first of the cells of a piece for the fields of its other form."""
        self.stride = self.away + len(ruleset.kept) + (len(self.raises) if ruleset.kept else 0)
        # The cells before those of the first piece are those of no piece (-1), and empty.
        self.pieces = self.of_kind + len(ruleset.kinds) + self.stride
        self.part_fields = tuple(
            number for number, field in enumerate(ruleset.fields) if field.part is not None and field.base == "piece"
        )
        """The fields for pieces that take part in acts under way."""
        self._learn_pieces(piece_fields)
        self.granted = self._place_fields(self.pieces + self.room * self.stride)
        """The cell that counts the records of grants that will end."""
        self.parts = tuple(self.fields[number] for number in self.part_fields)
        """The cells for pieces that take part in acts under way."""
        self.grants = self.granted + 1
        """The first cell of these records."""
        self.grants_end = self.grants + (GRANTS * GRANT if ruleset.grants or ruleset.prevailing else 0)
        self._place_holders()
        self._learn_watched()

    def _learn_pieces(self, fields: list[int]) -> None:
        """Record the places of the cells of a piece, and their initial contents."""
        ruleset = self.ruleset
        self.borne = tuple(ruleset.sheet_number(name) for name in self.raises)
        """For each value that bonuses raise the document that pieces bear, or -1 for a printed number."""
        self.fresh = tuple(
            0 if ruleset.fields[number].base in ("flag", "number", "direction") else NOTHING for number in fields
        ) + (0,) * (self.stride - self.raised)
        """The initial contents of the fields of a piece."""
        self.piece_field = {number: DECLARED + index for index, number in enumerate(fields)}
        self.bound = (
            *(self.piece_field[number] for number in ruleset.kept),
            *range(self.raised, self.beneath if ruleset.kept else self.raised),
        )
        """The cells of a piece that belong to its present form; those from `away` on hold them for the other form."""
        self.passing = {acts: self._cells_of(numbers) for acts, numbers in ruleset.passing.items()}
        """The cells of a piece for the fields that last for acts, by these acts."""
        self.staying = tuple(frozenset(self._cells_kept(kind)) for kind in ruleset.kinds)
        """For each kind of remains the cells of a piece that keep their values when it becomes one, or turns back."""
        self.decider = self.piece_field.get(ruleset.decides, OWNER)
        """The cell of a piece that names the player who decides for it."""

    def _cells_of(self, fields: Sequence[int]) -> range:
        """Return the cells of a piece for some fields, which are consecutive."""
        first = self.piece_field[fields[0]]
        return range(first, first + len(fields))

    def _cells_kept(self, remains: Kind) -> Iterator[int]:
        """Yield the cells of a piece for the fields that a kind of remains keeps, also for its other form.

        Limits keep their counts, and statements about the piece for a time still hold.
        """
        said = (number for number, field in enumerate(self.ruleset.fields) if field.per and field.of == "piece")
        for number in (*remains.keeps, *said):
            yield self.piece_field[number]
            if number in self.ruleset.kept:
                yield self.away + self.ruleset.kept.index(number)

    def _place_fields(self, place: int) -> int:
        """Place the fields of the board, the players and the game from a cell on; return the cell after them."""
        self.fields: dict[int, int] = {}
        for number, field in enumerate(self.ruleset.fields):
            if field.of != "piece":
                self.fields[number] = place
                place += self._width(field.of)
        return place

    def _width(self, of: str) -> int:
        widths = {"space": len(self.board.spaces), "player": self.players, "team": self.teams}
        return widths.get(of, 1)

    def _place_holders(self) -> None:
        self.zones: list[Holders] = []
        number = NOWHERE + 1
        for zone in self.ruleset.zones:
            holders = Holders(number, self._width(zone.of), max(len(zone.faces), 1))
            self.zones.append(holders)
            number += holders.owners * holders.faces
        # The holder before that of the first piece is that of no piece (-1), which stays empty.
        number += 1
        self.first_piece_holder = number
        self.holders = number + self.room
        self.tokens = self.grants_end
        self.size = self.tokens + self.holders * self.documents

    def _learn_watched(self) -> None:
        """Record the changes after which the state rules have to be checked."""
        self.watched = watched_by(self.ruleset)
        stacks, first = self.watched.stacks, self.first_piece_holder
        self.watched_holders = [stacks and number >= first for number in range(self.holders)]
        for zone in self.watched.zones:
            holders = self.zones[zone]
            for number in range(holders.first, holders.first + holders.owners * holders.faces):
                self.watched_holders[number] = True
        self.watched_passing = frozenset(
            self.piece_field[number]
            for number, one in enumerate(self.ruleset.fields)
            if one.lasts_for and number in self.watched.fields
        )
        """The cells of a piece that are reset at the end of an act, and can then trigger a state rule."""

    @property
    def values(self) -> dict[int, int]:
        """The cells for values of acts, each with its value while no such act is under way."""
        fields = enumerate(self.ruleset.fields)
        return {self.fields[number]: usual_of(one.base) for number, one in fields if one.act >= 0}

    def timed(self) -> Iterator[tuple[int, int]]:
        """Yield the cells for counts and fields that a new turn or round resets, each with its piece, or with -1."""
        for number, field in enumerate(self.ruleset.fields):
            if field.is_timed and field.of == "piece":
                yield from ((self.piece(one) + self.piece_field[number], one) for one in range(self.room))
            elif field.is_timed:
                yield from ((cell, -1) for cell in self.field_cells(number))

    def having(self, ruleset: Ruleset) -> Layout:
        """Return the layout with the same places, for a rule set with other sheets that fit into the reserved slots."""
        made = copy(self)
        made.ruleset = ruleset
        return made

    def piece(self, number: int) -> int:
        """Return the first cell of a piece."""
        return self.pieces + number * self.stride

    def documents_of(self, nouns: Iterable[str]) -> tuple[int, int]:
        """Return the range of the documents of tokens with some nouns: the first, and the one after the last."""
        numbers = [number for noun in nouns for number in self.called(noun)]
        return (min(numbers), max(numbers) + 1) if numbers else (0, 0)

    def called(self, noun: str) -> list[int]:
        """Return the documents of tokens with a noun."""
        kinds = self.ruleset.token_sheets.get(noun, ())
        numbers = [number for number, sheet in enumerate(self.ruleset.sheets) if sheet.kind in kinds]
        # Further documents follow all others, whatever they are.
        return [*numbers, *range(self.documents - self.further, self.documents)]

    # ---- reading a memory, whichever machine keeps it

    def set_in(self, memory: Sequence[int], cell: int) -> int:
        """Return the set of pieces in a cell of a memory, as bits."""
        return memory[cell]

    def trail_in(self, memory: Sequence[int], cell: int) -> int:
        """Return the trail in a cell of a memory."""
        return memory[cell]

    def kept(self, memory: list[int]) -> Sequence[int]:
        """Return a memory in the form of the machine with this layout."""
        return memory

    def part_of(self, memory: Sequence[int], first: int, end: int) -> Hashable:
        """Return the contents of a range of cells of a memory, as a key for dictionaries."""
        return tuple(memory[first:end])

    def piece_in(self, memory: Sequence[int], number: int) -> Hashable:
        """Return the contents of all cells of a piece, its tokens among them."""
        first, holder = self.pieces + number * self.stride, self.first_piece_holder + number
        tokens = self.tokens + holder * self.documents
        made_of = self.part_of(memory, tokens, tokens + self.documents)
        return self.part_of(memory, first, first + self.stride), made_of

    def rows_of(self, holders: Iterable[int]) -> list[slice]:
        """Return the parts of a memory that count the tokens of some holders, for `sum_of`."""
        return [slice(cells.start, cells.stop) for cells in map(self.holder_cells, holders)]

    def sum_of(self, memory: Sequence[int], rows: Iterable[slice], more: Hashable = ()) -> Hashable:
        """Return the number of tokens of each document in some rows together, in a comparable form, plus `more`."""
        others = [more] if isinstance(more, tuple) and more else []
        return tuple(map(sum, zip(*(memory[row] for row in rows), *others, strict=True)))

    def holder_cells(self, holder: int) -> range:
        """Return the cells that count the tokens of a holder, one for each document."""
        first = self.tokens + holder * self.documents
        return range(first, first + self.documents)

    def can_be(self, base: str, value: int) -> bool:
        """Whether a number can encode a value of a type, or NOTHING; for a plain number only its size is checked."""
        most = {
            "space": len(self.board.spaces),
            "player": self.players,
            "team": self.teams,
            "flag": 2,
            "document": max(len(self.ruleset.sheets), 1),
            "direction": len(self.board.directions),
            "manner": len(self.ruleset.manners),
        }.get(base)
        return -MOST <= value <= MOST if most is None else NOTHING <= value < most

    def field_can_be(self, number: int, value: int) -> bool:
        """Whether a field can have a value; in a trail, every part of every step must be possible."""
        field = self.ruleset.fields[number]
        if field.steps is None or value < 0:
            return self.can_be(field.base, value) and (field.steps is None or value == 0)
        steps, beside = steps_of(value)[::-1], [self.ruleset.fields[one].base for one in field.beside or ()]
        firsts = steps[:: field.width]
        others = [(base, step) for place, base in enumerate(beside, 1) for step in steps[place :: field.width]]
        return (
            len(steps) % field.width == 0
            and min(firsts, default=1) > 0
            and all(self.can_be(field.steps, step - 1) for step in firsts)
            and all(self.can_be(base, step - 1) for base, step in others)
        )

    def field_width(self, number: int) -> int:
        """Return the number of cells of a field of the board, the players or the game."""
        return self._width(self.ruleset.fields[number].of)

    def field_cells(self, number: int) -> range:
        """Return the cells of a field of the board, the players or the game."""
        return range(self.fields[number], self.fields[number] + self.field_width(number))

    def put_start(self, memory: list[int], number: int) -> None:
        """Put the board's initial values of a field of its spaces into a memory."""
        for team, spaces in self.board.start.get(self.ruleset.fields[number].name, {}).items():
            for space in spaces:
                memory[self.fields[number] + self.board.number[space]] = self.board.teams.index(team)

    def blank(self) -> list[int]:
        """Return the memory of a state without pieces and tokens, in which nothing has happened."""
        memory = [0] * self.size
        memory[ROUND], memory[MUST_ASK], memory[WINNER], memory[LAST] = 1, 1, NOTHING, -1
        for number, field in enumerate(self.ruleset.fields):
            if field.of != "piece":
                for cell in self.field_cells(number):
                    memory[cell] = usual_of(field.base)
        memory[self.piece(-1) : self.piece(0)] = [NOTHING] * self.stride
        for cell in map(self.piece, range(self.room)):
            memory[cell : cell + DECLARED] = [NOTHING] * DECLARED
        return memory
