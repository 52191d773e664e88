"""What is given for a time: bonuses, and what prevails over what was so before.

Cells of a piece add up what is raised. Everything that ends some time has a record. Of what prevails the newest record
counts; a cell of the piece keeps what lies beneath all of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from warchest.machine.layout import DIRTY, DOCUMENT, GRANT, Layout
from warchest.machine.run import Overfull, Run
from warchest.rules.values import NOTHING

CLAUSE, PIECE, WHAT, AMOUNT, BY, YOU, ORDER = range(GRANT)
"""The cells of a record: the clause that ends it (counted from 1; 0 is a free record), who has it, what and how much
more of it, the piece and the player that gave it, and how many of the same it came after.

What is below 0 (-1, -2, …) is a field that is set, the first, second, … of those that prevail, to the amount.
A bonus of a form that the piece does not have waits: its piece is counted from the end, -1 - piece.
"""
FOREVER = -1
"""The clause of what nothing ends."""


def records(memory: list[int], layout: Layout) -> Iterator[int]:
    """Yield the first cells of all records in use."""
    left = memory[layout.granted]
    for cell in range(layout.grants, layout.grants_end, GRANT) if left else ():
        if memory[cell]:
            yield cell
            left -= 1
            if not left:
                return


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
        printed = run.catalogue.sheets[run.memory[first + DOCUMENT]].bears
        has = run.memory[first + layout.raised + what] > 0 or borne in printed
        run.set(mask, run.memory[mask] | bit if has else run.memory[mask] & ~bit)


def grant(run: Run, layout: Layout, clause: int, piece: int, what: int, amount: int, by: int, you: int) -> None:
    """Raise something of a piece until the clause is ended; raises Overfull when there is no room."""
    add(run, layout, piece, what, amount)
    record(run, layout, (clause + 1, piece, what, amount, by, you, 0))


def record(run: Run, layout: Layout, values: tuple[int, ...]) -> None:
    """Fill a free record; raises Overfull when there is none."""
    for cell in range(layout.grants, layout.grants_end, GRANT):
        if not run.memory[cell]:
            for offset, value in enumerate(values):
                run.set(cell + offset, value)
            run.set(layout.granted, run.memory[layout.granted] + 1)
            return
    raise Overfull("there are too many bonuses")


def _free(run: Run, layout: Layout, record: int) -> None:
    """Make a record one of those that can be filled."""
    run.set(record + CLAUSE, 0)
    run.set(layout.granted, run.memory[layout.granted] - 1)


def prevail(run: Run, layout: Layout, clause: int, piece: int, field: int, value: int, by: int, you: int) -> None:
    """Set a field of a piece until the clause is ended, over what it was; raises Overfull when there is no room."""
    memory = run.memory
    what = -1 - layout.ruleset.prevailing.index(field)
    cell, beneath = layout.piece(piece) + layout.piece_field[field], layout.piece(piece) + layout.beneath - 1 - what
    older = _same(memory, layout, piece, what)
    if older or clause != FOREVER:
        # What nothing ends lies beneath all else, unless something lies there that has yet to end.
        if not older:
            run.set(beneath, memory[cell])
        order = 1 + max((memory[one + ORDER] for one in older), default=-1)
        record(run, layout, (clause + 1 or len(layout.ruleset.grants) + 1, piece, what, value, by, you, order))
    run.set(cell, value)
    run.set(DIRTY, 1)


def place(memory: list[int], layout: Layout, record: int) -> int:
    """Return how many records of the same thing of the same piece are older than one of them."""
    same = _same(memory, layout, memory[record + PIECE], memory[record + WHAT])
    return sum(memory[one + ORDER] < memory[record + ORDER] for one in same)


def prevails(memory: list[int], layout: Layout, piece: int, field: int) -> bool:
    """Whether anything that has yet to end prevails over what a field of a piece is."""
    return bool(_same(memory, layout, piece, -1 - layout.ruleset.prevailing.index(field)))


def _same(memory: list[int], layout: Layout, piece: int, what: int) -> list[int]:
    """Return the records of the same thing of the same piece."""
    return [one for one in records(memory, layout) if memory[one + PIECE] == piece and memory[one + WHAT] == what]


def end(run: Run, layout: Layout, record: int) -> None:
    """End what a record is about."""
    memory = run.memory
    piece, what, amount = memory[record + PIECE : record + BY]
    _free(run, layout, record)
    if piece < 0:
        cell = layout.piece(-1 - piece) + layout.away + len(layout.ruleset.kept) + what
        run.set(cell, memory[cell] - amount)
        return
    if what >= 0:
        add(run, layout, piece, what, -amount)
        return
    settle(run, layout, piece, -1 - what)


def settle(run: Run, layout: Layout, piece: int, number: int) -> None:
    """Make a field of a piece, by its number among those that prevail, what the newest record of it says."""
    memory, first = run.memory, layout.piece(piece)
    cell, beneath = first + layout.piece_field[layout.ruleset.prevailing[number]], first + layout.beneath + number
    newest = max(_same(memory, layout, piece, -1 - number), key=lambda one: memory[one + ORDER], default=None)
    run.set(cell, memory[beneath] if newest is None else memory[newest + AMOUNT])
    if newest is None:
        run.set(beneath, 0)
    run.set(DIRTY, 1)


def turn_over(run: Run, layout: Layout, piece: int) -> None:
    """Let the bonuses of the form that a piece had wait, and those of its other form count again."""
    for one in records(run.memory, layout):
        if run.memory[one + WHAT] >= 0 and run.memory[one + PIECE] in (piece, -1 - piece):
            run.set(one + PIECE, -1 - run.memory[one + PIECE])


def upheld(memory: list[int], layout: Layout, by: int, piece: int, document: int) -> bool:
    """Whether a piece has something for a time that another one has given it, by what stands on a document if any."""
    told = layout.ruleset.upheld
    return any(
        memory[one + PIECE] in (piece, -1 - piece)
        and memory[one + BY] == by
        and (document < 0 or told.get(memory[one] - 1, (-1,))[0] == document)
        for one in records(memory, layout)
    )


def forget_piece(run: Run, layout: Layout, piece: int) -> None:
    """Leave out the bonuses of a piece that leaves the board; what it gave to others has no giver any more."""
    for borne in layout.borne:
        if borne >= 0:
            mask = layout.of_document + borne
            run.set(mask, run.memory[mask] & ~(1 << piece))
    for record in records(run.memory, layout):
        if run.memory[record + PIECE] in (piece, -1 - piece):
            _free(run, layout, record)
        elif run.memory[record + BY] == piece:
            run.set(record + BY, NOTHING)
