"""The worth of states, computed from things counted in their positions, in a form for the native machine.

Each weight names keys of positions; here they become cells of the memory. Hidden lists count only by their length, so
that a valuation is the same to all players.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from warchest.game.position.keys import Shape
from warchest.game.state import State
from warchest.game.variant import Variant
from warchest.lowering.layout import DOCUMENT, NATURE, OWNER
from warchest.native.c_compiler import Unavailable
from warchest.native.compiled import ALWAYS, LEVELS, LOOK, PlayCourse, Standing, Valuation
from warchest.native.memory_transfer import Border

TERM = 8
"""The number of integers in a term."""


@dataclass(frozen=True, slots=True)
class Weight:
    """A kind of thing that is counted, and the worth of each such thing; see the schema of the kind `bots`."""

    each: float
    owned: str = ""
    pieces: str = ""
    zone: str = ""
    count: str = ""
    toward: str = ""
    unless: str = ""


class Counted(IntEnum):
    """The kinds of terms: see valued.c."""

    IN_ZONES = 0
    SPACES_OWNED = 1
    JUST_PIECES = 2
    MADE_OF = 3
    IN_CELL = 4
    ON_SHEET = 5
    TO_SPACES = 6
    TO_PIECES = 7


class _Uncounted(Exception):
    """The key of a position has nothing that the native machine could count."""


def valuation_of(variant: Variant, weights: Iterable[Weight], owners: Mapping[str, str]) -> Valuation | Unavailable:
    """Return a valuation by some weights; `owners` has for each key of pieces the key that names a piece's player.

    If the native machine could not count one of the things, the reason is returned.
    """
    writer = _Writer(variant, owners)
    terms = []
    for weight in weights:
        try:
            terms.append((weight.each, writer.term(weight)))
        except _Uncounted as error:
            return Unavailable(f"{error} cannot be counted natively")
    return Valuation(writer.numbers([row for _, row in terms]), tuple(float(each) for each, _ in terms))


def worths_of_options(state: State, valuation: Valuation) -> Sequence[float]:
    """Return the worth of each option's result to the deciding player, after further choices in the same turn.

    The result is empty where the state is not held natively, or where the machine gives up.
    """
    moment = state._moment
    return moment.worths(valuation, moment.decider) if moment is not None else ()


def worths_ahead(state: State, valuation: Valuation, seed: int, decisions: int) -> Sequence[float]:
    """Return the worth to each player of the state after a number of further decisions, if all players follow a
    valuation.

    The seed settles chance, as on the reference machine. The result is empty if the state is not held natively, or the
    machine gives up.
    """
    moment, players = state._moment, range(len(state.variant.naming.players))
    if moment is None:
        return ()
    always, favourites = tuple(ALWAYS for _ in players), tuple(frozenset[str]() for _ in players)
    course = PlayCourse(favourites, decisions, None, range(0), always, valuation)
    end = moment.bench.play_on(moment, course, seed, players)
    return () if end.played.standing is Standing.LOST else end.worths


def on_reference(state: State) -> State:
    """Return the state or, if the native machine holds it, a copy that the reference machine holds."""
    return state._on_reference() if state.native else state


HEAD = 5
"""The number of offsets at the beginning."""


class _Writer:
    """Writes terms for a variant, and the lists that they name."""

    def __init__(self, variant: Variant, owners: Mapping[str, str]) -> None:
        self.format, self.board, self.layout = variant.format, variant.board, variant.program.layout
        self.owners, self.border = owners, Border(self.layout)
        self.lists: list[int] = []

    def numbers(self, terms: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """Return all numbers: the offsets, and the terms and lists."""
        teams = self._listed(self.layout.team_of)
        distances = self._listed([one for row in self.board.distance for one in row])
        first = self._listed([number for row in terms for number in (*row, *[0] * (TERM - len(row)))])
        return teams, distances, first, len(terms), len(self.board.teams), *self.lists

    def _listed(self, numbers: Iterable[int]) -> int:
        """Add some numbers, and return their offset, which counts from after the five offsets at the beginning."""
        at = HEAD + len(self.lists)
        self.lists += numbers
        return at

    def _shape(self, key: str) -> Shape:
        if key not in self.format.shapes:
            raise _Uncounted(f"the key {key!r} of positions")
        return self.format.shapes[key]

    def term(self, weight: Weight) -> tuple[int, ...]:
        """Return the term of a weight."""
        if weight.pieces:
            return self._of_pieces(weight, self._shape(weight.pieces))
        key = weight.owned or weight.zone
        shape = self._shape(key)
        if "spaces by" in shape:
            return Counted.SPACES_OWNED, self._spaces_by(shape)
        if "zone" in shape or "counts" in shape:
            return Counted.IN_ZONES, self._listed(self._zones(key, str(shape.get("zone") or shape["counts"])))
        if "one by owner" in shape:
            return Counted.JUST_PIECES, self.format.kind(shape["one by owner"]), OWNER
        raise _Uncounted(f"the key {key!r} of positions")

    def _spaces_by(self, shape: Shape) -> int:
        """Return the first of the cells that name the team of each space."""
        return self.border.place(self.layout.fields[self.format.fields[shape["spaces by"]]])

    def _zones(self, key: str, name: str) -> list[int]:
        """Return the holders of a zone, with the teams that they belong to."""
        number = self.format.zones[name]
        zone, holders = self.layout.ruleset.zones[number], self.layout.zones[number]
        if zone.of == "game":
            raise _Uncounted(f"the key {key!r} of positions, which has no owner,")
        rows = []
        for owner in range(holders.owners):
            team = self.layout.team_of[owner] if zone.of_player else owner
            for face in range(holders.faces):
                rows.append((team, holders.number(owner, face)))
        return [len(rows), *(number for row in rows for number in row)]

    def _of_pieces(self, weight: Weight, shape: Shape) -> tuple[int, ...]:
        if "pieces" not in shape or weight.pieces not in self.owners:
            raise _Uncounted(f"the key {weight.pieces!r} of positions")
        owner = self.owners[weight.pieces]
        head = self.format.kind(shape["pieces"]), OWNER if owner == shape.get("owner") else self._cell(shape, owner)
        if weight.toward:
            return self._toward(weight, head)
        if not weight.count:
            return Counted.JUST_PIECES, *head
        if weight.count == shape.get("tokens"):
            return Counted.MADE_OF, *head
        if weight.count in shape.get("sheet", {}):
            return Counted.ON_SHEET, *head, self._listed(self._sheet(weight.count, shape)), self._own(shape)
        return Counted.IN_CELL, *head, self._cell(shape, weight.count), self._is_flag(shape, weight.count)

    def _own(self, shape: Shape) -> int:
        """Return the cell of a piece for the document that its entry names."""
        return NATURE if "form" in shape else DOCUMENT

    def _sheet(self, key: str, shape: Shape) -> list[int]:
        """Return the numbers under a key on all documents."""
        known = range(len(self.layout.ruleset.sheets))
        numbers = [self.format.printed(one, {key: shape["sheet"][key]})[key] for one in known]
        if not all(isinstance(one, int) for one in numbers):
            raise _Uncounted(f"the key {key!r} of pieces")
        return [*numbers, *[0] * (self.layout.documents - len(numbers))]

    def _field(self, shape: Shape, key: str) -> int:
        name = shape.get("fields", {}).get(key)
        if not isinstance(name, str):
            raise _Uncounted(f"the key {key!r} of pieces")
        return self.format.of_pieces[name]

    def _cell(self, shape: Shape, key: str) -> int:
        """Return the cell of a piece for a key whose value is a number, a flag, or a player."""
        field = self._field(shape, key)
        if self.layout.ruleset.fields[field].base not in ("number", "flag", "player"):
            raise _Uncounted(f"the key {key!r} of pieces")
        return self.layout.piece_field[field]

    def _is_flag(self, shape: Shape, key: str) -> int:
        return int(self.layout.ruleset.fields[self._field(shape, key)].base == "flag")

    def _toward(self, weight: Weight, head: tuple[int, int]) -> tuple[int, ...]:
        """Return the term for the steps of pieces to their goal."""
        if weight.toward in self.format.shapes:
            noun = self.format.shapes[weight.toward].get("one by owner")
            if noun is None:
                raise _Uncounted(f"the key {weight.toward!r} of positions")
            return Counted.TO_PIECES, *head, self.format.kind(noun)
        spaces, taken = list(self.board.tagged(weight.toward)), -1
        if weight.unless:
            shape = self._shape(weight.unless)
            if "spaces by" not in shape:
                raise _Uncounted(f"the key {weight.unless!r} of positions")
            taken = self._spaces_by(shape)
        return Counted.TO_SPACES, *head, self._listed([len(spaces), *spaces]), taken


__all__ = [
    "ALWAYS",
    "LEVELS",
    "LOOK",
    "Valuation",
    "Weight",
    "on_reference",
    "valuation_of",
    "worths_ahead",
    "worths_of_options",
]
