"""Random positions are positions of the game, small, of the cards that are wished for, and made smaller by need."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from loaded import shipped
from warchest.game.errors import PositionError
from warchest.testing.draws import RandomDraws
from warchest.testing.positions import NoPositionError, PositionSampler, Sampling, without
from warchest.testing.shrinking import shrunk, size
from warchest.testing.steps import explore, steps

CASES = [("war-chest", ("Lancer", "Pikeman")), ("unigames", ("Dwarf Spear", "Goblin Shaman")), ("war-chest", ())]


def drawn(name: str, cards: tuple[str, ...], count: int, seed: int = 1, **wishes: Any) -> list[dict[str, Any]]:
    """Return a number of positions of a shipped game."""
    sampler, draws = PositionSampler(shipped(name), Sampling(cards, **wishes)), RandomDraws(Random(seed))
    return [sampler.told(draws) for _ in range(count)]


@pytest.mark.parametrize(("name", "cards"), CASES)
def test_a_player_has_to_decide_in_each(name: str, cards: tuple[str, ...]) -> None:
    for told in drawn(name, cards, 10):
        state = shipped(name).position(told)
        assert state.decision is not None
        assert shipped(name).position(state.position()) == state


@pytest.mark.parametrize(("name", "cards"), CASES)
def test_the_same_draws_give_the_same_positions(name: str, cards: tuple[str, ...]) -> None:
    assert drawn(name, cards, 6) == drawn(name, cards, 6) != drawn(name, cards, 6, seed=2)


@pytest.mark.parametrize(("name", "cards"), CASES[:2])
def test_most_positions_have_the_cards_on_the_board(name: str, cards: tuple[str, ...]) -> None:
    found = drawn(name, cards, 20)
    for card in cards:
        assert sum(card in str(told) for told in found) > 10
    everything = drawn(name, cards, 20, pieces=3)
    assert max(len(told.get("units") or told.get("figures") or ()) for told in everything) <= 3


def test_acts_of_many_kinds_are_on_offer() -> None:
    acts = {
        option.data["act"]
        for told in drawn("war-chest", ("Lancer",), 40)
        for step in steps(shipped().position(told))
        for option in [step.option]
    }
    assert {"move", "attack", "bolster", "deploy", "tactic", "recruit", "claim", "pass", "control"} <= acts


def test_cards_that_are_unknown_are_left_out() -> None:
    assert drawn("war-chest", ("Nobody",), 3)


def test_an_impossible_request_for_a_position_is_reported() -> None:
    class Nothing:
        def number(self, least: int, most: int) -> int:
            return least

    with pytest.raises(NoPositionError, match="decision"):
        PositionSampler(shipped("war-chest"), Sampling(pieces=0, tokens=0)).told(Nothing())


# ---- smaller ones


def test_a_faulty_part_is_removed_as_a_whole() -> None:
    told = {"turn": "A", "units": [{"at": "a1", "coins": 2}, {"at": "a2", "coins": 9}], "hand": {"A": ["x", "y"]}}
    assert without(told, "units[1].coins") == {**told, "units": told["units"][:1]}
    assert without(told, "hand.A[0]") == {**told, "hand": {"A": ["y"]}}
    assert without(told, "hand") == {key: one for key, one in told.items() if key != "hand"}
    assert without(told, "nothing.like[3].this") is None
    assert without({"units": [{"at": "a1"}]}, "units[0].at") == {}


@pytest.mark.parametrize("told", drawn("war-chest", ("Lancer",), 5, pieces=5))
def test_the_smallest_position_still_meets_the_condition(told: dict[str, Any]) -> None:
    def can_move(one: dict[str, Any]) -> bool:
        try:
            decision = shipped().position(one).decision
        except PositionError:
            return False
        return decision is not None and any(option.data["act"] == "move" for option in decision.options)

    if can_move(told):
        small = shrunk(told, can_move)
        assert can_move(small) and size(small) <= size(told)
        assert len(small["units"]) == 1 and len(small) == 3


def test_shrinking_ends_after_the_given_number_of_questions() -> None:
    asked = []
    shrunk({"a": [9] * 9}, lambda told: bool(asked.append(told)), most=7)
    assert len(asked) == 7


# ---- steps


def test_every_option_is_taken_once() -> None:
    state = shipped().new(seed=3)
    found = list(steps(state))
    assert state.decision is not None
    assert [one.option.id for one in found] == [one.id for one in state.decision.options]
    for step in found:
        assert step.before == state and step.events[0].kind == "decided"
        assert step.after == state.clone().apply(step.option)


def test_each_state_is_explored_once() -> None:
    state = shipped().position(
        {"to_act": "raven", "units": [{"at": "e6", "unit": "Scout", "owner": "raven"}], "hand": {"raven": ["Scout"]}}
    )
    near, far = list(explore(state, 1)), list(explore(state, 2))
    assert near == far[: len(near)] and len(near) == state.decision.count  # type: ignore[union-attr]
    assert len({step.before for step in far}) > 1
