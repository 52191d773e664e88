"""Pending work in a position: the stack, with every value by name, so that it can be read back anywhere.

A stack is accepted only if the rules could have written it: every frame waits where its routine waits for the next one,
every variable has a value of its type, and writing the stack again gives the same text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from warchest.diagnostics.articles import with_article
from warchest.engine.runs import Frame, frames
from warchest.game.errors import PositionError
from warchest.game.telling.naming import Naming
from warchest.ir.ruleset import AGENT, FIXED, THIS, YOU
from warchest.ir.values import NOTHING, Var
from warchest.lowering.code import LISTS, UNSET, ChoicePoint, Outs, PickRole, Routine
from warchest.lowering.gone import code_with, digits_of
from warchest.lowering.layout import KIND
from warchest.lowering.program import Program
from warchest.lowering.verbs import first_of

STACK = "pending.stack"
NUMBERS = ("number", "way")
"""The types whose values are written as plain numbers."""
_KEYS = ("code", "at", "values", "outs")


class Pending:
    """Writes and reads stacks of one program."""

    def __init__(self, program: Program, naming: Naming) -> None:
        self.program, self.naming = program, naming

    # ---- writing

    def write(self, top: Frame | None, memory: Sequence[int]) -> list[dict[str, Any]]:
        """Return the frames of a stack, the lowest first."""
        written = []
        for frame in frames(top):
            values = [self._write(base, value, memory) for base, value in zip(frame.code.bases, frame.env, strict=True)]
            outs = [list(pair) for pair in frame.outs]
            written.append(dict(zip(_KEYS, (frame.code.name, frame.pc, values, outs), strict=True)))
        return written[::-1]

    def _write(self, base: str, value: Any, memory: Sequence[int]) -> Any:
        if base in LISTS:
            if not isinstance(value, tuple):
                return None
            return [value[0], *(self._write(LISTS[base], one, memory) for one in value[1:])]
        if base == "queue":
            pairs = value if isinstance(value, tuple) else ()
            return [[hook, self._write("piece", this, memory)] for hook, this in pairs]
        if value == UNSET and base not in NUMBERS:
            return "unset"
        if value == NOTHING and base not in NUMBERS:
            return None
        if base == "piece":
            return self.naming.piece(value, memory) if value >= 0 else self._gone(value)
        if base == "token":
            holder, document = divmod(value, self.naming.layout.documents)
            return [self.naming.holder(holder, memory), self.naming.documents[document]]
        return value

    def _gone(self, code: int) -> dict[str, Any]:
        """Return the remembered facts about a piece that has gone, by name."""
        naming, last = self.naming, digits_of(self.naming.layout)
        players = (*naming.players, None)
        return {
            "gone": naming.documents[last.document.of(code)],
            "at": naming.spaces[last.space.of(code)],
            "owner": players[last.owner.of(code)],
            "decides": players[last.decider.of(code)],
            "nature": naming.documents[last.nature.of(code)],
        }

    def _gone_named(self, facts: Mapping[str, Any]) -> int:
        """Return the code of a piece that has gone, from the facts that are remembered about it."""
        naming = self.naming
        players = (None, *naming.players)
        numbers = (
            naming.documents.index(facts["nature"]),
            naming.documents.index(facts["gone"]),
            players.index(facts["decides"]) - 1,
            players.index(facts["owner"]) - 1,
            naming.spaces.index(facts["at"]),
        )
        return code_with(naming.layout, numbers)

    # ---- reading

    def read(self, stack: Any, memory: list[int]) -> Frame:
        """Return the stack for some frames; raises PositionError for a stack that the rules cannot lead to."""
        if not isinstance(stack, list | tuple):
            raise PositionError(STACK, f"a list is needed, not {stack!r}")
        top: Frame | None = None
        for index, item in enumerate(stack):
            top = self._frame(f"{STACK}[{index}]", item, top, memory)
        if top is None:
            raise PositionError(STACK, "it has no pending work")
        if not isinstance(top.code.instructions[top.pc], ChoicePoint):
            raise PositionError(f"{STACK}[{len(stack) - 1}].at", "there is nothing to choose there")
        return top

    def _frame(self, where: str, item: Any, below: Frame | None, memory: list[int]) -> Frame:
        if not isinstance(item, Mapping) or set(item) != set(_KEYS):
            raise PositionError(where, f"a mapping with {', '.join(_KEYS)} is needed")
        routine = self.program.routines.get(item["code"]) if isinstance(item["code"], str) else None
        if routine is None:
            raise PositionError(f"{where}.code", f"there is no text {item['code']!r}; is it of another version?")
        pc, values = item["at"], item["values"]
        if type(pc) is not int or not 0 <= pc < len(routine.instructions):
            raise PositionError(f"{where}.at", f"a number below {len(routine.instructions)} is needed, not {pc!r}")
        if not isinstance(values, list | tuple) or len(values) != len(routine.bases):
            raise PositionError(f"{where}.values", f"a list of {len(routine.bases)} values is needed")
        env = tuple(
            self._value(f"{where}.values[{place}]", base, value, memory)
            for place, (base, value) in enumerate(zip(routine.bases, values, strict=True))
        )
        frame = Frame(below, routine, pc, env, self._outs(where, item["outs"], routine, below))
        for place in range(len(env)):
            fault = self._fault(frame, place)
            if fault:
                raise PositionError(f"{where}.values[{place}]", fault)
        return frame

    def _outs(self, where: str, outs: Any, routine: Routine, below: Frame | None) -> Outs:
        """Return the copy-out from a routine into the frame that waits below, if that frame waits for the routine."""
        waited: list[Outs]
        if below is None:
            waited = [()] if routine is self.program.play else []
        else:
            waits = below.code.waits.get(below.pc, ())
            waited = [one.outs for one in waits if routine.name in one.routines]
        if not waited:
            raise PositionError(where, f"nothing below it waits for {routine.name!r}")
        for back in waited:
            if _same(outs, back):
                return back
        raise PositionError(f"{where}.outs", f"{[list(pair) for pair in waited[0]]} comes back of this, not {outs!r}")

    # ---- variables

    def _fault(self, frame: Frame, place: int) -> str:
        """Return the fault of a variable's value in a frame, whose type is already checked; empty if it has none."""
        routine, value, base = frame.code, frame.env[place], frame.code.bases[place]
        if value == UNSET and base not in (*NUMBERS, "queue", *LISTS):
            return "" if self._is_open(frame, place) else "it is chosen already"
        if value == NOTHING and place in routine.known[frame.pc] and base not in ("piece", "number"):
            return f"there is {with_article(base)} by then"
        if base in LISTS and not isinstance(value, tuple):
            looping = any(first <= frame.pc <= last and place == left for first, last, left in routine.loops)
            return "the rest of a set is needed" if looping else ""
        if base == "way":
            ways = len(self.program.acts[routine.verb].ways) if routine.stages else 0
            return "" if (0 <= value < ways if routine.stages else value == NOTHING) else f"there is no way {value}"
        if routine.stages and place == len(frame.env) - 2 and value not in (0, _flag(routine, frame.pc)):
            return "nothing is held back there"
        if base == "queue":
            return self._fault_of_queue(frame, place)
        if place == AGENT and routine.origin in ("act", "verb"):
            whose = THIS if base == "piece" else YOU
            return "" if value == frame.env[whose] else "the agent is not the piece that the text is about"
        return ""

    def _is_open(self, frame: Frame, place: int) -> bool:
        """Whether a role of an act is still to be chosen."""
        role, act = place - FIXED, self.program.acts[frame.code.verb]
        if frame.code.origin != "act" or not 0 <= role < act.roles:
            return False
        return any(isinstance(one, PickRole) and one.place == place for one in frame.code.instructions[frame.pc :])

    def _fault_of_queue(self, frame: Frame, place: int) -> str:
        hooks = {bound.number for some in self.program.answers[frame.code.verb].values() for bound in some}
        judged = {number for one in self.program.acts[frame.code.verb].judged for number in (one.number, ~one.number)}
        if place == len(frame.env) - 1:
            return "" if all(hook in hooks for hook, _ in frame.env[place]) else "one of them does not answer this"
        return "" if all(hook in judged for hook, _ in frame.env[place]) else "one of them is not judged by then"

    def _value(self, where: str, base: str, value: Any, memory: list[int]) -> Any:
        """Return a value of a type; raises PositionError if it has another type, or would be written in another form."""
        try:
            read = self._read(base, value, memory)
        except (LookupError, ValueError, TypeError, AttributeError):
            raise PositionError(where, f"there is no {base} {value!r}") from None
        if not _same(value, self._write(base, read, memory)):
            raise PositionError(where, f"there is no {base} {value!r}")
        return read

    def _read(self, base: str, value: Any, memory: list[int]) -> Any:
        if base in LISTS:
            if value is None:
                return NOTHING
            taken, *members = value
            if taken not in (0, 1):
                raise ValueError(taken)
            return (taken, *(self._read(LISTS[base], one, memory) for one in members))
        if base == "queue":
            return tuple((hook, self._read("piece", this, memory)) for hook, this in value)
        if value is None:
            return NOTHING
        if value == "unset":
            return UNSET
        if base == "piece":
            return self._gone_named(value) if isinstance(value, Mapping) else self.naming.piece_named(value, memory)
        if base == "token":
            holder, document = value
            return self._token(holder, document, memory)
        if type(value) is not int or not self.naming.layout.can_be(base, value):
            raise ValueError(value)
        return value

    def _token(self, holder: str, document: str, memory: list[int]) -> int:
        number, layout = self.naming.holder_named(holder, memory), self.naming.layout
        which = self.naming.documents.index(document)
        kinds = self._kinds_in(number, memory)
        if kinds is not None and layout.ruleset.sheets[which].kind not in kinds:
            raise ValueError(document)
        return number * layout.documents + which

    def _kinds_in(self, holder: int, memory: list[int]) -> tuple[str, ...] | None:
        """Return the kinds of documents whose tokens a holder can have; None where they are not declared."""
        layout = self.naming.layout
        if holder >= layout.first_piece_holder:
            kind = layout.ruleset.kinds[memory[layout.piece(holder - layout.first_piece_holder) + KIND]]
            return layout.ruleset.token_sheets[kind.holds]
        for zone, holders in enumerate(layout.zones):
            if holders.first <= holder < holders.first + holders.owners * holders.faces:
                return layout.ruleset.kinds_in(zone)
        return None


