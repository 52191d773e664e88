"""At the bounds of docs/reference/limits.md, both machines play alike, beyond them the native machine says why not."""

from __future__ import annotations

import pytest
from edges import EDGES, FORTIFIED, Edge, fault, play
from exploring import sanitizer
from lockstep_support import Seen
from native_support import Made

SOME = ("seats", "hooks", "steps of trails")
"""The edges at which games are played in each run; `make explore` plays at all."""


@pytest.mark.parametrize("sanitized", [False, True])
def test_games_at_the_edges_are_played_alike(sanitized: bool) -> None:
    if sanitized and sanitizer() is None:
        pytest.skip("the compiler brings no sanitizers")
    assert Made.folder is not None
    assert play(SOME, Made.folder, sanitized) == []


def test_a_displaced_bound_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    edge = EDGES["seats"]
    for changed in (Edge(edge.make, edge.most - 1, edge.why), Edge(edge.make, edge.most + 1, edge.why)):
        monkeypatch.setitem(EDGES, "seats", changed)
        assert fault("seats", FORTIFIED, Seen())
