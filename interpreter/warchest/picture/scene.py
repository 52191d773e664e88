"""Scenes: what is to be seen in a position, space by space and player by player, before it is drawn in any way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from warchest.picture.labels import letters, short_labels
from warchest.picture.style import Pieces, Style, derived, shipped

if TYPE_CHECKING:
    from warchest.game.state import State
    from warchest.game.variant import Variant

_SPARE = ("#2f6db3", "#c8552d", "#3c8d5a", "#8a57a5", "#b08a1e", "#3f8f9b", "#a33f62", "#666666")


@dataclass(frozen=True, slots=True)
class Side:
    """A player: name, team, the letter that stands for it, and its colour."""

    name: str
    team: str
    letter: str
    colour: str


@dataclass(frozen=True, slots=True)
class Stone:
    """A piece: name and short label, whose it is, how many things it is made of, where it looks."""

    name: str
    label: str
    side: Side | None
    count: int
    facing: str
    notes: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A space: its name and middle, the tags that are shown, whose it is, signs upon it, and what stands there."""

    name: str
    x: float
    y: float
    tagged: bool
    holder: Side | None
    signs: str
    stones: tuple[Stone, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture. `facts` and `legend` are titles with values, `panels` the same for each player.

    `words` say what the shown spaces are called, and what it means to have one.
    """

    title: str
    shape: str
    cells: tuple[Cell, ...]
    sides: tuple[Side, ...]
    facts: tuple[tuple[str, str], ...]
    panels: tuple[tuple[Side, tuple[tuple[str, str], ...]], ...]
    legend: tuple[tuple[str, str], ...]
    words: tuple[str, str]

    @property
    def heads(self) -> tuple[Side, ...]:
        """The first side of each team: its letter and colour stand for the team."""
        return tuple({side.team: side for side in reversed(self.sides)}.values())[::-1]


def scene(state: State, style: Style | None = None, viewer: str | None = None) -> Scene:
    """Return the scene of a state, for somebody who sees all or as a player may see it."""
    variant = state.variant
    how = style or shipped(variant.game) or derived(variant.game, variant.format.shapes)
    position = state.position() if viewer is None else state.view(viewer)
    return _Reader(variant, how, position).scene()


class _Reader:
    """Reads one position."""

    def __init__(self, variant: Variant, style: Style, position: Mapping[str, Any]) -> None:
        self.variant, self.board, self.style, self.position = variant, variant.board, style, position
        self.labels = _labels(variant.naming.documents, tuple(style.labels.items()))
        self.sides = self._sides()
        by_team = {side.team: side for side in reversed(self.sides)}
        self.by_name = {**by_team, **{side.name: side for side in self.sides}}

    def _sides(self) -> tuple[Side, ...]:
        signs = letters(seat.name for seat in self.board.seats)
        return tuple(
            Side(seat.name, seat.team, signs[seat.name], self._colour(seat.colour, number))
            for number, seat in enumerate(self.board.seats)
        )

    def _colour(self, name: str, number: int) -> str:
        return self.style.colours.get(name, _SPARE[number % len(_SPARE)])

    def scene(self) -> Scene:
        """Return the scene."""
        holders, signs, stones = self._holders(), self._signs(), self._stones()
        shown = {tag.key for tag in self.style.tags}
        cells = tuple(
            Cell(space.name, *self.board.centre(number), bool(space.tags & shown), holders.get(space.name),
                 signs.get(space.name, ""), tuple(stones.get(space.name, ())))
            for number, space in enumerate(self.board.spaces)
        )  # fmt: skip
        return Scene(self.style.title, self.board.shape, cells, self.sides, tuple(self._facts()),
                     tuple((side, tuple(self._zones(side))) for side in self.sides),
                     tuple(self._legend(stones)), self._words())  # fmt: skip

    # ---- the board

    def _holders(self) -> dict[str, Side]:
        found = {}
        for owned in self.style.owned:
            for name, spaces in _mapping(self.position.get(owned.key)).items():
                for space in [spaces] if isinstance(spaces, str) else spaces or ():
                    if name in self.by_name:
                        found[space] = self.by_name[name]
        return found

    def _signs(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for marked in self.style.spaces:
            for space in self.position.get(marked.key) or ():
                name = space.get("at", "") if isinstance(space, Mapping) else str(space)
                found[name] = found.get(name, "") + marked.sign
        return found

    def _stones(self) -> dict[str, list[Stone]]:
        found: dict[str, list[Stone]] = {}
        for kind in self.style.pieces:
            for piece in self.position.get(kind.key) or ():
                found.setdefault(str(piece.get(kind.at)), []).append(self._stone(kind, piece))
        return found

    def _stone(self, kind: Pieces, piece: Mapping[str, Any]) -> Stone:
        name = str(piece.get(kind.name, "?"))
        count = piece.get(kind.count, 1) if kind.count else 1
        notes = [f"{key} {value_text(piece[key])}" for key in kind.notes if value_text(piece.get(key))]
        return Stone(name, kind.sign + self.labels.get(name, name[:3]), self.by_name.get(str(piece.get(kind.owner))),
                     count if isinstance(count, int) else 1, str(piece.get(kind.facing) or ""),
                     ", ".join(notes))  # fmt: skip

    # ---- beside the board

    def _facts(self) -> Iterable[tuple[str, str]]:
        for fact in self.style.facts:
            value = self.position.get(fact.key)
            if value_text(value):
                yield fact.title, "" if value is True else value_text(value)

    def _zones(self, side: Side) -> Iterable[tuple[str, str]]:
        for zone in self.style.zones:
            value = _mapping(self.position.get(zone.key)).get(side.name)
            told = value_text(value, hidden="zone" in self.variant.format.shapes.get(zone.key, {}))
            if told:
                yield zone.title, told

    def _words(self) -> tuple[str, str]:
        tags = ", ".join(tag.title for tag in self.style.tags)
        return tags, ", ".join(owned.title for owned in self.style.owned)

    def _legend(self, stones: Mapping[str, list[Stone]]) -> Iterable[tuple[str, str]]:
        yield from sorted({(stone.label, stone.name) for there in stones.values() for stone in there})
        for marked in self.style.spaces:
            if self.position.get(marked.key):
                yield marked.sign, marked.title


@lru_cache(maxsize=32)
def _labels(names: tuple[str, ...], given: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return short_labels(names, dict(given))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def value_text(value: Any, hidden: bool = False) -> str:
    """Return a value of a position as people read it; empty where it says nothing.

    With `hidden`, a number stands for so many things that the viewer may not see.
    """
    if value is None or value is False or value == 0:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, int):
        return f"{value} hidden" if hidden else str(value)
    if isinstance(value, list | tuple):
        return _list_text(value)
    if isinstance(value, Mapping):
        told = {str(key): value_text(inner, hidden) for key, inner in value.items()}
        return "; ".join(f"{key}: {inner}" for key, inner in told.items() if inner)
    return str(value)


def _list_text(values: Iterable[Any]) -> str:
    """Equal things are counted; a mapping is told by its name, with the rest in brackets."""
    told = []
    for value in values:
        if isinstance(value, Mapping) and "name" in value:
            rest = [value_text(inner) for key, inner in value.items() if key != "name" and value_text(inner)]
            told.append(f"{value['name']} ({', '.join(rest)})" if rest else str(value["name"]))
        else:
            told.append(value_text(value))
    return ", ".join(f"{count} {name}" if count > 1 else name for name, count in Counter(told).items())
