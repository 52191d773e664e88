"""Names of values as people use them: of spaces, documents, players, and pieces by their spaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from warchest.engine.evaluation import members_of
from warchest.ir.ruleset import Zone
from warchest.ir.values import NOTHING
from warchest.lowering.board import HEX_STEPS, SQUARE_STEPS
from warchest.lowering.gone import digits_of
from warchest.lowering.layout import DOCUMENT, KIND, LIVE, NATURE, SPACE, Layout

ABSENT, BOARD = "nowhere", "the board"
"""The names of the places of tokens outside zones: nowhere, and in a piece."""
DIRECTIONS = frozenset((*HEX_STEPS, *SQUARE_STEPS))
"""The names of the directions of all boards."""
NotedThing: TypeAlias = tuple[str, Any]
"""A thing in notes and records: its type, and its value."""


class Naming:
    """Names for the values of one program; hooks are named by their clauses."""

    def __init__(self, layout: Layout, hooks: Sequence[str] = ()) -> None:
        self.layout = layout
        board = layout.board
        self.spaces = tuple(space.name for space in board.spaces)
        self.documents = tuple(sheet.name for sheet in layout.ruleset.sheets)
        self.players = tuple(seat.name for seat in board.seats)
        holders = self._holders()
        self.places = tuple((zone, owner) for zone, owner, _ in holders)
        """For each holder of a zone the name of the zone, and that of its owner; a zone of the game has none."""
        self.holders = tuple("/".join(filter(None, parts)) for parts in holders)
        self._names: dict[str, Sequence[str]] = {
            "space": self.spaces,
            "document": self.documents,
            "player": self.players,
            "team": board.teams,
            "direction": board.directions,
            "hook": hooks,
        }

    def over(self, layout: Layout) -> Naming:
        """Return the same names for memories with another layout."""
        return Naming(layout, self._names["hook"])

    def _holders(self) -> list[tuple[str, str, str]]:
        """Return the zone of each holder, its owner and its face, by name; empty where there is none."""
        found = [(ABSENT, "", "")]
        for zone in self.layout.ruleset.zones:
            for owner in self.owners(zone) or ("",):
                found += [(zone.name, owner, face) for face in zone.faces or ("",)]
        return found

    def owners(self, zone: Zone) -> tuple[str, ...]:
        """Return the names of the players or teams that each have a zone; empty for a zone of the game."""
        return {"player": self.players, "team": tuple(self.layout.board.teams)}.get(zone.of, ())

    def name(self, base: str, value: Any, memory: Sequence[int]) -> Any:
        """Return the name of a value; NOTHING is None, a piece is named by its space, or by the space that it has left."""
        if value == NOTHING and base not in ("number", "flag", "branch"):
            return None
        if base in self._names:
            return self._names[base][value]
        match base:
            case "piece" if value < NOTHING:
                return self.spaces[digits_of(self.layout).space.of(value)]
            case "piece":
                return self.standing(value, memory)
            case "printed":
                return self.spaces[value[2]]
            case "token":
                return self.documents[value % self.layout.documents]
        return value

    # ---- as records keep it, without a memory

    def told(self, base: str, value: Any) -> Any:
        """Return the name of a value; a piece is named by its document and the space where it was."""
        match base:
            case "piece" if isinstance(value, tuple):
                return f"{self.documents[value[0]]} on {self.spaces[value[1]]}"
            case "holder":
                return self.where(value)
            case "kind":
                return self.layout.ruleset.kinds[value].name
            case "tokens":
                return tuple(self.documents[one % self.layout.documents] for one in value)
            case "trail" | "amount":
                return value
        return self.name(base, value, [])

    def where(self, holder: int) -> str:
        """Return the place of tokens: in a zone, nowhere, or in some piece on the board."""
        return BOARD if holder >= self.layout.first_piece_holder else self.holders[holder]

    def noun(self, token: int) -> str:
        """Return the noun for the tokens in the zone of a token; empty if the token is in no zone."""
        holder = token // self.layout.documents
        zone = self.places[holder][0] if holder < self.layout.first_piece_holder else ABSENT
        return next((one.holds for one in self.layout.ruleset.zones if one.name == zone), "")

    def place(self, holder: int) -> tuple[str, str]:
        """Return the place of tokens without its face, and the name of its owner, if it has one."""
        return (BOARD, "") if holder >= self.layout.first_piece_holder else self.places[holder]

    # ---- pieces

    def is_there(self, number: int, memory: Sequence[int]) -> bool:
        """Whether a piece is on the board; in a log, which keeps no memory, all pieces are named by their spaces."""
        return not memory or bool(self.layout.set_in(memory, LIVE) >> number & 1)

    def document(self, number: int, memory: Sequence[int]) -> str:
        """Return the name of a piece's document."""
        return self.documents[memory[self.layout.piece(number) + DOCUMENT]]

    def piece(self, number: int, memory: Sequence[int]) -> str:
        """Return the space of a piece, with its index among several pieces there."""
        space = memory[self.layout.piece(number) + SPACE]
        there = self.layout.set_in(memory, self.layout.at + space)
        if not there & (there - 1):
            return self.spaces[space]
        rank = sorted(members_of(there), key=lambda one: self._order(one, memory)).index(number)
        return self.spaces[space] + (f"/{rank}" if rank else "")

    def standing(self, number: int, memory: Sequence[int]) -> str:
        """Return the space of a piece; among several of its kind there, with its document, or its index among them.

        Such a name may fit pieces of several kinds; where that matters, the caller adds their documents.
        """
        first = self.layout.piece(number)
        space, of_kind = memory[first + SPACE], self.layout.set_in(memory, self.layout.of_kind + memory[first + KIND])
        there = members_of(self.layout.set_in(memory, self.layout.at + space) & of_kind)
        if len(there) == 1:
            return self.spaces[space]
        same = [one for one in there if memory[self.layout.piece(one) + DOCUMENT] == memory[first + DOCUMENT]]
        if len(same) == 1:
            return f"{self.spaces[space]} {self.document(number, memory)}"
        rank = sorted(there, key=lambda one: self._order(one, memory)).index(number)
        return self.spaces[space] + (f"/{rank}" if rank else "")

    def kept(self, number: int, memory: Sequence[int]) -> tuple[str, Any]:
        """Return a piece as a type and a value that describe it and its place now; later changes do not matter."""
        if number < NOTHING:
            return "space", digits_of(self.layout).space.of(number)
        first = self.layout.piece(number)
        return "printed", (memory[first + KIND], memory[first + DOCUMENT], memory[first + SPACE])

    def printed(self, base: str, value: Any, memory: Sequence[int]) -> tuple[str, str]:
        """Return the name and noun of a piece that labels call by its printed name; otherwise two empty texts."""
        if base not in ("piece", "printed") or value == NOTHING:
            return "", ""
        kept = self.kept(value, memory) if base == "piece" else (base, value)
        if kept[0] != "printed" or not self.layout.ruleset.kinds[kept[1][0]].by_name:
            return "", ""
        rank = self._among_same(value, memory) if base == "piece" else ""
        kind, document, space = kept[1]
        return f"{self.documents[document]} {self.spaces[space]}{rank}", self.layout.ruleset.kinds[kind].name

    def _among_same(self, number: int, memory: Sequence[int]) -> str:
        """Return words that distinguish a piece from others of its document on its space: its owner, or its index."""
        layout, first = self.layout, self.layout.piece(number)
        of_document = layout.set_in(memory, layout.of_document + memory[first + DOCUMENT])
        there = layout.set_in(memory, layout.at + memory[first + SPACE]) & of_document
        same = sorted(members_of(there), key=lambda one: self._order(one, memory))
        if len(same) == 1:
            return ""
        whose = [memory[layout.piece(one) + layout.decider] for one in same]
        mine = memory[first + layout.decider]
        if whose.count(mine) == 1:
            return f" of {self.players[mine] if mine != NOTHING else 'nobody'}"
        return f" ({same.index(number) + 1})"

    def own_name(self, number: int, memory: Sequence[int]) -> str:
        """Return the name printed on the document of a piece's nature; its form does not matter."""
        return self.documents[memory[self.layout.piece(number) + NATURE]]

    def _order(self, number: int, memory: Sequence[int]) -> list[int]:
        first = self.layout.piece(number)
        return list(memory[first + KIND : first + self.layout.stride])

    def piece_named(self, name: str, memory: Sequence[int], whole: bool = True) -> int:
        """Return the number of the piece with this name; raises KeyError if there is none.

        Where a memory is not `whole` yet, pieces are in the order in which they were put onto the board, which is that
        of the position they are read from.
        """
        space, _, rank = name.partition("/")
        at = self.layout.at + self.spaces.index(space) if space in self.spaces else None
        if at is None:
            raise KeyError(name)
        kind = self.layout.pieces + KIND
        there = sorted(
            members_of(self.layout.set_in(memory, at)),
            key=lambda one: self._order(one, memory) if whole else (memory[kind + one * self.layout.stride], one),
        )
        if int(rank or 0) >= len(there):
            raise KeyError(name)
        return there[int(rank or 0)]

    def holder(self, number: int, memory: Sequence[int]) -> str:
        """Return the name of a holder of tokens."""
        if number < self.layout.first_piece_holder:
            return self.holders[number]
        return "on " + self.piece(number - self.layout.first_piece_holder, memory)

    def holder_named(self, name: str, memory: Sequence[int]) -> int:
        """Return the number of the holder with this name; raises KeyError if there is none."""
        if name.startswith("on "):
            return self.layout.first_piece_holder + self.piece_named(name[3:], memory)
        if name not in self.holders:
            raise KeyError(name)
        return self.holders.index(name)

    def pieces(self, memory: Sequence[int], kind: int | None = None) -> list[int]:
        """Return all pieces on the board, or all of one kind, in an order that does not depend on their numbers."""
        layout = self.layout
        there = members_of(layout.set_in(memory, LIVE if kind is None else layout.of_kind + kind))
        first, stride = layout.pieces + SPACE, layout.stride
        on = {memory[first + one * stride]: one for one in there}
        if len(on) == len(there):
            return [on[space] for space in sorted(on)]
        return sorted(there, key=lambda one: (memory[first + one * stride], self._order(one, memory)))
