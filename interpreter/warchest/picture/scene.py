"""Scenes: the visible parts of a position, space by space and player by player, before it is drawn in any way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from warchest.game.engines import reason_of
from warchest.game.position.keys import OVER, TOLD
from warchest.game.state import State
from warchest.game.telling.motions import Motion
from warchest.lowering.board import Board
from warchest.picture.style import MarkKey, PiecesKey, Rows, Sign, Style, ZoneKey, shade, style_of
from warchest.source.records import record

if TYPE_CHECKING:
    from warchest.game.position.keys import Shapes


# ---- short labels

LENGTH = 3


def short_labels(names: Iterable[str], given: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return a label of about three characters for each name; `given` ones are kept.

    The order of the names makes no difference: a label is the same in every game.
    """
    labels = dict(given or {})
    taken = {label.casefold() for label in labels.values()}
    for name in sorted(set(names) - set(labels)):
        label = next(one for one in _candidates(name) if one.casefold() not in taken)
        labels[name] = label
        taken.add(label.casefold())
    return labels


def _candidates(name: str) -> Iterator[str]:
    words = name.split() or ["?"]
    initials = "".join(word[0].upper() for word in words[:-1])[: LENGTH - 1]
    last = words[-1]
    head = initials + last[0].upper()
    letters = [letter.lower() for letter in last[1:] if letter.isalnum()]
    room = LENGTH - len(head)
    yield head + "".join(letters[:room])
    for skip in range(room, len(letters)):
        yield head + "".join((letters[: room - 1] + letters[skip : skip + 1])[:room])
    for number in range(2, 1000):
        yield f"{head[:2]}{number}"


def letters(names: Iterable[str]) -> dict[str, str]:
    """Return a sign of one or two characters for each name: its initial, with a digit or letter if two share it."""
    found: dict[str, str] = {}
    for name in names:
        initial = name[:1].upper()
        tail = name[-1:] if name[-1:].isdigit() else ""
        choices = [initial + tail, initial, *(initial + letter for letter in name[1:])]
        choices += [f"{initial}{number}" for number in range(2, 1000)]
        found[name] = next(one for one in choices if one not in found.values())
    return found


# ---- values of positions as people read them


def mapping(value: object) -> Mapping[str, Any]:
    """Return a value that should be a mapping; an empty one instead of anything else."""
    return value if isinstance(value, Mapping) else {}


def value_text(value: object, hidden: bool = False, names: Mapping[str, str] | None = None) -> str:
    """Return a value of a position as people read it; empty if it has nothing to show.

    With `hidden`, a number is that of things that the viewer may not see. `names` replace others.
    """
    if value is None or value is False or value == 0:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, int):
        return f"{value} hidden" if hidden else str(value)
    if isinstance(value, list | tuple):
        return _list_text(value, names)
    if isinstance(value, Mapping):
        told = {str(key): value_text(inner, hidden, names) for key, inner in value.items()}
        return "; ".join(f"{key}: {inner}" for key, inner in told.items() if inner)
    return (names or {}).get(str(value), str(value))


def _list_text(values: Iterable[object], names: Mapping[str, str] | None) -> str:
    """Return a list as text: equal things are counted; a mapping is its name, with the rest in brackets."""
    told = []
    for value in values:
        if isinstance(value, Mapping) and "name" in value:
            rest = [value_text(inner) for key, inner in value.items() if key != "name" and value_text(inner)]
            name = value_text(value["name"], names=names)
            told.append(f"{name} ({', '.join(rest)})" if rest else name)
        else:
            told.append(value_text(value, names=names))
    return ", ".join(f"{count} {name}" if count > 1 else name for name, count in Counter(told).items())


