"""What a piece must bear to do an act at all, so that nobody else need try it.

An act that only documents define, or for which only documents say whom it can be done to, is open to those alone that
bear one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from warchest.rules import steps as ir

if TYPE_CHECKING:
    from warchest.machine.acts import Act
    from warchest.machine.run import Run

Documents: TypeAlias = tuple[int, ...]
Able: TypeAlias = "Callable[[Run, Sequence[int]], Sequence[int]]"
"""Returns those of some pieces that can do an act as far as it hangs on what they bear."""


def asked_in(act: Act, call: ir.Call) -> list[int]:
    """Return the roles of an act that the text which orders it leaves to what is permitted."""
    return [number for number, fill in enumerate(call.roles) if isinstance(fill, ir.Usual) and act.domains[number]]


def needs(act: Act, asked: Sequence[int]) -> list[Documents]:
    """Return sets of documents: of each, whoever does the act and is asked for some roles must bear one."""
    if act.verb.by != "piece" or act.verb.kinds[1:]:
        return []
    found = []
    if act.ways and all(way.carrier >= 0 for way in act.ways):
        found.append(tuple(way.carrier for way in act.ways))
    for number in asked:
        domains = act.domains[number]
        if domains and all(domain.carrier >= 0 and domain.this_role == 0 for domain in domains):
            found.append(tuple(domain.carrier for domain in domains))
    return found


def able(act: Act, call: ir.Call) -> Able | None:
    """Return what leaves out those that cannot do an act; None where everybody may."""
    first = act.program.layout.of_document
    cells = [tuple(first + one for one in documents) for documents in needs(act, asked_in(act, call))]
    if not cells:
        return None

    def those(run: Run, pieces: Sequence[int]) -> Sequence[int]:
        for row in cells:
            bearers = 0
            for cell in row:
                bearers |= run.memory[cell]
            pieces = [piece for piece in pieces if bearers >> piece & 1]
        return pieces

    return those
