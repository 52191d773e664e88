"""Counters of a machine that counts: for each place how often its instruction was done, for each clause what was asked.

Such a machine asks what the reference machine asks, in the same order, while what is done is done for good: no set of
spaces answers many questions at once, and no question is left out whose answer is known. So it is slower.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock

from warchest.ir.steps import EndGrants, Must
from warchest.lowering.code import Branch, Instruction, LoopTest, Plain
from warchest.lowering.program import Program
from warchest.native.code_places import UNIT_BITS, Places
from warchest.source.text import Span

OF_PLACE = 2
"""The number of counters of a place: what was done, and what was only considered."""


@dataclass(frozen=True, slots=True)
class AskedCount:
    """The counters of a clause: how often its conditions held or failed, really or tried, and how often it forbade.

    They are in the order in which they stand in C.
    """

    held: int
    failed: int
    tried_held: int
    tried_failed: int
    forbade: int


OF_CLAUSE = len(AskedCount.__slots__)


def clauses_of(program: Program) -> dict[Span, int]:
    """Return the clauses of which anything is asked, with their numbers, which hang on the program alone."""
    return {span: number for number, span in enumerate(dict.fromkeys(filter(None, _asked(program))))}


def _asked(program: Program) -> Iterator[Span | None]:
    for routine in program.routines.values():
        for one in routine.instructions:
            yield from _of_instruction(one)
    for act in program.acts:
        for rule in act.rules:
            yield from (rule.condition.span, rule.span)
        yield from (domain.applies.span for domains in act.domains for domain in domains)
        yield from (one.applies.span for one in act.verb.definitions)
    for bound in program.hooks:
        yield bound.hook.condition.span
        if bound.causes is not None:
            yield bound.causes.span


def _of_instruction(one: Instruction) -> Iterator[Span | None]:
    match one:
        case Branch(condition=condition):
            yield from (condition.span, one.span)
        case LoopTest(condition=condition) | Plain(step=Must(condition=condition) | EndGrants(when=condition)):
            yield condition.span


def counters_defined(places: Places, clauses: int) -> str:
    """Return the definitions of where the counters stand, so many clauses behind the places of all units."""
    first = OF_PLACE * (max(places.units) + 1 << UNIT_BITS)
    numbers = {
        "OF_PLACE": OF_PLACE,
        "OF_CLAUSE": OF_CLAUSE,
        "FIRST_ASKED": first,
        "COUNTERS": first + OF_CLAUSE * clauses,
    }
    return f"#define COUNT\nenum {{{', '.join(f'{name} = {number}' for name, number in numbers.items())}}};"


class Counters:
    """The counters of a library that counts; they are those of all its games together."""

    def __init__(self, code: ctypes.CDLL, places: Places) -> None:
        self.lock = Lock()
        """Held while some games are counted, so that others are not counted among them."""
        self._places, self._clauses = places, clauses_of(places.program)
        self._first = OF_PLACE * (max(places.units) + 1 << UNIT_BITS)
        code.game_counters.restype = ctypes.c_void_p
        size = self._first + OF_CLAUSE * len(self._clauses)
        self._cells = memoryview((ctypes.c_uint64 * size).from_address(code.game_counters())).cast("B").cast("Q")

    def forget(self) -> None:
        """Begin to count anew."""
        self.bring_back(bytes(self._cells.nbytes))

    def kept(self) -> bytes:
        """Return all counters as they are now."""
        return bytes(self._cells)

    def bring_back(self, kept: bytes) -> None:
        """Let all counters be again as they were."""
        self._cells[:] = memoryview(kept).cast("Q")

    @property
    def instructions(self) -> Iterator[tuple[Instruction, int, int]]:
        """The instructions, each with how often it was done, and how often it was only considered."""
        for place, (number, pc) in self._places.at.items():
            routine = self._places.routines[number]
            # Other places are those where candidates are taken up, or where a routine goes on.
            if self._places.known[self._places.name(routine, pc)] == place:
                done, considered = self._cells[OF_PLACE * place : OF_PLACE * (place + 1)].tolist()
                yield routine.instructions[pc], done, considered

    @property
    def asked(self) -> Iterator[tuple[Span, AskedCount]]:
        """The clauses of which anything is asked, with their counters."""
        for span, number in self._clauses.items():
            first = self._first + OF_CLAUSE * number
            yield span, AskedCount(*self._cells[first : first + OF_CLAUSE].tolist())
