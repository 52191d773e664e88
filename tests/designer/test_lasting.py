"""Texts with a time: prohibitions and permissions until then, and steps that are carried out then."""

from __future__ import annotations

from typing import Any

import pytest

import warchest
from lint.lint_support import codes
from machine.machine_support import card, game, offered, passed, player, position, refused, round_trips, take, units
from warchest.resolve.lasting import is_of_time

TARGET = "choose an enemy unit within 2 spaces of this."


def standing(text: str, units: str = "wolf Cavalry f5, wolf Scout e5", **more: Any) -> warchest.State:
    """Return a state in which a unit with a tactic of this text is to act."""
    return game(card("Hexer", tactic=text)).position(
        position(f"Hexer f4 2, {units}", "Hexer, Hexer, Hexer", "Cavalry, Scout, Scout", **more)
    )


def used(state: warchest.State, **how: Any) -> warchest.State:
    """Return a state after the tactic."""
    return take(state, act="tactic", **how)


# ---- prohibitions and permissions for a time


@pytest.mark.parametrize(
    "text",
    [
        f"{TARGET} that unit cannot attack until the start of your next turn.",
        f"{TARGET} until your next turn, that unit cannot attack.",
        f"{TARGET} it cannot attack until the beginning of your turn.",
    ],
)
def test_a_prohibition_for_one_unit_lasts_until_your_next_turn(text: str) -> None:
    state = used(standing(text), chosen="f5")
    assert state.position()["lasting"] == {"Hexer": {"f5": "raven"}}
    assert not offered(state, act="attack", unit="f5") and offered(state, act="attack", unit="e5")
    round_trips(state)
    passed(state)
    assert player(state) == "raven" and "lasting" not in state.position()


def test_a_decree_holds_for_all_until_the_turn_of_its_player() -> None:
    truce = card("Truce", kind="decree", effect="until the start of your next turn, no unit can attack.")
    state = game(truce).position(
        position("Pikeman f4, wolf Cavalry f5", "Royal Coin, Pikeman", "Cavalry", decrees=[{"name": "Truce"}])
    )
    assert offered(state, act="attack")
    take(state, act="proclaim")
    assert not offered(state, act="attack") and state.position()["lasting"] == {"Truce": {"raven": True}}
    round_trips(state)
    assert offered(passed(state), act="attack")


def test_sides_are_those_of_the_player_of_the_card() -> None:
    text = "until the start of your next turn, an enemy unit cannot attack a friendly unit."
    state = used(standing(text, "Archer e5, wolf Cavalry f5, wolf Scout e6"))
    assert not offered(state, act="attack")
    passed(state)
    assert player(state) == "raven" and offered(state, act="attack")


def test_it_ends_with_the_turn_or_the_round_that_is_named() -> None:
    for time, there in ("the turn", False), ("your turn", False), ("the round", True), ("this round", True):
        state = used(standing(f"{TARGET} that unit cannot attack until the end of {time}."), chosen="f5")
        assert bool(offered(state, act="attack", unit="f5")) != there


def test_a_lasting_effect_ends_when_its_unit_leaves_the_board() -> None:
    state = used(standing("until your next turn, a unit cannot attack this.", "wolf Cavalry f5, wolf Scout e5"))
    assert not offered(state, act="attack") and state.position()["lasting"] == {"Hexer": {"f4": "raven"}}
    bombed = card("Bomb", tactic="choose an enemy unit. remove that unit.")
    state = game(card("Hexer", tactic="until your next turn, a unit cannot attack this."), bombed).position(
        position("Hexer f4 2, wolf Bomb f5", "Hexer, Hexer", "Bomb, Bomb")
    )
    take(used(state), act="tactic")
    assert "lasting" not in state.position()


def test_a_permission_holds_for_a_time() -> None:
    text = "until the end of the turn, this may attack a target exactly 2 spaces away. attack."
    state = standing(text, "wolf Cavalry f6, wolf Scout e5")
    assert {one.get("target") for one in offered(state, act="tactic")} == {"f6", "e5"}
    assert {one.get("target") for one in offered(state, act="attack")} == {"e5"}
    used(state, target="f6")
    assert "lasting" not in state.position()


# ---- steps for later


