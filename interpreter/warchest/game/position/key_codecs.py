"""Codecs of the keys of positions: each writes, reads, checks, hides and describes one key, as its shape says."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sized
from functools import cached_property
from typing import Any, ClassVar

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.suggest import did_you_mean
from warchest.game.errors import PositionError
from warchest.game.position.belonging import Belonging
from warchest.game.position.checked_values import CheckedMemory, CheckedReader
from warchest.game.position.keys import OVER, USED, Keys, Shape
from warchest.game.position.own_sheets import NAME
from warchest.game.position.position_parts import KeyPart, ValuePart
from warchest.game.position.read_cells import Memory, copied, remember
from warchest.ir.values import NOTHING, TRAIL_BITS
from warchest.lowering.layout import ENDED, LIVE

MAX_STEPS = 500
"""The most values that a trail has in a position."""
MOST_USED = 9_999
"""The greatest count in a position: uses of a limit, or points of a budget."""


class KeyCodec:
    """One key of positions. A key whose shape has none of the subclasses' words always has the same value."""

    words: ClassVar[tuple[str, ...]] = ()
    """The words in shapes that select this class for a key; each names the field, zone or kind that the key is for."""
    about: ClassVar[str] = ""
    """Whether these words name fields, zones, or kinds of pieces."""

    def __init__(self, format_: Keys, key: str, shape: Shape) -> None:
        self.format, self.key, self.shape = format_, key, shape
        self.layout, self.naming, self.ruleset = format_.layout, format_.naming, format_.layout.ruleset
        self.of: str = next((shape[word] for word in self.words if word in shape), "")
        """The name of the declared thing (a field, a zone, a kind) that the key is for."""
        self._values: dict[Hashable, object] = {}
        """Values by the cells that determine them."""
        self.is_rare, self.most = bool(shape.get("rare")), shape.get("most")

    @cached_property
    def number(self) -> int:
        """The number of the field, the zone or the kind of piece that the key is about.

        Raises PositionError if the game declares no such thing of that name.
        """
        numbers = {"field": self.format.fields, "zone": self.format.zones, "piece": self.format.kinds}[self.about]
        if self.of not in numbers:
            hint = did_you_mean(self.of, numbers)
            missing = f"`position:` in the game's document names the {self.about} `{self.of}`, which is not declared"
            raise PositionError(self.key, f"{missing}; {hint}" if hint else missing)
        return numbers[self.of]

    @property
    def told(self) -> tuple[str, ...]:
        """The names of the fields, or of the zones, that the key covers."""
        return (self.of,) if self.about in ("field", "zone") else ()

    # ---- writing

    def write(self, memory: Memory) -> object:
        """Return the value of the key for a memory."""
        return self.shape["always"]

    @cached_property
    def cells(self) -> range | None:
        """The contiguous range of cells that determines the value; None if there is no such range."""
        return None

    def write_known(self, memory: Memory, cells: range) -> object:
        """Return the value of the key for a memory that never changes, computed once for the same `cells`."""
        part = self.layout.part_of(memory, cells.start, cells.stop)
        value = self._values.get(part)
        return copied(remember(self._values, part, self.write(memory)) if value is None else value)

    def is_written(self, memory: Memory, value: object) -> bool:
        """Whether the key is written into a position: a key that is usually empty is left out while it is empty."""
        return not self.is_rare or holds_something(value)

    def hidden(self, sees: Callable[[int], bool]) -> Iterator[tuple[str, ...]]:
        """Yield the path of each list of tokens in a position whose holder a viewer does not see."""
        yield from ()

    def part(self) -> KeyPart:
        """Return the part of positions under the key."""
        return KeyPart(self.key, "fixed")

    def value_part(self, path: tuple[str, ...], number: int) -> ValuePart:
        """Return the description of a field as the part of the key's value with a path."""
        field = self.ruleset.fields[number]
        base, names = field.steps or field.base, self.format.names.get(field.steps or field.base, ())
        if base in ("flag", "number"):
            return ValuePart(path, "flag" if base == "flag" else "number")
        return ValuePart(
            path, "trail" if field.steps else "name", names, not field.steps, number == self.ruleset.heading
        )

    @property
    def on(self) -> tuple[str, ...]:
        """The spaces on which the things of the key can be; empty if they can be anywhere."""
        tag = self.shape.get("tag", "")
        return tuple(one.name for one in self.layout.board.spaces if tag and tag in one.tags)

    # ---- reading

    def given(self, mapping: Mapping[str, Any]) -> object:
        """Return the value that a position gives the key; None where it gives none."""
        return mapping.get(self.key)

    def read(self, reader: CheckedReader, value: object) -> None:
        """Put a value into the memory of a reader; raises PositionError."""
        if "always" in self.shape and value != self.shape["always"]:
            raise PositionError(self.key, "this game, as it is loaded, has none")

    def fill(self, reader: CheckedReader, value: object) -> None:
        """Fill in the value that follows from the other keys, where a position gives none."""

    @property
    def is_checked(self) -> bool:
        """Whether `check` reads any value."""
        return self.most is not None

    def check(self, reader: CheckedMemory, value: object) -> None:
        """Check that games can reach the state that was read; raises PositionError."""
        if self.most is not None and value is not None:
            most = self.layout.board.numbers.get(self.most) if isinstance(self.most, str) else self.most
            if most is not None:
                self.check_most(reader, most, value)

    def check_most(self, reader: CheckedMemory, most: Any, value: object) -> None:
        """Check that there are at most `most` things: a number from the shape, or a number that the board gives."""
        if isinstance(value, int) and value > most:
            raise PositionError(self.key, f"{value} is too much; {most} is the most")
        several = value.items() if isinstance(value, Mapping) else [("", value)]
        for name, one in several:
            if isinstance(one, Sized) and len(one) > most:
                where = f"{self.key}.{name}" if name else self.key
                raise PositionError(where, f"there are {len(one)} of them then, and {most} is the most")

    def check_apart(self, reader: CheckedMemory) -> None:
        """Check that a thing in a zone for single things is there once, for one player only; raises PositionError."""

    def check_whole(self, reader: CheckedMemory, value: object) -> None:
        """Check rules that need several keys, once each key is sound; raises PositionError."""

    def check_end(self, mapping: Mapping[str, Any]) -> None:
        """Check that the key goes with an unfinished game, or with a finished one; raises PositionError."""
        if OVER not in mapping and self.shape.get("needed") and mapping.get(self.key) is None:
            raise PositionError(self.key, "this is missing, and the game is not over")

    def last_on(self, value: Any, space: str) -> str:
        """Return the path of the last piece that a value puts onto a space; empty if there is none."""
        return ""

    def held(self, belonging: Belonging, document: int, player: int) -> Mapping[str, int]:
        """Return how many tokens of a document the key gives to a player, by the places in the key."""
        return {}


