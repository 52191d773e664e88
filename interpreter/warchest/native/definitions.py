"""Definitions that the runtime needs: places in the memory, and the fixed properties of kinds and routines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from warchest.ir.ruleset import AGENT, THIS, YOU, Ruleset
from warchest.lowering import layout as places
from warchest.lowering.board import FAR
from warchest.lowering.code import LISTS, Routine
from warchest.lowering.gone import FEW, GONE, Digit, digits_of
from warchest.lowering.layout import Layout
from warchest.native.native_layout import roomy
from warchest.native.tables import array
from warchest.native.unfit import Unfit
from warchest.source.limits import MAX_OF_A_KIND

MOST_PLACES = 4096
"""The most cells that the variables of a frame can take, so that a mention has room for a place (see MENTIONS)."""
LARGEST = 2**24
"""The greatest number that a cell may hold, so that sums do not overflow."""
CELLS = (
    "ROUND",
    "TURN",
    "MUST_ASK",
    "ENDED",
    "WINNER",
    "UNSETTLED",
    "LAST",
    "LIVE",
    "POSTPONED",
    "KIND",
    "DOCUMENT",
    "SPACE",
    "NATURE",
    "OWNER",
    "DECLARED",
    "GRANT",
    "NOWHERE",
)
DEEP = 16
"""The most steps of a trail; each can have several parts."""
MEMBERS = 64
"""The number of members in a list of other things."""
MENTIONS = {"piece": 1, "token": 2, "pieces": 3, "tokens": 4, "queue": 5}
"""The types of mentioned things, by number: a mention is MOST_PLACES times the type, plus the place of the variable; a
list or a queue follows it.

