"""The layout of native memory: it has space for further documents, so that a new document changes no places.

The sets of the pieces of a document, and the counts of tokens, are after all other cells, and the sets have space for
further documents. Tokens have the numbers that they have in the layout of a state; the number of documents is data that
code reads (`documents` in machine.h).
"""

from __future__ import annotations

from copy import copy

from warchest.lowering.layout import Layout

STEP = 16
"""The room for documents is a multiple of this number."""


class Roomy(Layout):
    """A layout with room for further documents."""

    known: int
    """The number of documents for which there is room."""


def roomy(layout: Layout) -> Roomy:
    """Return the layout of native memory for the layout of a state."""
    if isinstance(layout, Roomy):
        return layout
    made: Roomy = copy(layout)  # type: ignore[assignment]
    made.__class__ = Roomy
    made.known, made.documents = layout.documents, -(-layout.documents // STEP) * STEP
    for name in ("of_kind", "pieces", "granted", "grants", "grants_end"):
        setattr(made, name, getattr(layout, name) - layout.documents)
    made.fields = {number: cell - layout.documents for number, cell in layout.fields.items()}
    made.parts = tuple(made.fields[number] for number in layout.part_fields)
    made.of_document = made.grants_end
    made.tokens = made.of_document + made.documents
    made.size = made.tokens + made.holders * made.documents
    return made
