"""Reasons are those of the act that is asked about, with the clause and its place, and no more of them than needed."""

from __future__ import annotations

from typing import Any

import pytest

import warchest
from warchest import State

BOTH = {"raven": ["Cavalry", "Archer", "Royal Coin"], "wolf": ["Scout"]}


def position(**more: Any) -> State:
    given = {"to_act": "raven", "initiative": "raven", "control": {"raven": ["e2", "h1"]}, "hand": BOTH, **more}
    return warchest.load("war-chest").position(given)


@pytest.mark.parametrize("act", ["move", "attack", "control", "tactic"])
def test_without_a_unit_the_reason_is_that_of_a_maneuver(act: str) -> None:
    (reason,) = position().why_not(act)
    assert reason["file"].endswith("maneuver.yaml") and reason["clause"] == "an own unit of its type"


@pytest.mark.parametrize(
    ("wanted", "file"),
    [
        ({"act": "move", "unit": "f3"}, "game.yaml"),
        ({"act": "move", "coin": "Cavalry", "unit": "e4", "to": "e5"}, "maneuver.yaml"),
        ({"act": "move", "coin": "Royal Coin"}, "maneuver.yaml"),
        ({"act": "attack", "unit": "f4", "target": "f3"}, "knight.yaml"),
        ({"act": "deploy", "coin": "Royal Coin"}, "deploy.yaml"),
    ],
)
def test_the_reason_is_not_that_of_another_act(wanted: dict[str, Any], file: str) -> None:
    units = [{"at": "f3", "unit": "Knight", "owner": "wolf"}, {"at": "f4", "unit": "Cavalry", "owner": "raven"}]
    reasons = position(units=units).why_not(wanted)
    assert reasons[0]["file"].endswith(file)
    assert all(reason["clause"] and reason["line"] for reason in reasons)


def test_one_reason_is_enough() -> None:
    assert [one["clause"] for one in position().why_not({"act": "deploy", "coin": "Royal Coin"})] == [
        "you cannot deploy the Royal Coin"
    ]


def test_who_does_not_decide_is_told_what_is_asked() -> None:
    (reason,) = position().why_not({"act": "pass"}, player="wolf")
    assert "wolf" in reason["reason"] and reason["file"].endswith("game.yaml")
    with pytest.raises(warchest.OptionError):
        position().why_not({"act": "pass"}, player="crow")


@pytest.mark.parametrize("wanted", [{"act": ["x"]}, {"act": None}, {"act": 3}])
def test_what_is_no_act_is_said_to_be_none(wanted: dict[str, Any]) -> None:
    (reason,) = position().why_not(wanted)
    assert reason["reason"].startswith("there is no act")


def test_the_prompt_is_the_clause_that_asks() -> None:
    """Of an answer it is the answer, of an act the text that orders it, and not how the game does such things."""
    state = warchest.load("war-chest").position({
        "to_act": "raven", "initiative": "raven", "supply": {"wolf": ["Royal Guard"]}, "hand": {"raven": ["Scout"]},
        "units": [{"at": "f4", "unit": "Scout", "owner": "raven"},
                  {"at": "f5", "unit": "Royal Guard", "owner": "wolf"}],
    })  # fmt: skip
    assert state.decision is not None
    state.apply(next(one for one in state.decision.options if one.data["act"] == "attack"))
    assert state.decision.prompt.startswith("wolf: when this would lose a coin")


def test_the_coin_of_the_warrior_priest_is_asked_for_by_its_card() -> None:
    state = warchest.load("war-chest").position({
        "to_act": "raven", "initiative": "raven", "hand": {"raven": ["Warrior Priest"], "wolf": ["Scout"]},
        "bag": {"raven": ["Knight"]}, "supply": {"raven": ["Knight"]},
        "units": [{"at": "f4", "unit": "Warrior Priest", "owner": "raven"},
                  {"at": "f5", "unit": "Scout", "owner": "wolf"}],
    })  # fmt: skip
    assert state.decision is not None
    state.apply(next(one for one in state.decision.options if one.data["act"] == "attack"))
    while state.decision is not None and state.decision.is_chance:
        state.apply(0)
    assert state.decision is not None and state.decision.prompt == "raven: use that coin"


def test_what_an_option_says_is_the_readers_own() -> None:
    state = position()
    assert state.decision is not None
    state.decision.options[0].data["act"] = "spoilt"
    assert state.decision.options[0].data["act"] != "spoilt"
