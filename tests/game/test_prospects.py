"""Ways that can lead nowhere are left out before they are tried; that changes no decision."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from game_support import game
from hypothesis import given, settings
from modes_support import Walk, some, walks

from warchest.machine.act_sites import KindSite, WaySite
from warchest.machine.sites import Site
from watching import data_of


@pytest.mark.parametrize("players", [2, 4])
def test_all_ways_tried_give_the_same_options(players: int) -> None:
    @given(walks(players))
    @settings(some(12))
    def check(walk: Walk) -> None:
        for state in walk.moments(10):
            there = state.position()
            found = data_of(game().position(there))
            with patch.object(WaySite, "promising", Site.promising), patch.object(
                KindSite, "promising", Site.promising
            ):
                assert data_of(game().position(there)) == found

    check()


def test_ways_are_left_out() -> None:
    kept: dict[type[Site], list[tuple[int, int]]] = {WaySite: [], KindSite: []}
    for kind, counts in kept.items():
        found = kind.promising

        def counted(self, run, candidates, found=found, counts=counts):  # type: ignore[no-untyped-def]
            left = found(self, run, candidates)
            counts.append((len(candidates), len(left)))
            return left

        with patch.object(kind, "promising", counted):
            assert len(list(Walk(2, 5).states(60))) == 61
    for counts in kept.values():
        assert counts and sum(before for before, _ in counts) > 1.3 * sum(after for _, after in counts)
