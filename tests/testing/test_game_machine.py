"""The machine of Hypothesis: it plays from small positions, finds a planted fault, and costs little."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, run_state_machine_as_test

from loaded import shipped
from warchest import testing
from warchest.game.state import State
from warchest.lowering.layout import ROUND
from warchest.testing.strategies import take

QUIET = settings(
    max_examples=15,
    stateful_step_count=12,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)
COST = 0.001
"""The most seconds that a step of the machine may cost, beside those of the game."""


class Play(testing.GameMachine):
    game = shipped()
    cards = ("Lancer",)

    @invariant()
    def goes_on_or_is_over(self) -> None:
        assert (self.state.decision is None) == (self.state.outcome is not None)
        assert self.state.round < 50


def test_the_state_machine_plays() -> None:
    run_state_machine_as_test(Play, settings=settings(QUIET, max_examples=6))  # type: ignore[no-untyped-call]


def test_it_goes_on_when_the_game_is_over() -> None:
    over = shipped().new(0).give_up("raven").position()

    class Over(Play):
        @classmethod
        def beginnings(cls) -> st.SearchStrategy[dict[str, Any]]:
            return st.just(over)

    run_state_machine_as_test(Over, settings=settings(QUIET, max_examples=3))  # type: ignore[no-untyped-call]


def test_lines_of_python_are_explained_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    phases: list[bool] = []
    monkeypatch.setattr(
        "hypothesis.stateful.run_state_machine_as_test",
        lambda _, settings: phases.append(Phase.explain in settings.phases),
    )

    class Explained(Play):
        explained = True

    for machine in (Play, Explained):
        machine.TestCase.settings = settings(max_examples=1)
        machine.TestCase().runTest()
    assert phases == [False, True]


class Bare(Play):
    @classmethod
    def beginnings(cls) -> st.SearchStrategy[dict[str, Any]]:
        hands = [{"raven": ["Lancer", "Scout"]}, {"raven": ["Lancer", "Lancer"], "wolf": ["Scout"]}]
        return st.sampled_from([{"to_act": "raven", "hand": hand} for hand in hands])


def test_hardly_any_run_has_no_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []

    def counted(state: State, number: int) -> None:
        taken[-1] += 1
        take(state, number)

    class Counted(Bare):
        def __init__(self) -> None:
            super().__init__()
            taken.append(0)

    monkeypatch.setattr("warchest.testing.hypothesis_machine.take", counted)
    run_state_machine_as_test(Counted, settings=settings(QUIET, max_examples=30))  # type: ignore[no-untyped-call]
    assert len(taken) < 36 and sum(not steps for steps in taken) < 6, taken


def test_a_planted_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the second pass of any player, the round grows by 70: two decisions are needed to see it."""
    whole = State.apply

    def broken(self: State, option: Any) -> State:
        passed = [one for one in self.events if one.kind == "pass"]
        whole(self, option)
        if passed and option.act == "pass":
            self.run.memory[ROUND] += 70
        return self

    monkeypatch.setattr(State, "apply", broken)
    with pytest.raises(AssertionError) as found:
        run_state_machine_as_test(Bare, settings=settings(QUIET, stateful_step_count=6))  # type: ignore[no-untyped-call]
    told = "\n".join(found.value.__notes__)
    assert "state.begin(position={" in told
    # There are two coins in hand, or one is drawn again.
    assert told.count("state.step(") <= 3 and told.count(": pass") == 2, told


def test_a_step_costs_little_beside_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of longer runs, the time of the steps that they have more than shorter ones, without that of the game itself."""
    spent, count = 0.0, 0

    def timed(state: State, number: int) -> None:
        nonlocal spent, count
        begun = process_time()
        take(state, number)
        spent += process_time() - begun
        count += 1

    monkeypatch.setattr("warchest.testing.hypothesis_machine.take", timed)

    def beside(length: int) -> tuple[float, int]:
        nonlocal spent, count
        spent, count, begun = 0.0, 0, process_time()
        run_state_machine_as_test(  # type: ignore[no-untyped-call]
            Play, settings=settings(QUIET, max_examples=5, stateful_step_count=length)
        )
        return process_time() - begun - spent, count

    beside(30)  # all that is compiled on first use is there then
    (short, few), (long, many) = beside(4), beside(30)
    assert many > few + 100
    assert (long - short) / (many - few) < COST, (short, few, long, many)
