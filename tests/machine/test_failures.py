"""Rules that never end, and too many pieces: a clear error, and the state is as it was."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

import pytest
from machine_support import card, game, lines, offered, player, position, round_trips, take

import warchest
from budgets import lower_budgets
from warchest.engine import runs
from warchest.engine.runs import EndlessError

SPIN = card("Spin", tactic="until this is bolstered, do nothing.")
PING = card("Ping", attribute="after you claim the initiative, you pass.\nafter you pass, you pass.")
ECHO = card(
    "Echo",
    attribute="after a unit attacks this, this attacks that unit.\nafter this attacks a unit, that unit attacks this.",
)
FULL = {
    "coins": 20,
    "attribute": "the limit of this is 99.\nyou may deploy this onto an empty space adjacent to a friendly unit.",
}
CROWD = card("Swarm", **FULL), card("Horde", **FULL)  # type: ignore[arg-type]


REALLY = ("after you pass, you pass.", "after you pass, choose a space" + ", then choose a space" * 7 + ".")
"""The cases that are tried with the real budgets; all others take a twentieth of them, to save time."""


@pytest.fixture(autouse=True)
def budgets(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower all budgets for endless rules, if a test does not ask for the real ones."""
    if "really" in request.fixturenames and request.getfixturevalue("really"):
        return
    lower_budgets(monkeypatch)


def everything(state: warchest.State) -> tuple[Any, ...]:
    """Return the values that must not change."""
    options = None if state.decision is None else [option.data for option in state.decision.options]
    return state.position(), list(state.log), options, state.turn, state.round, state.pieces


def refused(state: warchest.State, do: Callable[[], object], kinds: Any) -> None:
    """Check that something raises a clear error and leaves the state as it was, fit to be played on."""
    before = everything(state)
    with pytest.raises(kinds) as caught:
        do()
    assert str(caught.value) and not isinstance(caught.value, RecursionError)
    assert everything(state) == before
    take(state.clone(), act="pass", coin="Royal Coin")


def crowded() -> warchest.State:
    """Return a state with as many pieces as there can be."""
    spaces = [space.name for space in game().board.spaces]
    units = [f"Swarm {one}" for one in spaces[:12]] + [f"Horde {one}" for one in spaces[12:24]]
    return game(*CROWD).position(position(",".join(units), "Swarm, Royal Coin"))


def test_an_endless_rule_leaves_the_state_as_it_was() -> None:
    gong = card("Gong", attribute="after a unit attacks this, until this is bolstered, do nothing.")
    state = game(gong).position(position("Cavalry f4, wolf Gong f5 2", "Cavalry, Royal Coin"))
    refused(state, lambda: take(state, act="attack", unit="f4"), EndlessError)


def test_a_game_that_orders_an_impossible_act_says_so_and_is_unchanged() -> None:
    gag = card("Gag", attribute="a player cannot pass.")
    state = game(gag).position(position("Gag f4", "Gag, Royal Coin", "Royal Coin"))
    with pytest.raises(EndlessError, match=r'something impossible: "the active player uses a coin .*game\.yaml:'):
        while state.decision is not None:
            before = everything(state)
            state.apply(0)
    assert everything(state) == before


def test_an_endless_tactic_does_not_spoil_the_position() -> None:
    """The game can be played on without the endless rule; at least the error names it."""
    try:
        state = game(SPIN).position(position("Spin f4", "Spin, Royal Coin"))
    except warchest.PositionError as error:
        assert "do not terminate" in str(error)
        return
    take(state, act="pass", coin="Royal Coin")


def test_an_endless_tactic_met_in_play_leaves_the_state_as_it_was() -> None:
    state = game(SPIN).position(position("Swordsman f4, wolf Spin i1", "Swordsman, Royal Coin", "Spin, Royal Coin"))
    before = everything(state)
    try:
        take(state, act="move", to="f5", unit="f4")
    except (EndlessError, warchest.PositionError):
        assert everything(state) == before


def test_hooks_that_call_each_other_are_stopped_and_reported_clearly() -> None:
    with pytest.raises((warchest.PositionError, EndlessError)) as caught:
        state = game(PING).position(position("Ping f4", "Royal Coin, Ping"))
        take(state, act="pass", coin="Royal Coin")
    assert "terminate" in str(caught.value) and "recursion" not in str(caught.value)


def test_an_endless_hook_beside_another_is_reported_clearly() -> None:
    ping = card("Ping", attribute="after you pass, recruit if able.\nafter you pass, you pass.")
    with pytest.raises((warchest.PositionError, EndlessError)) as caught:
        state = game(ping).position(position("Ping f4", "Royal Coin, Ping"))
        take(state, act="pass", coin="Royal Coin")
    assert "recursion" not in str(caught.value)


def test_an_endless_choice_is_reported_clearly() -> None:
    spin = card("Spin", tactic="until this is bolstered, choose another friendly unit within 2 spaces of this.")
    try:
        game(spin).position(position("Spin f4, Archer f5, Knight e5", "Royal Coin, Spin"))
    except (warchest.PositionError, EndlessError) as error:
        assert "recursion" not in str(error)


