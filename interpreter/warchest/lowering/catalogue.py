"""The catalogue: the contents of documents, as tables by their numbers, which the code of a program indexes.

A program knows documents only by their numbers. So a game with further sheets, or with other numbers on them, is played
by the same program with another catalogue.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from warchest.ir.ruleset import Filled, Sheet
from warchest.ir.values import NOTHING
from warchest.lowering.layout import Layout

TableKey: TypeAlias = tuple[str | int, ...]
"""The name of a table: the sort of its contents, and the key or the document that they belong to."""


class Catalogue(dict[TableKey, Sequence[Any]]):
    """The tables of the contents of documents, each made on first use.

    `("number", key)` and `("name", key)` hold the values under a key, numbers or documents; `("spaces", key)` the
    listed spaces; `("filled", document, index)` the fillings of a borne document, and `("bonus", document, index)` the
    same fillings as bonuses: the number of the raised value, and the amount.
    """

    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self.layout = layout
        said = layout.ruleset.sheets
        # The last one is also that of no token, whose number is that of the last place.
        self.sheets: Sequence[Sheet] = [*said, *said[-1:] * (layout.documents - len(said))]
        first = layout.of_document
        self.carried = [
            (first + number, *(first + one for one in sheet.bears)) for number, sheet in enumerate(self.sheets)
        ]
        """For each document the sets of pieces that its pieces belong to: its own set, and those of all documents it
        bears.
        """

    def __missing__(self, key: TableKey) -> Sequence[Any]:
        self[key] = made = self._made(key)
        return made

    def _made(self, key: TableKey) -> Sequence[Any]:
        match key:
            case "number", str(what):
                return [sheet.numbers.get(what, 0) for sheet in self.sheets]
            case "name", str(what):
                return [*(sheet.names.get(what, NOTHING) for sheet in self.sheets), NOTHING]
            case "spaces", str(what):
                return [self._spaces(sheet.spaces.get(what, ())) for sheet in self.sheets]
            case "filled", int(document), int(index):
                filled = self._filled(document, index)
                return [one if isinstance(one, int) else one[1] for one in filled]
            case "bonus", int(document), int(index):
                number, filled = self.layout.raises.index, self._filled(document, index)
                return [(0, 0) if isinstance(one, int) else (number(one[0]), one[1]) for one in filled]
        raise KeyError(key)

    def _filled(self, document: int, index: int) -> list[Filled]:
        """Return for each document its filling for a document that it bears."""
        return [sheet.bears[document][index] if document in sheet.bears else 0 for sheet in self.sheets]

    def _spaces(self, names: Sequence[str]) -> frozenset[int]:
        """Return spaces by their names, without those that are not on this board."""
        number = self.layout.board.number
        return frozenset(number[name] for name in names if name in number)
