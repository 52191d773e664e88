"""Bonuses: cells of a piece that add up what is raised, and a record for each bonus that ends some time."""

from __future__ import annotations

from collections.abc import Iterator

from warchest.machine.layout import DIRTY, DOCUMENT, GRANT, Layout
from warchest.machine.run import Overfull, Run
from warchest.rules.values import NOTHING

CLAUSE, PIECE, WHAT, AMOUNT, BY, YOU = range(GRANT)
"""The cells of a record: the clause that ends it (counted from 1; 0 is a free record), who has it, what and how much
more of it, the piece and the player that gave it."""


def records(memory: list[int], layout: Layout) -> Iterator[int]:
    """Yield the first cells of all records in use."""
    for cell in range(layout.grants, layout.grants_end, GRANT):
        if memory[cell]:
            yield cell


def add(run: Run, layout: Layout, piece: int, what: int, amount: int) -> None:
    """Raise something of a piece for good (or, by a negative amount, lower it)."""
    cell = layout.piece(piece) + layout.raised + what
    run.set(cell, run.memory[cell] + amount)
    run.set(DIRTY, 1)
    bear(run, layout, piece, what)


def bear(run: Run, layout: Layout, piece: int, what: int) -> None:
    """Let a piece bear what it has been given more of than none, and only that besides what its sheet says."""
    borne, first = layout.borne[what], layout.piece(piece)
    if borne >= 0:
        mask, bit = layout.of_document + borne, 1 << piece
        printed = layout.ruleset.sheets[run.memory[first + DOCUMENT]].bears
        has = run.memory[first + layout.raised + what] > 0 or borne in printed
        run.set(mask, run.memory[mask] | bit if has else run.memory[mask] & ~bit)


def grant(run: Run, layout: Layout, clause: int, piece: int, what: int, amount: int, by: int, you: int) -> None:
    """Raise something of a piece until the clause is ended; raises Overfull when there is no room."""
    add(run, layout, piece, what, amount)
    for cell in range(layout.grants, layout.grants_end, GRANT):
        if not run.memory[cell]:
            for offset, value in enumerate((clause + 1, piece, what, amount, by, you)):
                run.set(cell + offset, value)
            return
    raise Overfull("there are too many bonuses")


def end(run: Run, layout: Layout, record: int) -> None:
    """End a bonus."""
    memory = run.memory
    run.set(record + CLAUSE, 0)
    add(run, layout, memory[record + PIECE], memory[record + WHAT], -memory[record + AMOUNT])


def forget_piece(run: Run, layout: Layout, piece: int) -> None:
    """Leave out the bonuses of a piece that leaves the board; what it gave to others has no giver any more."""
    for borne in layout.borne:
        if borne >= 0:
            mask = layout.of_document + borne
            run.set(mask, run.memory[mask] & ~(1 << piece))
    for record in records(run.memory, layout):
        if run.memory[record + PIECE] == piece:
            run.set(record + CLAUSE, 0)
        elif run.memory[record + BY] == piece:
            run.set(record + BY, NOTHING)