def names_in(value: object) -> Iterable[str]:
    """Return all texts in a value."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for inner in value:
            yield from names_in(inner)
    elif isinstance(value, str):
        yield value


# ---- scenes

HEXES = "hexes"
"""The shape of spaces with six neighbours; all others are squares."""

_SPARE = ("#2f6db3", "#c8552d", "#3c8d5a", "#8a57a5", "#b08a1e", "#3f8f9b", "#a33f62", "#666666")


TitledTexts = tuple[tuple[str, str], ...]
"""Titles with the texts beside them."""


@record()
class Side:
    """A player: its name, team, letter and colour, and the number of players of its team before it."""

    name: str
    team: str
    letter: str
    colour: str
    rank: int = 0


@record()
class Stone:
    """A piece: name and short label, owner, number of things in it, direction.

    `notes` describe the rest in words, `marks` in signs, `values` in numbers.
    """

    name: str
    label: str
    side: Side | None
    count: int
    facing: str
    notes: str
    marks: str = ""
    values: str = ""


@record()
class Cell:
    """A space: its name and middle, the tags that are shown, its owner, signs upon it, and the pieces there."""

    name: str
    x: float
    y: float
    tagged: bool
    holder: Side | None
    signs: tuple[Sign, ...]
    stones: tuple[Stone, ...]

    @property
    def walls(self) -> str:
        """The sign of the thing around the space; empty if there is none."""
        return "".join(sign.sign for sign in self.signs if sign.walls)[:1]

    @property
    def marks(self) -> str:
        """The signs beside the name."""
        return "".join(sign.sign for sign in self.signs if not sign.walls)


@record()
class Row:
    """One thing of a table beside the board: its name, the players whose marks are on it, and marks without an
    owner."""

    name: str
    marks: tuple[Side, ...]
    rest: str


@record()
class Heap:
    """Things in one heap, perhaps with one face: each by label, name and number; number of hidden ones; or a text."""

    face: str = ""
    things: tuple[tuple[str, str, int], ...] = ()
    hidden: int = 0
    told: str = ""

    @property
    def count(self) -> int:
        """The number of things."""
        return self.hidden + sum(count for _, _, count in self.things)


@record()
class ZonePile:
    """All things of a player under one title, perhaps none; `zone` is the game's name for their zone."""

    title: str
    heaps: tuple[Heap, ...]
    zone: str = ""

    @property
    def count(self) -> int:
        """The number of things."""
        return sum(heap.count for heap in self.heaps)


@record()
class Panel:
    """The things before a player, by title: with full names, with short labels, and one by one."""

    side: Side
    zones: TitledTexts
    short: TitledTexts
    piles: tuple[ZonePile, ...] = ()


@record()
class Scene:
    """A whole picture. `facts` and `legend` are titles with values, `tables` titles with rows.

    `short` is the legend that goes with short labels in the panels. `words` are the names of the shown spaces, and of
    owning a space. `marks` are the signs on pieces with their meanings. `ending` says how a game has ended, which
    `winners` have won. A caller may add a `caption` and the `motions` it is about.
    """

    title: str
    shape: str
    cells: tuple[Cell, ...]
    sides: tuple[Side, ...]
    facts: TitledTexts
    tables: tuple[tuple[str, tuple[Row, ...]], ...]
    panels: tuple[Panel, ...]
    legend: TitledTexts
    short: TitledTexts
    signs: tuple[Sign, ...]
    words: tuple[str, str]
    marks: TitledTexts = ()
    ending: str = ""
    winners: tuple[Side, ...] = ()
    caption: str = ""
    motions: tuple[Motion, ...] = ()

    @property
    def heads(self) -> tuple[Side, ...]:
        """The first side of each team: its letter and colour represent the team."""
        return tuple(side for side in self.sides if side.rank == 0)


def scene(state: State, style: Style | None = None, viewer: str | None = None) -> Scene:
    """Return the scene of a state, in full or as a player may see it."""
    variant = state.variant
    how = style or style_of(variant.origin.library, variant.format.shapes)
    position = state.position() if viewer is None else state.view(viewer)
    return scene_of(position, variant.board, how, variant.naming.documents, variant.format.shapes)


def scene_of(
    position: Mapping[str, Any], board: Board, style: Style, names: Iterable[str] = (), shapes: Shapes | None = None
) -> Scene:
    """Return the scene of a position, as it is written, on a board.

    `names` are those of all documents, so that labels do not depend on the pieces on the board. By `shapes`, numbers in
    zones are known to count hidden things.
    """
    return _SceneReader(position, board, style, tuple(names), shapes or {}).scene()


def with_motions(seen: Scene, caption: str, motions: Iterable[Motion]) -> Scene:
    """Return a scene with a caption, and the motions on the board that belong to it."""
    return replace(seen, caption=caption, motions=tuple(motions))


