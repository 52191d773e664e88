"""No dead ends: an option is on offer only if it can be carried to its end, hooks in between included."""

from __future__ import annotations

from random import Random

import pytest
from machine_support import card, game, lines, offered, player, position, round_trips, take, units

LEGATE = card("Legate", tactic="recruit.\neither move, or attack.")
WAGON = card(
    "Wagon",
    tactic="""
    choose an adjacent friendly unit.
    let location be its space.
    that unit moves.
    this moves to that location.""",
)
GUARDED = card("Ra", tactic="attack.\nchoose another friendly unit within 2 spaces of this.\nthat unit moves.")


def test_an_impossible_second_step_takes_the_first_off_the_offer() -> None:
    near = position("Cavalry f4, wolf Archer f7", "Cavalry")
    assert not offered(game().position(near), act="tactic")
    far = position("Cavalry f4, wolf Archer f6", "Cavalry")
    assert [one["to"] for one in offered(game().position(far), act="tactic")] == ["f5"]


def test_a_hook_in_between_may_not_make_the_rest_impossible() -> None:
    # The Legate on c4 can only go to c5; a Mercenary that goes there would leave it nothing.
    state = game(LEGATE).position(
        position("Legate c4, Knight d3, Swordsman d4, Mercenary d5", "Legate", supply={"raven": ["Mercenary"]})
    )
    take(state, act="tactic", recruit="Mercenary")
    assert player(state) == "raven"
    tos = {one.get("to") for one in offered(state, act="move")}
    assert tos and "c5" not in tos
    round_trips(state)
    take(state, act="move", to="d6")
    round_trips(state)


def test_without_any_way_to_the_end_the_tactic_is_not_on_offer() -> None:
    state = game(LEGATE).position(
        position("Legate c4, Knight d3, Swordsman d4, Archer c5", "Legate", supply={"raven": ["Legate"]})
    )
    assert not offered(state, act="tactic")


def test_a_friend_that_blocks_its_own_gap_is_pruned_below_a_hook() -> None:
    state = game(WAGON).position(position("Wagon f4, Berserker f5 2", "Wagon"))
    take(state, act="tactic", chosen="f5", to="f6")
    # The Berserker may go on, but not back into the gap.
    tos = {one.get("to") for one in offered(state) if one.get("act") == "move"}
    assert tos and "f5" not in tos
    round_trips(state)
    take(state, act="decline")
    assert units(state) == {"f5": ("Wagon", 1), "f6": ("Berserker", 2)}


def test_must_prunes() -> None:
    state = game(card("Ra", tactic="move.\nthis must be adjacent to an enemy unit.")).position(
        position("Ra f4, wolf Archer f6", "Ra")
    )
    assert [one["to"] for one in offered(state, act="tactic")] == ["f5"]


def test_failing_options_beside_enough_others_are_neither_listed_nor_drawn() -> None:
    hugging = game(card("Ra", tactic="move.\nthis must be adjacent to an enemy unit."))
    where = position("Ra f4, wolf Archer f6, wolf Knight h4", "Ra")
    asked = hugging.position(where).decision
    assert asked is not None and asked.offers is not None and asked.offers.set.open
    assert [one["to"] for one in offered(hugging.position(where), act="tactic")] == ["f5", "g4"]
    drawn = set()
    for seed in range(40):
        asked = hugging.position(where).decision
        assert asked is not None
        drawn.add(asked.sample(Random(seed), {"tactic"}).data["to"])
    assert drawn == {"f5", "g4"}


def test_steps_after_the_actor_died_lapse() -> None:
    state = game(card("Ra", tactic="attack.\nmove.")).position(position("Ra f4, wolf Pikeman f5", "Ra"))
    take(state, act="tactic")
    assert units(state) == {} and "left out" in lines(state) and player(state) == "wolf"


def test_an_option_contains_choices_only() -> None:
    state = game(card("Ra", tactic="attack.\nmove.")).position(position("Ra f4, wolf Pikeman f5", "Ra"))
    assert offered(state, act="tactic") == [
        {"act": "tactic", "coin": "Ra", "unit": "f4", "then": "attack", "target": "f5"}
    ]


def test_no_piece_is_near_a_lost_piece() -> None:
    state = game(GUARDED).position(position("Ra d4, wolf Pikeman d5, Cavalry i3", "Ra"))
    tactics = offered(state, act="tactic")
    if tactics:
        state.apply(next(option for option in state.decision.options if option.data["act"] == "tactic"))
        assert player(state) == "wolf"
    assert not any("i3" in one.values() for one in tactics)


def test_no_condition_holds_of_a_piece_that_is_gone() -> None:
    text = "attack.\nif a friendly unit is adjacent to this, draw a coin, then put that coin into your hand."
    state = game(card("Ra", tactic=text)).position(
        position("Ra d4, wolf Pikeman d5, Cavalry i3", "Ra", bag={"raven": ["Ra"]})
    )
    take(state, act="tactic")
    assert state.position()["bag"]["raven"] == ["Ra"]


def test_no_coin_goes_into_a_piece_that_is_gone() -> None:
    state = game(card("Ra", tactic="attack.\nput a coin in your supply into this.")).position(
        position("Ra d4, wolf Pikeman d5", "Ra", supply={"raven": ["Ra"]})
    )
    if offered(state, act="tactic"):
        state.apply(next(option for option in state.decision.options if option.data["act"] == "tactic"))
    else:
        take(state, act="pass", coin="Ra")
    assert state.position()["supply"]["raven"] == ["Ra"]


def test_a_loop_about_a_piece_that_is_gone_ends() -> None:
    text = "attack.\nuntil this is bolstered, put a coin in your supply into this if able."
    state = game(card("Ra", tactic=text)).position(position("Ra d4, wolf Pikeman d5", "Ra", supply={"raven": ["Ra"]}))
    take(state, act="tactic")
    assert player(state) == "wolf"


def test_a_step_that_is_impossible_after_chance_lapses() -> None:
    seer = card("Seer", tactic="draw a coin, then deploy that coin onto an adjacent space.")
    state = game(seer).position(position("Seer f4, Cavalry i1", "Seer", bag={"raven": ["Cavalry", "Scout"]}))
    take(state, act="tactic")
    assert state.decision is not None and state.decision.is_chance
    round_trips(state)
    there = take(state.clone(), act="draw", coin="Cavalry")
    assert "left out" in lines(there) and player(there) == "wolf"
    there = take(state.clone(), act="draw", coin="Scout")
    assert offered(there, act="deploy")


@pytest.mark.parametrize("word", ["space", "location"])
def test_a_name_given_by_let_keeps_its_first_meaning(word: str) -> None:
    text = f"choose an adjacent friendly unit.\nlet {word} be its space.\nthat unit moves.\nthis moves to that {word}."
    state = game(card("Wagon", tactic=text)).position(position("Wagon f4, Swordsman f5", "Wagon"))
    assert offered(state, act="tactic")
