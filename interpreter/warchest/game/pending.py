"""Pending work in a position: the stack, with every value by name, so that it can be read back anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from warchest.game.errors import PositionError
from warchest.game.naming import Naming
from warchest.machine.permits import UNSET
from warchest.machine.program import Program
from warchest.machine.run import Frame
from warchest.rules.values import NOTHING


class Pending:
    """Writes and reads stacks of one program."""

    def __init__(self, program: Program, naming: Naming) -> None:
        self.program, self.naming = program, naming

    def write(self, top: Frame | None, memory: list[int]) -> list[dict[str, Any]]:
        """Return the frames of a stack, the lowest first."""
        frames = []
        while top is not None:
            values = [self._write(base, value, memory) for base, value in zip(top.code.bases, top.env, strict=True)]
            frames.append({"code": top.code.name, "at": top.pc, "values": values, "outs": [list(o) for o in top.outs]})
            top = top.parent
        return frames[::-1]

    def _write(self, base: str, value: Any, memory: list[int]) -> Any:
        if base in ("pieces", "members"):
            inner = "piece" if base == "pieces" else "number"
            if not isinstance(value, tuple):
                return None
            return [value[0], *(self._write(inner, one, memory) for one in value[1:])]
        if base == "queue":
            pairs = value if isinstance(value, tuple) else ()
            return [[hook, self._write("piece", this, memory)] for hook, this in pairs]
        if value == UNSET:
            return "unset"
        if value == NOTHING and base != "number":
            return None
        if base == "piece":
            return self.naming.piece(value, memory)
        if base == "token":
            holder, document = divmod(value, self.naming.layout.documents)
            return [self.naming.holder(holder, memory), self.naming.documents[document]]
        return value

    def read(self, frames: Any, memory: list[int]) -> Frame | None:
        """Return the stack for some frames; raises PositionError where they make no sense."""
        if not isinstance(frames, list):
            raise PositionError("pending", "a list is needed")
        top: Frame | None = None
        for index, item in enumerate(frames):
            try:
                top = self._frame(item, top, memory)
            except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
                raise PositionError(f"pending[{index}]", f"this is not pending work of the game: {error}") from None
        return top

    def _frame(self, item: Mapping[str, Any], parent: Frame | None, memory: list[int]) -> Frame:
        routine = self.program.routines[item["code"]]
        pc, values = item["at"], item["values"]
        if type(pc) is not int or not 0 <= pc < len(routine.ops) or len(values) != len(routine.bases):
            raise ValueError("it is of another version of the text")
        env = tuple(self._read(base, value, memory) for base, value in zip(routine.bases, values, strict=True))
        outs = tuple((int(a), int(b)) for a, b in item["outs"])
        below = len(parent.env) if parent is not None else 0
        if not all(0 <= a < len(env) and 0 <= b < below for a, b in outs):
            raise ValueError("what it hands on fits nowhere")
        return Frame(parent, routine, pc, env, outs)

    def _read(self, base: str, value: Any, memory: list[int]) -> Any:
        if base in ("pieces", "members"):
            if value is None:
                return NOTHING
            inner = "piece" if base == "pieces" else "number"
            return (int(value[0]), *(self._read(inner, one, memory) for one in value[1:]))
        if base == "queue":
            return tuple((int(hook), self._read("piece", this, memory)) for hook, this in value)
        if value is None:
            return NOTHING
        if value == "unset":
            return UNSET
        if base == "piece":
            return self.naming.piece_named(value, memory)
        if base == "token":
            holder, document = value
            number = self.naming.holder_named(holder, memory)
            return number * self.naming.layout.documents + self.naming.documents.index(document)
        return self._within(base, int(value))

    def _within(self, base: str, value: int) -> int:
        """Return a number that stands for something there is; raises ValueError."""
        layout = self.naming.layout
        most = {
            "space": len(self.naming.spaces), "player": layout.players, "team": layout.teams,
            "document": layout.documents, "direction": len(layout.board.directions),
        }.get(base)  # fmt: skip
        if most is not None and not -1 <= value < most:
            raise ValueError(f"there is no {base} number {value}")
        return value
