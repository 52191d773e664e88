"""Modifiers in positions: links, which one piece upholds on another until some event ends them, and bonuses.

Bonuses, also in the keys of states, name pieces by their spaces, never by their numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from warchest.engine import effects
from warchest.engine.plain_steps import bonus_of
from warchest.engine.runs import Overfull, Run
from warchest.game.errors import PositionError
from warchest.game.position.checked_values import CheckedMemory, CheckedReader
from warchest.game.position.key_codecs import KeyCodec
from warchest.game.position.keys import Keys, Shape
from warchest.game.position.position_parts import KeyPart, ValuePart
from warchest.game.position.read_cells import Memory
from warchest.ir import steps as ir
from warchest.ir.values import NOTHING
from warchest.lowering.layout import GRANT, NATURE, OWNER

# ---- links in positions

_ROW = KIND_KEY, BY_KEY, ON_KEY = "kind", "by", "on"
AT = "@"
"""The separator between the name of a piece and its space, where several pieces have the name."""


class LinksCodec(KeyCodec):
    """A key for the bonuses and overridden values that a position lists as links of some kinds."""

    words = ("upheld",)

    def __init__(self, format_: Keys, key: str, shape: Shape) -> None:
        super().__init__(format_, key, shape)
        told = {
            self.ruleset.sheet_number(name): kind
            for one in format_.shapes.values()
            for kind, name in one.get("upheld", {}).items()
        }
        self.kinds = {clause: told[carrier] for clause, (carrier, _) in self.ruleset.upheld.items() if carrier in told}
        """The kinds of links by the clauses that end them."""

    def part(self) -> KeyPart:
        kinds = tuple(sorted({str(kind) for kind in self.shape["upheld"]}))
        return KeyPart(self.key, "links", values=(ValuePart((KIND_KEY,), "name", kinds),))

    # ---- writing

    def write(self, memory: Memory) -> object:
        """Return a row for each link: its kind, the piece that upholds it, and the piece that it is on."""
        rows = list[dict[str, str]]()
        for cell in effects.records(memory, self.layout):
            if self.tells(memory, cell):
                clause, piece, _, _, by, *_ = memory[cell : cell + GRANT]
                named = self.kinds[clause - 1], self._name(by, memory), self._name(piece, memory)
                rows.append(dict(zip(_ROW, named, strict=True)))
        return sorted(rows, key=lambda row: tuple(row.values()))

    def tells(self, memory: Memory, cell: int) -> bool:
        """Whether a link fully describes a record: if the upholding piece is there, and the default was overridden."""
        clause, piece, what, amount, by, you, *_ = memory[cell : cell + GRANT]
        if clause - 1 not in self.kinds or by == NOTHING or piece < 0 or not self._bears(memory, by, clause - 1):
            return False
        decider = self._decider(memory, by)
        if what >= 0:
            return you in (NOTHING, decider)
        field, first = self.layout.ruleset.prevailing[-1 - what], self.layout.piece(piece)
        plain = memory[first + self.layout.beneath - 1 - what] == memory[first + OWNER]
        prevails = self._prevailing(memory, field, piece, decider)
        eldest = effects.order_of(memory, self.layout, cell) == 0
        return plain and eldest and amount == you == prevails

    def _prevailing(self, memory: Memory, field: int, piece: int, decider: int) -> int:
        """Return the owner that a link gives a piece: the owner kept in the piece, or the owner of the link's source.

        The source may have got another owner since; the link still works for the owner that it had then.
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

    def read(self, reader: CheckedReader, value: object) -> None:
        """Read the links of a position whose pieces are on the board."""
        for where, item in reader.items(self.key, value):
            row = reader.row(where, item, _ROW, _ROW)
            kinds = sorted(set(self.kinds.values()))
            reader.name(f"{where}.{KIND_KEY}", row[KIND_KEY], kinds, "kind of link")
            by, on = (self._piece(reader, f"{where}.{name}", row[name]) for name in (BY_KEY, ON_KEY))
            clause = next(one for one, named in self.kinds.items() if named == row[KIND_KEY])
            if not self._bears(reader.memory, by, clause):
                text = self.naming.documents[self.ruleset.upheld[clause][0]]
                raise PositionError(f"{where}.{BY_KEY}", f"{row[BY_KEY]} has no {text}")
            try:
                self._uphold(reader.run, clause, by, on)
            except Overfull as error:
                raise PositionError(where, str(error)) from None

    def check_most(self, reader: CheckedMemory, most: Any, value: object) -> None:
        """Check that no piece upholds more links of a kind than the limit allows."""
        limits, upholding = most, Counter[tuple[str, int]]()
        for where, row in reader.items(self.key, value):
            by = f"{where}.{BY_KEY}"
            which = row[KIND_KEY], self._piece(reader, by, row[BY_KEY])
            upholding[which] += 1
            most = limits.get(row[KIND_KEY])
            if most is not None and upholding[which] > most:
                many = f"{upholding[which]} links of the kind {row[KIND_KEY]}"
                raise PositionError(by, f"{row[BY_KEY]} upholds {many} then, and {most} is the most")

    def _piece(self, reader: CheckedMemory, where: str, value: Any) -> int:
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
        carrier, first = self.ruleset.upheld[clause][0], self.layout.piece(piece)
        by_nature = carrier in self.ruleset.sheets[memory[first + NATURE]].bears
        return by_nature or bool(self.layout.set_in(memory, self.layout.of_document + carrier) >> piece & 1)

    def _uphold(self, run: Run, clause: int, by: int, on: int) -> None:
        """Apply a link to a piece: the effect that another piece upholds on it by the text of the link."""
        layout = self.layout
        step = self.ruleset.upheld[clause][1]
        you = self._decider(run.memory, by)
        if isinstance(step, ir.Prevail) and not effects.prevails(run.memory, layout, on, step.field):
            you = self._prevailing(run.memory, step.field, on, you)
        env = (by, you, NOTHING, by, *(NOTHING,) * (layout.stride))
        if isinstance(step, ir.Prevail):
            first, index = layout.piece(on), self.ruleset.prevailing.index(step.field)
            value = run.machine.functions.value(step.value)(run, env)
            effects.prevail(run, layout, clause, on, step.field, value, by, you)
            run.memory[first + layout.beneath + index] = run.memory[first + OWNER]
            return
        what, amount = bonus_of(run, env, step.bonus)
        effects.give(run, layout, clause, on, what, amount, by, run.machine.functions.value(step.you)(run, env))


