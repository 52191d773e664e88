"""The wants of a script, against the options that are on offer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from warchest.game.decision import Option
from warchest.game.state import State
from warchest.lowering.board import Board
from warchest.scripts.gaps import Reference
from warchest.scripts.notation import bare
from warchest.scripts.pieces import PiecesOnBoard
from warchest.source.records import record
from warchest.source.text import Span

ANY = "any"
"""In a pattern: anything, or nothing."""
AHEAD, TOWARDS = "ahead", "towards"
"""A space, or a direction, a number of turns to the right of the facing of a piece."""
SOME = "some"
"""In a pattern: anything, but not nothing."""
LISTED, OR = "in", "|"
"""In a pattern: the place of an entry of a list of positions; one key or another."""
TIMES, WHEN, AFTER, EACH = "times", "when", "after", "each"
"""Keys of a pattern that are about the whole of it: its number of times, its time, the acts before it, and its row."""


def pattern_of(says: Mapping[str, object]) -> dict[str, Any]:
    """Return the pattern that an option must fit, without the keys that are about its number and time."""
    return {key: value for key, value in says.items() if key not in (TIMES, WHEN, AFTER, EACH)}


@record()
class Want:
    """A pattern that an option must fit, the piece that its turns are relative to, and the words of the line for it."""

    pattern: Mapping[str, Any]
    mover: Reference | None
    span: Span
    times: int | None = 1
    """The number of times it is done; None: as often as it can be."""
    least: int = 1
    """The least number of times, if `times` is None."""
    open: bool = False
    """Whether it may be left out where the next step is asked for at once."""
    after: Sequence[str] = ()
    """The acts that lead to it: an answer that has broken them off has made it impossible too."""
    each: str = ""
    """The row it belongs to: the first of a row is for the first occasion, and so on; the last for all further ones."""


class OfferSearch:
    """The options of a decision, to be searched by patterns."""

    def __init__(self, state: State, pieces: PiecesOnBoard) -> None:
        assert state.decision is not None
        self.options = state.decision.options
        self.data = [option.data for option in self.options]
        self.pieces, self.board = pieces, state.variant.board

    def fitting(self, want: Want) -> list[Option]:
        """Return the options that fit a pattern."""
        meant = {key: self._meant(value, want.mover) for key, value in want.pattern.items()}
        return [option for option, data in zip(self.options, self.data, strict=True) if self._fits(meant, data)]

    def exactly(self, want: Want) -> list[Option]:
        """Return the options that fit a pattern and name nothing else."""
        known = {one for key in want.pattern for one in key.split(OR)}
        return [option for option in self.fitting(want) if option.data.keys() <= known]

    def include(self, patterns: Sequence[Mapping[str, object]]) -> bool:
        """Whether an option has the act of one of some patterns, and a value for each role of that pattern."""
        kinds = [(several(one["act"]), [key.split(OR) for key in one]) for one in patterns if "act" in one]
        return any(
            data.get("act") in acts and all(any(one in data for one in key) for key in keys)
            for data in self.data
            for acts, keys in kinds
        )

    def _fits(self, meant: Mapping[str, object], data: Mapping[str, object]) -> bool:
        return all(self._agrees(key, value, meant, data) for key, value in meant.items())

    def _agrees(self, key: str, value: object, meant: Mapping[str, object], data: Mapping[str, object]) -> bool:
        there = next((one for one in key.split(OR) if one in data), None)
        if value in (ANY, SOME):
            return value == ANY or there is not None
        if there is not None:
            return data[there] in value if isinstance(value, frozenset) else bool(data[there] == value)
        # A thing that is named already is not named again, as one that does something to itself.
        return any(other in data and meant[other] == value for other in meant if other != key)

    def _meant(self, value: object, mover: Reference | None) -> object:
        """Return the values that an option may have: one, or the set of the acceptable ones."""
        value = bare(value)
        if isinstance(value, Reference):
            return frozenset(name for piece in self.pieces.named(value) for name in piece.called)
        if isinstance(value, list):
            return frozenset(value)
        if isinstance(value, Mapping) and LISTED in value:
            return frozenset(self.pieces.listed(value))
        if isinstance(value, Mapping) and mover is not None:
            named = self.pieces.named(mover)
            return frozenset(place for piece in named for place in self._turned(value, piece))
        return value

    def _turned(self, value: Mapping[str, Any], piece: Any) -> list[str]:
        facing = self.pieces.facing(piece)
        if facing is None:
            return []
        key, turns = next(iter(value.items()))
        directions = self.board.directions
        number = (directions.index(facing) + int(turns)) % len(directions)
        if key == TOWARDS:
            return [directions[number]]
        return _next_in(self.board, self.pieces.place(piece), number)

    def shown(self, want: Want) -> dict[str, Any]:
        """Return a pattern in which things have their present names, as far as these are certain."""
        # Of several acts that will do, the first is the one that was meant.
        pattern = {key: several(value)[0] if key == "act" else value for key, value in want.pattern.items()}
        known = {key: self._certain(bare(value), want.mover) for key, value in pattern.items()}
        return {key: value for key, value in known.items() if value not in (None, ANY, SOME) and OR not in key}

    def _certain(self, value: object, mover: Reference | None) -> object:
        """Return the only possible value; None if there are several."""
        if isinstance(value, Reference):
            named = self.pieces.named(value)
            return min(named[0].called, key=len) if len(named) == 1 else None
        meant = self._meant(value, mover)
        if isinstance(meant, frozenset):
            return next(iter(meant)) if len(meant) == 1 else None
        return meant


def _next_in(board: Board, place: str, direction: int) -> list[str]:
    ray = board.rays[board.number[place]][direction]
    return [board.spaces[ray[0]].name] if ray else []


def several(value: object) -> list[Any]:
    """Return the acceptable values; a pattern may name one or list several."""
    return value if isinstance(value, list) else [value]


def least(options: Sequence[Option]) -> Option:
    """Return the option with the least numbers; if several have equally small numbers, the first."""
    return min(options, key=lambda option: [value for value in option.data.values() if isinstance(value, int)])
