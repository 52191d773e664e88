"""The contents of the documents, as data that native code reads: another document changes no code.

It is one row of numbers (`r->sheets`): table after table, each with numbers for no document (-1) and for every
document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from warchest.ir.ruleset import Filled, Ruleset
from warchest.ir.values import NOTHING
from warchest.lowering.layout import Layout
from warchest.native.definitions import LARGEST
from warchest.native.native_layout import roomy
from warchest.native.unfit import Unfit

SheetTable: TypeAlias = tuple[str, str, int, int]
"""A table: its kind, the key on a sheet, and the document and the index of a parameter.

The kinds are `number` and `name` (of a key), `spaces` (those listed under a key, as bits), `bears` (the documents to
whose bearers a thing belongs, as bits), `filled` (the number filled in for a parameter), `raised` and `amount` (of a
bonus filled in).
"""
BEARS: SheetTable = ("bears", "", 0, 0)
NUMBERS = ("number", "filled", "amount")


def sheet_table(kind: str, key: str | int, index: int = 0) -> SheetTable:
    """Return a table of the contents of documents under a key, or of their fillings for a parameter of a document."""
    return (kind, key, 0, 0) if isinstance(key, str) else (kind, "", key, index)


class SheetTables:
    """The tables of sheets that code reads, with their places in the row of numbers."""

    def __init__(self, layout: Layout) -> None:
        self.layout = roomy(layout)
        self.places: dict[SheetTable, int] = {}
        self.size = 0
        self.place(BEARS)

    def width(self, what: SheetTable) -> int:
        """Return the number of cells that a table has for each document."""
        bits = {"spaces": len(self.layout.board.spaces), "bears": self.layout.documents}.get(what[0], 32)
        return (bits + 31) // 32

    def place(self, what: SheetTable) -> int:
        """Return the beginning of the row of the first document in a table; the row for no document is before it."""
        if what not in self.places:
            self.places[what] = self.size + self.width(what)
            self.size += self.width(what) * (self.layout.documents + 1)
        return self.places[what]

    def cell(self, what: SheetTable, document: str) -> str:
        """Return the expression for the entry of a document in a table of single numbers."""
        return f"r->sheets[{self.place(what)} + {document}]"

    def numbers(self, ruleset: Ruleset | None = None) -> list[int]:
        """Return the row of numbers for the sheets of a rule set, by default the layout's own rule set."""
        rules = ruleset or self.layout.ruleset
        found: list[int] = []
        for what in self.places:
            rows = [self._row(what, number, rules) for number in range(len(rules.sheets))]
            blank = [0] * self.width(what)
            nobody = [NOTHING] if what[0] == "name" else rows[-1] if rows else blank
            rows += [blank] * (self.layout.documents - len(rows))
            found += [one for row in (nobody, *rows) for one in row]
            if what[0] in NUMBERS and any(abs(one) > LARGEST for row in rows for one in row):
                raise Unfit("a number on a document is too large")
        return found

    def _row(self, what: SheetTable, number: int, rules: Ruleset) -> Sequence[int]:
        (kind, key, document, index), sheet = what, rules.sheets[number]
        filled = sheet.bears[document][index] if document in sheet.bears and kind in FILLED else 0
        board = self.layout.board.number
        match kind:
            case "number":
                return [sheet.numbers.get(key, 0)]
            case "name":
                return [sheet.names.get(key, NOTHING)]
            case "spaces":
                return words((board[one] for one in sheet.spaces.get(key, ()) if one in board), self.width(what))
            case "bears":
                return words((number, *sheet.bears), self.width(what))
            case _:
                return [FILLED[kind](filled, rules)]


def _raised(filled: Filled, rules: Ruleset) -> int:
    return rules.raised.index(filled[0]) if isinstance(filled, tuple) else 0


def _amount(filled: Filled, rules: Ruleset) -> int:
    return filled[1] if isinstance(filled, tuple) else 0


def _number(filled: Filled, rules: Ruleset) -> int:
    return filled if isinstance(filled, int) else filled[1]


FILLED: dict[str, Callable[[Filled, Ruleset], int]] = {"filled": _number, "raised": _raised, "amount": _amount}


def words(members: Iterable[int], count: int) -> list[int]:
    """Return a set of numbers as a number of words of 32 bits, which C keeps in signed numbers."""
    bits = sum(1 << one for one in set(members))
    return [signed(bits >> 32 * word & 0xFFFFFFFF) for word in range(count)]


def signed(word: int) -> int:
    """Return a word of 32 bits as a signed number."""
    return word - 2**32 if word >= 2**31 else word