A list is whether one has been taken, its length, and the members; a queue its length, and pairs of a hook and a piece.
"""


class Trails:
    """The rows for the steps of trails: for each field one row for no owner, and one for each owner.

    The rows for fields of pieces are last.
    """

    def __init__(self, layout: Layout) -> None:
        fields = layout.ruleset.fields
        self.rows: dict[int, int] = {}
        """For each field that is a trail the row of its first owner."""
        self.count = 0
        trails = [number for number, field in enumerate(fields) if field.steps is not None]
        for number in sorted(trails, key=lambda number: fields[number].of == "piece"):
            self.rows[number] = self.count + 1
            self.count += 1 + (layout.room if fields[number].of == "piece" else layout.field_width(number))
        self.of_pieces = [number for number in self.rows if fields[number].of == "piece"]
        self.cells = [layout.piece_field[number] for number in self.of_pieces]
        """The cells of a piece that are trails."""
        self.deep = DEEP * max((fields[number].width for number in self.rows), default=1)
        """The number of cells in a row."""
        if self.rows.keys() & {*layout.ruleset.kept, *layout.ruleset.prevailing}:
            raise Unfit("a trail belongs to a form, or is set for a time")

    def places(self, layout: Layout) -> Iterator[tuple[int, int, int]]:
        """Yield the cell of each trail, with its row and the greatest number of its parts."""
        for number, row in self.rows.items():
            most = DEEP * layout.ruleset.fields[number].width
            if number in self.of_pieces:
                cell = layout.piece_field[number]
                yield from ((layout.piece(piece) + cell, row + piece, most) for piece in range(layout.room))
            else:
                yield from ((cell, row + of, most) for of, cell in enumerate(layout.field_cells(number)))


PLACED = (
    *("SIZE", "HOLDERS", "TOKENS", "ROOM", "PLAYERS", "AT", "OF_DOCUMENT", "OF_KIND", "PIECES", "STRIDE", "RAISED"),
    *("BENEATH", "AWAY", "DECIDER", "GRANTED", "GRANTS", "GRANTS_END"),
)
"""The numbers of a layout that C uses by their names in Python."""
COUNTED, WATCHED = ("BORNE", "BOUND", "VALUES", "FRESH", "PARTS"), ("ARRIVALS", "DEPARTURES", "PLACES")
"""The rows of a layout whose lengths are constants in C, and the changes that C checks or ignores."""


def layout_definitions(layout: Layout) -> list[str]:
    """Return the definitions of the places of a layout."""
    layout = roomy(layout)
    ruleset, trails = layout.ruleset, Trails(layout)
    if any(zone.first < zone.faces - 2 for zone in layout.zones):
        raise Unfit("a zone has too many faces")
    numbers = {
        **{name: getattr(layout, name.lower()) for name in PLACED},
        **{name: len(getattr(layout, name.lower())) for name in COUNTED},
        **{name: int(getattr(layout.watched, name.lower())) for name in WATCHED},
        "MOST_DOCUMENTS": layout.documents,
        "LONGS": (layout.documents + 63) // 64,
        "SPACES": len(layout.board.spaces),
        "AWAY_RAISED": layout.away + len(ruleset.kept),
        "KINDS": max(len(ruleset.kinds), 1),
        "IN_PIECE": layout.first_piece_holder,
        "CLAUSES": len(ruleset.grants),
        "PASSING": min((one.start for one in layout.passing.values()), default=0),
        "PASSING_CELLS": sum(map(len, layout.passing.values())),
        "NAMES_PIECE": MENTIONS["piece"],
        "MOST": LARGEST,
        "MOST_TOKENS": MAX_OF_A_KIND,
        "YOU": YOU,
        "AGENT": AGENT,
        "THIS": THIS,
        "FAR": FAR,
        "DEEP": trails.deep,
        "TRAIL_ROWS": trails.count,
        "PIECE_TRAILS": len(trails.cells),
    }
    active = layout.fields.get(ruleset.active)
    numbers |= {name: getattr(places, name) for name in CELLS} | {"ACTIVE": -1 if active is None else active}
    numbers |= _code_definitions(layout)
    head = ["#include <stdint.h>", "#define TABLE static const __attribute__((unused))"]
    return [*head, *(f"#define {name} {number}" for name, number in numbers.items()), *_layout_tables(layout, ruleset)]


def codes_fit(layout: Layout) -> bool:
    """Whether the codes of removed pieces fit into a cell; otherwise a game that keeps such a code is given up."""
    layout = roomy(layout)
    space = digits_of(layout).space
    return layout.documents <= FEW and GONE + space.weight * space.size < 2**31


def was_once(layout: Layout, piece: str, digit: Digit) -> str:
    """Return the expression for a digit of the code of a removed piece; -1 if such codes do not fit into a cell."""
    return f"was_once({piece}, {digit.weight}u, {digit.size}u, {digit.less})" if codes_fit(layout) else "-1"


def _code_definitions(layout: Layout) -> dict[str, int]:
    """Return the factors in the codes of pieces that have gone, and in mentions of pieces."""
    digits, fit = digits_of(layout), codes_fit(layout)
    weights = {f"W_{name.upper()}": one.weight if fit else 0 for name, one in digits._asdict().items()}
    return {"GONE": GONE, "CODES_FIT": int(fit), "MOST_PLACES": MOST_PLACES, **weights}


def _layout_tables(layout: Layout, ruleset: Ruleset) -> list[str]:
    trails = Trails(layout)
    told = [ruleset.upheld.get(clause, (-1,))[0] for clause in range(-1, len(ruleset.grants) + 1)]
    passing = [int(cell in layout.watched_passing) for cell in range(layout.stride)]
    watched = layout.watched_holders
    return [
        array("fresh", layout.fresh, "int32_t"),
        array("watched_passing", passing),
        # The two before the first take the place of a holder without an owner.
        array("watched_holder", [int(one) for one in (*watched[-2:], *watched)]),
        array("alone", [int(kind.alone) for kind in ruleset.kinds]),
        array("remains_of", [kind.remains_of for kind in ruleset.kinds]),
        array("staying", [int(cell in kept) for kept in layout.staying for cell in range(layout.stride)], "int8_t"),
        array("borne", layout.borne, "int16_t"),
        array("bound", layout.bound, "int16_t"),
        array("value_cell", list(layout.values), "int32_t"),
        array("part_cell", list(layout.parts), "int32_t"),
        array("value_usual", list(layout.values.values())),
        array("prevailing", [layout.piece_field[one] for one in ruleset.prevailing], "int16_t"),
        array("upheld_on", told, "int16_t"),
        array("trail_cell", trails.cells, "int16_t"),
        array("trail_row", [trails.rows[number] for number in trails.of_pieces], "int16_t"),
    ]


def document_definitions(layout: Layout) -> list[str]:
    """Return the definitions of the number of documents, and of the factor that replaces a division by it."""
    known = roomy(layout).known
    # Tokens are recovered exactly from their multiples of this factor as long as no product reaches 2**32.
    if (layout.holders + 2) * known * known >= 2**32:
        raise Unfit(f"there are {known} documents")
    return [f"const int32_t documents = {known};", f"const uint64_t in_documents = {2**32 // known + 1}u;"]


def cells_of(layout: Layout, routine: Routine, hooks: int) -> list[int]:
    """Return the first cells of the variables of a routine in a frame, and, last, the number of its cells.

    A list has room for all members that it can have, a queue for `hooks` hooks. Raises Unfit if they are too many.
    """
    layout = roomy(layout)
    most = {
        "piece": layout.room,
        "space": len(layout.board.spaces),
        "token": 2 * layout.documents,
        "document": layout.documents,
        "player": layout.players,
        "team": layout.teams,
        "direction": len(layout.board.directions),
    }
    found = [0]
    for base in routine.bases:
        width = 1 + 2 * hooks if base == "queue" else 2 + most.get(LISTS[base], MEMBERS) if base in LISTS else 1
        found.append(found[-1] + width)
    if found[-1] > MOST_PLACES:
        raise Unfit(f"a text has variables for {found[-1]} things")
    return found


def routine_definitions(
    routines: Sequence[Routine], cells: Callable[[Routine], Sequence[int]] = lambda one: range(len(one.bases))
) -> list[str]:
    """Return the definitions of the properties of routines, in the order of their numbers; `cells` as above."""
    tokens: list[int] = []
    first_token, mentions, first_mention = [], list[int](), []
    for routine in routines:
        first_token.append(len(tokens))
        tokens += (*routine.tokens, -1)
        first_mention.append(len(mentions))
        at = cells(routine)
        mentions += (*(MENTIONS[routine.bases[place]] * MOST_PLACES + at[place] for place in routine.mentions), 0)
    return [
        array("routine_event", [one.event for one in routines], "int16_t"),
        array("routine_stages", [int(one.stages) for one in routines]),
        array("routine_is_hook", [int(one.origin == "hook") for one in routines]),
        array("routine_by_piece", [int(is_by_piece(one)) for one in routines]),
        array("routine_tokens", tokens, "int16_t"),
        array("routine_first_token", first_token, "int32_t"),
        array("routine_mentions", mentions, "int16_t"),
        array("routine_first_mention", first_mention, "int32_t"),
    ]


def is_by_piece(routine: Routine) -> bool:
    """Whether a routine carries out an act whose agent is a piece."""
    return len(routine.bases) > AGENT and routine.bases[AGENT] == "piece"