def _flag(routine: Routine, place: int) -> int:
    """Return 1 if an event, at an instruction, holds consequences back or lets a question wait; otherwise 0."""
    return int(place in routine.holding or place in routine.asking)


def held(top: Frame) -> int:
    """Return the number of frames of a stack that hold back immediate consequences."""
    return sum(frame.env[-2] for frame in frames(top) if frame.code.stages and frame.pc in frame.code.holding)


def _same(given: Any, written: Any) -> bool:
    """Whether a given value equals the written one, types included: a number equals no truth value and no fraction."""
    return unlike("", given, written) is None


def unlike(where: str, given: Any, written: Any) -> str | None:
    """Return the path of the first difference between a given and a written value, types included; None if equal."""
    if not isinstance(written, dict | list | tuple):
        return None if type(given) is type(written) and given == written else where
    if isinstance(written, dict) and isinstance(given, Mapping):
        odd = sorted(given.keys() ^ written.keys(), key=str)
        if odd:
            return f"{where}.{odd[0]}"
        parts = [(f"{where}.{key}", given[key], written[key]) for key in written]
    elif isinstance(given, list | tuple) and not isinstance(written, dict) and len(given) == len(written):
        parts = [(f"{where}[{index}]", *pair) for index, pair in enumerate(zip(given, written, strict=True))]
    else:
        return where
    return next((found for part in parts if (found := unlike(*part)) is not None), None)


def parts_under_way(program: Program, top: Frame | None) -> Iterator[tuple[int, int]]:
    """Yield the cells for the parts of the acts under way, each with its value in the innermost act."""
    layout, found = program.layout, set[int]()
    for frame in frames(top):
        for _, number in frame.code.values if frame.code.stages else ():
            field = layout.ruleset.fields[number]
            if field.part is not None and number not in found:
                found.add(number)
                part = first_of(field, program.acts[frame.code.verb].verb)
                yield layout.fields[number], frame.env[part.id] if isinstance(part, Var) else NOTHING
