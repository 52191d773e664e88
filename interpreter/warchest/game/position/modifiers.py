"""Modifiers in positions: links, which a piece upholds on another one until some event ends it, and bonuses.

Bonuses, also in the keys of states, are told by the places of pieces, never by their numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from warchest.engine import effects
from warchest.engine.effects import (
    AMOUNT,
    BY,
    CLAUSE,
    PIECE,
    WHAT,
    YOU,
    bear,
    order_of,
    prevail_newest,
    record,
    records,
)
from warchest.engine.plain_steps import bonus_of
from warchest.engine.runs import Overfull, Run
from warchest.game.errors import PositionError
from warchest.game.naming import Naming
from warchest.game.position.checked_values import CheckedReader
from warchest.game.position.keys import Memory
from warchest.ir import steps as ir
from warchest.ir.values import NOTHING
from warchest.lowering.layout import GRANT, NATURE, OWNER, Layout
from warchest.lowering.program import Program

# ---- links in positions

KIND_KEY, BY_KEY, ON_KEY = "kind", "by", "on"
AT = "@"
"""Stands between a name that several pieces have and the space of the one that is meant."""


class Links:
    """Writes and reads the bonuses, and what prevails, that a position tells as links of some kinds."""

    def __init__(self, program: Program, naming: Naming, shapes: Mapping[str, Mapping[str, Any]]) -> None:
        self.program, self.layout, self.naming = program, program.layout, naming
        ruleset = program.ruleset
        told = {
            ruleset.sheet_number(name): kind
            for shape in shapes.values()
            for kind, name in shape.get("upheld", {}).items()
        }
        self.kinds = {clause: told[carrier] for clause, (carrier, _) in ruleset.upheld.items() if carrier in told}
        """The kinds of links by the clauses that end them."""

    # ---- writing

    def write(self, memory: Memory) -> list[dict[str, str]]:
        """Return a row for each link: its kind, the piece that upholds it, and the piece that it is on."""
        rows = [
            {
                KIND_KEY: self.kinds[memory[cell] - 1],
                BY_KEY: self._name(memory[cell + effects.BY], memory),
                ON_KEY: self._name(memory[cell + effects.PIECE], memory),
            }
            for cell in effects.records(memory, self.layout)
            if self.tells(memory, cell)
        ]
        return sorted(rows, key=lambda row: (row[KIND_KEY], row[BY_KEY], row[ON_KEY]))

    def tells(self, memory: Memory, cell: int) -> bool:
        """Whether a link says all about a record: who upholds it is there, and beneath it is nothing but the usual."""
        piece, what = memory[cell + effects.PIECE], memory[cell + effects.WHAT]
        if memory[cell] - 1 not in self.kinds or memory[cell + effects.BY] == NOTHING or piece < 0:
            return False
        if not self._bears(memory, memory[cell + effects.BY], memory[cell] - 1):
            return False
        you, decider = memory[cell + effects.YOU], self._decider(memory, memory[cell + effects.BY])
        if what >= 0:
            return you in (NOTHING, decider)
        field, first = self.layout.ruleset.prevailing[-1 - what], self.layout.piece(piece)
        plain = memory[first + self.layout.beneath - 1 - what] == memory[first + OWNER]
        prevails = self._prevailing(memory, field, piece, decider)
        eldest = effects.order_of(memory, self.layout, cell) == 0
        return plain and eldest and memory[cell + effects.AMOUNT] == you == prevails

    def _prevailing(self, memory: Memory, field: int, piece: int, decider: int) -> int:
        """Return the owner that a link gives a piece: the one in the piece itself, else the owner of the link's source.

        The source may have changed hands since; it still works for the owner that it had then.
        """
        first = self.layout.piece(piece)
        told = memory[first + self.layout.piece_field[field]]
        return decider if told == memory[first + OWNER] else told

    def _decider(self, memory: Memory, piece: int) -> int:
        return memory[self.layout.piece(piece) + self.layout.decider]

    def _name(self, piece: int, memory: Memory) -> str:
        name = self.naming.own_name(piece, memory)
        same = [one for one in self.naming.pieces(memory) if self.naming.own_name(one, memory) == name]
        return name if len(same) == 1 else f"{name}{AT}{self.naming.piece(piece, memory)}"

    # ---- reading

    def read(self, reader: CheckedReader, key: str, value: Any) -> None:
        """Read the links of a position whose pieces are on the board; raises PositionError."""
        for index, item in enumerate(reader.listed(key, value)):
            where = f"{key}[{index}]"
            row = reader.mapping(where, item)
            reader.known(where, row, (KIND_KEY, BY_KEY, ON_KEY))
            for name in (KIND_KEY, BY_KEY, ON_KEY):
                if name not in row:
                    raise PositionError(f"{where}.{name}", "this is missing")
            kinds = sorted(set(self.kinds.values()))
            reader.name(f"{where}.{KIND_KEY}", row[KIND_KEY], kinds, "kind of link")
            by, on = (self._piece(reader, f"{where}.{name}", row[name]) for name in (BY_KEY, ON_KEY))
            clause = next(one for one, named in self.kinds.items() if named == row[KIND_KEY])
            if not self._bears(reader.memory, by, clause):
                text = self.naming.documents[self.program.ruleset.upheld[clause][0]]
                raise PositionError(f"{where}.{BY_KEY}", f"{row[BY_KEY]} has no {text}")
            try:
                self._uphold(reader.run, clause, by, on)
            except Overfull as error:
                raise PositionError(where, str(error)) from None

    def check_most(self, reader: CheckedReader, key: str, limits: Mapping[str, int], rows: Any) -> None:
        """Check that no piece upholds more links of a kind than there is a limit to; raises PositionError."""
        upholding: Counter[tuple[str, int]] = Counter()
        for index, row in enumerate(rows):
            by = f"{key}[{index}].{BY_KEY}"
            which = row[KIND_KEY], self._piece(reader, by, row[BY_KEY])
            upholding[which] += 1
            most = limits.get(row[KIND_KEY])
            if most is not None and upholding[which] > most:
                many = f"{upholding[which]} links of the kind {row[KIND_KEY]}"
                raise PositionError(by, f"{row[BY_KEY]} upholds {many} then, and {most} is the most")

    def _piece(self, reader: CheckedReader, where: str, value: Any) -> int:
        name, _, place = str(value).partition(AT)
        memory = reader.memory
        found = [
            one
            for one in self.naming.pieces(memory)
            if self.naming.own_name(one, memory) == name and place in ("", self.naming.piece(one, memory))
        ]
        if len(found) != 1:
            several = f"several pieces are called {name}; say `{name}{AT}space`"
            raise PositionError(where, several if found else f"there is no piece {value!r}")
        return found[0]

    def _bears(self, memory: Memory, piece: int, clause: int) -> bool:
        """Whether a piece bears the text of a clause, in the form that it has or by its nature."""
        carrier, first = self.program.ruleset.upheld[clause][0], self.layout.piece(piece)
        by_nature = carrier in self.program.ruleset.sheets[memory[first + NATURE]].bears
        return by_nature or bool(memory[self.layout.of_document + carrier] >> piece & 1)

    def _uphold(self, run: Run, clause: int, by: int, on: int) -> None:
        """Give a piece what another one upholds on it, as the text of the link would."""
        layout = self.layout
        step = self.program.ruleset.upheld[clause][1]
        you = self._decider(run.memory, by)
        if isinstance(step, ir.Prevail) and not effects.prevails(run.memory, layout, on, step.field):
            you = self._prevailing(run.memory, step.field, on, you)
        env = (by, you, NOTHING, by, *(NOTHING,) * (layout.stride))
        if isinstance(step, ir.Prevail):
            first, index = layout.piece(on), self.program.ruleset.prevailing.index(step.field)
            value = run.machine.functions.value(step.value)(run, env)
            effects.prevail(run, layout, clause, on, step.field, value, by, you)
            run.memory[first + layout.beneath + index] = run.memory[first + OWNER]
            return
        what, amount = bonus_of(run, env, step.bonus)
        effects.give(run, layout, clause, on, what, amount, by, run.machine.functions.value(step.you)(run, env))


# ---- bonuses in positions and in what makes states equal


class Bonuses:
    """Writes and reads what has been added to pieces, and what of it ends some time."""

    def __init__(self, layout: Layout, naming: Naming, links: Links) -> None:
        self.layout, self.naming, self.links = layout, naming, links
        self.raised = [layout.raises.index(what) for what in layout.ruleset.raised]
        """The number of a raised value, by its number in positions: these count only the values raised in this game."""
        first = len(layout.ruleset.kept)
        self.away = [*range(first), *(first + number for number in self.raised)] if first else []
        """Those of the cells for the other form of a piece that positions tell."""

    def write(self, memory: Memory) -> dict[str, Any]:
        """Return the sums by piece, and the bonuses that end; nothing where there is none."""
        raised = list(zip(self.raised, self.layout.ruleset.raised, strict=True))
        sums = {}
        for piece in self.naming.pieces(memory) if raised else ():
            first = self.layout.piece(piece) + self.layout.raised
            linked = self._linked(memory, piece)
            held = {
                what: memory[first + number] - linked[number]
                for number, what in raised
                if memory[first + number] != linked[number]
            }
            if held:
                sums[self.naming.piece(piece, memory)] = held
        ending = sorted((self._row(memory, cell) for cell in self._untold(memory)), key=str)
        away = {
            self.naming.piece(piece, memory): self._away(memory, piece)
            for piece in (self.naming.pieces(memory) if self.away else ())
            if any(self._away(memory, piece))
        }
        told = (("sums", sums), ("ending", ending), ("beneath", self._beneath(memory)), ("away", away))
        return {key: value for key, value in told if value}

    def _untold(self, memory: Memory) -> Iterator[int]:
        """Yield the records that no link tells."""
        return (cell for cell in records(memory, self.layout) if not self.links.tells(memory, cell))

    def _linked(self, memory: Memory, piece: int) -> list[int]:
        """Return the part of each bonus of a piece that comes from links."""
        found = [0] * len(self.layout.raises)
        for cell in records(memory, self.layout):
            if memory[cell + PIECE] == piece and memory[cell + WHAT] >= 0 and self.links.tells(memory, cell):
                found[memory[cell + WHAT]] += memory[cell + AMOUNT]
        return found

    def _row(self, memory: Memory, cell: int) -> list[Any]:
        piece, by, what = memory[cell + PIECE], memory[cell + BY], memory[cell + WHAT]
        holder = self.naming.piece(max(piece, -1 - piece), memory)
        told = self.raised.index(what) if what >= 0 else what
        return [
            memory[cell + CLAUSE],
            holder,
            told,
            memory[cell + AMOUNT],
            self.naming.piece(by, memory) if by != NOTHING else None,
            memory[cell + YOU],
            order_of(memory, self.layout, cell),
            int(piece < 0),
        ]

    def _away(self, memory: Memory, piece: int) -> list[int]:
        """Return the values that belong to the form that a piece does not have."""
        first = self.layout.piece(piece) + self.layout.away
        return [memory[first + offset] for offset in self.away]

    def _beneath(self, memory: Memory) -> dict[str, dict[str, int]]:
        """Return by piece the values of fields from before something prevailed."""
        found: dict[str, dict[str, int]] = {}
        for cell in self._untold(memory):
            what, piece = memory[cell + WHAT], memory[cell + PIECE]
            if what < 0:
                value = memory[self.layout.piece(piece) + self.layout.beneath - 1 - what]
                found.setdefault(self.naming.piece(piece, memory), {})[str(-1 - what)] = value
        return dict(sorted(found.items()))

    def read(self, told: Mapping[str, Any], run: Run) -> None:
        """Put a written part into a memory; raises LookupError, TypeError or ValueError where it makes no sense."""
        raised, memory = dict(zip(self.layout.ruleset.raised, self.raised, strict=True)), run.memory
        for name, held in told.get("sums", {}).items():
            piece = self.naming.piece_named(name, memory, whole=False)
            for what, amount in held.items():
                memory[self.layout.piece(piece) + self.layout.raised + raised[what]] += int(amount)
                bear(run, self.layout, piece, raised[what])
        for clause, on, what, amount, by, you, order, waits in told.get("ending", ()):
            giver = self.naming.piece_named(by, memory, whole=False) if by is not None else NOTHING
            holder = self.naming.piece_named(on, memory, whole=False)
            holder = -1 - holder if waits else holder
            number = self.raised[int(what)] if int(what) >= 0 else int(what)
            record(run, self.layout, (int(clause), holder, number, int(amount), giver, int(you), int(order)))
        for name, values in told.get("away", {}).items():
            first = self.layout.piece(self.naming.piece_named(name, memory, whole=False)) + self.layout.away
            for offset, value in zip(self.away, values, strict=False):
                memory[first + offset] = int(value)
        for name, values in told.get("beneath", {}).items():
            piece = self.naming.piece_named(name, memory, whole=False)
            for number, value in values.items():
                memory[self.layout.piece(piece) + self.layout.beneath + int(number)] = int(value)
                prevail_newest(run, self.layout, piece, int(number))

    def key(self, memory: Memory, rank: Mapping[int, int]) -> tuple[Any, ...]:
        """Return the share of the bonuses that end in the key of a state; the sums stand with the pieces."""
        rows = [(cell, memory[cell : cell + GRANT]) for cell in records(memory, self.layout)]
        return tuple(
            sorted(
                (
                    row[CLAUSE],
                    rank.get(max(row[PIECE], -1 - row[PIECE]), NOTHING),
                    row[PIECE] < 0,
                    row[WHAT],
                    row[AMOUNT],
                    rank.get(row[BY], NOTHING),
                    row[YOU],
                    order_of(memory, self.layout, cell),
                )
                for cell, row in rows
            )
        )