class _SceneReader:
    """Reads one position."""

    def __init__(
        self, position: Mapping[str, Any], board: Board, style: Style, names: tuple[str, ...], shapes: Shapes
    ) -> None:
        self.position, self.board, self.style, self.shapes = position, board, style, shapes
        self.labels = _labels(names or self._named(), tuple(style.labels.items()))
        self.sides = self._sides()
        by_team = {side.team: side for side in reversed(self.sides)}
        self.by_name = {**by_team, **{side.name: side for side in self.sides}}

    def _named(self) -> tuple[str, ...]:
        """The names in positions if the documents are unknown: those of pieces, and of things in zones."""
        pieces = {str(piece.get(kind.name, "?")) for kind in self.style.pieces for piece in self._listed(kind.key)}
        zones = {name for zone in self.style.zones for name in names_in(self.position.get(zone.key))}
        return tuple(sorted(pieces | zones))

    def _listed(self, key: str) -> Iterable[Mapping[str, Any]]:
        return (one for one in self.position.get(key) or () if isinstance(one, Mapping))

    def _sides(self) -> tuple[Side, ...]:
        """The players; one with the colour of an earlier player of the team gets a shade of it."""
        signs = letters(seat.name for seat in self.board.seats)
        found: list[Side] = []
        used: dict[tuple[str, str], int] = {}
        for number, seat in enumerate(self.board.seats):
            mates = [side for side in found if side.team == seat.team]
            if seat.colour in self.style.colours:
                base = self.style.colours[seat.colour]
            else:
                base = mates[0].colour if mates else _SPARE[number % len(_SPARE)]
            again = used.get((seat.team, base), 0)
            used[seat.team, base] = again + 1
            found.append(Side(seat.name, seat.team, signs[seat.name], shade(base, again), len(mates)))
        return tuple(found)

    def scene(self) -> Scene:
        """Return the scene."""
        holders, signs, stones = self._holders(), self._signs(), self._stones()
        shown = {tag.key for tag in self.style.tags}
        cells = tuple(
            Cell(
                space.name,
                *self.board.centre(number),
                bool(space.tags & shown),
                holders.get(space.name),
                tuple(signs.get(space.name, ())),
                tuple(stones.get(space.name, ())),
            )
            for number, space in enumerate(self.board.spaces)
        )
        standing = {(stone.label, stone.name) for there in stones.values() for stone in there}
        used = tuple(sign for sign in self.style.spaces if any(sign in there for there in signs.values()))
        return Scene(
            self.style.title,
            self.board.shape,
            cells,
            self.sides,
            tuple(self._facts()),
            tuple(self._tables()),
            tuple(map(self._panel, self.sides)),
            tuple(sorted(standing)),
            tuple(sorted(standing | self._lying())),
            used,
            self._words(),
            tuple(self._marks(stones.values())),
            *self._ending(),
        )

    # ---- the board

    def _holders(self) -> dict[str, Side]:
        found = {}
        for owned in self.style.owned:
            for name, spaces in mapping(self.position.get(owned.key)).items():
                for space in [spaces] if isinstance(spaces, str) else spaces or ():
                    if name in self.by_name:
                        found[space] = self.by_name[name]
        return found

    def _signs(self) -> dict[str, list[Sign]]:
        found: dict[str, list[Sign]] = {}
        for sign in self.style.spaces:
            for space in self.position.get(sign.key) or ():
                name = space.get("at", "") if isinstance(space, Mapping) else str(space)
                found.setdefault(name, []).append(sign)
        return found

    def _stones(self) -> dict[str, list[Stone]]:
        found: dict[str, list[Stone]] = {}
        for kind in self.style.pieces:
            for piece in self._listed(kind.key):
                found.setdefault(str(piece.get(kind.at)), []).append(self._stone(kind, piece))
        for placed in self.style.placed:
            for owner, spaces in mapping(self.position.get(placed.key)).items():
                for space in [spaces] if isinstance(spaces, str) else spaces or ():
                    piece = {"name": placed.name, "owner": owner}
                    found.setdefault(space, []).append(self._stone(PiecesKey("", "", "name", "owner"), piece))
        return found

    def _stone(self, kind: PiecesKey, piece: Mapping[str, object]) -> Stone:
        name = str(piece.get(kind.name, "?"))
        count = piece.get(kind.count, 1) if kind.count else 1
        marks = [(mark, told) for mark in kind.marks if (told := self._amount(mark, piece))]
        notes = [f"{mark.title} {told}".removesuffix(" yes") for mark, told in marks]
        notes += [f"{key} {value_text(piece[key])}" for key in kind.notes if value_text(piece.get(key))]
        usual = (None, piece.get(kind.owner))
        notes += [f"{key} {piece[key]}" for key in kind.differing if piece.get(key) not in usual]
        signs = " ".join(f"{mark.sign}{told}".removesuffix("yes") for mark, told in marks)
        values = "/".join(str(piece[key]) for key in kind.values if key in piece)
        return Stone(
            name,
            kind.sign + self.labels.get(name, name[:3]),
            self.by_name.get(str(piece.get(kind.owner))),
            count if isinstance(count, int) else 1,
            str(piece.get(kind.facing) or ""),
            ", ".join(notes),
            signs,
            values,
        )

    def _amount(self, mark: MarkKey, piece: Mapping[str, object]) -> str:
        return value_text((mapping(piece.get(mark.within)) if mark.within else piece).get(mark.key))

    def _marks(self, stones: Iterable[Sequence[Stone]]) -> Iterable[tuple[str, str]]:
        """The meanings of the signs on pieces, and the names of the values that are shown as numbers."""
        there = [stone for some in stones for stone in some]
        signs = {sign[0] for stone in there for sign in stone.marks.split()}
        for kind in self.style.pieces:
            yield from ((mark.sign, mark.title) for mark in kind.marks if mark.sign in signs)
            if kind.values and any(stone.values for stone in there):
                yield "", f"numbers: {'/'.join(kind.values)}"

    # ---- beside the board

    def _facts(self) -> Iterable[tuple[str, str]]:
        for fact in self.style.facts:
            value = self.position.get(fact.key)
            if value_text(value):
                yield fact.title, "" if value is True else value_text(value)
        yield from ((key, value_text(self.position[key])) for key in TOLD if self.position.get(key))

    def _tables(self) -> Iterable[tuple[str, tuple[Row, ...]]]:
        for rows in self.style.rows:
            found = tuple(self._row(rows, one) for one in self._listed(rows.key))
            if found:
                yield rows.title, found

    def _row(self, rows: Rows, one: Mapping[str, Any]) -> Row:
        given = one.get(rows.marks) or ()
        marks = [given] if isinstance(given, str) else [str(mark) for mark in given]
        known = (self.by_name[mark] for mark in marks if mark in self.by_name)
        return Row(
            str(one.get(rows.name, "?")),
            tuple(sorted(known, key=self.sides.index)),
            ", ".join(mark for mark in marks if mark not in self.by_name),
        )

    def _panel(self, side: Side) -> Panel:
        return Panel(side, self._zones(side, {}), self._zones(side, self.labels), tuple(self._piles(side)))

    def _piles(self, side: Side) -> Iterable[ZonePile]:
        """The zones in the position, also empty ones, so that successive pictures look alike."""
        told = [(zone, mapping(self.position.get(zone.key))) for zone in self.style.zones]
        there = [(zone, values[side.name]) for zone, values in told if side.name in values]
        alone = not any(value_text(value) for zone, value in there if not zone.lone)
        for zone, value in there:
            if not zone.lone or (alone and value_text(value)):
                shape = self.shapes.get(zone.key, {})
                yield ZonePile(zone.title, tuple(self._heaps(value, "zone" in shape)), str(shape.get("zone", zone.key)))

    def _heaps(self, value: object, hidden: bool) -> Iterable[Heap]:
        """The heaps of a zone, by face where it has faces; a value that is no list of names and not hidden is written
        as text."""
        faces = value if isinstance(value, Mapping) else {"": value}
        found = [self._heap(str(face), inner, hidden) for face, inner in faces.items()]
        if all(one is not None for one in found):
            yield from (one for one in found if one is not None)
        else:
            yield Heap(told=value_text(value, hidden))

    def _heap(self, face: str, value: object, hidden: bool) -> Heap | None:
        if hidden and isinstance(value, int) and not isinstance(value, bool):
            return Heap(face, hidden=value)
        if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
            return Heap(
                face,
                tuple((self.labels.get(name, name[:LENGTH]), name, count) for name, count in Counter(value).items()),
            )
        return None

    def _ending(self) -> tuple[str, tuple[Side, ...]]:
        """The words for the end of the game, and its winners; nothing while it goes on."""
        if OVER not in self.position:
            return "", ()
        winner = self.position[OVER]
        winners = tuple(side for side in self.sides if winner in (side.team, side.name))
        return f"The game is over: {reason_of(winner)}.", winners

    def _zones(self, side: Side, names: Mapping[str, str]) -> TitledTexts:
        found: list[tuple[ZoneKey, str]] = []
        for zone in self.style.zones:
            value = mapping(self.position.get(zone.key)).get(side.name)
            told = value_text(value, hidden="zone" in self.shapes.get(zone.key, {}), names=names)
            if told:
                found.append((zone, told))
        alone = all(zone.lone for zone, _ in found)
        return tuple((zone.title, told) for zone, told in found if alone or not zone.lone)

    def _lying(self) -> set[tuple[str, str]]:
        """The short labels of the things in zones, with their full names."""
        zones = [mapping(self.position.get(zone.key)) for zone in self.style.zones]
        found = {name for zone in zones for side in self.sides for name in names_in(zone.get(side.name))}
        return {(self.labels[name], name) for name in found if name in self.labels}

    def _words(self) -> tuple[str, str]:
        tags = ", ".join(tag.title for tag in self.style.tags)
        return tags, ", ".join(owned.title for owned in self.style.owned)


@lru_cache(maxsize=32)
def _labels(names: tuple[str, ...], given: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return short_labels(names, dict(given))
