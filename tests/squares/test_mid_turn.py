"""Positions in the middle of a turn keep the fields that last for it, and are read back as equal states."""

from __future__ import annotations

from typing import Any

import pytest

import warchest
from loaded import shipped
from machine.machine_support import card, game


def figure(name: str, at: str, owner: str, *abilities: str, **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "at": at,
        "facing": "n",
        "owner": owner,
        "controller": owner,
        "attack": 1,
        "defense": 2,
        "move": 1,
        "cost": 10,
        "class": "",
        "abilities": list(abilities),
        **more,
    }


def battle(*figures: dict[str, Any], **more: Any) -> warchest.State:
    return shipped("unigames").position(
        {
            "game": "unigames",
            "turn": "P1",
            "actions_left": 2,
            "chests": {"P1": "a1", "P2": "h8"},
            "figures": [*figures],
            **more,
        }
    )


def acts(state: warchest.State, at: str) -> set[str]:
    assert state.decision is not None
    return {one.data["act"] for one in state.decision.options if one.data.get("figure") == at}


def test_a_figure_that_has_acted_does_not_act_again() -> None:
    assert acts(battle(figure("Foot", "d4", "P1"), figure("Foe", "h6", "P2")), "d4")
    told = figure("Foot", "d4", "P1", acted=True)
    assert not acts(battle(told, figure("Mate", "f4", "P1"), figure("Foe", "h6", "P2")), "d4")


def test_stun_of_the_turn_is_there() -> None:
    told = figure("Foe", "h6", "P2", stun=1)
    (foe,) = battle(figure("Foot", "d4", "P1"), told).position()["figures"][1:]
    assert foe["stun"] == 1


def test_the_link_of_a_booster_is_kept_when_control_changes() -> None:
    boost = {"kind": "boost", "by": "Bard", "on": "Foe"}
    state = battle(
        figure("Bard", "e3", "P2", "Boost (+1 attack)", disabled=True),
        figure("Foe", "e5", "P2"),
        figure("Witch", "d4", "P1", "Mind Control (10)"),
        links=[boost],
    )
    assert state.decision is not None
    options = state.decision.options
    state.apply(next(one for one in options if one.data["act"] == "mind-control" and "Bard" in one.label))
    told = state.position()
    assert boost in told["links"] and len(told["links"]) == 2
    again = shipped("unigames").position(told)
    assert "pending" not in told and again == state and again.position() == told and state.at_boundary


@pytest.mark.parametrize("time", ["turn", "round"])
def test_fields_for_a_time_of_a_pack_are_kept(time: str) -> None:
    words = f"words: Winter\nfields: {{unit: {{frozen: {{flag: true, opposite: thawed, until: {time}}}}}}}\n"
    rules = "this cannot move while it is frozen. after this is deployed, it becomes frozen."
    winter = game(words, card("Sled", attribute=rules))
    units = [{"at": "f4", "unit": "Sled", "owner": "raven", "frozen": True}]
    state = winter.position(
        {"to_act": "raven", "initiative": "raven", "units": units, "hand": {"raven": ["Sled"], "wolf": ["Royal Coin"]}}
    )
    assert state.position()["units"][0]["frozen"] is True
    assert state.decision is not None and not any(one.data["act"] == "move" for one in state.decision.options)
    assert winter.position(state.position()) == state
