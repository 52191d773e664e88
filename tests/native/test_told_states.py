"""Positions, views and keys read from native cells equal those of the reference machine, state after state."""

from __future__ import annotations

import ctypes
from random import Random
from typing import Any

import pytest
from lockstep_support import native_for

import warchest
from loaded import load_once
from warchest.bots.greedy import Greedy
from warchest.game.decision import Decision
from warchest.game.valuation import Weight
from warchest.picture.style import style_of

SETUPS = [
    ("war-chest", "Random armies", 60),
    ("war-chest", "Draft", 40),
    ("war-chest", "Four players random", 40),
    ("unigames", "Alternate reveal", 60),
    ("unigames", "Conjurers", 30),
]
"""Setups, and the number of decisions that are compared."""
pytestmark = pytest.mark.usefixtures("compiled_for_tests")
State = warchest.State


def told(state: State) -> list[Any]:
    """Return all that can be read of a state without carrying anything out."""
    views = [state.view(player) for player in state.board.players]
    decision = state.decision
    asked = (decision.prompt, decision.clause, state.question) if decision is not None else None
    return [state.position(), views, state.at_boundary, asked]


def labels(decision: Decision) -> list[Any]:
    """Return the texts of all options, with all that these are made of."""
    return [(one.label, one.data, one.path, one.probability) for one in decision.options]


def same(native: State, reference: State) -> None:
    """Compare two states in all that can be read; changes by a caller do not appear when it is read again."""
    first = told(native)
    assert first == told(reference) and list(first[0]) == list(reference.position())
    assert native.native and not reference.native
    if native.decision is not None and reference.decision is not None:
        assert native.decision.keys == tuple(one.path.taken for one in reference.decision.options)
        assert labels(native.decision) == labels(reference.decision)
    _spoil(first)
    assert told(native) == told(reference)


def _spoil(told: Any) -> None:
    """Change all lists and mappings within something."""
    for one in list(told.values()) if isinstance(told, dict) else told if isinstance(told, list) else ():
        _spoil(one)
    if isinstance(told, dict):
        told["spoilt"] = True
    elif isinstance(told, list):
        told.append("spoilt")


@pytest.mark.parametrize(("name", "setup", "count"), SETUPS)
def test_states_of_random_games_read_the_same(name: str, setup: str, count: int) -> None:
    beginning, _ = native_for(name, setup)
    native, reference, rng = beginning.begin(1), beginning.begin(1), Random(1)
    assert native.play_natively() == ""
    for _ in range(count):
        same(native, reference)
        if native.decision is None:
            break
        # Two of three decisions are left out, so that games get farther.
        for _ in range(3):
            if native.decision is not None:
                number = rng.randrange(native.decision.count)
                native.apply(number)
                reference.apply(number)


@pytest.mark.parametrize(("name", "setup", "count"), SETUPS)
def test_keys_are_the_same_also_of_states_that_the_machine_has_left(name: str, setup: str, count: int) -> None:
    beginning, _ = native_for(name, setup)
    native, reference, rng = beginning.begin(2), beginning.begin(2), Random(2)
    assert native.play_natively() == ""
    left, expected, chance = list[State](), list[Any](), 0
    for _ in range(count):
        if native.decision is None or reference.decision is None:
            break
        left.append(native.clone())
        expected.append(reference.decision.keys)
        chance += native.decision.is_chance
        number = rng.randrange(native.decision.count)
        native.apply(number)
        reference.apply(number)
    assert [one.decision.keys for one in left if one.decision is not None] == expected
    assert chance or name != "war-chest"


def test_a_state_is_as_before_where_the_machine_gives_up_weighing_its_options(monkeypatch: pytest.MonkeyPatch) -> None:
    beginning, _ = native_for("war-chest", "Random armies")
    state, reference = beginning.begin(3), beginning.begin(3)
    state.play_natively()
    valuation = Greedy([Weight(1, pieces="units")], style_of(state.variant.origin.library)).natively(state)
    assert valuation is not None
    bench = state._moment.bench  # type: ignore[union-attr]
    weigh, weighed = bench._code.game_worths, list[bool]()

    class Code:
        """The functions of the machine; weighing is done, and then given up."""

        def __getattr__(self, name: str) -> Any:
            return self._give_up if name == "game_worths" else getattr(bench.library.code, name)

        def _give_up(self, *given: Any) -> int:
            weighed.append(weigh(*given) > 0)
            # Machines without checks do not write the memory there.
            ctypes.memset(given[-2], 0, ctypes.sizeof(given[-2]))
            return 0

    monkeypatch.setattr(bench, "_code", Code())
    for _ in range(12):
        assert state.decision is not None
        if not state.decision.is_chance:
            assert state._moment is not None and state._moment.worths(valuation, 0) == []
        same(state, reference)
        state.apply(0)
        reference.apply(0)
    assert weighed and all(weighed)


def test_no_run_is_made_for_reading_a_state() -> None:
    beginning, _ = native_for("war-chest", "Random armies")
    state, rng = beginning.begin(3), Random(3)
    assert state.play_natively() == ""
    for _ in range(100):
        assert state.decision is not None
        state.apply(rng.randrange(state.decision.count))
        state.position(), state.view("raven"), state.decision.keys
        assert state._engine._run is None  # type: ignore[attr-defined]


@pytest.mark.parametrize("change", ["too many tokens", "armies with the same", "too many pieces", "regular"])
def test_irregular_positions_are_marked_as_such(change: str) -> None:
    game = load_once("war-chest")
    common = ["Archer"] if change == "armies with the same" else []
    armies = {"raven": ["Archer", "Knight"], "wolf": [*common, "Scout", "Lancer"]}
    hand = ["Archer"] * (7 if change == "too many tokens" else 1)
    on = ["f4", "e4"] if change == "too many pieces" else ["f4"]
    units = [{"at": at, "unit": "Archer", "owner": "raven", "coins": 1} for at in on]
    position = {
        "game": "war-chest",
        "irregular": True,
        "to_act": "raven",
        "initiative": "raven",
        "armies": armies,
        "control": {"raven": ["e2", "h1"], "wolf": ["g6", "d7"]},
        "units": units,
        "hand": {"raven": hand, "wolf": ["Lancer"]},
    }
    native, reference = game.position(position), game.position(position)
    assert native.play_natively() == ""
    for _ in range(4):
        same(native, reference)
        assert native.position().get("irregular", False) is (change != "regular")
        native.apply(0)
        reference.apply(0)