# ---- bonuses in positions and in the keys of states


class Bonuses:
    """Writes and reads the modifiers of pieces, and the moments at which some of them end."""

    def __init__(self, format_: Keys) -> None:
        layout = format_.layout
        self.layout, self.naming, self.links = layout, format_.naming, LinksCodec(format_, "", {})
        self.raised = [layout.raises.index(what) for what in layout.ruleset.raised]
        """The number of a raised value, by its number in positions: these count only the values raised in this game."""
        kept = len(layout.ruleset.kept)
        self.away = [*range(kept), *(kept + number for number in self.raised)] if kept else []
        """The cells of a piece's other form that positions cover."""

    def write(self, memory: Memory) -> dict[str, Any]:
        """Return the sums by piece, and the bonuses that end; empty if there are none."""
        raised, linked, naming = (
            list(zip(self.raised, self.layout.ruleset.raised, strict=True)),
            self._linked(memory),
            self.naming,
        )
        sums, away = dict[str, dict[str, int]](), dict[str, list[int]]()
        for piece in naming.pieces(memory) if raised or self.away else ():
            first = self.layout.piece(piece)
            beyond = [(what, memory[first + self.layout.raised + one] - linked[piece, one]) for one, what in raised]
            if any(amount for _, amount in beyond):
                sums[naming.piece(piece, memory)] = {what: amount for what, amount in beyond if amount}
            hidden = [memory[first + self.layout.away + offset] for offset in self.away]
            if any(hidden):
                away[naming.piece(piece, memory)] = hidden
        ending = sorted((self._row(memory, cell) for cell in self._untold(memory)), key=str)
        told = (("sums", sums), ("ending", ending), ("beneath", self._beneath(memory)), ("away", away))
        return {key: value for key, value in told if value}

    def _untold(self, memory: Memory) -> Iterator[int]:
        """Yield the records that no link describes."""
        return (cell for cell in effects.records(memory, self.layout) if not self.links.tells(memory, cell))

    def _linked(self, memory: Memory) -> Counter[tuple[int, int]]:
        """Return the part of the bonuses that comes from links, by the piece and the number of the value."""
        found = Counter[tuple[int, int]]()
        for cell in effects.records(memory, self.layout):
            _, piece, what, amount, *_ = memory[cell : cell + GRANT]
            if what >= 0 and self.links.tells(memory, cell):
                found[piece, what] += amount
        return found

    def _row(self, memory: Memory, cell: int) -> list[Any]:
        clause, piece, what, amount, by, you, *_ = memory[cell : cell + GRANT]
        holder, order = self.naming.piece(max(piece, -1 - piece), memory), effects.order_of(memory, self.layout, cell)
        giver = self.naming.piece(by, memory) if by != NOTHING else None
        number = self.raised.index(what) if what >= 0 else what
        return [clause, holder, number, amount, giver, you, order, int(piece < 0)]

    def _beneath(self, memory: Memory) -> dict[str, dict[str, int]]:
        """Return by piece the values that fields had before they were overridden."""
        found: dict[str, dict[str, int]] = {}
        for cell in self._untold(memory):
            _, piece, what, *_ = memory[cell : cell + GRANT]
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
                effects.bear(run, self.layout, piece, raised[what])
        for clause, on, what, amount, by, you, order, waits in told.get("ending", ()):
            giver = self.naming.piece_named(by, memory, whole=False) if by is not None else NOTHING
            holder = self.naming.piece_named(on, memory, whole=False)
            holder = -1 - holder if waits else holder
            number = self.raised[int(what)] if int(what) >= 0 else int(what)
            effects.record(run, self.layout, (int(clause), holder, number, int(amount), giver, int(you), int(order)))
        for name, values in told.get("away", {}).items():
            first = self.layout.piece(self.naming.piece_named(name, memory, whole=False)) + self.layout.away
            for offset, value in zip(self.away, values, strict=False):
                memory[first + offset] = int(value)
        for name, values in told.get("beneath", {}).items():
            piece = self.naming.piece_named(name, memory, whole=False)
            for number, value in values.items():
                memory[self.layout.piece(piece) + self.layout.beneath + int(number)] = int(value)
                effects.prevail_newest(run, self.layout, piece, int(number))

    def key(self, memory: Memory, rank: Mapping[int, int]) -> tuple[Any, ...]:
        """Return the bonuses that end, for the key of a state; the sums are with the pieces."""
        rows = list[tuple[int, ...]]()
        for cell in effects.records(memory, self.layout):
            clause, piece, what, amount, by, you, *_ = memory[cell : cell + GRANT]
            on, giver = rank.get(max(piece, -1 - piece), NOTHING), rank.get(by, NOTHING)
            rows.append((clause, on, piece < 0, what, amount, giver, you, effects.order_of(memory, self.layout, cell)))
        return tuple(sorted(rows))
