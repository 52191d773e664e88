"""Options that are explored on demand are the same as those that are all explored at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from loaded import shipped
from seeds import seeds
from warchest import State
from warchest.engine import options
from warchest.engine.lookahead import candidates_of
from warchest.engine.options import ENOUGH, EVERYTHING, KnownPaths, OptionSet
from warchest.engine.runs import Run

GAMES = ["war-chest", "unigames"]


def options_of(state: State, enough: int, known: KnownPaths = ()) -> OptionSet:
    """Return the options of a state, with a number of them explored at once, or along paths that are known."""
    point = state.point
    assert point is not None
    run = Run(state.variant.machine, state.run.memory[:], state.run.top)
    run.candidates = candidates_of(run, point)
    return OptionSet(run, point, enough, known)


def moments(name: str, seed: int, every: int, count: int) -> Iterator[State]:
    """Yield states of a random game, with decisions between them."""
    rng, state = Random(seed), shipped(name).new(seed=seed)
    for _ in range(count):
        for _ in range(every):
            if state.decision is None:
                return
            state.apply(state.decision.sample(rng))
        yield state


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", seeds(4, "open options", range(2)))
def test_options_that_are_left_open_are_those_that_hold(name: str, seed: int) -> None:
    """Paths with all that they say, in their order."""
    opened = 0
    for state in moments(name, seed, 7, 25):
        if state.decision is None or state.decision.is_chance:
            continue
        hasty, thorough = options_of(state, ENOUGH), options_of(state, EVERYTHING)
        assert not thorough.open and hasty.alike == thorough.alike
        opened += len(hasty.open)
        assert hasty.settle() == thorough.paths
    assert opened or name == "war-chest"


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", seeds(4, "known options", range(2)))
def test_paths_that_are_known_are_followed_without_a_search(
    name: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, searches, walked = 0, list[bool](), options._walked
    monkeypatch.setattr(
        options, "_walked", lambda *given: (searches.append(not (len(given) > 5 and given[5])), walked(*given))[1]
    )
    for state in moments(name, seed, 7, 25):
        if state.decision is None or state.decision.is_chance:
            continue
        found = options_of(state, EVERYTHING)
        known = tuple(path.taken for path in found.paths)
        # A path that ends too late is noticed.
        for given, again in ((known, False), (tuple((*taken, 0) for taken in known), True)):
            searches.clear()
            told = options_of(state, ENOUGH, given)
            assert told.settle() == found.paths and told.alike == found.alike
            asked += searches == [False] + [True] * again
    assert asked > 20


@pytest.mark.parametrize("name", GAMES)
def test_options_are_the_same_after_the_game_has_gone_on(name: str) -> None:
    for state in moments(name, 1, 9, 20):
        if state.decision is None:
            continue
        before, copy = state.decision, state.clone()
        state.apply(before.sample(Random(0)))
        there = shipped(name).position(copy.position())
        assert [one.label for one in before.options] == [one.label for one in there.decision.options]


@pytest.mark.parametrize("name", GAMES)
def test_samples_are_offered_options_and_equally_likely(name: str) -> None:
    rng = Random(4)
    for state in moments(name, 2, 31, 4):
        if state.decision is None or state.decision.is_chance:
            continue
        drawn, offered = Counter[str](), {one.label for one in state.decision.options}
        for number in range(60 * len(offered)):
            if number % 20 == 0:
                # The explored options are forgotten, so that they are open again.
                fresh = state.clone()
                fresh._engine._decision, fresh._engine._surveyed = None, False
            assert fresh.decision is not None
            drawn[fresh.decision.sample(rng).label] += 1
        assert drawn.keys() == offered
        assert all(25 < count < 110 for count in drawn.values())
