"""The numbers by which compiled code is called, which are kept beside it: then none of it need be written again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from warchest.lowering.program import Program
from warchest.native.code_places import Places
from warchest.native.sheets import SheetTables


@dataclass(frozen=True)
class Legend:
    """The places of the code, the tables that it reads of sheets, and the acts that options are called by."""

    places: Places
    sheets: SheetTables
    acts: dict[str, int]

    def plain(self, library: str) -> dict[str, object]:
        """Return plain data by which the library of this name is recalled for the same program."""
        return {"library": library, "sheets": list(self.sheets.places), "acts": self.acts}


def recalled(told: Any, program: Program) -> tuple[str, Legend]:
    """Return the name of a library and its legend, which was written for the same program."""
    sheets = SheetTables(program.layout)
    for kind, key, document, index in told["sheets"]:
        sheets.place((kind, key, document, index))
    return told["library"], Legend(Places(program), sheets, told["acts"])
