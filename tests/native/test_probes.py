"""A native machine with the probes of all obligations shows the same facts as the reference machine."""

from __future__ import annotations

from random import Random
from typing import get_args

import pytest
from lockstep_support import native_for

from warchest.game.setup.beginning import Beginning
from warchest.lowering.obligations import What
from warchest.testing.coverage.collecting import Collector

ACTS = frozenset({"control", "step"})
CAP = 120
REAL: set[What] = {"done", "taken", "declined"}
"""The facts that nothing shows which is only tried."""


def seen_natively(beginning: Beginning, seed: int) -> set[tuple[str, What]]:
    """The facts that a game shows natively."""
    collector = Collector(beginning.variant.origin)  # type: ignore[arg-type]
    assert collector.play_natively(beginning, ACTS, seed, CAP) == ""
    return facts(collector, collector.in_play)


def seen_here(beginning: Beginning, seed: int) -> set[tuple[str, What]]:
    """The facts that the same game shows on the reference machine, which lists all options of each decision."""
    collector = Collector(beginning.variant.origin)  # type: ignore[arg-type]
    state, rng = collector.begun(beginning, seed), Random(seed)
    state.silent = True
    collector.seen.clear()
    for _ in range(CAP):
        if state.decision is None:
            break
        assert state.decision.options
        state.apply(state.decision.draw(rng, ACTS))
    return facts(collector, set(collector.seen))


def facts(collector: Collector, marks: set[int]) -> set[tuple[str, What]]:
    """The clauses, each with a fact that was seen of it."""
    found = [collector.table.all[one] for one in marks]
    return {(f"{one.span.path}:{one.span.start}-{one.span.end} {one.number}", one.what) for one in found}


@pytest.mark.usefixtures("compiled_for_tests")
def test_every_fact_is_reported_natively() -> None:
    whats = set[What]()
    for name, setup, seeds in (("war-chest", "Random armies", range(4)), ("unigames", "Alternate reveal", range(3))):
        beginning = native_for(name, setup)[0]
        for seed in seeds:
            natively, here = seen_natively(beginning, seed), seen_here(beginning, seed)
            # The reference machine may look further ahead than the last possible failure.
            assert natively <= here and len(natively) > 0.97 * len(here)
            assert {one for one in here - natively if one[1] in REAL} == set()
            whats |= {what for _, what in natively}
    assert whats == set(get_args(What))
