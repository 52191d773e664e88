"""The pieces of a state in the form that scripts use: by name, with their entries in positions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from warchest.game.state import State
from warchest.scripts.gaps import Reference
from warchest.scripts.notation import Notation
from warchest.source.records import record


@record()
class Piece:
    """A piece on the board: its place in the position's list, its entry there, and its names in options."""

    index: int
    entry: Mapping[str, Any]
    called: frozenset[str]


class PiecesOnBoard:
    """The pieces on the board at some moment: the state must not change before the last use of them."""

    def __init__(self, state: State, notation: Notation) -> None:
        self.state, self.notation = state, notation
        self.keys = _keys(state, notation)

    # Most decisions do not depend on any piece.
    @cached_property
    def position(self) -> Mapping[str, Any]:
        """The keys of the position."""
        return self.state.variant.format.write(self.state.run.memory)

    @cached_property
    def all(self) -> list[Piece]:
        """All pieces, in the order of the position."""
        entries = self.position.get(self.notation.pieces["key"], [])
        return [Piece(index, entry, self._called(entries, index)) for index, entry in enumerate(entries)]

    def _called(self, entries: list[Mapping[str, Any]], index: int) -> frozenset[str]:
        """Return the names of a piece in options: its space; in a shared space, also its own name or its rank there."""
        entry = entries[index]
        place = str(entry[self.keys["place"]])
        before = sum(other[self.keys["place"]] == place for other in entries[:index])
        names = {str(entry[key]) for key in (self.keys["document"], self.keys["form"]) if key in entry}
        alone = sum(other[self.keys["place"]] == place for other in entries) == 1
        crowd = {f"{place} {name}" for name in names}
        return frozenset({*crowd, place} if alone else {*crowd, f"{place}/{before}" if before else place})

    def named(self, reference: Reference) -> list[Piece]:
        """Return the pieces that a reference can mean."""
        return [
            piece
            for piece in self.all
            if piece.entry[self.keys["document"]] == reference.name
            and reference.place in (None, piece.entry[self.keys["place"]])
        ]

    def listed(self, says: Mapping[str, Any]) -> list[str]:
        """Return the names in options of those entries of a list of the position that fit a description."""
        wanted = {key: getattr(value, "name", value) for key, value in says.items() if key != "in"}
        entries, found = self.position.get(str(says["in"])) or [], list[str]()
        places = [str(one[self.keys["place"]]) for one in entries]
        for index, (place, one) in enumerate(zip(places, entries, strict=True)):
            if all(one.get(key) == value for key, value in wanted.items()):
                # If several are on one space, options name further properties of theirs, or their ranks.
                rank = places[:index].count(place)
                found += [f"{place}/{rank}" if rank else place, *(f"{place} {value}" for value in wanted.values())]
        return found

    def facing(self, piece: Piece) -> str | None:
        """Return the direction that a piece faces."""
        return piece.entry.get(self.notation.pieces.get("facing", ""))

    def place(self, piece: Piece) -> str:
        """Return the space of a piece."""
        return str(piece.entry[self.keys["place"]])


def _keys(state: State, notation: Notation) -> dict[str, str]:
    shape = state.variant.format.shapes[notation.pieces["key"]]
    return {key: str(shape.get(key, "")) for key in ("place", "document", "form")}
