"""The starts and ends of turns and rounds, said in plain words."""

from __future__ import annotations

from pathlib import Path

import pytest

import warchest
from machine.machine_support import card, drawn, game, offered, player, position, round_trips, take, units

DRAWS = "draw a coin, then put that coin into your hand."


def standing(text: str, **more: object) -> warchest.State:
    """Return a state in which raven is to act, before the turn of wolf."""
    return game(card("Tide", attribute=text)).position(
        position("Tide f4, wolf Scout f6", "Royal Coin, Tide", "Royal Coin, Scout", **more)
    )


@pytest.mark.parametrize(
    "text", ["at the start of your turn, this may move.", "at the beginning of your turn, this may move."]
)
def test_your_turn_starts_before_a_coin_is_used(text: str) -> None:
    state = standing(text)
    assert player(state) == "raven" and not offered(state, act="pass")
    take(state, act="decline")
    take(state, act="pass", coin="Royal Coin")
    assert player(state) == "wolf" and not offered(state, act="move", unit="f4")
    take(state, act="pass", coin="Royal Coin")
    assert player(state) == "raven" and offered(state, act="move", to="f3") and not offered(state, act="pass")
    round_trips(state)
    take(state, act="decline")
    assert offered(state, act="pass")


def test_your_turn_ends_before_the_next_one_starts() -> None:
    state = standing("at the end of your turn, this may move. at the start of the turn of an opponent, this may move.")
    take(state, act="pass", coin="Royal Coin")
    assert player(state) == "raven" and offered(state, act="move")
    take(state, act="move", to="f3")
    assert player(state) == "raven" and "f3" in units(state) and offered(state, act="move")
    take(state, act="decline")
    assert player(state) == "wolf"


def test_each_turn_means_the_turns_of_all_players() -> None:
    state = standing("at the start of each turn, this may move.")
    for _ in range(2):
        assert player(state) == "raven" and offered(state, act="move")
        take(state, act="decline")
        take(state, act="pass", coin="Royal Coin")


def test_the_player_of_a_turn_can_be_named_later() -> None:
    text = "at the start of the turn of an opponent, that opponent draws a coin, then put that coin into your hand."
    state = standing(text, bag={"wolf": ["Knight"], "raven": []})
    take(state, act="pass", coin="Royal Coin")
    assert sorted(drawn(state).position()["hand"]["raven"]) == ["Knight", "Tide"]


def test_a_round_starts_with_hands_drawn_and_ends_before_they_are() -> None:
    text = "at the end of the round, this may move. at the start of the round, this may move."
    state = game(card("Tide", attribute=text)).position(
        position("Tide f4, wolf Scout f6", "Royal Coin", "", bag={"raven": ["Knight"] * 3, "wolf": ["Archer"] * 3})
    )
    take(state, act="pass", coin="Royal Coin")
    assert player(state) == "raven" and not state.position()["hand"]["raven"]
    take(state, act="move", to="f3")
    assert player(drawn(state)) == "raven" and len(state.position()["hand"]["raven"]) == 3
    take(state, act="move", to="f4")
    assert offered(state, act="pass")


def test_a_rule_of_the_game_says_it_of_each_player() -> None:
    state = game(f"action: Tides\nsource: a test\nrules: |\n  at the start of your turn, {DRAWS}\n").position(
        position("Archer f4, wolf Scout f6", "Royal Coin", "Royal Coin, Scout", bag={"wolf": ["Knight"]})
    )
    take(state, act="pass", coin="Royal Coin")
    assert sorted(drawn(state).position()["hand"]["wolf"]) == ["Knight", "Royal Coin", "Scout"]


def test_a_game_declares_its_turns(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    text = "game: own\nbegins from: war-chest\ntimes: {turn: {starts: open the turn}}\n"
    (own / "game.yaml").write_text(text, encoding="utf-8")
    (own / "tide.yaml").write_text(card("Tide", attribute="at the end of the round, this may move."), encoding="utf-8")
    with pytest.raises(warchest.CardError) as caught:
        warchest.load(own)
    (found,) = caught.value.diagnostics
    assert found.name == "undeclared-verb" and "times: {round: {starts: …, ends: …}}" in found.help
