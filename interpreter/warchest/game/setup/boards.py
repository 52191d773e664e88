"""The boards of a game, as documents describe them, and the choice of the board on which a game is to be played."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.library import Document
from warchest.documents.packs import PACKS
from warchest.game.errors import PositionError
from warchest.lowering.board import Board, Seat, Space

KEY = "board"
"""The key of a position that names its board if the other keys leave it open."""
IRREGULAR = "irregular"
"""The key of a position that declares that no game reaches it by its own rules; the position is still accepted."""
_MOST = 20_000
"""The most parts of a position that are read to determine its board."""
_APART = ("pending", IRREGULAR, "options", "game", PACKS, KEY)
"""Keys of a position that name neither spaces nor players."""


class Boards:
    """The boards of a game by name, the usual one first."""

    def __init__(self, documents: Sequence[Document], usual: str | None) -> None:
        ordered = sorted(documents, key=lambda one: one.name != usual)
        self.documents = {one.name: one for one in ordered}
        self.boards = {one.name: board_of(one) for one in ordered}
        self._players = set().union(*map(_players, self.boards.values()))
        self.spaces = frozenset(space.name for board in self.boards.values() for space in board.spaces)
        """The spaces of all boards."""

    @property
    def usual(self) -> Document:
        """The default board of a game."""
        return next(iter(self.documents.values()))

    def named(self, name: str, field: str = KEY) -> Document:
        """Return the board with a name; raises PositionError, about the field, if there is none."""
        if not isinstance(name, str) or name not in self.documents:
            hint = did_you_mean(str(name), self.documents)
            there = hint or f"there are: {', '.join(self.documents)}"
            raise PositionError(field, f"there is no board {name!r}; {there}")
        return self.documents[name]

    def described_by(self, document: Document) -> Board:
        """Return the board of a document, which layers may have changed."""
        name = document.name
        return self.boards[name] if document is self.documents.get(name) else board_of(document)

    def with_seats(self, count: int) -> Document:
        """Return the first board with a number of players; raises PositionError if there is none."""
        for name, board in self.boards.items():
            if len(board.seats) == count:
                return self.documents[name]
        *counts, most = sorted({len(board.seats) for board in self.boards.values()})
        listed = f"{', '.join(map(str, counts))} and {most}" if counts else str(most)
        raise PositionError("players", f"there is no board for {count!r}; there are boards for {listed}")

    def with_players(self, players: Collection[str]) -> Document:
        """Return the first board at which all these players sit; the usual one if there is none."""
        for name, board in self.boards.items():
            if set(players) <= {seat.name for seat in board.seats}:
                return self.documents[name]
        return self.usual

    def for_position(self, mapping: Mapping[str, Any]) -> Document:
        """Return the board of a position: the named one, or the first for its players that has all its spaces.

        The players named in the position determine their number; names that are on no board are ignored here.
        """
        if mapping.get(KEY) is not None:
            return self.named(mapping[KEY])
        told = set(_strings({key: mapping[key] for key in mapping if key not in _APART}))
        seated = [name for name, board in self.boards.items() if told & self._players <= _players(board)]
        fewest = min((len(self.boards[name].seats) for name in seated), default=0)
        fitting = [name for name in seated if len(self.boards[name].seats) == fewest]
        for name in fitting:
            if told & self.spaces <= {space.name for space in self.boards[name].spaces}:
                return self.documents[name]
        return self.documents[fitting[0]] if fitting else self.usual

    def must_be_named(self, name: str) -> bool:
        """Whether positions of a board could be mistaken for positions of an earlier board with all of its players."""
        players = {seat.name for seat in self.boards[name].seats}
        for other, board in self.boards.items():
            if other == name:
                break
            if players <= {seat.name for seat in board.seats}:
                return True
        return False


def _players(board: Board) -> set[str]:
    return {one for seat in board.seats for one in (seat.name, seat.team)}


def _strings(value: object) -> Iterator[str]:
    """Yield every text in a mapping, keys included."""
    waiting = [value]
    # Positions are not nested deeply; a value that holds itself would never end.
    for _ in range(_MOST):
        if not waiting:
            return
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            waiting.extend(one.keys())
            waiting.extend(one.values())
        elif isinstance(one, list | tuple):
            waiting.extend(one)


def board_of(document: Document) -> Board:
    """Return the board that a document describes."""
    values = document.values
    origin: str = values["origin"]
    tags: dict[str, list[str]] = values.get("tags", {})
    spaces = []
    for column, rows in values["rows"].items():
        low, _, high = str(rows).partition("-")
        for number in range(int(low), int(high or low) + 1):
            name = f"{column}{number}"
            row = number - int(origin[1:])
            place = (ord(column) - ord(origin[0]), -row if values.get("upwards") else row)
            bears = frozenset(tag for tag, names in tags.items() if name in names)
            spaces.append(Space(name, *place, bears))
    seats = tuple(Seat(one["name"], one["team"], one.get("colour", "")) for one in values["seats"])
    numbers, start = values.get("numbers", {}), values.get("start", {})
    return Board(document.name, values["shape"], tuple(spaces), seats, numbers, start, values.get("pieces", 0))
