"""Changes of a state: tokens and pieces move, and pieces get values for good or for a time.

Cells of a piece add up its bonuses. Every effect that ends has a record. Where several values override a field the
newest record counts; a cell of the piece keeps the value beneath all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from warchest.engine.runs import Frame, Overfull, Run, frames
from warchest.ir.values import NOTHING
from warchest.lowering.code import LISTS
from warchest.lowering.gone import code_of
from warchest.lowering.layout import (
    DECLARED,
    DOCUMENT,
    GRANT,
    KIND,
    LAST,
    LIVE,
    NOWHERE,
    OWNER,
    SPACE,
    UNSETTLED,
    Layout,
)
from warchest.source.limits import MAX_OF_A_KIND, MAX_PIECES

CLAUSE, PIECE, WHAT, AMOUNT, BY, YOU, ORDER = range(GRANT)
"""The cells of a record: the clause that ends it (counted from 1; 0 is a free record), the piece that has it, the value
and the amount added to it, the piece and the player that gave it, and the number of older records of the same
value.

A value below 0 (-1, -2, …) is a field that is set to the amount: the first, second, … of the fields that can be
overridden. A bonus of a form that the piece does not have waits: its piece is counted from the end, -1 - piece.
"""
FOREVER = -1
"""The clause of a bonus, or of a value, that nothing ends."""


def records(memory: Sequence[int], layout: Layout) -> Iterator[int]:
    """Yield the first cells of all records in use."""
    left = memory[layout.granted]
    for cell in range(layout.grants, layout.grants_end, GRANT) if left else ():
        if memory[cell]:
            yield cell
            left -= 1
            if not left:
                return


def raise_for_good(run: Run, layout: Layout, piece: int, what: int, amount: int) -> None:
    """Raise a value of a piece for good; a negative amount lowers the value."""
    cell = layout.piece(piece) + layout.raised + what
    run.set(cell, run.memory[cell] + amount)
    run.set(UNSETTLED, 1)
    bear(run, layout, piece, what)


def bear(run: Run, layout: Layout, piece: int, what: int) -> None:
    """Let a piece bear a document if its sheet bears it or its bonus is positive, and otherwise not."""
    borne, first = layout.borne[what], layout.piece(piece)
    if borne >= 0:
        mask, bit = layout.of_document + borne, 1 << piece
        printed = run.catalogue.sheets[run.memory[first + DOCUMENT]].bears
        has = run.memory[first + layout.raised + what] > 0 or borne in printed
        run.set(mask, run.memory[mask] | bit if has else run.memory[mask] & ~bit)


def give(run: Run, layout: Layout, clause: int, piece: int, what: int, amount: int, by: int, you: int) -> None:
    """Raise a value of a piece until the clause is ended; raises Overfull when there is no room."""
    raise_for_good(run, layout, piece, what, amount)
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
    """Mark a record as free."""
    run.set(record + CLAUSE, 0)
    run.set(layout.granted, run.memory[layout.granted] - 1)


def prevail(run: Run, layout: Layout, clause: int, piece: int, field: int, value: int, by: int, you: int) -> None:
    """Set a field of a piece until the clause is ended, hiding its value; raises Overfull when there is no room."""
    memory = run.memory
    what = -1 - layout.ruleset.prevailing.index(field)
    cell, beneath = layout.piece(piece) + layout.piece_field[field], layout.piece(piece) + layout.beneath - 1 - what
    older = _same(memory, layout, piece, what)
    if older or clause != FOREVER:
        # A value without an end is beneath all others, unless one with an end is there already.
        if not older:
            run.set(beneath, memory[cell])
        order = 1 + max((memory[one + ORDER] for one in older), default=-1)
        record(run, layout, (clause + 1 or len(layout.ruleset.grants) + 1, piece, what, value, by, you, order))
    run.set(cell, value)
    run.set(UNSETTLED, 1)


def order_of(memory: Sequence[int], layout: Layout, record: int) -> int:
    """Return the number of records that are older than a record, and of the same value of the same piece."""
    same = _same(memory, layout, memory[record + PIECE], memory[record + WHAT])
    return sum(memory[one + ORDER] < memory[record + ORDER] for one in same)


def prevails(memory: list[int], layout: Layout, piece: int, field: int) -> bool:
    """Whether a temporary value overrides a field of a piece."""
    return bool(_same(memory, layout, piece, -1 - layout.ruleset.prevailing.index(field)))


def _same(memory: Sequence[int], layout: Layout, piece: int, what: int) -> list[int]:
    """Return the records of one value of one piece."""
    return [one for one in records(memory, layout) if memory[one + PIECE] == piece and memory[one + WHAT] == what]


def end_record(run: Run, layout: Layout, record: int) -> None:
    """End the bonus or the value of a record."""
    memory = run.memory
    piece, what, amount = memory[record + PIECE : record + BY]
    _free(run, layout, record)
    if piece < 0:
        cell = layout.piece(-1 - piece) + layout.away + len(layout.ruleset.kept) + what
        run.set(cell, memory[cell] - amount)
        return
    if what >= 0:
        raise_for_good(run, layout, piece, what, -amount)
        return
    prevail_newest(run, layout, piece, -1 - what)


def prevail_newest(run: Run, layout: Layout, piece: int, number: int) -> None:
    """Set a field of a piece, by its number among fields that can be overridden, to the value of its newest record."""
    memory, first = run.memory, layout.piece(piece)
    cell, beneath = first + layout.piece_field[layout.ruleset.prevailing[number]], first + layout.beneath + number
    newest = max(_same(memory, layout, piece, -1 - number), key=lambda one: memory[one + ORDER], default=None)
    run.set(cell, memory[beneath] if newest is None else memory[newest + AMOUNT])
    if newest is None:
        run.set(beneath, 0)
    run.set(UNSETTLED, 1)


def turn_over(run: Run, layout: Layout, piece: int) -> None:
    """Let the bonuses of the form that a piece had wait, and let the bonuses of its other form count again."""
    for one in records(run.memory, layout):
        if run.memory[one + WHAT] >= 0 and run.memory[one + PIECE] in (piece, -1 - piece):
            run.set(one + PIECE, -1 - run.memory[one + PIECE])


def upheld(memory: list[int], layout: Layout, by: int, piece: int, document: int) -> bool:
    """Whether a piece has a temporary value from another piece; if a document is given, by a text of that document."""
    told = layout.ruleset.upheld
    return (
        by >= 0
        and piece >= 0
        and any(
            memory[one + PIECE] in (piece, -1 - piece)
            and memory[one + BY] == by
            and (document < 0 or told.get(memory[one] - 1, (-1,))[0] == document)
            for one in records(memory, layout)
        )
    )


def forget_piece(run: Run, layout: Layout, piece: int) -> None:
    """Leave out the bonuses of a piece that leaves the board; bonuses that it gave to others have no giver any more."""
    for borne in layout.borne:
        if borne >= 0:
            mask = layout.of_document + borne
            run.set(mask, run.memory[mask] & ~(1 << piece))
    for record in records(run.memory, layout):
        if run.memory[record + PIECE] in (piece, -1 - piece):
            _free(run, layout, record)
        elif run.memory[record + BY] == piece:
            run.set(record + BY, NOTHING)


# ---- tokens and pieces


def by_place(run: Run, layout: Layout, pieces: Sequence[int]) -> Sequence[int]:
    """Return pieces in an order that does not depend on their numbers: by space, then by all their values."""
    if len(pieces) < 2:
        return pieces
    memory, first, stride = run.memory, layout.pieces, layout.stride
    where = first + SPACE
    spaces = [memory[where + piece * stride] for piece in pieces]
    if len(set(spaces)) == len(spaces):
        return [piece for _, piece in sorted(zip(spaces, pieces, strict=True))]
    return sorted(
        pieces,
        key=lambda piece: (memory[(cell := first + piece * stride) + SPACE], memory[cell + KIND : cell + stride]),
    )


def move_tokens(run: Run, layout: Layout, token: int, holder: int, count: int = 1) -> int:
    """Move some of a token to a holder; return the token there.

    If the holder or the token does not exist, or there is no room, no token moves, and NOTHING is returned.
    """
    if holder < 0 or is_gone(run, layout, token):
        return NOTHING
    memory, log = run.memory, run.log
    source, document = divmod(token, layout.documents)
    moved = holder * layout.documents + document
    here, there = layout.tokens + token, layout.tokens + moved
    if holder not in (NOWHERE, source) and memory[there] + count > MAX_OF_A_KIND:
        return NOTHING
    if source != NOWHERE:
        log.append((here, memory[here]))
        memory[here] -= count
    if holder != NOWHERE:
        log.append((there, memory[there]))
        memory[there] += count
    if layout.watched_holders[source] or layout.watched_holders[holder]:
        run.set(UNSETTLED, 1)
    return moved


def is_gone(run: Run, layout: Layout, token: int) -> bool:
    """Whether a token does not exist: it has never existed, or it has been taken away in the meantime."""
    return token < 0 or (token >= layout.documents and not run.memory[layout.tokens + token])


def add_tokens(run: Run, layout: Layout, holder: int, document: int, count: int) -> bool:
    """Make new tokens in a holder; return whether it has room for them; if it has not, no token is made."""
    cell = layout.tokens + holder * layout.documents + document
    if run.memory[cell] + count > MAX_OF_A_KIND:
        return False
    run.set(cell, run.memory[cell] + count)
    if layout.watched_holders[holder]:
        run.set(UNSETTLED, 1)
    return True


def new_piece(run: Run, layout: Layout, kind: int, document: int, space: int, owner: int) -> int:
    """Put a new piece onto a space and return its number; raises Overfull when there is no number left."""
    memory = run.memory
    for offset in range(1, layout.room + 1):
        number = (memory[LAST] + offset) % layout.room
        if not memory[LIVE] >> number & 1:
            break
    else:
        more = f"its document can say `pieces:`, up to {MAX_PIECES}"
        raise Overfull(f"there are too many pieces on the board, which has room for {layout.room}; {more}")
    run.set(LAST, number)
    run.set(LIVE, memory[LIVE] | 1 << number)
    first = layout.piece(number)
    cells = slice(first, first + layout.stride)
    run.log += enumerate(memory[cells], first)
    memory[cells] = (kind, document, space, document, owner, *layout.fresh)
    for cell in (*run.catalogue.carried[document], layout.of_kind + kind):
        run.set(cell, memory[cell] | 1 << number)
    run.set(layout.at + space, memory[layout.at + space] | 1 << number)
    if layout.watched.arrivals:
        run.set(UNSETTLED, 1)
    return number


def taken(run: Run, layout: Layout, kind: int, space: int, *leaving: int) -> bool:
    """Return whether a space has no room for a piece of a kind, because it holds one that is not `leaving`."""
    memory = run.memory
    there = memory[layout.at + space]
    if not there or not layout.ruleset.kinds[kind].alone:
        return False
    for piece in leaving:
        there &= ~(1 << piece)
    return bool(there & memory[layout.of_kind + kind])


def can_swap_places(run: Run, layout: Layout, first: int, second: int) -> bool:
    """Return whether two pieces can exchange their spaces: no other piece of their kinds is in the way."""
    one, other = layout.piece(first), layout.piece(second)
    return not any(
        taken(run, layout, run.memory[kind + KIND], run.memory[space + SPACE], first, second)
        for kind, space in ((one, other), (other, one))
    )


def move_piece(run: Run, layout: Layout, number: int, space: int) -> None:
    """Take a piece to a space."""
    place = layout.pieces + number * layout.stride + SPACE
    bit, memory = 1 << number, run.memory
    old, new = layout.at + memory[place], layout.at + space
    run.set(old, memory[old] & ~bit)
    run.set(new, memory[new] | bit)
    run.set(place, space)
    if layout.watched.places:
        run.set(UNSETTLED, 1)


def change_form(run: Run, layout: Layout, number: int, document: int) -> None:
    """Make a piece be of another document; the tokens that it is made of stay the same."""
    first, bit, memory = layout.piece(number), 1 << number, run.memory
    for mask in run.catalogue.carried[memory[first + DOCUMENT]]:
        run.set(mask, memory[mask] & ~bit)
    run.set(first + DOCUMENT, document)
    for mask in run.catalogue.carried[document]:
        run.set(mask, memory[mask] | bit)
    for what, borne in enumerate(layout.borne):
        if borne >= 0:
            bear(run, layout, number, what)
    run.set(UNSETTLED, 1)


def swap_form(run: Run, layout: Layout, number: int, document: int) -> None:
    """Let a piece change to its other form; fields and bonuses of its previous form wait."""
    first, memory = layout.piece(number), run.memory
    for offset, cell in enumerate(layout.bound):
        here, away = first + cell, first + layout.away + offset
        value = memory[here]
        run.set(here, memory[away])
        run.set(away, value)
    turn_over(run, layout, number)
    change_form(run, layout, number, document)


def can_change_kind(run: Run, layout: Layout, number: int, kind: int) -> bool:
    """Return whether a piece can change to a kind: one is the remains of the other, and the space has room for it."""
    kinds, cell = layout.ruleset.kinds, layout.piece(number)
    old, space = run.memory[cell + KIND], run.memory[cell + SPACE]
    return (kinds[kind].remains_of == old or kinds[old].remains_of == kind) and not taken(run, layout, kind, space)


def change_kind(run: Run, layout: Layout, number: int, kind: int) -> None:
    """Change the kind of a piece; pending work only remembers the piece as it was.

    The piece keeps its tokens, place, owner and form, and the fields that its remains keep; all bonuses end.
    """
    first, bit, memory, code = layout.piece(number), 1 << number, run.memory, code_of(layout, run.memory, number)
    old = memory[first + KIND]
    for which, field in enumerate(layout.ruleset.prevailing):
        if prevails(memory, layout, number, field):
            run.set(first + layout.piece_field[field], memory[first + layout.beneath + which])
    forget_piece(run, layout, number)
    stays = layout.staying[kind if layout.ruleset.kinds[kind].remains_of == old else old]
    for cell, usual in enumerate(layout.fresh, DECLARED):
        if cell not in stays and memory[first + cell] != usual:
            run.set(first + cell, usual)
    for mask, there in ((layout.of_kind + old, 0), (layout.of_kind + kind, bit)):
        run.set(mask, memory[mask] & ~bit | there)
    run.set(first + KIND, kind)
    for what in range(len(layout.borne)):
        bear(run, layout, number, what)
    run.set(UNSETTLED, 1)
    _only_remember(run, layout, Leaving(number, code, NOTHING, layout.documents))


def change_owner(run: Run, layout: Layout, number: int, player: int) -> None:
    """Make a piece belong to a player; its tokens and fields stay as they are."""
    run.set(layout.piece(number) + OWNER, player)
    run.set(UNSETTLED, 1)


def forget_passing(run: Run, layout: Layout, acts: tuple[int, ...]) -> None:
    """Reset the fields of all pieces that last for some acts, unless one of these acts is under way."""
    memory, left, cells = run.memory, run.memory[LIVE], layout.passing[acts]
    if any(memory[layout.fields[layout.ruleset.under_way(verb)]] for verb in acts):
        return
    while left:
        bit = left & -left
        left ^= bit
        piece = layout.piece(bit.bit_length() - 1)
        for cell in cells:
            usual = layout.fresh[cell - DECLARED]
            if memory[piece + cell] != usual:
                run.set(piece + cell, usual)
                if cell in layout.watched_passing:
                    run.set(UNSETTLED, 1)


def end_values(run: Run, layout: Layout) -> None:
    """Reset the values of all acts."""
    for cell, usual in layout.values.items():
        if run.memory[cell] != usual:
            run.set(cell, usual)


def remove_piece(run: Run, layout: Layout, number: int) -> None:
    """Take a piece off the board with its tokens; pending work only remembers its last known facts."""
    first, bit, memory, code = layout.piece(number), 1 << number, run.memory, code_of(layout, run.memory, number)
    masks = (
        layout.at + memory[first + SPACE],
        *run.catalogue.carried[memory[first + DOCUMENT]],
        layout.of_kind + memory[first + KIND],
        LIVE,
    )
    for mask in masks:
        run.set(mask, memory[mask] & ~bit)
    if layout.watched.departures:
        run.set(UNSETTLED, 1)
    if layout.borne or layout.grants_end > layout.grants:
        forget_piece(run, layout, number)
    cells = slice(first, first + layout.stride)
    run.log += enumerate(memory[cells], first)
    memory[cells] = [NOTHING] * layout.stride
    holder = layout.first_piece_holder + number
    for cell in layout.holder_cells(holder):
        if memory[cell]:
            run.set(cell, 0)
    _only_remember(run, layout, Leaving(number, code, holder, layout.documents))


class Leaving(NamedTuple):
    """A piece that leaves the board: its number, its code from then on, and the holder of its tokens."""

    piece: int
    code: int
    holder: int
    documents: int


def _only_remember(run: Run, layout: Layout, one: Leaving) -> None:
    """Make all work under way refer to a piece only by its last known facts."""
    for cell in layout.parts:
        if run.memory[cell] == one.piece:
            run.set(cell, one.code)
    run.put_back(forget(run.top, one))


def forget(top: Frame | None, one: Leaving) -> Frame | None:
    """Return the stack with the code of a piece in place of each mention; the tokens it was made of are nowhere now.

    A frame stays the same if neither it nor any below it mentions the piece.
    """
    below: Frame | None = None
    for frame in reversed(frames(top)):
        code, env = frame.code, frame.env
        if code.nested or one.piece in env:
            left = list(env)
            for place in code.mentions:
                if left[place] != NOTHING:
                    left[place] = _forgotten(left[place], code.bases[place], one)
            env = tuple(left)
        is_same = env == frame.env and below is frame.parent
        below = frame if is_same else frame._replace(parent=below, env=env)
    return below


def _forgotten(value: object, base: str, one: Leaving) -> object:
    if base == "piece":
        return one.code if value == one.piece else value
    if base == "token" and isinstance(value, int) and value >= 0 and value // one.documents == one.holder:
        return value % one.documents
    if base in LISTS and isinstance(value, tuple):
        return (value[0], *(_forgotten(member, LISTS[base], one) for member in value[1:]))
    if base == "queue" and isinstance(value, tuple):
        return tuple((hook, one.code if this == one.piece else this) for hook, this in value)
    return value
