"""Bonuses in positions and in what makes states equal: by the places of pieces, never by their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from warchest.engine.effects import (
    AMOUNT,
    BY,
    CLAUSE,
    PIECE,
    WHAT,
    YOU,
    bear,
    order_of,
    prevail_newest,
    record,
    records,
)
from warchest.engine.state import Run
from warchest.game.keys import Memory
from warchest.game.links import Links
from warchest.game.naming import Naming
from warchest.ir.values import NOTHING
from warchest.lowering.layout import GRANT, Layout


class Bonuses:
    """Writes and reads what has been added to pieces, and what of it ends some time."""

    def __init__(self, layout: Layout, naming: Naming, links: Links) -> None:
        self.layout, self.naming, self.links = layout, naming, links
        self.raised = [layout.raises.index(what) for what in layout.ruleset.raised]
        """The number of a raised value, by its number in positions: these count only the values raised in this game."""
        first = len(layout.ruleset.kept)
        self.away = [*range(first), *(first + number for number in self.raised)] if first else []
        """Those of the cells for the other form of a piece that positions tell."""

    def write(self, memory: Memory) -> dict[str, Any]:
        """Return the sums by piece, and the bonuses that end; nothing where there is none."""
        raised = list(zip(self.raised, self.layout.ruleset.raised, strict=True))
        sums = {}
        for piece in self.naming.pieces(memory) if raised else ():
            first = self.layout.piece(piece) + self.layout.raised
            linked = self._linked(memory, piece)
            held = {what: memory[first + number] - linked[number] for number, what in raised
                    if memory[first + number] != linked[number]}  # fmt: skip
            if held:
                sums[self.naming.piece(piece, memory)] = held
        ending = sorted((self._row(memory, cell) for cell in self._untold(memory)), key=str)
        away = {self.naming.piece(piece, memory): self._away(memory, piece)
                for piece in self.naming.pieces(memory) if any(self._away(memory, piece))}  # fmt: skip
        told = (("sums", sums), ("ending", ending), ("beneath", self._beneath(memory)), ("away", away))
        return {key: value for key, value in told if value}

    def _untold(self, memory: Memory) -> Iterator[int]:
        """Yield the records that no link tells."""
        return (cell for cell in records(memory, self.layout) if not self.links.tells(memory, cell))

    def _linked(self, memory: Memory, piece: int) -> list[int]:
        """Return how much of each bonus of a piece links tell of."""
        found = [0] * len(self.layout.raises)
        for cell in records(memory, self.layout):
            if memory[cell + PIECE] == piece and memory[cell + WHAT] >= 0 and self.links.tells(memory, cell):
                found[memory[cell + WHAT]] += memory[cell + AMOUNT]
        return found

    def _row(self, memory: Memory, cell: int) -> list[Any]:
        piece, by, what = memory[cell + PIECE], memory[cell + BY], memory[cell + WHAT]
        holder = self.naming.piece(max(piece, -1 - piece), memory)
        told = self.raised.index(what) if what >= 0 else what
        return [memory[cell + CLAUSE], holder, told, memory[cell + AMOUNT],
                self.naming.piece(by, memory) if by != NOTHING else None, memory[cell + YOU],
                order_of(memory, self.layout, cell), int(piece < 0)]  # fmt: skip

    def _away(self, memory: Memory, piece: int) -> list[int]:
        """Return the values that belong to the form that a piece does not have."""
        first = self.layout.piece(piece) + self.layout.away
        return [memory[first + offset] for offset in self.away]

    def _beneath(self, memory: Memory) -> dict[str, dict[str, int]]:
        """Return by piece what fields were before something prevailed."""
        found: dict[str, dict[str, int]] = {}
        for cell in self._untold(memory):
            what, piece = memory[cell + WHAT], memory[cell + PIECE]
            if what < 0:
                value = memory[self.layout.piece(piece) + self.layout.beneath - 1 - what]
                found.setdefault(self.naming.piece(piece, memory), {})[str(-1 - what)] = value
        return dict(sorted(found.items()))

    def read(self, told: Mapping[str, Any], run: Run) -> None:
        """Put what was written into a memory; raises LookupError, TypeError or ValueError where it makes no sense."""
        raised, memory = dict(zip(self.layout.ruleset.raised, self.raised, strict=True)), run.memory
        for name, held in told.get("sums", {}).items():
            piece = self.naming.piece_named(name, memory, whole=False)
            for what, amount in held.items():
                memory[self.layout.piece(piece) + self.layout.raised + raised[what]] += int(amount)
                bear(run, self.layout, piece, raised[what])
        for clause, on, what, amount, by, you, order, waits in told.get("ending", ()):
            giver = self.naming.piece_named(by, memory, whole=False) if by is not None else NOTHING
            holder = self.naming.piece_named(on, memory, whole=False)
            holder = -1 - holder if waits else holder
            number = self.raised[int(what)] if int(what) >= 0 else int(what)
            record(run, self.layout, (int(clause), holder, number, int(amount), giver, int(you), int(order)))
        for name, values in told.get("away", {}).items():
            first = self.layout.piece(self.naming.piece_named(name, memory, whole=False)) + self.layout.away
            for offset, value in zip(self.away, values, strict=False):
                memory[first + offset] = int(value)
        for name, values in told.get("beneath", {}).items():
            piece = self.naming.piece_named(name, memory, whole=False)
            for number, value in values.items():
                memory[self.layout.piece(piece) + self.layout.beneath + int(number)] = int(value)
                prevail_newest(run, self.layout, piece, int(number))

    def key(self, memory: Memory, rank: Mapping[int, int]) -> tuple[Any, ...]:
        """Return the share of the bonuses that end in the key of a state; the sums stand with the pieces."""
        rows = [(cell, memory[cell : cell + GRANT]) for cell in records(memory, self.layout)]
        return tuple(sorted(
            (row[CLAUSE], rank.get(max(row[PIECE], -1 - row[PIECE]), NOTHING), row[PIECE] < 0, row[WHAT], row[AMOUNT],
             rank.get(row[BY], NOTHING), row[YOU],
             order_of(memory, self.layout, cell))
            for cell, row in rows
        ))  # fmt: skip