def test_a_delayed_effect_waits_for_the_next_turn() -> None:
    state = used(
        standing("at the start of your next turn, for each unit adjacent to this, it loses a coin; this loses a coin.")
    )
    assert units(state) == {"f4": ("Hexer", 2), "f5": ("Cavalry", 1), "e5": ("Scout", 1)}
    round_trips(state)
    passed(state)
    assert player(state) == "raven" and units(state) == {"f4": ("Hexer", 1)}


def test_a_delayed_effect_remembers_its_unit() -> None:
    state = used(standing(f"{TARGET} at the start of your next turn, that unit loses a coin."), chosen="f5")
    assert state.position()["lasting"] == {"Hexer": {"f5": "raven"}}
    assert sorted(units(passed(state))) == ["e5", "f4"]


def test_a_delayed_offer_is_made_in_time() -> None:
    state = used(standing("at the start of your next turn, this may move."))
    passed(state)
    assert player(state) == "raven" and {one["act"] for one in offered(state)} == {"decline", "move"}
    round_trips(state)


def test_a_delayed_effect_about_no_unit_survives_its_own_unit() -> None:
    text = "at the start of your next turn, draw a coin, then put that coin into your hand. this loses a coin."
    state = game(card("Hexer", tactic=text)).position(
        position("Hexer f4, wolf Cavalry f5", "Hexer, Hexer", "Cavalry, Cavalry", bag={"raven": ["Knight"]})
    )
    used(state)
    assert "f4" not in units(state)
    passed(state)
    assert "Knight" in state.position()["hand"]["raven"]


@pytest.mark.parametrize(
    "text",
    [
        "after this attacks, at the end of the round, it loses a coin.",
        "after this attacks, at the end of this round, it loses a coin.",
    ],
)
def test_an_answer_can_come_later(text: str) -> None:
    state = game(card("Hexer", attribute=text)).position(
        position("Hexer f4 2, wolf Swordsman f5 5", "Hexer", "Scout", to_act="raven", initiative="wolf")
    )
    take(state, act="attack")
    assert units(state)["f4"] == ("Hexer", 2) and state.position()["lasting"] == {"Hexer": {"f4": "raven"}}
    passed(state)
    assert units(state)["f4"] == ("Hexer", 1)


@pytest.mark.parametrize(
    "text",
    [
        "at the start of your next turn, until the end of the turn, this cannot attack.",
        "at the start of your next turn, no unit can attack until the end of the turn.",
        f"{TARGET} at the start of your next turn, that unit cannot attack until the end of the turn.",
    ],
)
def test_a_rule_that_begins_later_is_put_into_the_rules_once(text: str) -> None:
    rules = game(card("Hexer", tactic=text)).variant().program.ruleset
    assert sum(is_of_time(rule) for verb in rules.verbs for rule in verb.forbidden) == 1
    assert sum(map(is_of_time, rules.hooks)) == 2


def test_a_rule_that_begins_later_holds_from_then_until_its_end() -> None:
    state = used(standing("at the start of your next turn, until the end of the turn, this cannot attack."))
    round_trips(state)
    passed(state)
    assert player(state) == "raven" and not offered(state, act="attack", unit="f4")
    round_trips(state)
    passed(passed(state))
    assert player(state) == "raven" and offered(state, act="attack", unit="f4")


@pytest.mark.parametrize(
    ("kind", "text", "name"),
    [
        ("attribute", "after a unit attacks this, it cannot attack until the end of the round.", "ambiguous-it"),
        ("attribute", "after a unit attacks this, that unit cannot attack it until your next turn.", "ambiguous-it"),
        ("tactic", f"{TARGET} that unit cannot attack it until the end of the round.", "says-nothing"),
        (
            "tactic",
            f"{TARGET} that unit cannot move until the end of the round, then it loses a coin.",
            "unclear-reach",
        ),
        ("tactic", "at the start of each turn, this may move.", "unclear-reach"),
        ("tactic", "at the end of each turn, this may move.", "unclear-reach"),
    ],
)
def test_ambiguous_texts_are_refused(kind: str, text: str, name: str) -> None:
    assert codes(refused(card("Hexer", **{kind: text}))) == [name]


def test_a_bonus_of_a_time_is_refused_where_there_is_no_such_time() -> None:
    text = f"{TARGET} until the end of the round, that unit cannot attack this."
    assert codes(refused(card("Hexer", tactic=text))) == ["unclear-reach"]
