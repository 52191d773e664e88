"""At the bounds of docs/reference/limits.md, both machines play alike, beyond them the native machine says why not."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from edges import EDGES, FORTIFIED, Edge, crowded, fault, play, small, squares
from exploring import sanitizer
from lockstep_support import Seen
from native_support import Made

import warchest

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


@pytest.mark.usefixtures("compiled_for_tests")
def test_documents_that_are_not_in_play_hardly_enlarge_a_stored_state(tmp_path: Path) -> None:
    """For each place, 64 of them take two words."""
    sizes = []
    for documents in (20, 150):
        (folder := tmp_path / str(documents)).mkdir()
        reference = crowded(folder, documents)
        native = reference.clone()
        assert not native.play_natively()
        pairs = []
        for number in range(40):
            pairs.append((native.clone(), reference.clone()))
            for state in (native, reference):
                assert state.decision is not None
                state.apply(number % state.decision.count)
        Random(1).shuffle(pairs)
        for mine, other in pairs:
            mine.apply(0)
            other.apply(0)
            assert mine.native and mine == other and mine.position() == other.position()
        moment = native._moment
        assert moment is not None
        sizes.append((len(moment.bench.keep(moment)), 4 * moment.bench.library.border.cells))
    (few, _), (many, whole) = sizes
    assert many < 2 * few < whole / 6


def test_a_setup_with_too_many_pieces_is_refused_with_advice(tmp_path: Path) -> None:
    marks = [f"{chr(ord('a') + number)}{row}" for row in (1, 8) for number in range(8)]
    ended, coin = "becomes the active player.\n", "put a random coin in the bag of the active player onto that space"
    changes = [(ended, f"{ended}  for each empty space, {coin} as a unit.\n")]
    changes += [(few, f"{few[:-1]}20") for few in ("unit: Runner\ncoins: 4", "unit: Guard\ncoins: 3")]
    game = small(tmp_path, [*squares(8, 8, marks), *changes])
    with pytest.raises(warchest.PositionError, match="setup: 'Skirmish' cannot be carried out: there are too many"):
        game.new(seed=1)
