"""Positions: the memory of a state as a mapping that people and other programs read and write.

Which keys there are, and what each is made of, the game's own document says under `position`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.packs import PACKS
from warchest.engine.evaluation import members_of
from warchest.engine.runs import Run
from warchest.game.errors import PositionError
from warchest.game.naming import Naming
from warchest.game.position import used as limits
from warchest.game.position.keys import OVER, TOLD, Keys, Memory, Shape, Shapes, tokens_at
from warchest.game.position.modifiers import Links
from warchest.game.position.own_sheets import NAME
from warchest.game.position.piece_entries import by_owner, entries
from warchest.game.position.position_reading import PositionReader
from warchest.game.position.unlisted import Unlisted, holds_something
from warchest.game.setup.boards import IRREGULAR
from warchest.ir.values import NOTHING
from warchest.lowering.layout import ENDED, SPACE, WINNER, Layout


class Format(Keys):
    """Writes and reads the keys of a position, all but `game`, `winner` and `pending`.

    `packs` are the names of those that declare more than words: a position names them, for without them it cannot be
    read.
    """

    def __init__(
        self,
        layout: Layout,
        naming: Naming,
        shapes: Shapes,
        links: Links,
        options: Mapping[str, str],
        limits: Mapping[int, int],
        sheets: Mapping[tuple[str, str], Mapping[str, Any]],
        told: Sequence[tuple[str, str]] = (),
        packs: Sequence[str] = (),
    ) -> None:
        super().__init__(layout, naming, shapes, limits, sheets, told)
        self.links, self.options, self.packs = links, options, list(packs)
        self.unlisted = Unlisted(self, links)
        said = {
            value
            for kind, name in told
            for key, value in sheets[kind, name].items()
            if key != kind and isinstance(value, str)
        }
        self.counted = [one for one in told if one[1] not in said]
        """The documents that came with a position and that no sheet names: they are counted even at none."""

    # ---- writing

    def write(self, memory: Memory) -> dict[str, Any]:
        """Return the mapping for a memory."""
        written: dict[str, Any] = {PACKS: self.packs} if self.packs else {}
        for key, shape in self.shapes.items():
            if "turn of" in shape:
                if not memory[ENDED]:
                    written[key] = self._field(memory, shape["turn of"])
            else:
                value = self._write(memory, shape)
                # What is rarely anywhere but empty is written only when it is not.
                if not shape.get("rare") or holds_something(value):
                    written[key] = value
        written.update(limits.written(self, memory))
        if memory[ENDED]:
            winner = memory[WINNER]
            written[OVER] = None if winner == NOTHING else self.layout.board.teams[winner]
        return written

    def _write(self, memory: Memory, shape: Shape) -> Any:
        if "field" in shape:
            return self._field(memory, shape["field"])
        if "values" in shape:
            return self.values(memory, self.fields[shape["values"]])
        if "spaces by" in shape:
            return self._spaces_by(memory, self.fields[shape["spaces by"]])
        if "pieces" in shape:
            return entries(self, memory, shape)
        if "one by owner" in shape:
            return by_owner(self, memory, shape["one by owner"])
        if "documents" in shape:
            numbers = [
                self.layout.ruleset.sheet_number(name, (kind,))
                for kind, name in self.told
                if kind == shape["documents"]
            ]
            return [{NAME: self.naming.documents[one], **self.printed(one, shape["sheet"])} for one in numbers]
        if "upheld" in shape:
            return self.links.write(memory)
        if "zone" in shape:
            return self.zone(memory, self.zones[shape["zone"]])
        if "rows" in shape:
            return self._rows(memory, shape)
        if "places" in shape:
            kind = self.kind(shape["places"])
            standing = members_of(memory[self.layout.of_kind + kind])
            return sorted(self.naming.spaces[memory[self.layout.piece(one) + SPACE]] for one in standing)
        if "counts" in shape:
            return self._counts(memory, self.zones[shape["counts"]])
        if "count" in shape:
            cells = self.layout.holder_cells(self.layout.zones[self.zones[shape["count"]]].number(0))
            return sum(memory[cell] for cell in cells)
        if "options" in shape:
            return dict(self.options)
        return shape["always"]

    def _field(self, memory: Memory, name: str) -> Any:
        number = self.fields[name]
        return self.shown(number, memory[self.layout.fields[number]], memory)

    def _spaces_by(self, memory: Memory, field: int) -> dict[str, list[str]]:
        first = self.layout.fields[field]
        found: dict[str, list[str]] = {team: [] for team in self.layout.board.teams}
        for number, space in enumerate(self.naming.spaces):
            value = memory[first + number]
            if value != NOTHING:
                found[self.layout.board.teams[value]].append(space)
        return {team: sorted(spaces) for team, spaces in found.items()}

    def _counts(self, memory: Memory, number: int) -> dict[str, dict[str, int]]:
        """Return the number of tokens of each document that every player has in a zone."""
        zone, found = self.layout.zones[number], {}
        for player, name in enumerate(self.naming.players):
            there = tokens_at(self.layout, memory, zone.number(player))
            found[name] = dict(sorted((self.naming.documents[document], count) for document, count in there.items()))
        for kind, document in self.counted:
            if kind in self.layout.ruleset.kinds_in(number) and not any(document in has for has in found.values()):
                found[self.naming.players[0]][document] = 0
        return found

    def _rows(self, memory: Memory, shape: Shape) -> list[dict[str, Any]]:
        """Return a mapping for each token in a zone of the game: its name, and the teams that have marked it."""
        zone, marks = self.layout.zones[self.zones[shape["rows"]]], self.layout.zones[self.zones[shape["in"]]]
        rows = []
        for name in self._tokens(memory, zone, 0, 0):
            document = self.naming.documents.index(name)
            teams = [
                team
                for number, team in enumerate(self.layout.board.teams)
                if memory[self.layout.holder_cells(marks.number(number))[document]]
            ]
            rows.append({shape["name"]: name, shape["teams"]: teams})
        return rows

    # ---- reading

    def read(self, mapping: Mapping[str, Any], run: Run, irregular: bool = False) -> None:
        """Fill the blank memory of a run from a mapping; raises PositionError where it cannot be.

        A mapping that is irregular may break the rules of how much there is, and of where it may be.
        """
        reader, memory = PositionReader(self, self.links, run), run.memory
        reader.least = 0 if mapping.get("pending") is not None else 1
        self._check_packs(reader, mapping.get(PACKS))
        for key in mapping:
            if key not in self.shapes and key not in ("game", OVER, *TOLD, "pending", IRREGULAR, PACKS):
                hint = did_you_mean(str(key), self.shapes)
                raise PositionError(str(key), f"no such key; {hint}" if hint else "no such key", by_key=True)
        for key, shape in self.shapes.items():
            value = mapping.get(key)
            if value is None and "field" in shape:
                # Some fields are usually the same as others, or as one value, and may then be left out.
                value = mapping.get(shape["usual"]) if "usual" in shape else shape.get("otherwise")
            if value is not None:
                reader.read(key, shape, value)
        for key, shape in self.shapes.items():
            if shape.get("gathered") and not mapping.get(key):
                reader.belonging.gather(self.zones[shape["zone"]])
        for key in TOLD:
            if mapping.get(key) is not None:
                limits.read(reader, key, mapping[key])
        self.unlisted.read(mapping.get("pending"), reader, memory)
        reader.belonging.look()
        if not irregular:
            reader.check(mapping)
        if OVER not in mapping:
            reader.check_said()
            self._check_needed(mapping)
            return
        reader.keep_said()
        self._check_nobody_to_act(mapping)
        memory[ENDED] = 1
        winner = mapping[OVER]
        memory[WINNER] = NOTHING if winner is None else reader.team(OVER, winner)

    def is_regular(self, run: Run, written: Mapping[str, Any]) -> bool:
        """Whether a memory, and the mapping written for it, passes the checks of a position that is read."""
        reader = PositionReader(self, self.links, run)
        reader.belonging.look()
        try:
            reader.check(written)
        except PositionError:
            return False
        return True

    def _check_packs(self, reader: PositionReader, named: Any) -> None:
        """Check that the packs which a position is written with are there."""
        for index, name in enumerate(reader.listed(PACKS, named) if named is not None else ()):
            if name not in self.packs:
                hint = did_you_mean(str(name), self.packs) or "name its folder with `--cards`"
                raise PositionError(f"{PACKS}[{index}]", f"the pack {name!r} is not here; {hint}")

    def _check_needed(self, mapping: Mapping[str, Any]) -> None:
        """Check that an unfinished game says whose turn it is, and has the other keys that it needs."""
        for key, shape in self.shapes.items():
            if shape.get("needed") and mapping.get(key) is None:
                raise PositionError(key, "this is missing, and the game is not over")

    def _check_nobody_to_act(self, mapping: Mapping[str, Any]) -> None:
        """Check that a finished game does not say whose turn it is."""
        for key, shape in self.shapes.items():
            if "turn of" in shape and mapping.get(key) is not None:
                raise PositionError(key, "nobody is to act when there is a winner")


def is_irregular(mapping: Mapping[str, Any]) -> bool:
    """Whether a position says of itself that it is irregular; raises PositionError where it says neither yes nor no."""
    said = mapping.get(IRREGULAR, False)
    if not isinstance(said, bool):
        raise PositionError(IRREGULAR, f"true or false is needed, not {said!r}")
    return said
