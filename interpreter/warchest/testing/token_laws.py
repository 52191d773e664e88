"""Tokens and pieces over a step: where they are, and where the events have put them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from warchest.engine.history import Happened, Placed, Removed, TokenMoved
from warchest.game.state import State
from warchest.game.telling.naming import Naming
from warchest.ir import steps as ir
from warchest.lowering.code import Plain
from warchest.lowering.layout import NOWHERE
from warchest.lowering.program import Program
from warchest.source.text import Span
from warchest.testing.steps import Step

ON_PIECES = -1
"""All pieces together as a place of tokens: the piece that a token went to is not recorded."""
_TokenPlace = tuple[int, int]
"""A holder and a document."""


def misplaced(step: Step) -> Iterator[str]:
    """Yield the places that have other tokens or pieces after a step than they should have."""
    happened = step.after.history()[len(step.before.history()) :]
    wanted, found = _tokens(step.before), _tokens(step.after)
    naming, pieces = step.before.variant.naming, step.before.pieces
    layout = step.before.variant.program.layout
    makers = _makers(step.before.variant.program)
    loose = Counter[int]()
    for one in happened:
        pieces += isinstance(one, Placed) - isinstance(one, Removed)
        if isinstance(one, TokenMoved | Placed):
            source, document = divmod(one.token, layout.documents)
            count = one.count if isinstance(one, TokenMoved) else 1
            wanted[_lumped(source, layout.first_piece_holder), document] -= count
            goal = one.holder if isinstance(one, TokenMoved) else layout.first_piece_holder
            wanted[_lumped(goal, layout.first_piece_holder), document] += count
            if goal == NOWHERE:
                loose[document] += count
            elif source == NOWHERE and not _makes(one, makers):
                loose[document] -= count
    for place in wanted.keys() | found.keys():
        if place[0] != NOWHERE and wanted[place] != found[place]:
            yield f"{_name(place, naming)}: by the events there are {wanted[place]}, but {found[place]}"
    if min(loose.values(), default=0) < 0 and step.before.at_boundary:
        for document, count in loose.items():
            if count < 0:
                yield f"{naming.documents[document]} comes from nowhere, and no text makes new ones"
    if pieces != step.after.pieces:
        yield f"by the events there are {pieces} pieces on the board, but {step.after.pieces}"


def _makes(one: Happened, makers: frozenset[Span]) -> bool:
    return one.span in makers


@lru_cache(maxsize=16)
def _makers(program: Program) -> frozenset[Span]:
    """Return the clauses that make new tokens."""
    return frozenset(
        one.step.span
        for routine in program.routines.values()
        for one in routine.instructions
        if isinstance(one, Plain) and isinstance(one.step, ir.MakeTokens)
    )


def _tokens(state: State) -> Counter[_TokenPlace]:
    """Return the tokens in all holders, those of pieces together."""
    layout, memory = state.variant.program.layout, state.run.memory
    first = (NOWHERE + 1) * layout.documents
    counts = memory[layout.tokens + first : layout.tokens + layout.holders * layout.documents]
    found = Counter[_TokenPlace]()
    for token, count in enumerate(counts, first):
        if count:
            holder, document = divmod(token, layout.documents)
            found[_lumped(holder, layout.first_piece_holder), document] += count
    return found


def _lumped(holder: int, first_of_pieces: int) -> int:
    return ON_PIECES if holder >= first_of_pieces else holder


def _name(place: _TokenPlace, naming: Naming) -> str:
    holder, document = place
    where = "on the board" if holder == ON_PIECES else f"in {naming.where(holder)}"
    return f"{naming.documents[document]} {where}"
