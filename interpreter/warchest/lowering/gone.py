"""Pieces that have left the board: a variable that named one gets a code with its last facts.

A code is a negative number whose digits are the space, the owner, the player who decided, the document and the nature
of the piece. So it needs no memory, is compared as a number, and is the same on both machines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from warchest.ir.values import NOTHING
from warchest.lowering.layout import DOCUMENT, NATURE, OWNER, SPACE, Layout

GONE = 16
"""The codes of gone pieces are -GONE and below; the negative numbers above have other meanings in variables."""
FEW, MANY = 1 << 10, 1 << 20
"""The numbers of documents for which codes have room: the native machine gives up if a game has more than a few."""


class Digit(NamedTuple):
    """A digit of a code: its weight, the number of its values, and its offset."""

    weight: int
    size: int
    less: int

    def of(self, code: int) -> int:
        """Return the digit of a code; NOTHING for any other number."""
        return (-GONE - code) // self.weight % self.size - self.less if code <= -GONE else NOTHING


class Digits(NamedTuple):
    """The digits of the codes of one layout, the least first."""

    nature: Digit
    document: Digit
    decider: Digit
    owner: Digit
    space: Digit


def digits_of(layout: Layout) -> Digits:
    """Return the digits of the codes of a layout."""
    documents, players = FEW if layout.documents <= FEW else MANY, layout.players + 1
    found, weight = list[Digit](), 1
    for size, less in ((documents, 0), (documents, 0), (players, 1), (players, 1), (len(layout.board.spaces), 0)):
        found.append(Digit(weight, size, less))
        weight *= size
    return Digits(*found)


def cells_of(layout: Layout) -> tuple[int, ...]:
    """Return the cells of a piece for the digits, in their order."""
    return NATURE, DOCUMENT, layout.decider, OWNER, SPACE


def code_of(layout: Layout, memory: list[int], piece: int) -> int:
    """Return the code of a piece that is about to leave the board."""
    first = layout.piece(piece)
    return code_with(layout, [memory[first + cell] for cell in cells_of(layout)])


def code_with(layout: Layout, facts: Sequence[int]) -> int:
    """Return the code with the given digits, the least first."""
    return -GONE - sum((fact + digit.less) * digit.weight for fact, digit in zip(facts, digits_of(layout), strict=True))
