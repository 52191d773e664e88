"""The few things that change a state: tokens and pieces go somewhere, fields get values."""

from __future__ import annotations

from collections.abc import Sequence

from warchest.machine.grants import bear, forget_piece, turn_over
from warchest.machine.layout import (
    DIRTY,
    DOCUMENT,
    KIND,
    LAST,
    LIVE,
    NOWHERE,
    SPACE,
    Layout,
)
from warchest.machine.run import ROWS, Frame, Overfull, Run
from warchest.rules.values import NOTHING


def by_place(run: Run, layout: Layout, pieces: Sequence[int]) -> Sequence[int]:
    """Return pieces in an order that does not depend on their numbers: by space, then by all that is so of them."""
    if len(pieces) < 2:
        return pieces
    memory, first, stride = run.memory, layout.pieces, layout.stride
    where = first + SPACE
    spaces = [memory[where + piece * stride] for piece in pieces]
    if len(set(spaces)) == len(spaces):
        return [piece for _, piece in sorted(zip(spaces, pieces, strict=True))]
    return sorted(pieces, key=lambda piece: (
        memory[(cell := first + piece * stride) + SPACE], memory[cell + KIND : cell + stride],
    ))  # fmt: skip


def move_token(run: Run, layout: Layout, token: int, holder: int) -> int:
    """Take a token from where it is to a holder; return the token as it is called there."""
    documents, cells = layout.documents, layout.tokens
    source, document = divmod(token, documents)
    if source != NOWHERE:
        run.set(cells + token, run.memory[cells + token] - 1)
    moved = holder * documents + document
    if holder != NOWHERE:
        run.set(cells + moved, run.memory[cells + moved] + 1)
    if layout.watched_holders[source] or layout.watched_holders[holder]:
        run.set(DIRTY, 1)
    return moved


def add_tokens(run: Run, layout: Layout, holder: int, document: int, count: int) -> None:
    """Make new tokens in a holder."""
    cell = layout.tokens + holder * layout.documents + document
    run.set(cell, run.memory[cell] + count)
    if layout.watched_holders[holder]:
        run.set(DIRTY, 1)


def new_piece(run: Run, layout: Layout, kind: int, document: int, space: int, owner: int) -> int:
    """Put a new piece onto a space and return its number; raises Overfull when there is no number left."""
    memory = run.memory
    for offset in range(1, layout.room + 1):
        number = (memory[LAST] + offset) % layout.room
        if not memory[LIVE] >> number & 1:
            break
    else:
        raise Overfull("there are too many pieces on the board")
    run.set(LAST, number)
    run.set(LIVE, memory[LIVE] | 1 << number)
    first = layout.piece(number)
    cells = slice(first, first + layout.stride)
    run.trail += enumerate(memory[cells], first)
    memory[cells] = (kind, document, space, document, owner, *layout.fresh)
    for cell in (*run.catalogue.carried[document], layout.of_kind + kind):
        run.set(cell, memory[cell] | 1 << number)
    run.set(layout.at + space, memory[layout.at + space] | 1 << number)
    if layout.watched.arrivals:
        run.set(DIRTY, 1)
    return number


def taken(run: Run, layout: Layout, kind: int, space: int, *leaving: int) -> bool:
    """Return whether a space has no room for a piece of a kind, because one stands there that is not `leaving`."""
    memory = run.memory
    there = memory[layout.at + space]
    if not there or not layout.ruleset.kinds[kind].alone:
        return False
    for piece in leaving:
        there &= ~(1 << piece)
    return bool(there & memory[layout.of_kind + kind])


def can_swap_places(run: Run, layout: Layout, first: int, second: int) -> bool:
    """Return whether two pieces can stand where the other one stands: nothing else of their kinds is in the way."""
    one, other = layout.piece(first), layout.piece(second)
    return not any(taken(run, layout, run.memory[kind + KIND], run.memory[space + SPACE], first, second)
                   for kind, space in ((one, other), (other, one)))  # fmt: skip


def move_piece(run: Run, layout: Layout, number: int, space: int) -> None:
    """Take a piece to a space."""
    place = layout.pieces + number * layout.stride + SPACE
    bit, memory = 1 << number, run.memory
    old, new = layout.at + memory[place], layout.at + space
    run.set(old, memory[old] & ~bit)
    run.set(new, memory[new] | bit)
    run.set(place, space)
    if layout.watched.places:
        run.set(DIRTY, 1)


