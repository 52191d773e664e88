"""A moment that a run has left is got back as it was, and so are the options of that moment."""

from __future__ import annotations

from random import Random

import pytest

from loaded import shipped
from warchest.game.decision import Decision
from warchest.game.errors import OptionError
from warchest.game.state import State

ASKED = 80
"""The number of tested decisions of a game."""


def _played(state: State, rng: Random) -> list[tuple[Decision, list[int]]]:
    """Play on, and return the decisions, each with the memory as it was then."""
    left = []
    for _ in range(ASKED):
        decision = state.decision
        if decision is None:
            break
        left.append((decision, state.run.memory[:]))
        state.apply(decision.sample(rng))
    return left


@pytest.mark.parametrize("name", ["war-chest", "unigames"])
def test_moments_are_got_back_in_any_order(name: str) -> None:
    for seed in range(3):
        left = _played(shipped(name).new(seed=seed), Random(seed))
        Random(seed).shuffle(left)
        assert len(left) > ASKED // 2
        assert all(decision.moment == memory for decision, memory in left)


@pytest.mark.parametrize("name", ["war-chest", "unigames"])
def test_old_decisions_keep_their_options(name: str) -> None:
    state, rng = shipped(name).new(seed=5), Random(5)
    left = []
    for _ in range(ASKED):
        decision = state.decision
        if decision is None:
            break
        # A copy is asked for all options at once, the decision itself when the game is over.
        copy = state.clone()
        copy._engine._decision = None
        assert copy.decision is not None and copy.decision is not decision
        left.append((decision, [option.data for option in copy.decision.options]))
        state.apply(decision.sample(rng))
    for decision, offered in left:
        assert [option.data for option in decision.options] == offered


def test_a_copy_is_independent() -> None:
    state = shipped("unigames").new(seed=3)
    _played(state, Random(3))
    decision, memory = state.decision, state.run.memory[:]
    assert decision is not None
    copy = state.clone()
    _played(copy, Random(4))
    assert state.run.memory == decision.moment == memory
    _played(state, Random(5))
    assert decision.moment == memory


def test_a_refused_option_leaves_the_moment() -> None:
    state = shipped().new(seed=1)
    _played(state, Random(1))
    decision, memory = state.decision, state.run.memory[:]
    assert decision is not None
    labels = [option.label for option in decision.options]
    with pytest.raises(OptionError):
        state.apply(len(labels))
    _played(state, Random(2))
    assert decision.moment == memory
    assert [option.label for option in decision.options] == labels
