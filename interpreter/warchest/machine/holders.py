"""Where tokens are, as Python expressions: holders by their numbers, and the cells that count what lies in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from warchest.lowering.layout import Layout
from warchest.rules import values as ir

Cells: TypeAlias = tuple[slice, range]
"""The cells that count the tokens of holders that lie side by side, and the tokens, a cell for each."""


class HolderWriter:
    """Writes expressions about holders; the names they use stand in `names`."""

    def __init__(self, layout: Layout, names: dict[str, Any]) -> None:
        self.layout, self.names = layout, names

    def constant(self, value: Any) -> str:
        """Return a name for a value that is fixed when the rules are loaded."""
        name = f"k{len(self.names)}"
        self.names[name] = value
        return name

    def value(self, node: ir.Value) -> str:
        """Return the expression for a value."""
        raise NotImplementedError

    def holders(self, nodes: Iterable[ir.Holder]) -> list[str]:
        """Return an expression for each holder that is meant."""
        return [text for node in nodes for text in self._holder(node)]

    def _holder(self, node: ir.Holder) -> list[str]:
        if isinstance(node, ir.InPiece):
            return [f"({self.layout.first_piece_holder} + {self.value(node.piece)})"]
        zone = self.layout.zones[node.zone]
        faces = range(zone.faces) if node.face < 0 else (node.face,)
        if node.of is None:
            return [str(zone.number(owner, face)) for owner in range(zone.owners) for face in faces]
        holders = tuple(tuple(zone.number(owner, face) for face in faces) for owner in range(zone.owners))
        return [f"*{self.constant((*holders, ()))}[{self.value(node.of)}]"]

    def destination(self, node: ir.Holder) -> str:
        """Return the expression for the holder tokens go into; `face` is the face they get."""
        if isinstance(node, ir.InPiece):
            return f"{self.layout.first_piece_holder} + {self.value(node.piece)}"
        zone = self.layout.zones[node.zone]
        face = "0" if zone.faces == 1 else "face"
        owner = "0" if node.of is None else self.value(node.of)
        return f"{zone.first} + {owner} * {zone.faces} + {face}"

    def cells(self, nodes: Iterable[ir.Holder]) -> list[str]:
        """Return the slices of the memory that count the tokens of some holders."""
        return [text for node in nodes for text in self._slices(node)]

    def _slices(self, node: ir.Holder) -> list[str]:
        # The faces of a zone lie side by side, so that one slice holds them all.
        rows = self._rows(node, True)
        if isinstance(node, ir.InZone) and node.of is None:
            return [f"m[{self.constant(cells)}]" for row in rows[:-1] for cells, _ in row]
        which = node.piece if isinstance(node, ir.InPiece) else node.of
        assert which is not None
        cells = tuple(row[0][0] if row else slice(0, 0) for row in rows)
        return [f"m[{self.constant(cells)}[{self.value(which)}]]"]

    def _rows(self, node: ir.Holder, whole: bool) -> tuple[tuple[Cells, ...], ...]:
        """Return for each owner of a zone, or each piece, the cells of its holders with the tokens they stand for.

        What stands last is for nobody. A zone of one owner has the faces in one slice where `whole` is asked for.
        """
        if isinstance(node, ir.InPiece):
            first, nouns = self.layout.first_piece_holder, [kind.holds for kind in self.layout.ruleset.kinds]
            return (*(self._cut(((first + piece, 1),), nouns) for piece in range(self.layout.room)), ())
        zone, nouns = self.layout.zones[node.zone], [self.layout.ruleset.zones[node.zone].holds]
        faces = range(zone.faces) if node.face < 0 else (node.face,)
        each = [((zone.number(owner, faces[0]), len(faces)),) if whole else
                tuple((zone.number(owner, face), 1) for face in faces) for owner in range(zone.owners)]  # fmt: skip
        return (*(self._cut(holders, nouns) for holders in each), ())

    def _cut(self, holders: Iterable[tuple[int, int]], nouns: Iterable[str]) -> tuple[Cells, ...]:
        """Return the cells of rows of holders, only those of documents that can lie there, and their tokens."""
        documents, cells = self.layout.documents, self.layout.tokens
        least, most = self.layout.documents_of(nouns)
        return tuple(
            (slice(cells + low, cells + high), range(low, high))
            for low, high in ((first * documents + least, (first + count - 1) * documents + most)
                              for first, count in holders)
        )  # fmt: skip

    def listed(self, nodes: Iterable[ir.Holder]) -> str:
        """Return the expression for the cells of some holders with the tokens they stand for, holder by holder."""
        parts = []
        for node in nodes:
            rows = self._rows(node, False)
            if isinstance(node, ir.InZone) and node.of is None:
                parts.append(f"*{self.constant(tuple(pair for row in rows for pair in row))}")
            else:
                which = node.piece if isinstance(node, ir.InPiece) else node.of
                assert which is not None
                parts.append(f"*{self.constant(rows)}[{self.value(which)}]")
        return parts[0][1:] if len(parts) == 1 else f"({', '.join(parts)},)"