def change_form(run: Run, layout: Layout, number: int, document: int) -> None:
    """Make a piece be of another document; what it is made of stays what it was."""
    first, bit, memory = layout.piece(number), 1 << number, run.memory
    for mask in run.catalogue.carried[memory[first + DOCUMENT]]:
        run.set(mask, memory[mask] & ~bit)
    run.set(first + DOCUMENT, document)
    for mask in run.catalogue.carried[document]:
        run.set(mask, memory[mask] | bit)
    for what, borne in enumerate(layout.borne):
        if borne >= 0:
            bear(run, layout, number, what)
    run.set(DIRTY, 1)


def swap_form(run: Run, layout: Layout, number: int, document: int) -> None:
    """Let a piece change to its other form; what belongs to the one it had waits."""
    first, memory = layout.piece(number), run.memory
    for offset, cell in enumerate(layout.bound):
        here, away = first + cell, first + layout.away + offset
        value = memory[here]
        run.set(here, memory[away])
        run.set(away, value)
    turn_over(run, layout, number)
    change_form(run, layout, number, document)


def forget_passing(run: Run, layout: Layout) -> None:
    """Make all that matters only while something is being done as it usually is."""
    memory, left, usual = run.memory, run.memory[LIVE], layout.at_rest
    first, last, stride = layout.pieces + layout.passing.start, layout.pieces + layout.passing.stop, layout.stride
    while left:
        bit = left & -left
        left ^= bit
        piece = (bit.bit_length() - 1) * stride
        if memory[first + piece : last + piece] != usual:
            _forget_passing(run, layout, layout.pieces + piece)


def _forget_passing(run: Run, layout: Layout, piece: int) -> None:
    for cell, usual in zip(layout.passing, layout.at_rest, strict=True):
        if run.memory[piece + cell] != usual:
            run.set(piece + cell, usual)
            if cell in layout.watched_passing:
                run.set(DIRTY, 1)


def remove_piece(run: Run, layout: Layout, number: int) -> None:
    """Take a piece off the board with what it is made of; nothing that is pending knows of it any more."""
    first, bit, memory = layout.piece(number), 1 << number, run.memory
    masks = (layout.at + memory[first + SPACE], *run.catalogue.carried[memory[first + DOCUMENT]],
             layout.of_kind + memory[first + KIND], LIVE)  # fmt: skip
    for mask in masks:
        run.set(mask, memory[mask] & ~bit)
    if layout.watched.departures:
        run.set(DIRTY, 1)
    if layout.borne:
        forget_piece(run, layout, number)
    cells = slice(first, first + layout.stride)
    run.trail += enumerate(memory[cells], first)
    memory[cells] = [NOTHING] * layout.stride
    holder = layout.first_piece_holder + number
    for cell in layout.holder_cells(holder):
        if memory[cell]:
            run.set(cell, 0)
    top = run.top
    if top is not None:
        run.put_back(forget(top, number, holder, layout.documents))


def forget(frame: Frame, piece: int, holder: int, documents: int) -> Frame:
    """Return the stack with every mention of a piece gone; tokens it was made of are nowhere now.

    Frames that do not mention it stay what they are.
    """
    below, code = frame.parent, frame.code
    parent = forget(below, piece, holder, documents) if below is not None else None
    env = frame.env
    if code.inside or piece in env:
        left = list(env)
        for place in code.mentions:
            left[place] = _forgotten(env[place], code.bases[place], piece, holder, documents)
        env = tuple(left)
    elif parent is below:
        return frame
    return Frame(parent, code, frame.pc, env, frame.outs)


def _forgotten(value: object, base: str, piece: int, holder: int, documents: int) -> object:
    if base == "piece":
        return NOTHING if value == piece else value
    if base == "token" and isinstance(value, int) and value >= 0 and value // documents == holder:
        return value % documents
    if base in ROWS and isinstance(value, tuple):
        return (value[0], *(_forgotten(member, ROWS[base], piece, holder, documents) for member in value[1:]))
    if base == "queue" and isinstance(value, tuple):
        return tuple((hook, NOTHING if this == piece else this) for hook, this in value)
    return value