class FieldCodec(KeyCodec):
    """A key for a field of the game; the field for the player to act has a value only while the game is not over."""

    words = ("turn of", "field")
    about = "field"

    @cached_property
    def _cell(self) -> int:
        return self.layout.fields[self.number]

    def write(self, memory: Memory) -> object:
        return self.format.shown(self.number, self._cell, memory)

    def is_written(self, memory: Memory, value: object) -> bool:
        return not memory[ENDED] if "turn of" in self.shape else super().is_written(memory, value)

    def given(self, mapping: Mapping[str, Any]) -> object:
        value, shape = mapping.get(self.key), self.shape
        if value is None and "field" in shape:
            # Some fields are usually the same as others, or as one value, and may then be left out.
            return mapping.get(shape["usual"]) if "usual" in shape else shape.get("otherwise")
        return value

    def read(self, reader: CheckedReader, value: object) -> None:
        reader.memory[self._cell] = reader.value(self.key, self.ruleset.fields[self.number].base, value)

    def check_end(self, mapping: Mapping[str, Any]) -> None:
        super().check_end(mapping)
        if OVER in mapping and "turn of" in self.shape and mapping.get(self.key) is not None:
            raise PositionError(self.key, "no player is to act when there is a winner")

    def part(self) -> KeyPart:
        values = (self.value_part((), self.number),)
        return KeyPart(self.key, "value", values=values, needed=bool(self.shape.get("needed")))


class ValuesCodec(KeyCodec):
    """A key for a field of players, teams or spaces: the values that differ from the default, by their names."""

    words = ("values",)
    about = "field"

    def write(self, memory: Memory) -> object:
        return self.format.values(memory, self.number)

    def read(self, reader: CheckedReader, value: object) -> None:
        first, field = self.layout.fields[self.number], self.ruleset.fields[self.number]
        for where, name, told in reader.entries(self.key, value):
            number = reader.named(where, field.of, name)
            of_steps = field.steps is not None
            reader.memory[first + number] = (
                self._trail(reader, where, told) if of_steps else reader.value(where, field.base, told)
            )

    def _trail(self, reader: CheckedReader, where: str, told: object) -> int:
        """Read the list of the values that a field has had, the latest last."""
        base, steps, trail = str(self.ruleset.fields[self.number].steps), list(reader.items(where, told)), 0
        if len(steps) > MAX_STEPS:
            raise PositionError(where, f"these are {len(steps)}, and {MAX_STEPS} is the most")
        for place, one in steps:
            step = reader.value(place, base, one)
            if step < 0:
                raise PositionError(place, f"{with_article(base)} is needed, not {one!r}")
            trail = trail << TRAIL_BITS | step + 1
        return trail

    def part(self) -> KeyPart:
        owners = self.format.names[self.ruleset.fields[self.number].of]
        return KeyPart(self.key, "values", owners=owners, values=(self.value_part((), self.number),))


