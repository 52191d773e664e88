"""The parts of a picture as SVG documents of their own, for pages that arrange them by the available room."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from warchest.diagnostics.visible import visible_lines
from warchest.picture.arrows import meanings
from warchest.picture.drawing import PREFIX, number, width_of
from warchest.picture.panels import COLUMN, legend, panel, tables
from warchest.picture.picture_text import beside_board, on_board, sentences
from warchest.picture.picture_text import panel as panel_in_words
from warchest.picture.scene import Panel, Scene
from warchest.picture.svg import Ground
from warchest.source.records import record

_EDGE = 2.0
"""The empty edge of a part, which half a line needs."""
_PAINT = re.compile(r'^(<text [^>\n]*?)style="', re.MULTILINE)
"""The beginning of a text with a paint of its own, up to the paint."""
_SIGN, _KEY = 52.0, 20.0
"""The room of the sign of a motion before its meaning, and the height of both."""


@record()
class PictureParts:
    """The parts of a picture, without a style sheet: the page has `sheet(prefix)` once.

    They have no attributes that a page's strict policy would refuse: if a text has its own colour, this is in
    `data-style`, and a script sets it.

    `panels` have the things before each player; `tables` and `legend` are empty if they have no content, and
    `motions` have the meaning of each kind of motion on the board.
    """

    board: str
    panels: tuple[str, ...]
    tables: str
    legend: str
    motions: tuple[str, ...]


def parts(seen: Scene, prefix: str = PREFIX) -> PictureParts:
    """Return the parts of the picture of a scene."""
    ground = Ground(seen, prefix)
    said = on_board(seen) or [seen.title]
    board = _document(ground.drawn(_EDGE, _EDGE), ground.width, ground.height, said, prefix)
    panels = tuple(_panel(one, prefix) for one in seen.panels if one.piles)
    cards, cards_end = tables(seen, _EDGE, _EDGE, COLUMN)
    signs, signs_end = legend(seen, _EDGE, _EDGE, COLUMN)
    known = [*filter(None, seen.words), *(one.title for one in seen.signs)]
    known += [f"{label}: {name}" if label else name for label, name in (*seen.marks, *seen.short)]
    return PictureParts(
        board,
        panels,
        _document(cards, COLUMN, cards_end - _EDGE, beside_board(seen), prefix),
        _document(signs, COLUMN, signs_end - _EDGE, known, prefix),
        tuple(_motions(seen, prefix)),
    )


def _panel(one: Panel, prefix: str) -> str:
    drawn, end = panel(one, _EDGE, _EDGE, COLUMN)
    return _document(drawn, COLUMN, end - _EDGE, [panel_in_words(one) or one.side.name], prefix)


def _motions(seen: Scene, prefix: str) -> Iterable[str]:
    """Yield the meaning of each kind of motion with its sign."""
    kinds = {(one.kind, one.start == one.end): one for one in seen.motions}
    for kind, alone in sorted(kinds):
        width = _SIGN + width_of(str(kind), 13, bold=False)
        drawn, _ = meanings([kinds[kind, alone]], _EDGE + width, _EDGE + _KEY / 2)
        yield _document(drawn, width, _KEY, [str(kind)], prefix)


def _document(drawn: Iterable[str], width: float, height: float, said: Iterable[str], prefix: str) -> str:
    """Return a drawing within an edge as a document with a description; empty if there is nothing in it."""
    lines = list(drawn)
    if not lines:
        return ""
    wide, high = number(width + 2 * _EDGE), number(height + 2 * _EDGE)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" '
        f'role="img" class="{prefix}" aria-label="{escape(sentences(said))}">'
    )
    return visible_lines(_PAINT.sub(r'\1data-style="', "\n".join([head, *lines, "</svg>"])))
