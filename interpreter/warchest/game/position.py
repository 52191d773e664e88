"""Positions: the memory of a state as a mapping that people and other programs read and write.

Which keys there are, and what each is made of, the game's own document says under `position`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from warchest.diagnostics.suggest import did_you_mean
from warchest.game.errors import PositionError
from warchest.game.naming import Naming
from warchest.machine.changes import Overfull, new_piece
from warchest.machine.layout import DOCUMENT, ENDED, OWNER, SPACE, WINNER, Holders, Layout
from warchest.machine.run import Run
from warchest.rules.values import NOTHING

Memory = list[int]
Shape = Mapping[str, Any]


class Format:
    """Writes and reads the keys of a position, all but `game`, `winner` and `pending`."""

    def __init__(
        self,
        layout: Layout,
        naming: Naming,
        shapes: Mapping[str, Shape],
        options: Mapping[str, str],
        limits: Mapping[int, int],
    ) -> None:
        self.layout, self.naming, self.shapes, self.options, self.limits = layout, naming, shapes, options, limits
        ruleset = layout.ruleset
        self.zones = {zone.name: number for number, zone in enumerate(ruleset.zones)}
        self.fields = {field.name: number for number, field in enumerate(ruleset.fields)}

    # ---- writing

    def write(self, memory: Memory) -> dict[str, Any]:
        """Return the mapping for a memory."""
        written: dict[str, Any] = {}
        for key, shape in self.shapes.items():
            if "turn of" in shape:
                if not memory[ENDED]:
                    written[key] = self._field(memory, shape["turn of"])
            else:
                written[key] = self._write(memory, shape)
        if memory[ENDED]:
            winner = memory[WINNER]
            written["winner"] = None if winner == NOTHING else self.layout.board.teams[winner]
        return written

    def _write(self, memory: Memory, shape: Shape) -> Any:
        if "field" in shape:
            return self._field(memory, shape["field"])
        if "spaces by" in shape:
            return self._spaces_by(memory, self.fields[shape["spaces by"]])
        if "pieces" in shape:
            return [self._piece(memory, number, shape) for number in self.naming.pieces(memory)]
        if "zone" in shape:
            return self._zone(memory, self.zones[shape["zone"]])
        if "options" in shape:
            return dict(self.options)
        return shape["always"]

    def _field(self, memory: Memory, name: str) -> Any:
        number = self.fields[name]
        value = memory[self.layout.fields[number]]
        base = self.layout.ruleset.fields[number].base
        return bool(value) if base == "flag" else self.naming.name(base, value, memory)

    def _spaces_by(self, memory: Memory, field: int) -> dict[str, list[str]]:
        first = self.layout.fields[field]
        found: dict[str, list[str]] = {team: [] for team in self.layout.board.teams}
        for number, space in enumerate(self.naming.spaces):
            value = memory[first + number]
            if value != NOTHING:
                found[self.layout.board.teams[value]].append(space)
        return {team: sorted(spaces) for team, spaces in found.items()}

    def _piece(self, memory: Memory, number: int, shape: Shape) -> dict[str, Any]:
        first = self.layout.piece(number)
        holder = self.layout.holder_cells(self.layout.first_piece_holder + number)
        return {
            shape["place"]: self.naming.spaces[memory[first + SPACE]],
            shape["document"]: self.naming.documents[memory[first + DOCUMENT]],
            shape["owner"]: self.naming.name("player", memory[first + OWNER], memory),
            shape["tokens"]: sum(memory[cell] for cell in holder),
        }

    def _zone(self, memory: Memory, number: int) -> Any:
        zone, holders = self.layout.ruleset.zones[number], self.layout.zones[number]
        if not zone.of_player:
            return self._tokens(memory, holders, 0, 0)
        found = {}
        for player, name in enumerate(self.naming.players):
            if zone.faces:
                found[name] = {face: self._tokens(memory, holders, player, index)
                               for index, face in enumerate(zone.faces)}  # fmt: skip
            else:
                found[name] = self._tokens(memory, holders, player, 0)  # type: ignore[assignment]
        return found

    def _tokens(self, memory: Memory, holders: Holders, player: int, face: int) -> list[str]:
        cells = self.layout.holder_cells(holders.number(player, face))
        return sorted(
            name for name, cell in zip(self.naming.documents, cells, strict=True) for _ in range(memory[cell])
        )

    # ---- reading

    def read(self, mapping: Mapping[str, Any], run: Run) -> None:
        """Fill the blank memory of a run from a mapping; raises PositionError where it cannot be."""
        reader, memory = Reader(self, run), run.memory
        reader.least = 0 if mapping.get("pending") is not None else 1
        for key in mapping:
            if key not in self.shapes and key not in ("game", "winner", "pending"):
                hint = did_you_mean(str(key), self.shapes)
                raise PositionError(str(key), f"no such key; {hint}" if hint else "no such key")
        for key, shape in self.shapes.items():
            # Some fields are usually the same as others, and may then be left out.
            value = mapping.get(key) if mapping.get(key) is not None else mapping.get(shape.get("usual", ""))
            if value is not None:
                reader.read(key, shape, value)
        for key, shape in self.shapes.items():
            if shape.get("gathered") and not mapping.get(key):
                reader.gather(self.zones[shape["zone"]])
        reader.check()
        self._whose_turn(mapping)
        if "winner" in mapping:
            memory[ENDED] = 1
            winner = mapping["winner"]
            memory[WINNER] = NOTHING if winner is None else reader.team("winner", winner)


    def _whose_turn(self, mapping: Mapping[str, Any]) -> None:
        """Check that an unfinished game says whose turn it is (and what else it needs), and a finished one does not."""
        for key, shape in self.shapes.items():
            if "winner" not in mapping and shape.get("needed") and mapping.get(key) is None:
                raise PositionError(key, "this is missing, and the game is not over")
            if "winner" in mapping and "turn of" in shape and mapping.get(key) is not None:
                raise PositionError(key, "nobody is to act when there is a winner")


class Reader:
    """Reads one position into one memory."""

    def __init__(self, format_: Format, run: Run) -> None:
        self.format, self.run, self.memory = format_, run, run.memory
        self.layout, self.naming = format_.layout, format_.naming
        self.least = 1
        """How few tokens a piece can be made of: none, while it waits for what takes it off the board."""

    def read(self, key: str, shape: Shape, value: Any) -> None:
        """Read the value of a key."""
        if "turn of" in shape or "field" in shape:
            self._field(key, shape.get("turn of") or shape["field"], value)
        elif "spaces by" in shape:
            self._spaces_by(key, self.format.fields[shape["spaces by"]], value)
        elif "pieces" in shape:
            for index, item in enumerate(self._list(key, value)):
                self._piece(f"{key}[{index}]", shape, item)
        elif "zone" in shape:
            self._zone(key, self.format.zones[shape["zone"]], value)
        elif "always" in shape and value != shape["always"]:
            raise PositionError(key, "this game, as it is loaded, has none")

    # ---- names

    def _name(self, field: str, value: Any, names: Sequence[str], what: str) -> int:
        if not isinstance(value, str):
            raise PositionError(field, f"the name of a {what} is needed, not {value!r}")
        if value not in names:
            hint = did_you_mean(value, names)
            raise PositionError(field, f"there is no {what} {value!r}" + (f"; {hint}" if hint else ""))
        return names.index(value)

    def team(self, field: str, value: Any) -> int:
        """Return the number of a team."""
        return self._name(field, value, self.layout.board.teams, "team")

    def _player(self, field: str, value: Any) -> int:
        return self._name(field, value, self.naming.players, "player")

    def _space(self, field: str, value: Any) -> int:
        return self._name(field, value, self.naming.spaces, "space")

    def _document(self, field: str, value: Any, kinds: Sequence[str]) -> int:
        names = [sheet.name for sheet in self.layout.ruleset.sheets if sheet.kind in kinds]
        self._name(field, value, names, " or ".join(kinds))
        return self.naming.documents.index(value)

    def _list(self, field: str, value: Any) -> list[Any]:
        if not isinstance(value, list | tuple):
            raise PositionError(field, f"a list is needed, not {value!r}")
        return list(value)

    def _mapping(self, field: str, value: Any) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            raise PositionError(field, f"a mapping is needed, not {value!r}")
        return value

    # ---- the kinds of entry

    def _field(self, key: str, name: str, value: Any) -> None:
        number = self.format.fields[name]
        base = self.layout.ruleset.fields[number].base
        if base == "flag":
            if not isinstance(value, bool):
                raise PositionError(key, f"true or false is needed, not {value!r}")
            read = int(value)
        else:
            read = self._player(key, value) if base == "player" else self.team(key, value)
        self.memory[self.layout.fields[number]] = read

    def _spaces_by(self, key: str, field: int, value: Any) -> None:
        first = self.layout.fields[field]
        tags = self.format.shapes[key].get("tag", "")
        for team, spaces in self._mapping(key, value).items():
            number = self.team(key, team)
            for index, name in enumerate(self._list(f"{key}.{team}", spaces)):
                where = f"{key}.{team}[{index}]"
                space = self._space(where, name)
                if tags and space not in self.layout.board.tagged(tags):
                    raise PositionError(where, f"{name} is not a {tags}")
                if self.memory[first + space] != NOTHING:
                    raise PositionError(where, f"{name} is given twice")
                self.memory[first + space] = number

    def _piece(self, where: str, shape: Shape, value: Any) -> None:
        item = self._mapping(where, value)
        names = [shape[key] for key in ("place", "document", "owner", "tokens")]
        for key in item:
            if key not in names:
                raise PositionError(f"{where}.{key}", did_you_mean(str(key), names) or "no such key")
        place, document, owner, tokens = names
        for key in (place, document, owner):
            if key not in item:
                raise PositionError(f"{where}.{key}", "this is missing")
        kind = next(number for number, one in enumerate(self.layout.ruleset.kinds) if one.name == shape["pieces"])
        sheet = self.layout.ruleset.kinds[kind].sheet
        count = item.get(tokens, 1)
        if not isinstance(count, int) or isinstance(count, bool) or count < self.least:
            raise PositionError(f"{where}.{tokens}", f"a number from 1 is needed, not {count!r}")
        self._stand(where, shape, kind, self._document(f"{where}.{document}", item[document], [sheet]),
                    self._space(f"{where}.{place}", item[place]),
                    self._player(f"{where}.{owner}", item[owner]), count)  # fmt: skip

    def _stand(
        self, where: str, shape: Shape, kind: int, document: int, space: int, owner: int, count: int
    ) -> None:
        if self.memory[self.layout.at + space]:
            raise PositionError(f"{where}.{shape['place']}", f"{self.naming.spaces[space]} is taken twice")
        try:
            number = new_piece(self.run, self.layout, kind, document, space, owner)
        except Overfull as error:
            raise PositionError(where, str(error)) from None
        cell = self.layout.holder_cells(self.layout.first_piece_holder + number)[document]
        self.memory[cell] = count

    def _zone(self, key: str, number: int, value: Any) -> None:
        zone = self.layout.ruleset.zones[number]
        if not zone.of_player:
            self._tokens(key, number, 0, 0, value)
            return
        for name, tokens in self._mapping(key, value).items():
            player = self._player(key, name)
            where = f"{key}.{name}"
            if not zone.faces:
                self._tokens(where, number, player, 0, tokens)
                continue
            for face, items in self._mapping(where, tokens).items():
                index = self._name(where, face, zone.faces, "face")
                self._tokens(f"{where}.{face}", number, player, index, items)

    def _tokens(self, where: str, number: int, player: int, face: int, value: Any) -> None:
        cells = self.layout.holder_cells(self.layout.zones[number].number(player, face))
        kinds = self.format.layout.ruleset.token_sheets[self.layout.ruleset.zones[number].holds]
        for index, name in enumerate(self._list(where, value)):
            self.memory[cells[self._document(f"{where}[{index}]", name, kinds)]] += 1

    # ---- the whole

    def gather(self, number: int) -> None:
        """Fill a zone with one token for each document that a player has tokens of anywhere."""
        kinds = self.layout.ruleset.token_sheets[self.layout.ruleset.zones[number].holds]
        for player in range(self.layout.players):
            cells = self.layout.holder_cells(self.layout.zones[number].number(player))
            for document, sheet in enumerate(self.layout.ruleset.sheets):
                if sheet.kind in kinds and self.count(player, document):
                    self.memory[cells[document]] = 1

    def count(self, player: int, document: int) -> int:
        """Return how many tokens of a document a player has, in zones and on the board."""
        armies = {self.format.zones[shape["zone"]] for shape in self.format.shapes.values() if shape.get("apart")}
        total = 0
        for number, zone in enumerate(self.layout.ruleset.zones):
            if zone.of_player and number not in armies:
                for face in range(max(len(zone.faces), 1)):
                    holder = self.layout.zones[number].number(player, face)
                    total += self.memory[self.layout.holder_cells(holder)[document]]
        for piece in self.naming.pieces(self.memory):
            if self.memory[self.layout.piece(piece) + OWNER] == player:
                holder = self.layout.first_piece_holder + piece
                total += self.memory[self.layout.holder_cells(holder)[document]]
        return total

    def check(self) -> None:
        """Check what the parts must be together; raises PositionError."""
        for key, shape in self.format.shapes.items():
            if shape.get("apart"):
                self._check_apart(key, self.format.zones[shape["zone"]])
            if "limit" in shape:
                self._check_limit(key, self.format.limits)
        self._check_copies()

    def _check_copies(self) -> None:
        ruleset = self.layout.ruleset
        for kind, key in ruleset.copies.items():
            for document, sheet in enumerate(ruleset.sheets):
                if sheet.kind not in ruleset.token_sheets[kind] or key not in sheet.numbers:
                    continue
                for player, name in enumerate(self.naming.players):
                    count, most = self.count(player, document), sheet.numbers[key]
                    if count > most:
                        raise PositionError(sheet.name, f"{name} has {count} of them, and there are only {most}")

    def _check_apart(self, key: str, number: int) -> None:
        holders = self.layout.zones[number]
        for player, name in enumerate(self.naming.players):
            for document, cell in enumerate(self.layout.holder_cells(holders.number(player))):
                if self.memory[cell] > 1:
                    raise PositionError(f"{key}.{name}", f"{self.naming.documents[document]} is given twice")
        for document, sheet in enumerate(self.layout.ruleset.sheets):
            having = [
                self.naming.players[player] for player in range(self.layout.players)
                if self.memory[self.layout.holder_cells(holders.number(player))[document]]
                or (sheet.kind in self.layout.ruleset.token_sheets[self.layout.ruleset.zones[number].holds]
                    and self.count(player, document))
            ]  # fmt: skip
            if len(having) > 1:
                raise PositionError(f"{key}.{having[1]}", f"{sheet.name} belongs to {having[0]} already")

    def _check_limit(self, key: str, limits: Mapping[int, int]) -> None:
        seen: dict[tuple[int, int], int] = {}
        for index, piece in enumerate(self.naming.pieces(self.memory)):
            first = self.layout.piece(piece)
            which = (self.memory[first + OWNER], self.memory[first + DOCUMENT])
            seen[which] = seen.get(which, 0) + 1
            if seen[which] > limits.get(which[1], 1 << 30):
                name = self.naming.documents[which[1]]
                raise PositionError(f"{key}[{index}]", f"there is one {name} too many on the board")
