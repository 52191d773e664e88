"""Links in positions: what a piece upholds on another one, until some event ends it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from warchest.engine import effects
from warchest.engine.plain import bonus_of
from warchest.engine.state import Overfull, Run
from warchest.game.checking import CheckedReader
from warchest.game.errors import PositionError
from warchest.game.keys import Memory
from warchest.game.naming import Naming
from warchest.ir import steps as ir
from warchest.ir.values import NOTHING
from warchest.lowering.layout import NATURE, OWNER
from warchest.lowering.program import Program

KIND, BY, ON = "kind", "by", "on"
AT = "@"
"""Stands between a name that several pieces have and the space of the one that is meant."""


class Links:
    """Writes and reads the bonuses, and what prevails, that a position tells as links of some kinds."""

    def __init__(self, program: Program, naming: Naming, shapes: Mapping[str, Mapping[str, Any]]) -> None:
        self.program, self.layout, self.naming = program, program.layout, naming
        ruleset = program.ruleset
        told = {ruleset.sheet_number(name): kind for shape in shapes.values()
                for kind, name in shape.get("upheld", {}).items()}  # fmt: skip
        self.kinds = {clause: told[carrier] for clause, (carrier, _) in ruleset.upheld.items() if carrier in told}
        """The kinds of links by the clauses that end them."""

    # ---- writing

    def write(self, memory: Memory) -> list[dict[str, str]]:
        """Return a row for each link: its kind, the piece that upholds it, and the piece that it is on."""
        rows = [
            {KIND: self.kinds[memory[cell] - 1], BY: self._name(memory[cell + effects.BY], memory),
             ON: self._name(memory[cell + effects.PIECE], memory)}
            for cell in effects.records(memory, self.layout) if self.tells(memory, cell)
        ]  # fmt: skip
        return sorted(rows, key=lambda row: (row[KIND], row[BY], row[ON]))

    def tells(self, memory: Memory, cell: int) -> bool:
        """Whether a link says all about a record: who upholds it is there, and beneath it is nothing but the usual."""
        piece, what = memory[cell + effects.PIECE], memory[cell + effects.WHAT]
        if memory[cell] - 1 not in self.kinds or memory[cell + effects.BY] == NOTHING or piece < 0:
            return False
        if not self._bears(memory, memory[cell + effects.BY], memory[cell] - 1):
            return False
        you, decider = memory[cell + effects.YOU], self._decider(memory, memory[cell + effects.BY])
        if what >= 0:
            return you == decider
        field, first = self.layout.ruleset.prevailing[-1 - what], self.layout.piece(piece)
        plain = memory[first + self.layout.beneath - 1 - what] == memory[first + OWNER]
        prevails = self._prevailing(memory, field, piece, decider)
        eldest = effects.order_of(memory, self.layout, cell) == 0
        return plain and eldest and memory[cell + effects.AMOUNT] == you == prevails

    def _prevailing(self, memory: Memory, field: int, piece: int, decider: int) -> int:
        """Return whom a link brings a piece to: whom the piece itself tells, else whoever has what upholds it.

        Whatever upholds it may have changed hands since; it still holds it for the one it did so for.
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
            reader.known(where, row, (KIND, BY, ON))
            for name in (KIND, BY, ON):
                if name not in row:
                    raise PositionError(f"{where}.{name}", "this is missing")
            kinds = sorted(set(self.kinds.values()))
            reader.name(f"{where}.{KIND}", row[KIND], kinds, "kind of link")
            by, on = (self._piece(reader, f"{where}.{name}", row[name]) for name in (BY, ON))
            clause = next(one for one, named in self.kinds.items() if named == row[KIND])
            if not self._bears(reader.memory, by, clause):
                text = self.naming.documents[self.program.ruleset.upheld[clause][0]]
                raise PositionError(f"{where}.{BY}", f"{row[BY]} has no {text}")
            try:
                self._uphold(reader.run, clause, by, on)
            except Overfull as error:
                raise PositionError(where, str(error)) from None

    def check_most(self, reader: CheckedReader, key: str, limits: Mapping[str, int], rows: Any) -> None:
        """Check that no piece upholds more links of a kind than there is a limit to; raises PositionError."""
        upholding: Counter[tuple[str, int]] = Counter()
        for index, row in enumerate(rows):
            by = f"{key}[{index}].{BY}"
            which = row[KIND], self._piece(reader, by, row[BY])
            upholding[which] += 1
            most = limits.get(row[KIND])
            if most is not None and upholding[which] > most:
                many = f"{upholding[which]} links of the kind {row[KIND]}"
                raise PositionError(by, f"{row[BY]} upholds {many} then, and {most} is the most")

    def _piece(self, reader: CheckedReader, where: str, value: Any) -> int:
        name, _, place = str(value).partition(AT)
        memory = reader.memory
        found = [
            one for one in self.naming.pieces(memory)
            if self.naming.own_name(one, memory) == name and place in ("", self.naming.piece(one, memory))
        ]  # fmt: skip
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
        effects.give(run, layout, clause, on, what, amount, by, you)
