"""Impossible positions: too many things, an unknown board, a finished game without a winner."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import warchest
from loaded import load_once, shipped
from warchest.source.data import data_folder


@pytest.fixture(scope="module")
def game() -> warchest.Game:
    return shipped()


SEVEN = ["e2", "h1", "g6", "d7", "d4", "g3", "i2"]
HANDS = {"raven": ["Archer"], "wolf": ["Knight"]}


@pytest.mark.parametrize(
    ("field", "position"),
    [
        ("control.raven", {"control": {"raven": SEVEN}}),
        ("winner", {"control": {"raven": SEVEN[:6]}}),
        ("decrees", {"decrees": [{"name": name} for name in ("March", "Spy", "Guard", "Enlist")]}),
        ("bag.raven", {"bag": {"raven": ["Archer"] * 4}, "units": [{"at": "f4", "unit": "Archer", "owner": "raven"}]}),
        ("units", {"units": [{"at": "f4", "unit": "Archer", "owner": "raven", "coins": 5}]}),
        ("units[0].at", {"units": [{"at": "b5", "unit": "Archer", "owner": "raven"}]}),
        ("forts[0]", {"forts": ["b5"]}),
    ],
)
def test_impossible_values_are_refused_by_their_field(
    game: warchest.Game, field: str, position: dict[str, Any]
) -> None:
    given = {"to_act": "raven", "initiative": "raven", "hand": HANDS, **position}
    with pytest.raises(warchest.PositionError) as caught:
        game.position(given)
    assert caught.value.field == field


def test_a_finished_game_may_hold_all_markers(game: warchest.Game) -> None:
    state = game.position({"winner": "raven", "initiative": "raven", "control": {"raven": SEVEN[:6]}})
    assert state.outcome is not None and state.outcome.winners == ("raven",)


def test_a_finished_game_needs_no_reason_in_its_position(game: warchest.Game) -> None:
    state = game.position({"winner": "wolf"})
    assert state.decision is None and state.outcome is not None and state.outcome.winners == ("wolf",)


def test_any_player_may_have_won_if_more_than_the_board_ends_the_game() -> None:
    state = shipped("unigames").position({"winner": "P2"})
    assert state.outcome is not None and state.outcome.winners == ("P2",)


@pytest.mark.parametrize("winner", ["wolf", None])
def test_another_winner_than_by_the_rules_is_refused(game: warchest.Game, winner: str | None) -> None:
    with pytest.raises(warchest.PositionError, match="winner: it is raven who has won here"):
        game.position({"winner": winner, "initiative": "raven", "control": {"raven": SEVEN[:6], "wolf": []}})


def test_the_players_settle_the_board(game: warchest.Game) -> None:
    hand = {**HANDS, "raven2": ["Scout"]}
    units = [{"at": "b5", "unit": "Archer", "owner": "raven"}]
    state = game.position({"to_act": "raven", "initiative": "raven", "hand": hand, "units": units})
    assert len(state.variant.board.seats) == 4


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("seed", {"seed": [1]}),
        ("seed", {"seed": "7"}),
        ("sets", {"sets": 3}),
        ("date", {"date": [1]}),
        ("date", {"date": True}),
        ("players", {"players": 3}),
    ],
)
def test_new_refuses_invalid_arguments(game: warchest.Game, field: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(warchest.PositionError) as caught:
        game.new(**wrong)
    assert caught.value.field == field


def test_a_year_may_be_a_number(game: warchest.Game) -> None:
    assert game.new(seed=1, date=2019).position()["options"] == game.new(seed=1, date="2019").position()["options"]  # type: ignore[arg-type]


def test_coins_of_a_player_belong_to_the_army(game: warchest.Game) -> None:
    given = {"to_act": "raven", "initiative": "raven", "hand": {"raven": ["Knight"]}, "armies": {"raven": ["Archer"]}}
    with pytest.raises(warchest.PositionError) as caught:
        game.position(given)
    assert caught.value.field == "armies.raven" and "Knight" in str(caught.value)


def test_a_position_that_holds_itself_is_refused(game: warchest.Game) -> None:
    units: list[Any] = []
    units.append(units)
    with pytest.raises(warchest.PositionError) as caught:
        game.position({"to_act": "raven", "units": units})
    assert caught.value.field == "units[0]"


def test_a_finished_position_begins_to_count_too(game: warchest.Game) -> None:
    state = game.position({"winner": "raven", "initiative": "raven"})
    assert (state.turn, state.round) == (1, 1)


@pytest.mark.parametrize(
    "odd",
    [
        {"control": {"raven": SEVEN}, "winner": "raven"},
        {"bag": {"raven": ["Archer"] * 9}},
        {"units": [{"at": "f4", "unit": "Archer", "owner": "raven"}, {"at": "f5", "unit": "Archer", "owner": "raven"}]},
        {"fort_supply": 50},
    ],
    ids=["markers", "coins", "units", "forts"],
)
def test_irregular_positions_are_read_if_marked_as_such(game: warchest.Game, odd: dict[str, Any]) -> None:
    given = {"initiative": "raven", **odd} if "winner" in odd else {"to_act": "raven", "hand": HANDS, **odd}
    with pytest.raises(warchest.PositionError):
        game.position(given)
    state = game.position({**given, "irregular": True})
    assert state.position()["irregular"] is True and game.position(state.position()) == state


def test_a_surplus_is_irregular_also_after_a_regular_position_without_pieces(game: warchest.Game) -> None:
    for copies, irregular in ((2, False), (9, True), (3, False)):
        given = {"to_act": "raven", "hand": HANDS, "bag": {"raven": ["Archer"] * copies}, "irregular": True}
        assert game.position(given).position().get("irregular", False) is irregular


def test_irregular_is_yes_or_no(game: warchest.Game) -> None:
    with pytest.raises(warchest.PositionError, match="irregular: true or false is needed, not 'yes'"):
        game.position({"to_act": "raven", "hand": HANDS, "irregular": "yes"})


def test_an_undeclared_name_is_reported_with_its_key(tmp_path: Path) -> None:
    folder = tmp_path / "war-chest"
    shutil.copytree(data_folder("cards") / "war-chest", folder)
    document = folder / "game.yaml"
    told = document.read_text(encoding="utf-8")
    document.write_text(told.replace("{zone: discard}", "{zone: discards}"), encoding="utf-8")
    state = load_once(folder).new(seed=1)
    with pytest.raises(
        warchest.PositionError, match=r"discard: .* names the zone `discards`, .* did you mean `discard`"
    ):
        state.position()
