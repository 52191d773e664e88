"""A value that no instruction reads from a place on does not matter there; one that is read matters at that place."""

from __future__ import annotations

import pytest

from loaded import shipped
from warchest.ir.parts import nodes_in
from warchest.ir.values import Var
from warchest.lowering.mattering import dead_at


@pytest.mark.parametrize("name", ["war-chest", "unigames"])
def test_no_variable_is_dead_where_it_is_read(name: str) -> None:
    some = 0
    for routine in shipped(name).variant({}).program.routines.values():
        for place, instruction in enumerate(routine.instructions):
            dead = dead_at(routine, place)
            some += bool(dead)
            read = {part.id for part in nodes_in(instruction) if isinstance(part, Var)}
            assert not dead & read, (routine.name, place)
    assert some > 20
