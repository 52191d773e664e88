"""Positions: the memory of a state as a mapping that people and other programs read and write.

The game's own document declares the keys, and their contents, under `position`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cached_property, partial
from typing import Any

from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.packs import PACKS
from warchest.engine.runs import Run
from warchest.game.errors import PositionError
from warchest.game.position import key_codecs as plain
from warchest.game.position import piece_codecs as pieces
from warchest.game.position import zone_codecs as zones
from warchest.game.position.checked_values import CheckedMemory, CheckedReader
from warchest.game.position.keyless_parts import Unlisted
from warchest.game.position.keys import OVER, TOLD, Keys
from warchest.game.position.modifier_codecs import LinksCodec
from warchest.game.position.position_parts import KeyPart
from warchest.game.position.read_cells import Memory, PositionMapping, remember
from warchest.game.setup.boards import IRREGULAR
from warchest.ir.values import NOTHING
from warchest.lowering.layout import ENDED, WINNER

CODECS: tuple[type[plain.KeyCodec], ...] = (
    plain.FieldCodec,
    plain.ValuesCodec,
    plain.OwnedSpacesCodec,
    pieces.PiecesCodec,
    pieces.OneByOwnerCodec,
    plain.SheetsCodec,
    LinksCodec,
    zones.ZoneCodec,
    zones.RowsCodec,
    pieces.PlacesCodec,
    zones.CountsCodec,
    zones.CountCodec,
    plain.OptionsCodec,
)
"""The codecs of keys, by the words of their shapes."""


class Format(Keys):
    """Writes and reads the keys of a position, all but `game` and the stack of `pending`, each by its codec."""

    @cached_property
    def codecs(self) -> list[plain.KeyCodec]:
        """The codecs of the keys, in the order in which these are written."""
        found = [self._codec(key)(self, key, shape) for key, shape in self.shapes.items()]
        return [*found, *(plain.TextsCodec(self, key, {}) for key in TOLD)]

    def _codec(self, key: str) -> type[plain.KeyCodec]:
        words = self.shapes[key]
        return next((one for one in CODECS if any(word in words for word in one.words)), plain.KeyCodec)

    @cached_property
    def _written(self) -> list[tuple[plain.KeyCodec, range | None]]:
        """The codecs, each with the cells that determine its value, for a memory that never changes."""
        fixed = self.layout.is_kept_as_it_was
        return [(codec, codec.cells if fixed else None) for codec in self.codecs]

    @cached_property
    def _belongs(self) -> dict[Hashable, bool]:
        """The cached results of `_is_owned`, by `Belonging.key`."""
        return {}

    @cached_property
    def unlisted(self) -> Unlisted:
        """The zones and fields without a key, which are written with the pending work."""
        return Unlisted(self, self.codecs)

    @property
    def parts(self) -> list[KeyPart]:
        """The parts that positions are made of, one for each key that the game declares."""
        return [one.part() for one in self.codecs if one.key in self.shapes]

    # ---- writing

    def write(self, memory: Memory) -> PositionMapping:
        """Return the mapping for a memory."""
        written: PositionMapping = {PACKS: self.packs} if self.packs else {}
        for codec, cells in self._written:
            value = codec.write(memory) if cells is None else codec.write_known(memory, cells)
            if codec.is_written(memory, value):
                written[codec.key] = value
        if memory[ENDED]:
            winner = memory[WINNER]
            written[OVER] = None if winner == NOTHING else self.layout.board.teams[winner]
        return written

    def masked(self, written: PositionMapping, viewer: int, sees: Callable[[int, int], bool]) -> PositionMapping:
        """Replace the lists that a viewer does not see by their lengths, and return the whole."""
        paths = self._hidden.get(viewer)
        if paths is None:
            paths = self._hidden[viewer] = [
                path for codec in self.codecs for path in codec.hidden(partial(sees, viewer))
            ]
        for key, *within in paths:
            if key in written:
                place: Any = written
                for step in within:
                    place, key = place[key], step
                place[key] = len(place[key])
        return written

    @cached_property
    def _hidden(self) -> dict[int, list[tuple[str, ...]]]:
        """The paths of the lists that each viewer does not see."""
        return {}

    # ---- reading

    def read(self, mapping: Mapping[str, Any], run: Run, irregular: bool = False) -> None:
        """Fill the blank memory of a run from a mapping; raises PositionError for an impossible position.

        An irregular mapping may break the rules about numbers and places of things.
        """
        reader, memory = CheckedReader(self, run), run.memory
        reader.least = 0 if mapping.get("pending") is not None else 1
        self._check_keys(reader, mapping)
        for codec in self.codecs:
            if (value := codec.given(mapping)) is not None:
                codec.read(reader, value)
        for codec in self.codecs:
            codec.fill(reader, mapping.get(codec.key))
        self.unlisted.read(mapping.get("pending"), reader)
        reader.belonging.look()
        if not irregular:
            self._check(reader, mapping)
        is_over = OVER in mapping
        self._check_said(reader, is_over)
        for codec in self.codecs:
            codec.check_end(mapping)
        if is_over:
            memory[ENDED] = 1
            winner = mapping[OVER]
            memory[WINNER] = NOTHING if winner is None else reader.named(OVER, "team", winner)

    def is_regular(self, memory: Memory, written: Mapping[str, Any]) -> bool:
        """Whether a memory, and the mapping written for it, passes the checks of a position that is read."""
        reader = CheckedMemory(self, memory)
        try:
            for codec in self._checked:
                codec.check(reader, written.get(codec.key))
        except PositionError:
            return False
        key = reader.belonging.key
        known = self._belongs.get(key)
        return remember(self._belongs, key, self._is_owned(reader, written)) if known is None else known

    def _is_owned(self, reader: CheckedMemory, written: Mapping[str, Any]) -> bool:
        """Whether a memory passes the checks of the owners of tokens."""
        reader.belonging.look()
        try:
            for codec in self.codecs:
                codec.check_apart(reader)
            if any(reader.belonging.surplus()):
                return False
            for codec in self.codecs:
                codec.check_whole(reader, written.get(codec.key))
        except PositionError:
            return False
        return True

    @cached_property
    def _checked(self) -> list[plain.KeyCodec]:
        """The codecs that check more than the owners of tokens."""
        return [one for one in self.codecs if one.is_checked]

    # ---- checking

    def _check_keys(self, reader: CheckedReader, mapping: Mapping[str, Any]) -> None:
        """Check that the packs that a position is written with are there, and that there are no unknown keys."""
        for where, name in reader.items(PACKS, mapping[PACKS]) if mapping.get(PACKS) is not None else ():
            if name not in self.packs:
                hint = did_you_mean(str(name), self.packs) or "name its folder with `--cards`"
                raise PositionError(where, f"the pack {name!r} is not here; {hint}")
        reader.known("", mapping, self.shapes, ("game", OVER, *TOLD, "pending", IRREGULAR, PACKS))

    def _check(self, reader: CheckedReader, mapping: Mapping[str, Any]) -> None:
        """Check that the memory of a mapping is one that games can reach; raises PositionError."""
        for codec in self.codecs:
            codec.check(reader, mapping.get(codec.key))
            codec.check_apart(reader)
        for player, document, most, fault in reader.belonging.surplus():
            raise PositionError(self._where_too_many(reader, player, document, most), fault)
        for codec in self.codecs:
            codec.check_whole(reader, mapping.get(codec.key))

    def _where_too_many(self, reader: CheckedReader, player: int, document: int, most: int) -> str:
        """Return the key of a position that shows a player with more tokens of a document than exist."""
        found = ""
        for codec in self.codecs:
            for where, count in codec.held(reader.belonging, document, player).items():
                found, most = where if count else found, most - count
                if most < 0:
                    return found
        return found

    def _check_said(self, reader: CheckedReader, is_over: bool) -> None:
        """Check that a field has the same value in the entry of its piece and in all other parts of the position.

        When the game is over, the value in the entry counts, and its origin is not checked.
        """
        for where, cell, value in reader.said:
            if is_over:
                reader.memory[cell] = value
            elif reader.memory[cell] != value:
                index = (cell - self.layout.pieces) % self.layout.stride
                field = next(one for one, place in self.layout.piece_field.items() if place == index)
                now = self.shown(field, cell, reader.memory)
                told = next((one.key for one in self.codecs if isinstance(one, LinksCodec)), "pending")
                raise PositionError(where, f"`{told}` makes it {now}")


def is_irregular(mapping: Mapping[str, Any]) -> bool:
    """Whether a position declares itself irregular; raises PositionError where it says neither yes nor no."""
    said = mapping.get(IRREGULAR, False)
    if not isinstance(said, bool):
        raise PositionError(IRREGULAR, f"true or false is needed, not {said!r}")
    return said
