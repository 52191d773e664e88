"""Prohibitions that last until an event: `that unit cannot attack until it is attacked`."""

from __future__ import annotations

from typing import Any

import pytest

import warchest
from designer.reading_support import advised
from machine.machine_support import card, game, offered, passed, position, round_trips, take

CHOSEN = "choose an enemy unit within 2 spaces of this, then"


def standing(text: str, units: str = "wolf Cavalry f5, wolf Scout e5", **more: str) -> warchest.State:
    """Return a state in which a unit with a tactic of this text is to act."""
    return game(card("Hexer", tactic=text, **more)).position(
        position(f"Hexer f4 2, {units}", "Hexer, Hexer, Hexer", "Cavalry, Scout, Scout")
    )


def hexed(state: warchest.State, **how: Any) -> warchest.State:
    """Return a state after the tactic."""
    return take(state, act="tactic", **how)


def test_it_ends_with_the_event() -> None:
    state = hexed(standing(f"{CHOSEN} that unit cannot attack until it moves."), chosen="f5")
    assert state.position()["lasting"] == {"Hexer": {"f5": "raven"}}
    assert not offered(state, act="attack", unit="f5") and offered(state, act="attack", unit="e5")
    round_trips(state)
    take(state, act="move", unit="f5", to="g5")
    assert "lasting" not in state.position()
    round_trips(state)


def test_the_act_of_another_unit_does_not_end_it() -> None:
    state = hexed(standing(f"{CHOSEN} that unit cannot attack until it moves."), chosen="f5")
    take(state, act="move", unit="e5", to="d5")
    assert state.position()["lasting"] == {"Hexer": {"f5": "raven"}}


def test_the_event_can_be_an_act_against_it() -> None:
    state = hexed(standing(f"{CHOSEN} that unit cannot move until it is attacked."), chosen="f5")
    assert not offered(state, act="move", unit="f5")
    passed(state)
    take(state, act="attack", target="f5")
    assert "lasting" not in state.position()


def test_a_rule_about_this_ends_with_an_act_of_this() -> None:
    state = hexed(standing("no enemy unit can attack this until this attacks."))
    assert not offered(state, act="attack")
    passed(state)
    assert state.position()["lasting"] == {"Hexer": {"f4": "raven"}}
    take(state, act="attack", target="f5")
    assert "lasting" not in state.position()


def test_a_rule_for_all_ends_with_an_act_of_the_player_who_made_it() -> None:
    state = hexed(standing("a unit cannot attack until you pass."))
    assert not offered(state, act="attack")
    passed(state)
    assert not offered(state, act="attack") and state.position()["lasting"] == {"Hexer": {"raven": True}}
    passed(state)
    assert "lasting" not in state.position() and offered(state, act="attack")
    round_trips(state)


def test_several_events_end_it() -> None:
    for act in ({"act": "move", "unit": "f5", "to": "g5"}, {"act": "attack", "unit": "f5"}):
        state = hexed(standing(f"{CHOSEN} that unit cannot control until it moves or attacks."), chosen="f5")
        take(state, **act)
        assert "lasting" not in state.position()


WRONG = [
    (f"{CHOSEN} that unit cannot attack until this moves.", "`this` can be gone when it ends", "say it of `that unit`"),
    (
        f"{CHOSEN[:-6]}. until that unit moves, that unit cannot attack.",
        "`until …,` in front of it repeats steps",
        "`that unit cannot attack until that unit moves`",
    ),
    (f"{CHOSEN[:-6]}. until this moves, that unit cannot attack.", "repeats steps", "attack until that … …`"),
    (f"{CHOSEN} that unit cannot attack until it moves, then this moves.", "or when that happens", "end the sentence"),
    (f"{CHOSEN} that unit can attack until it moves.", "a permission only until a time", "that unit may attack"),
]


@pytest.mark.parametrize(("text", "message", "help"), WRONG, ids=[text for text, _, _ in WRONG])
def test_impossible_ends_are_findings(text: str, message: str, help: str) -> None:
    said = [(one.message, one.help) for one in advised(card("Hexer", tactic=text))]
    assert any(message in one[0] and help in one[1] for one in said), said
