"""Bonuses in positions and in what makes states equal: by the places of pieces, never by their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from warchest.game.naming import Naming
from warchest.machine.grants import AMOUNT, BY, CLAUSE, PIECE, WHAT, YOU, bear, records
from warchest.machine.layout import GRANT, Layout
from warchest.machine.run import Run
from warchest.rules.values import NOTHING

Memory = list[int]


class Bonuses:
    """Writes and reads what has been added to pieces, and what of it ends some time."""

    def __init__(self, layout: Layout, naming: Naming) -> None:
        self.layout, self.naming = layout, naming

    def write(self, memory: Memory) -> dict[str, Any]:
        """Return the sums by piece, and the bonuses that end; nothing where there is none."""
        raised = self.layout.ruleset.raised
        sums = {}
        for piece in self.naming.pieces(memory) if raised else ():
            first = self.layout.piece(piece) + self.layout.raised
            held = {what: memory[first + number] for number, what in enumerate(raised) if memory[first + number]}
            if held:
                sums[self.naming.piece(piece, memory)] = held
        ending = sorted((self._row(memory, cell) for cell in records(memory, self.layout)), key=str)
        return {key: value for key, value in (("sums", sums), ("ending", ending)) if value}

    def _row(self, memory: Memory, cell: int) -> list[Any]:
        piece, by = memory[cell + PIECE], memory[cell + BY]
        return [memory[cell + CLAUSE], self.naming.piece(piece, memory), memory[cell + WHAT], memory[cell + AMOUNT],
                self.naming.piece(by, memory) if by != NOTHING else None, memory[cell + YOU]]  # fmt: skip

    def read(self, told: Mapping[str, Any], run: Run) -> None:
        """Put what was written into a memory; raises LookupError, TypeError or ValueError where it makes no sense."""
        raised, memory = self.layout.ruleset.raised, run.memory
        for name, held in told.get("sums", {}).items():
            piece = self.naming.piece_named(name, memory, whole=False)
            for what, amount in held.items():
                memory[self.layout.piece(piece) + self.layout.raised + raised.index(what)] = int(amount)
                bear(run, self.layout, piece, raised.index(what))
        rows = told.get("ending", ())
        for cell, row in zip(range(self.layout.grants, self.layout.grants_end, GRANT), rows, strict=False):
            clause, on, what, amount, by, you = row
            giver = self.naming.piece_named(by, memory, whole=False) if by is not None else NOTHING
            holder = self.naming.piece_named(on, memory, whole=False)
            values = (int(clause), holder, int(what), int(amount), giver, int(you))
            memory[cell : cell + GRANT] = values

    def key(self, memory: Memory, rank: Mapping[int, int]) -> tuple[Any, ...]:
        """Return what of the bonuses that end makes a state what it is; the sums stand with the pieces."""
        rows = [memory[cell : cell + GRANT] for cell in records(memory, self.layout)]
        return tuple(sorted(
            (row[CLAUSE], rank.get(row[PIECE], NOTHING), row[WHAT], row[AMOUNT], rank.get(row[BY], NOTHING), row[YOU])
            for row in rows
        ))  # fmt: skip
