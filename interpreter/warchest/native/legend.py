"""Symbol table of a compiled library, stored beside it so that the C need not be generated again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from warchest.lowering.program import Program
from warchest.native.code_places import Places
from warchest.native.sheets import SheetTables


@dataclass(frozen=True)
class Legend:
    """The places of the code, the tables of sheets that it reads, and the acts that name options."""

    places: Places
    sheets: SheetTables
    acts: dict[str, int]

    def plain(self, library: str) -> dict[str, object]:
        """Return the name of a library and its legend as plain data; `recalled` restores them for the same program."""
        return {"library": library, "sheets": list(self.sheets.places), "acts": self.acts}


def recalled(told: Any, program: Program) -> tuple[str, Legend]:
    """Return the name of a library and its legend, from the plain data written for the same program."""
    sheets = SheetTables(program.layout)
    for kind, key, document, index in told["sheets"]:
        sheets.place((kind, key, document, index))
    return told["library"], Legend(Places(program), sheets, told["acts"])