class OwnedSpacesCodec(KeyCodec):
    """A key for a field of spaces that is a team: the spaces of each team."""

    words = ("spaces by",)
    about = "field"

    @cached_property
    def cells(self) -> range:
        first = self.layout.fields[self.number]
        return range(first, first + len(self.naming.spaces))

    def write(self, memory: Memory) -> object:
        first, teams = self.layout.fields[self.number], self.layout.board.teams
        found: dict[str, list[str]] = {team: [] for team in teams}
        for space, team in zip(self.naming.spaces, memory[first : first + len(self.naming.spaces)], strict=True):
            if team != NOTHING:
                found[teams[team]].append(space)
        return {team: sorted(spaces) for team, spaces in found.items()}

    def read(self, reader: CheckedReader, value: object) -> None:
        first, tag = self.layout.fields[self.number], self.shape.get("tag", "")
        for owned, team, spaces in reader.entries(self.key, value):
            number = reader.named(self.key, "team", team)
            for where, name in reader.items(owned, spaces):
                space = reader.tagged(where, name, tag)
                if reader.memory[first + space] != NOTHING:
                    raise PositionError(where, f"{name} is given twice")
                reader.memory[first + space] = number

    def part(self) -> KeyPart:
        return KeyPart(self.key, "spaces", owners=self.format.names["team"], on=self.on)


class SheetsCodec(KeyCodec):
    """A key for the documents that come with a position, by the values printed on them."""

    words = ("documents",)

    def write(self, memory: Memory) -> object:
        numbers = [self.ruleset.sheet_number(name, (kind,)) for kind, name in self.format.told if kind == self.of]
        sheet = self.shape["sheet"]
        return [{NAME: self.naming.documents[one], **self.format.printed(one, sheet)} for one in numbers]

    def read(self, reader: CheckedReader, value: object) -> None:
        for where, item in reader.items(self.key, value):
            reader.row(where, item, (NAME, *self.shape["sheet"]), ())

    def part(self) -> KeyPart:
        return KeyPart(self.key, "sheets", of=self.of, values=(ValuePart((NAME,), "name"),))


class OptionsCodec(KeyCodec):
    """The key for the options of the variant, which is chosen by them before the position is read."""

    words = ("options",)

    def write(self, memory: Memory) -> object:
        return dict(self.format.options)

    def part(self) -> KeyPart:
        return KeyPart(self.key, "options")


class TextsCodec(KeyCodec):
    """The keys `used` and `lasting`: the uses of limits, and texts that hold until a moment, or wait for one.

    Values are keyed by the names of documents, then by pieces or by players. A key without values is left out.
    """

    def write(self, memory: Memory) -> dict[str, dict[str, Any]]:
        fields = self.format.of_texts[self.key]
        found = {name: dict(self._shown(memory, number)) for name, number in fields.items()}
        return {name: told for name, told in found.items() if told}

    def _shown(self, memory: Memory, number: int) -> Iterator[tuple[str, Any]]:
        if number not in self.layout.piece_field:
            yield from self.format.values(memory, number).items()
            return
        cell = self.layout.piece_field[number]
        for one in self.format.odd_pieces(memory, number, [LIVE]):
            yield self.naming.piece(one, memory), self.format.shown(number, self.layout.piece(one) + cell, memory)

    def is_written(self, memory: Memory, value: object) -> bool:
        return bool(value)

    def read(self, reader: CheckedReader, value: object) -> None:
        fields = self.format.of_texts[self.key]
        for place, name, values in reader.entries(self.key, value):
            if name not in fields:
                hint = did_you_mean(str(name), fields)
                what = "has a limit" if self.key == USED else "says what lasts"
                raise PositionError(place, f"no document that is called so {what}" + (f"; {hint}" if hint else ""))
            for where, who, one in reader.entries(place, values):
                read = self._value(reader, where, fields[name], one)
                reader.memory[self._cell(reader, where, fields[name], str(who))] = read

    def _cell(self, reader: CheckedReader, where: str, number: int, who: str) -> int:
        if number not in self.layout.piece_field:
            return self.layout.fields[number] + reader.named(where, "player", who)
        try:
            piece = self.naming.piece_named(who, reader.memory, whole=False)
        except (LookupError, ValueError):
            raise PositionError(where, "no piece there can have that") from None
        return self.layout.piece(piece) + self.layout.piece_field[number]

    def _value(self, reader: CheckedReader, where: str, number: int, value: object) -> int:
        if self.ruleset.fields[number].base != "number":
            return reader.value(where, self.ruleset.fields[number].base, value)
        if type(value) is not int or not 0 <= value <= MOST_USED:
            raise PositionError(where, f"a number from 0 to {MOST_USED} is needed, not {value!r}")
        return value


def holds_something(value: object) -> bool:
    """Whether there is anything in a list, or in one of the lists of a mapping."""
    return any(map(holds_something, value.values())) if isinstance(value, Mapping) else bool(value)
