"""The makeup of pieces comes back from a position: coins of several types, and a nature that is not the type."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from game_support import OTHER, game, play

import warchest
from oracle.naive import random_position
from seeds import seeds

Position = dict[str, Any]
HANDS = {"raven": ["Archer"], "wolf": ["Knight"]}
PILE = {"at": "f4", "unit": "Archer", "owner": "raven"}


def mixed(seed: int) -> Position:
    """Return a random position with coins of both sides in units that are not of their type."""
    rng, position = Random(seed), random_position(Random(seed))
    for unit in position["units"]:
        stack = [unit["unit"]] * unit["coins"]
        for _ in range(rng.choice((0, 0, 1, 2, 3))):
            owner = rng.choice(sorted(OTHER))
            places = [position[zone][owner] for zone in ("bag", "supply", "box") if position[zone][owner]]
            if places:
                place = rng.choice(places)
                stack.append(place.pop(rng.randrange(len(place))))
        if rng.random() < 0.2 and len(set(stack)) > 1:
            stack = [coin for coin in stack if coin != unit["unit"]]
        unit["coins"] = len(stack)
        if set(stack) != {unit["unit"]}:
            rng.shuffle(stack)
            unit["stack"] = stack
    return position


def comes_back(state: warchest.State) -> None:
    """Check that a state is the one that its position makes, and that the same is on offer in it."""
    written = state.position()
    back = game().position(written)
    assert back.position() == written
    assert back == state and hash(back) == hash(state)
    options = [one.decision.options if one.decision is not None else () for one in (state, back)]
    assert [one.data for one in options[0]] == [one.data for one in options[1]]


@pytest.mark.parametrize("seed", seeds(40, "mixed stacks"))
def test_mixed_stacks_come_back(seed: int) -> None:
    given_position = mixed(seed)
    state = game().position(given_position)
    written = {unit["at"]: unit for unit in state.position()["units"]}
    for unit in given_position["units"]:
        assert written[unit["at"]] == {**unit, **({"stack": sorted(unit["stack"])} if "stack" in unit else {})}
    comes_back(state)


@pytest.mark.parametrize("seed", seeds(10, "mixed stacks"))
def test_games_with_mixed_stacks_come_back_at_every_step(seed: int) -> None:
    state = game().position(mixed(seed))
    coins = everything(state.position())
    for one in play(state, Random(seed), 12):
        comes_back(one)
        assert everything(one.position()) == coins or one.position().get("pending")


def everything(position: Position) -> Counter[str]:
    """Return the number of coins of each type in all places."""
    found: Counter[str] = Counter()
    for unit in position["units"]:
        found.update(unit.get("stack") or [unit["unit"]] * unit["coins"])
    for zone in ("hand", "bag", "supply", "box"):
        for coins in position[zone].values():
            found.update(coins)
    for faces in position["discard"].values():
        found.update(faces["up"] + faces["down"])
    return found


@pytest.mark.parametrize("seed", seeds(40, "mixed stacks"))
def test_the_order_in_a_stack_means_nothing(seed: int) -> None:
    one, other = mixed(seed), mixed(seed)
    for unit in other["units"]:
        if "stack" in unit:
            unit["stack"] = unit["stack"][::-1]
    assert game().position(one) == game().position(other)


def given_units(*units: Position, **more: Any) -> Position:
    """Return a position with some units, before a coin of raven."""
    return {"to_act": "raven", "initiative": "raven", "hand": HANDS, "units": list(units), **more}


def test_a_pure_stack_is_written_as_a_number() -> None:
    state = game().position(given_units({**PILE, "coins": 2, "stack": ["Archer", "Archer"]}))
    assert state.position()["units"] == [{**PILE, "coins": 2}]
    assert state == game().position(given_units({**PILE, "coins": 2}))


def test_the_number_is_optional_beside_the_stack() -> None:
    state = game().position(given_units({**PILE, "stack": ["Knight", "Archer"]}))
    assert state.position()["units"] == [{**PILE, "coins": 2, "stack": ["Archer", "Knight"]}]


def test_stacks_that_are_made_otherwise_are_not_equal() -> None:
    found = [
        game().position(given_units({**PILE, "coins": 2, **more}))
        for more in ({}, {"stack": ["Archer", "Knight"]}, {"stack": ["Knight", "Knight"]})
    ]
    assert len(set(found)) == 3


def test_coins_that_were_taken_stay_those_of_the_army_they_are_of() -> None:
    state = game().position(given_units({**PILE, "stack": ["Archer", "Knight", "Scout"]}))
    assert state.position()["armies"] == {"raven": ["Archer", "Scout"], "wolf": ["Knight"]}
    boxed = {**state.position(), "box": {"raven": ["Knight"], "wolf": ["Archer"]}}
    comes_back(game().position(boxed))


@pytest.mark.parametrize(
    ("field", "unit", "more"),
    [
        ("units[0].stack", {"stack": 2}, {}),
        ("units[0].stack", {"stack": "Archer"}, {}),
        ("units[0].stack[1]", {"stack": ["Archer", "Archr"]}, {}),
        ("units[0].stack[0]", {"stack": ["March"]}, {}),
        ("units[0].stack[1]", {"stack": ["Archer", 3]}, {}),
        ("units[0].stack", {"coins": 3, "stack": ["Archer", "Knight"]}, {}),
        ("units[0].coins", {"coins": "2", "stack": ["Archer", "Knight"]}, {}),
        ("units[0].stack", {"stack": []}, {}),
        ("units[0].nature", {"nature": "Archr"}, {}),
        ("units[0].nature", {"nature": ["Archer"]}, {}),
        ("hand.wolf", {"stack": ["Knight"] * 4}, {}),
        ("units", {"stack": ["Knight"] * 5}, {}),
        ("units", {"stack": ["Archer", *["Royal Coin"] * 3]}, {}),
        ("box.wolf", {"stack": ["Archer", *["Knight"] * 3]}, {"box": {"wolf": ["Knight"]}}),
        ("armies.raven", {"stack": ["Archer", "Scout"]}, {"armies": {"raven": ["Archer"], "wolf": ["Knight"]}}),
    ],
)
def test_impossible_values_are_refused_by_their_field(field: str, unit: Position, more: Position) -> None:
    with pytest.raises(warchest.PositionError) as caught:
        game().position(given_units({**PILE, **unit}, **more))
    assert caught.value.field == field, str(caught.value)


def test_a_copy_is_written_with_its_nature_and_occupies_no_other_type() -> None:
    copied = {**PILE, "at": "f5", "coins": 1, "nature": "Scout"}
    state = game().position(given_units({**PILE, "coins": 1}, copied))
    assert state.position()["units"] == [{**PILE, "coins": 1}, copied]
    assert state.position()["armies"]["raven"] == ["Archer", "Scout"]
    comes_back(state)


@pytest.mark.parametrize(
    "pieces",
    [
        {"e3": {}},
        {"e2/1": {}},
        {"e2": 3},
        {"e2": {"nature": "Scout"}},
        {"e2": {"stack": ["Archer"]}},
        {"e2": {"stock": []}},
    ],
)
def test_senseless_pieces_of_pending_work_are_refused(pieces: Position) -> None:
    pending = {"stack": [], "ask": True, "hold": 0, "pieces": pieces}
    with pytest.raises(warchest.PositionError) as caught:
        game().position(given_units(PILE, forts=["e2"], pending=pending))
    assert caught.value.field.startswith("pending.pieces.e")
