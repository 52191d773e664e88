"""Reading positions: every part of the mapping is checked and put into the memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from warchest.diagnostics.articles import with_article
from warchest.engine.effects import new_piece, taken
from warchest.engine.evaluation import members_of
from warchest.engine.runs import Overfull, Run
from warchest.game.errors import PositionError
from warchest.game.position.belonging import Belonging
from warchest.game.position.checked_values import CheckedReader
from warchest.game.position.keys import Keys, Shape
from warchest.game.position.modifiers import Links
from warchest.game.position.own_sheets import NAME
from warchest.game.position.piece_entries import stand, stand_by_owner
from warchest.ir.values import NOTHING, TRAIL_BITS
from warchest.lowering.layout import DOCUMENT, LIVE, NATURE, OWNER

MAX_STEPS = 500
"""The most values that a trail has in a position."""


class PositionReader(CheckedReader):
    """Reads one position into one memory."""

    def __init__(self, format_: Keys, links: Links, run: Run) -> None:
        super().__init__(format_, run)
        self.links, self.belonging = links, Belonging(self)

    def read(self, key: str, shape: Shape, value: Any) -> None:
        """Read the value of a key."""
        if "turn of" in shape or "field" in shape:
            self._field(key, shape.get("turn of") or shape["field"], value)
        elif "values" in shape:
            self._values(key, self.format.fields[shape["values"]], value)
        elif "spaces by" in shape:
            self._spaces_by(key, self.format.fields[shape["spaces by"]], value)
        elif "documents" in shape:
            for index, item in enumerate(self.listed(key, value)):
                self.known(f"{key}[{index}]", self.mapping(f"{key}[{index}]", item), (NAME, *shape["sheet"]))
        elif "pieces" in shape:
            for index, item in enumerate(self.listed(key, value)):
                stand(self, f"{key}[{index}]", shape, item)
        elif "one by owner" in shape:
            stand_by_owner(self, key, shape, value)
        elif "upheld" in shape:
            self.links.read(self, key, value)
        elif "zone" in shape:
            self.read_zone(key, self.format.zones[shape["zone"]], value)
        elif "rows" in shape:
            for index, item in enumerate(self.listed(key, value)):
                self._row(f"{key}[{index}]", shape, item)
        elif "places" in shape:
            for index, item in enumerate(self.listed(key, value)):
                self._place(f"{key}[{index}]", shape, item)
        elif "counts" in shape:
            self._counts(key, self.format.zones[shape["counts"]], value)
        elif "count" in shape:
            self._count(key, self.format.zones[shape["count"]], value)
        elif "always" in shape and value != shape["always"]:
            raise PositionError(key, "this game, as it is loaded, has none")

    # ---- the kinds of entry

    def _field(self, key: str, name: str, value: Any) -> None:
        number = self.format.fields[name]
        self.memory[self.layout.fields[number]] = self.value(key, self.layout.ruleset.fields[number].base, value)

    def _values(self, key: str, field: int, value: Any) -> None:
        """Read the values of a field of players, teams or spaces."""
        first, owners = self.layout.fields[field], self.format.owners(field)
        shown = self.layout.ruleset.fields[field]
        for name, told in self.mapping(key, value).items():
            number, where = self.name(f"{key}.{name}", name, owners, shown.of), f"{key}.{name}"
            self.memory[first + number] = (
                self._trail(where, shown.steps, told)
                if shown.steps is not None
                else self.value(where, shown.base, told)
            )

    def _trail(self, where: str, base: str, told: Any) -> int:
        """Read the list of the values that a field has had, the latest last."""
        steps = self.listed(where, told)
        if len(steps) > MAX_STEPS:
            raise PositionError(where, f"these are {len(steps)}, and {MAX_STEPS} is the most")
        trail = 0
        for index, one in enumerate(steps):
            step = self.value(f"{where}[{index}]", base, one)
            if step < 0:
                raise PositionError(f"{where}[{index}]", f"{with_article(base)} is needed, not {one!r}")
            trail = trail << TRAIL_BITS | step + 1
        return trail

    def _spaces_by(self, key: str, field: int, value: Any) -> None:
        first = self.layout.fields[field]
        tags = self.format.shapes[key].get("tag", "")
        for team, spaces in self.mapping(key, value).items():
            number = self.team(key, team)
            for index, name in enumerate(self.listed(f"{key}.{team}", spaces)):
                where = f"{key}.{team}[{index}]"
                space = self.space(where, name)
                if tags and space not in self.layout.board.tagged(tags):
                    raise PositionError(where, f"{name} is not {with_article(tags)}")
                if self.memory[first + space] != NOTHING:
                    raise PositionError(where, f"{name} is given twice")
                self.memory[first + space] = number

    def _row(self, where: str, shape: Shape, value: Any) -> None:
        """Read a document that lies in a zone of the game, with the teams that have marked it."""
        item = self.mapping(where, value)
        self.known(where, item, (shape["name"], shape["teams"]))
        number, marks = self.format.zones[shape["rows"]], self.format.zones[shape["in"]]
        kinds = self.layout.ruleset.kinds_in(number)
        if shape["name"] not in item:
            raise PositionError(f"{where}.{shape['name']}", "this is missing")
        document = self.document(f"{where}.{shape['name']}", item[shape["name"]], kinds)
        cell = self.layout.holder_cells(self.layout.zones[number].number(0))[document]
        if self.memory[cell]:
            raise PositionError(f"{where}.{shape['name']}", f"{item[shape['name']]} is given twice")
        self.memory[cell] = 1
        teams = f"{where}.{shape['teams']}"
        for index, name in enumerate(self.listed(teams, item.get(shape["teams"], ()))):
            team = self.team(f"{teams}[{index}]", name)
            mark = self.layout.holder_cells(self.layout.zones[marks].number(team))[document]
            if self.memory[mark]:
                raise PositionError(f"{teams}[{index}]", f"{name} is given twice")
            self.memory[mark] = 1

    def _place(self, where: str, shape: Shape, value: Any) -> None:
        """Read a space on which a piece of nobody stands; there is only one document of its kind."""
        space, kind = self.space(where, value), self.format.kind(shape["places"])
        tag = shape.get("tag", "")
        if tag and space not in self.layout.board.tagged(tag):
            raise PositionError(where, f"{value} is not {with_article(tag)}")
        if taken(self.run, self.layout, kind, space):
            raise PositionError(where, f"{value} is given twice")
        document = self.only_document((self.layout.ruleset.kinds[kind].sheet,))
        try:
            number = new_piece(self.run, self.layout, kind, document, space, NOTHING)
        except Overfull as error:
            raise PositionError(where, str(error)) from None
        self.memory[self.layout.holder_cells(self.layout.first_piece_holder + number)[document]] = 1

    def _counts(self, key: str, number: int, value: Any) -> None:
        """Read how many tokens of each document every player has in a zone."""
        kinds = self.layout.ruleset.kinds_in(number)
        for name, counts in self.mapping(key, value).items():
            cells = self.layout.holder_cells(self.layout.zones[number].number(self.player(key, name)))
            for document, count in self.mapping(f"{key}.{name}", counts).items():
                where = f"{key}.{name}.{document}"
                if not isinstance(count, int) or isinstance(count, bool) or count < 0:
                    raise PositionError(where, f"a number from 0 is needed, not {count!r}")
                self.memory[cells[self.document(where, document, kinds)]] = count

    def _count(self, key: str, number: int, value: Any) -> None:
        """Read how many tokens lie in a zone of the game that holds only one document."""
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise PositionError(key, f"a number from 0 is needed, not {value!r}")
        document = self.only_document(self.layout.ruleset.kinds_in(number))
        self.memory[self.layout.holder_cells(self.layout.zones[number].number(0))[document]] = value

    def _check_count(self, key: str, number: int) -> None:
        """Check that no more of a document lie in a zone of the game and stand on the board than there are."""
        document = self.only_document(self.layout.ruleset.kinds_in(number))
        copies = self.layout.ruleset.copies.get(self.layout.ruleset.zones[number].holds, "")
        most = self.layout.ruleset.sheets[document].numbers.get(copies)
        holders = [self.layout.zones[number].number(0)]
        holders += [self.layout.first_piece_holder + piece for piece in members_of(self.memory[LIVE])]
        count = sum(self.memory[self.layout.holder_cells(holder)[document]] for holder in holders)
        if most is not None and count > most:
            raise PositionError(key, f"there are {count} of them then, and only {most} exist")

    # ---- the whole

    def check(self, mapping: Mapping[str, Any]) -> None:
        """Check that the memory of a mapping is one that games can reach; raises PositionError."""
        for key, shape in self.format.shapes.items():
            if "most" in shape and mapping.get(key) is not None:
                self._check_most(key, shape, mapping[key])
            if shape.get("apart"):
                self.belonging.check_apart(key, self.format.zones[shape["zone"]])
            if "count" in shape:
                self._check_count(key, self.format.zones[shape["count"]])
            if "limit" in shape:
                self._check_limit(key, self.format.kind(shape["pieces"]), self.format.limits)
        self.belonging.check_copies()
        for key, shape in self.format.shapes.items():
            if shape.get("gathered") and mapping.get(key):
                self.belonging.check_gathered(key, self.format.zones[shape["zone"]])

    def _check_most(self, key: str, shape: Shape, value: Any) -> None:
        """Check that there is no more of something than its shape says, by a number or one of the board's."""
        said = shape["most"]
        most: Any = self.layout.board.numbers.get(said) if isinstance(said, str) else said
        if most is None:
            return
        if "upheld" in shape:
            self.links.check_most(self, key, most, value)
        elif isinstance(value, int):
            if value > most:
                raise PositionError(key, f"{value} is too much; {most} is the most")
        else:
            for where, listed in _lists(key, value):
                if len(listed) > most:
                    raise PositionError(where, f"there are {len(listed)} of them then, and {most} is the most")

    def keep_said(self) -> None:
        """Set fields as the entries of pieces say, without asking how they came to be so: the game is finished."""
        for _, cell, value in self.said:
            self.memory[cell] = value

    def check_said(self) -> None:
        """Check that nothing else in the position makes a field other than the entry of its piece says."""
        for where, cell, value in self.said:
            if self.memory[cell] != value:
                index = (cell - self.layout.pieces) % self.layout.stride
                field = next(one for one, place in self.layout.piece_field.items() if place == index)
                now = self.format.shown(field, self.memory[cell], self.memory)
                told = next((key for key, shape in self.format.shapes.items() if "upheld" in shape), "pending")
                raise PositionError(where, f"`{told}` makes it {now}")

    def _check_limit(self, key: str, kind: int, limits: Mapping[int, int]) -> None:
        seen: dict[tuple[int, int], int] = {}
        for index, piece in enumerate(self.naming.pieces(self.memory, kind)):
            first = self.layout.piece(piece)
            if self.memory[first + NATURE] != self.memory[first + DOCUMENT]:
                continue  # What has only taken the form is none of those that are limited.
            which = (self.memory[first + OWNER], self.memory[first + DOCUMENT])
            seen[which] = seen.get(which, 0) + 1
            if seen[which] > limits.get(which[1], 1 << 30):
                name = self.naming.documents[which[1]]
                raise PositionError(f"{key}[{index}]", f"there is one {name} too many on the board")


def _lists(key: str, value: Any) -> list[tuple[str, Any]]:
    """Return each list under a key with where it stands: the value itself, or those of its owners."""
    return [(f"{key}.{owner}", value[owner]) for owner in value] if isinstance(value, Mapping) else [(key, value)]
