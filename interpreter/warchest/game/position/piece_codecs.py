"""Codecs of the keys of positions for pieces on the board: an entry for each, or their spaces alone.

The tokens of a piece are a multiset, so that their order means nothing. An entry of a piece has its unusual values
under the keys that its game names; the rest is written with the pending work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from functools import cached_property
from itertools import chain
from typing import Any, TypeAlias

from warchest.engine.effects import change_form, new_piece, taken
from warchest.engine.evaluation import members_of
from warchest.engine.runs import Overfull
from warchest.game.errors import PositionError
from warchest.game.position.belonging import BOARD, Belonging
from warchest.game.position.checked_values import CheckedMemory, CheckedReader
from warchest.game.position.key_codecs import KeyCodec
from warchest.game.position.keys import Keys, Shape
from warchest.game.position.position_parts import KeyPart, ValuePart
from warchest.game.position.read_cells import Memory, PositionMapping, copied, remember
from warchest.ir.values import NOTHING
from warchest.lowering.layout import DECLARED, DOCUMENT, NATURE, OWNER, SPACE

BASE = "base"
"""The name of the form of a piece that has only one form."""
NAMED = ("place", "document", "owner", "tokens", "stack", "nature", "form")
"""The words of shapes that name the keys of an entry, except its fields, marks and its printed token."""
KnownEntry: TypeAlias = tuple[PositionMapping, list[str]]
"""An entry, and the keys under which it has mappings or lists."""
OwnTokens: TypeAlias = Mapping[int, int]
"""The numbers of tokens by document."""


class PlacesCodec(KeyCodec):
    """A key for the spaces of pieces that have no owner and are all of one document."""

    words = ("places",)
    about = "piece"
    _said = "given"

    @cached_property
    def _kinds(self) -> tuple[str]:
        return (self.ruleset.kinds[self.number].sheet,)

    def write(self, memory: Memory) -> object:
        standing = members_of(self.layout.set_in(memory, self.layout.of_kind + self.number))
        return sorted([self.naming.spaces[memory[self.layout.piece(one) + SPACE]] for one in standing])

    def read(self, reader: CheckedReader, value: object) -> None:
        for where, one in reader.items(self.key, value):
            space = reader.tagged(where, one, self.shape.get("tag", ""))
            document = reader.only_document(self._kinds)
            self._put(reader, where, document, space, NOTHING, {document: 1})

    def _put(self, reader: CheckedReader, where: str, document: int, space: int, owner: int, tokens: OwnTokens) -> int:
        """Put a piece made of some tokens onto the board and return its number."""
        if taken(reader.run, self.layout, self.number, space):
            raise PositionError(where, f"{self.naming.spaces[space]} is {self._said} twice")
        try:
            number = new_piece(reader.run, self.layout, self.number, document, space, owner)
        except Overfull as error:
            raise PositionError(where, str(error)) from None
        make_of(reader, number, tokens)
        return number

    def untold(self, memory: Memory, number: int) -> dict[str, Any]:
        """Return the nature and the tokens of a piece, if they are unusual and the key does not cover them."""
        first, told, shape = self.layout.piece(number), dict[str, Any](), self.shape
        if not self._tells_nature and memory[first + NATURE] != memory[first + DOCUMENT]:
            told["nature"] = self.naming.documents[memory[first + NATURE]]
        tokens = self._tokens(memory, number)
        count = sum(tokens.values()) if "tokens" in shape else 1
        if "stack" not in shape and tokens != ({self._own(memory, number): count} if count else {}):
            told["stack"] = self.format.listed(tokens)
        return told

    @cached_property
    def _tells_nature(self) -> bool:
        return "form" in self.shape or "nature" in self.shape

    def _tokens(self, memory: Memory, number: int) -> Mapping[int, int]:
        """Return the number of tokens of each document in a piece."""
        return self.format.tokens_of(memory, self.layout.first_piece_holder + number)

    def _own(self, memory: Memory, number: int) -> int:
        """Return the document whose tokens in a piece need not be written."""
        return memory[self.layout.piece(number) + (NATURE if self._tells_nature else DOCUMENT)]

    def part(self) -> KeyPart:
        names = tuple(self.format.documents_of(self._kinds))[:1]
        return KeyPart(self.key, "places", self.of, names, nobody=True, on=self.on)


class OneByOwnerCodec(PlacesCodec):
    """A key for the space of the one piece of a kind that each owner has, or a list where an owner has several."""

    words = ("one by owner",)
    _said = "taken"

    def write(self, memory: Memory) -> object:
        found = dict[str, list[str]]()
        for one in members_of(self.layout.set_in(memory, self.layout.of_kind + self.number)):
            first = self.layout.piece(one)
            owner = self.naming.players[memory[first + OWNER]]
            found.setdefault(owner, []).append(self.naming.spaces[memory[first + SPACE]])
        return {owner: spaces[0] if len(spaces) == 1 else sorted(spaces) for owner, spaces in sorted(found.items())}

    def read(self, reader: CheckedReader, value: object) -> None:
        document = reader.only_document(self._kinds)
        for where, name, told in reader.entries(self.key, value):
            owner = reader.named(self.key, "player", name)
            for at, place in reader.items(where, told) if isinstance(told, list | tuple) else [(where, told)]:
                self._put(reader, at, document, reader.named(at, "space", place), owner, {document: 1})

    def part(self) -> KeyPart:
        names = tuple(self.format.documents_of(self._kinds))[:1]
        return KeyPart(self.key, "owned pieces", self.of, names, self.naming.players, on=self.on)


class PiecesCodec(PlacesCodec):
    """A key with an entry for each piece of a kind, by their spaces."""

    words = ("pieces",)
    _said = "taken"

    def __init__(self, format_: Keys, key: str, shape: Shape) -> None:
        super().__init__(format_, key, shape)
        self.entry = {role: str(shape[role]) for role in NAMED if role in shape}
        """The keys of an entry by their roles."""
        self.sheet: Mapping[str, Any] = shape.get("sheet", {})
        self.usual: Mapping[str, Any] = shape.get("usual", {})
        self._known: dict[Hashable, KnownEntry] = {}
        """Entries by the cells of their pieces."""

    @property
    def told(self) -> tuple[str, ...]:
        fields = [
            list(one.values()) if isinstance(one, Mapping) else [one] for one in self.shape.get("fields", {}).values()
        ]
        return (*chain(*fields), *self.shape.get("marks", {}).values())

    @cached_property
    def _fields(self) -> list[tuple[tuple[str, ...], int]]:
        found, numbers = list[tuple[tuple[str, ...], int]](), self.format.of_pieces
        for key, name in self.shape.get("fields", {}).items():
            inner = name.items() if isinstance(name, Mapping) else None
            found += [((key,), numbers[name])] if inner is None else [((key, one), numbers[of]) for one, of in inner]
        return found

    @cached_property
    def _marks(self) -> list[tuple[tuple[str, ...], int]]:
        return [((key,), self.format.of_pieces[name]) for key, name in self.shape.get("marks", {}).items()]

    @cached_property
    def _is_left(self) -> bool:
        return self.ruleset.kinds[self.number].remains_of >= 0

    # ---- writing

    def write(self, memory: Memory) -> object:
        if not self._is_told_alone:
            return [self._entry(memory, number) for number in self.naming.pieces(memory, self.number)]
        pieces = self.format.of_pieces_in(memory)
        if self.key not in pieces:
            pieces[self.key] = [self._known_entry(memory, one) for one in self.naming.pieces(memory, self.number)]
        return [_copy_of(entry, within) for entry, within in pieces[self.key]]

    @cached_property
    def _is_told_alone(self) -> bool:
        """Whether the entry of a piece depends on its own cells alone."""
        told = (self.ruleset.fields[field] for _, field in (*self._fields, *self._marks))
        return not any("piece" in (field.base, field.steps) for field in told)

    def _known_entry(self, memory: Memory, number: int) -> KnownEntry:
        """Return the entry of a piece, made once for equal cells."""
        cells = self.layout.piece_in(memory, number)
        known = self._known.get(cells)
        if known is None:
            entry = self._entry(memory, number)
            within = [key for key, value in entry.items() if isinstance(value, dict | list)]
            known = remember(self._known, cells, (entry, within))
        return known

    def _entry(self, memory: Memory, number: int) -> dict[str, Any]:
        layout, naming, entry = self.layout, self.naming, self.entry
        first = layout.piece(number)
        holder = layout.holder_cells(layout.first_piece_holder + number)
        document, nature = memory[first + DOCUMENT], memory[first + NATURE]
        own = nature if "form" in entry else document
        written: dict[str, Any] = {
            entry["place"]: naming.spaces[memory[first + SPACE]],
            entry["document"]: naming.documents[own],
        }
        if "owner" in entry:
            written[entry["owner"]] = naming.name("player", memory[first + OWNER], memory)
        if "tokens" in entry:
            written[entry["tokens"]] = sum(memory[holder.start : holder.stop])
        if "nature" in entry and nature != document:
            written[entry["nature"]] = naming.documents[nature]
        if "stack" in entry:
            tokens = self._tokens(memory, number)
            if not tokens.keys() <= {self._own(memory, number)}:
                written[entry["stack"]] = self.format.listed(tokens)
        written.update(self.format.printed(own, self.sheet))
        for path, field in self._fields:
            place = written if len(path) == 1 else written.setdefault(path[0], {})
            place[path[-1]] = self.format.shown(field, first + layout.piece_field[field], memory)
        for path, field in self._marks:
            index = layout.piece_field[field]
            if memory[first + index] != layout.fresh[index - DECLARED]:
                written[path[0]] = self.format.shown(field, first + index, memory)
        if "form" in entry:
            written[entry["form"]] = BASE if own == document else naming.documents[document]
        if self._is_left:
            # The entry of remains leaves out the keys that have their usual values.
            usual: dict[str | None, Any] = {
                entry.get("form"): BASE,
                **{key: written[other] for key, other in self.usual.items()},
            }
            written = {key: value for key, value in written.items() if key not in usual or value != usual[key]}
        return written

    # ---- reading

    def read(self, reader: CheckedReader, value: object) -> None:
        for where, item in reader.items(self.key, value):
            self._stand(reader, where, reader.mapping(where, item))

    def _stand(self, reader: CheckedReader, where: str, item: Mapping[str, Any]) -> None:
        """Read the entry of a piece and put it onto the board."""
        fields: Mapping[str, Any] = self.shape.get("fields", {})
        reader.known(where, item, [*self.entry.values(), *self.sheet, *fields, *self.shape.get("marks", {})])
        for key, inner in fields.items():
            if isinstance(inner, Mapping) and item.get(key) is not None:
                reader.known(f"{where}.{key}", reader.mapping(f"{where}.{key}", item[key]), list(inner))
        place, named, owner, given = (self.entry.get(role, "") for role in ("place", "document", "owner", "nature"))
        for key in filter(None, (place, named, owner)):
            if key not in item:
                raise PositionError(f"{where}.{key}", "this is missing")
        document = reader.document(f"{where}.{named}", item[named], self._kinds)
        nobody = not owner or (item[owner] is None and self.shape.get("or nobody", False))
        whose = NOTHING if nobody else reader.named(f"{where}.{owner}", "player", item[owner])
        told = item.get(given) is not None
        nature = reader.document(f"{where}.{given}", item[given], self._kinds) if told else document
        tokens = self._counted(reader, where, item, nature)
        space = reader.named(f"{where}.{place}", "space", item[place])
        number = self._put(reader, f"{where}.{place}", document, space, whose, tokens)
        reader.memory[self.layout.piece(number) + NATURE] = nature
        self._read_fields(reader, where, item, number)
        form = item.get(self.entry.get("form", ""), BASE)
        if form != BASE:
            other = reader.document(f"{where}.{self.entry['form']}", form, self._kinds)
            change_form(reader.run, self.layout, number, other)

    def _read_fields(self, reader: CheckedReader, where: str, item: Mapping[str, Any], number: int) -> None:
        for path, field in (*self._fields, *self._marks):
            at, told = ".".join((where, *path)), item.get(path[0])
            if len(path) > 1 and told is not None:
                told = reader.mapping(f"{where}.{path[0]}", told).get(path[1])
            if path[0] not in item and path[0] in self.usual:
                told = item.get(self.usual[path[0]])
            if told is not None:
                cell = self.layout.piece(number) + self.layout.piece_field[field]
                reader.memory[cell] = reader.value(at, self.ruleset.fields[field].base, told)
                if path[0] in item and field in self.ruleset.prevailing:
                    reader.said.append((at, cell, reader.memory[cell]))
            elif field == self.ruleset.heading:
                raise PositionError(at, "this is missing")

    def _counted(self, reader: CheckedReader, where: str, item: Mapping[str, Any], own: int) -> dict[int, int]:
        """Return the tokens that an entry gives to a piece, by document."""
        key, stack = self.entry.get("tokens", ""), self.entry.get("stack", "")
        usual = 1 if item.get(stack) is None else len(reader.listed(f"{where}.{stack}", item[stack]))
        count = item.get(key, usual)
        # Remains stay on the board even when no tokens are left in them.
        if not isinstance(count, int) or isinstance(count, bool) or count < (0 if self._is_left else reader.least):
            raise PositionError(f"{where}.{key if key in item else stack}", f"a number from 1 is needed, not {count!r}")
        if item.get(stack) is None:
            return {own: count}
        if count != usual:
            raise PositionError(f"{where}.{stack}", f"there are {usual} of them, and `{key}` says {count}")
        return tokens_in(reader, f"{where}.{stack}", self.number, item[stack])

    # ---- the whole

    @property
    def is_checked(self) -> bool:
        return super().is_checked or "limit" in self.shape

    def check(self, reader: CheckedMemory, value: object) -> None:
        super().check(reader, value)
        if "limit" in self.shape:
            self._check_limit(reader)

    def _check_limit(self, reader: CheckedMemory) -> None:
        """Check that no player has more pieces of a document than its text allows."""
        pieces, known = self.format.of_pieces_in(reader.memory), f"limit of {self.key}"
        if known not in pieces:
            pieces[known] = self._over_limit(reader.memory)
        for index, document in pieces[known]:
            name = self.naming.documents[document]
            raise PositionError(f"{self.key}[{index}]", f"there is one {name} too many on the board")

    def _over_limit(self, memory: Memory) -> list[tuple[int, int]]:
        """Return the indices of pieces beyond the limit in the text of their document, each with that document."""
        seen, found = Counter[tuple[int, int]](), list[tuple[int, int]]()
        for index, piece in enumerate(self.naming.pieces(memory, self.number)):
            first = self.layout.piece(piece)
            owner, document = memory[first + OWNER], memory[first + DOCUMENT]
            if memory[first + NATURE] != document:
                continue  # A piece that has only taken the form does not count towards the limit.
            seen[owner, document] += 1
            if seen[owner, document] > self.format.limits.get(document, 1 << 30):
                found.append((index, document))
        return found

    def last_on(self, value: Any, space: str) -> str:
        place = self.entry["place"]
        on = [index for index, item in enumerate(value or ()) if item.get(place) == space]
        return f"{self.key}[{on[-1]}].{place}" if on else ""

    def held(self, belonging: Belonging, document: int, player: int) -> Mapping[str, int]:
        notes = belonging.notes.get(document, ())
        return {self.key: sum(count for zone, *_, whose, count in notes if (zone, whose) == (BOARD, player))}

    def part(self) -> KeyPart:
        kind, entry = self.ruleset.kinds[self.number], self.entry
        names = tuple(sorted(self.format.documents_of(self._kinds)))
        values = [self.value_part(path, number) for path, number in (*self._fields, *self._marks)]
        values += [ValuePart((entry["tokens"],), "number")] if "tokens" in entry else []
        values += [ValuePart((entry["nature"],), "name", names)] if "nature" in entry else []
        values += [ValuePart((entry["form"],), "name", (BASE, *names))] if "form" in entry else []
        if "stack" in entry:
            kinds = self.ruleset.token_sheets[kind.holds]
            values.append(ValuePart((entry["stack"],), "names", tuple(sorted(self.format.documents_of(kinds)))))
        owners = self.naming.players if "owner" in entry else ()
        nobody = not owners or bool(self.shape.get("or nobody"))
        return KeyPart(self.key, "pieces", kind.name, names, owners, nobody, (), self.on, entry, tuple(values))


def _copy_of(entry: PositionMapping, within: list[str]) -> PositionMapping:
    """Return a copy of an entry that has mappings or lists under some keys."""
    made = entry.copy()
    for key in within:
        made[key] = copied(entry[key])
    return made


# ---- the tokens of pieces


def tokens_in(reader: CheckedReader, where: str, kind: int, value: object) -> dict[int, int]:
    """Return the tokens in a list of names, by document; raises PositionError if the kind of piece forbids one."""
    kinds = reader.layout.ruleset.token_sheets[reader.layout.ruleset.kinds[kind].holds]
    return Counter(reader.document(place, name, kinds) for place, name in reader.items(where, value))


def make_of(reader: CheckedReader, number: int, tokens: OwnTokens) -> None:
    """Make a piece of some tokens."""
    for document, cell in enumerate(reader.layout.holder_cells(reader.layout.first_piece_holder + number)):
        reader.memory[cell] = tokens.get(document, 0)
