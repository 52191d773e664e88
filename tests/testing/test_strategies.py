"""Strategies give input that a game accepts, and shrink to texts that people would write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

import warchest
from loaded import shipped
from warchest import testing
from warchest.testing.newcomers import card_maker

SMALL = settings(
    max_examples=100,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)
FEW = settings(SMALL, max_examples=8, phases=(Phase.generate,))
GAMES = ["war-chest", "unigames"]


def simplest(strategy: st.SearchStrategy[Any], wanted: Callable[[Any], object] = lambda _: True) -> Any:
    """Return the simplest example that satisfies a condition."""
    return find(strategy, lambda one: bool(wanted(one)), settings=SMALL)


def acts(told: dict[str, Any], name: str = "war-chest") -> set[str]:
    decision = shipped(name).position(told).decision
    assert decision is not None
    return {option.act for option in decision.options}


@pytest.mark.parametrize("name", GAMES)
def test_positions_are_such_as_the_game_takes(name: str) -> None:
    card = shipped(name).names(shipped(name).piece_kinds[-1])[0]
    seen = []

    @FEW
    @given(testing.positions(shipped(name), [card], pieces=2))
    def look(told: dict[str, Any]) -> None:
        seen.append(told)
        assert shipped(name).position(told).decision is not None

    look()
    assert any(card in str(told) for told in seen)


def test_the_simplest_position_is_a_piece_in_the_middle() -> None:
    strategy = testing.positions(shipped(), ["Lancer"], ["Scout"], pieces=1)
    told = simplest(strategy, lambda one: "Lancer" in str(one.get("units")))
    assert told["units"] == [{"at": "f4", "unit": "Lancer", "owner": "raven", "coins": 1}]
    assert set(told) <= {"to_act", "units", "hand", "bag", "discard", "supply", "box"} and len(told) <= 3


def test_the_simplest_attack_has_two_pieces_and_a_coin() -> None:
    told = simplest(testing.positions(shipped(), ["Knight"], ["Archer"], near=1), lambda one: "attack" in acts(one))
    assert len(told["units"]) == 2 and {one["coins"] for one in told["units"]} == {1}
    assert [len(coins) for coins in told["hand"].values()] == [1]
    assert set(told) == {"to_act", "units", "hand"}


def test_hands_are_useful_or_hold_anything() -> None:
    def strange(one: dict[str, Any]) -> bool:
        return any(coin not in ("Lancer", "Royal Coin") for coins in one.get("hand", {}).values() for coin in coins)

    useful = testing.positions(shipped(), ["Lancer"], ["Lancer"])
    anything = testing.positions(shipped(), ["Lancer"], ["Lancer"], hands="any")
    seen: list[dict[str, Any]] = []

    @FEW
    @given(useful, anything)
    def look(one: dict[str, Any], other: dict[str, Any]) -> None:
        assert not strange(one)
        seen.append(other)

    look()
    assert any(map(strange, seen))


def test_players_hold_as_many_tokens_as_are_asked_for() -> None:
    most = 0

    @settings(FEW, max_examples=30)
    @given(testing.positions(shipped(), ["Lancer"], tokens=5))
    def look(told: dict[str, Any]) -> None:
        nonlocal most
        most = max(most, *map(len, told.get("hand", {}).values()), 0)
        assert most <= 5

    look()
    assert most > 3


def test_positions_have_the_given_players_and_sets() -> None:
    players = set[str]()

    @settings(FEW, max_examples=15)
    @given(testing.positions(shipped(), ["Lancer"], players=4, sets="base"))
    def look(told: dict[str, Any]) -> None:
        state = shipped().position(told)
        assert len(state.board.players) == 4
        players.update(one["owner"] for one in told.get("units", ()))
        assert {one["unit"] for one in told.get("units", ())} <= set(shipped().names("unit", "base"))

    look()
    assert len(players) > 2
    with pytest.raises(warchest.PositionError, match="no board for 3"):
        testing.positions(shipped(), players=3)


def test_some_positions_are_near_those_of_rulings() -> None:
    told = shipped().position  # every position is one of the game
    alone = testing.positions(shipped(), ["Swordsman"], ["Nobody"], pieces=1, ruled=True)
    seen: list[int] = []

    @settings(FEW, max_examples=15)
    @given(testing.positions(shipped(), ["Swordsman"], pieces=1, ruled=True), alone)
    def look(one: dict[str, Any], other: dict[str, Any]) -> None:
        seen.append(len(told(one).position()["units"]))
        assert all(unit["unit"] == "Swordsman" for unit in other.get("units", ()))

    look()
    assert max(seen) > 1


def test_positions_have_pending_work_on_request() -> None:
    @settings(FEW, max_examples=5)
    @given(testing.positions(shipped(), ["Swordsman"], pieces=2, pending=True))
    def look(told: dict[str, Any]) -> None:
        state = shipped().position(told)
        assert "pending" in told and state.decision is not None and not state.at_boundary

    look()


# ---- armies, games, plays


@pytest.mark.parametrize("name", GAMES)
def test_armies_can_be_brought(name: str) -> None:
    @settings(FEW, max_examples=8)
    @given(testing.armies(shipped(name)))
    def look(brought: dict[str, list[str]]) -> None:
        assert shipped(name).new(0, brought).decision is not None

    look()


def test_the_simplest_armies_are_the_first_names() -> None:
    brought = simplest(testing.armies(shipped(), ["Lancer"]))
    assert brought == {
        "raven": ["Lancer", "Archer", "Berserker", "Cavalry"],
        "wolf": ["Crossbowman", "Ensign", "Footman", "Knight"],
    }


def test_armies_that_are_chosen_cannot_be_brought() -> None:
    with pytest.raises(ValueError, match="name another `setup`"):
        simplest(testing.armies(shipped(), setup="Draft"))


def test_games_begin_with_the_cards_that_are_wished_for() -> None:
    state = simplest(testing.games(shipped(), ["Scout"]))
    assert "Scout" in state.position()["armies"]["raven"] and state.events == []
    assert simplest(testing.games(shipped(), setup="Draft")).decision is not None


def test_the_simplest_play_has_no_decision_too_many() -> None:
    def has_deployed(state: warchest.State) -> bool:
        return any(one.kind == "deploy" for one in state.events)

    state = simplest(testing.plays(shipped(), most=12), has_deployed)
    made = [one for one in state.events if one.kind == "decided"]
    assert made[-1].roles["act"] == "deploy" and len(made) == 7, "six coins are drawn before"


def test_games_have_the_given_players_and_sets() -> None:
    state = simplest(testing.games(shipped(), players=4, sets="base"))
    assert len(state.board.players) == 4
    base = set(shipped().names("unit", "base"))
    brought = simplest(testing.armies(shipped(), sets="base"), lambda one: "Scout" in str(one))
    assert {name for names in brought.values() for name in names} <= base


# ---- cards


def test_cards_are_understood_and_the_simplest_is_short(tmp_path: Path) -> None:
    seen: dict[str, None] = {}

    @settings(FEW, max_examples=5)
    @given(testing.cards(shipped()))
    def look(text: str) -> None:
        seen[text] = None

    look()
    assert len(seen) > 2
    for number, text in enumerate(list(seen)[:3]):
        file = tmp_path / f"{number}.yaml"
        file.write_text(text, encoding="utf-8")
        assert "Newcomer" in warchest.load(extra=[file]).names("unit")


def test_a_kind_without_texts_has_no_cards() -> None:
    with pytest.raises(ValueError, match="figure"):
        testing.cards(shipped("unigames"), "figure")
    assert card_maker(shipped("unigames"), None).kind == "ability"