STUCK = {
    "after you pass, until this is bolstered, do nothing.": "until this is bolstered, do nothing",
    "after you pass, you pass.": "after you pass, you pass",
    "after you pass, choose a space" + ", then choose a space" * 7 + ".": "choose a space",
    "after you pass, for each space in any order, do nothing.": "for each space in any order, do nothing",
    "after you pass, choose a space" + ", then choose a space" * 7 + ", then this must be bolstered.": "choose a space",
}


@pytest.mark.parametrize(("text", "really"), [*((one, False) for one in STUCK), *((one, True) for one in REALLY)])
def test_endless_texts_are_soon_reported_with_their_place(text: str, really: bool) -> None:
    begun = process_time()
    told = f'{re.escape(STUCK[text])}" .*extra0.yaml:6:[0-9]+'
    with pytest.raises((EndlessError, warchest.PositionError), match=told):
        state = game(card("Gong", attribute=text)).position(position("Gong f4", "Royal Coin, Gong"))
        take(state, act="pass", coin="Royal Coin")
    assert process_time() - begun < 30


def test_trials_are_counted_from_zero_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking often, without taking an option, does not exceed the budget."""
    start = position("Cavalry f4, wolf Archer f5 2", "Cavalry, Royal Coin")
    state, rng = game().position(start), Random(1)
    monkeypatch.setattr(runs, "ENOUGH", 500)
    for _ in range(60):
        decision = state.decision
        assert decision is not None
        assert decision.sample(rng).act
    assert len(decision.options) > 5
    monkeypatch.setattr(runs, "ENOUGH", 5)
    with pytest.raises(warchest.PositionError, match="too many ways"):
        game().position(start)


def test_hooks_that_answer_each_other_end_when_a_side_is_gone() -> None:
    state = game(ECHO).position(position("Cavalry f4 3, wolf Echo f5 3", "Cavalry"))
    take(state, act="attack")
    assert "left out" in lines(state) or player(state) == "wolf"


def test_one_piece_too_many_leaves_the_state_as_it_was() -> None:
    state = crowded()
    assert state.pieces == 24
    deploy = [option for option in state.decision.options if option.data["act"] == "deploy"]
    refused(state, lambda: state.apply(deploy[0]), warchest.OptionError)


def test_too_many_pieces_in_a_position_are_refused() -> None:
    spaces = [space.name for space in game().board.spaces]
    units = [f"Swarm {one}" for one in spaces[:17]] + [f"Horde {one}" for one in spaces[17:33]]
    with pytest.raises(warchest.PositionError, match="too many pieces"):
        game(*CROWD).position(position(",".join(units), "Swarm"))


# ---- found with random cards

LOOTER = card("Looter", attribute="after you discard a coin, draw a coin, then put the second coin into your hand.")


def test_ways_to_use_a_coin_are_distinguished_where_a_hook_draws() -> None:
    state = game(LOOTER).position(position("Looter f4", "Looter", bag={"raven": ["Looter", "Looter", "Scout"]}))
    # To maneuver (faceup), and to pass or to claim (facedown), at the least.
    assert len(offered(state, coin="Looter")) >= 3


def test_a_failure_after_chance_in_the_texts_of_the_game_lapses() -> None:
    state = game(LOOTER).position(position("Looter f4", "Looter", bag={"raven": ["Knight", "Marshall"]}))
    for index in range(len(state.decision.options)):
        there = state.clone().apply(index)
        if there.decision is not None and there.decision.is_chance:
            there.apply(0)


def test_no_coin_is_taken_twice() -> None:
    twice = card("Doubler", attribute="before you recruit, you may recruit.")
    state = game(twice).position(position("Doubler f4", "Royal Coin, Doubler", supply={"raven": ["Doubler"]}))
    take(state, act="recruit", coin="Royal Coin")
    take(state, act="recruit", coin="Doubler")
    take(state, act="decline")
    assert state.position()["discard"]["raven"]["up"] == ["Doubler"]


def test_a_unit_without_coins_comes_back_in_the_middle_of_an_effect() -> None:
    taker = card("Taker", attribute="when a unit attacks this, you may recruit.")
    state = game(taker).position(position("Cavalry f4, wolf Taker f5", "Cavalry", supply={"wolf": ["Taker"]}))
    take(state, act="attack")
    assert player(state) == "wolf"
    round_trips(state)


def test_all_tokens_of_a_kind_stay_where_they_are_if_there_is_no_room_for_them() -> None:
    makes = "put 6000 new Flooders into your bag. put 6000 new Flooders into your box."
    state = game(card("Flooder", tactic=f"{makes} put all coins in your bag into your box. move.")).position(
        position("Flooder f4", "Flooder, Flooder")
    )
    take(state, act="tactic", to="f5")
    assert lines(state).count("left out") == 1
    assert [state.position()[zone]["raven"].count("Flooder") for zone in ("bag", "box")] == [6000, 6000]
