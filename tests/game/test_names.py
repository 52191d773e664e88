"""The things of a game by name: documents, players, boards; and options by ids that stay the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from game_support import after, game

import warchest
from loaded import played, shipped
from oracle.board import BOARDS
from oracle.state import COIN_COUNTS
from warchest import OptionError, PositionError
from warchest.game.telling.labels import id_of

GAMES = ("war-chest", "unigames")
BOARDS_BY_SETUP = [("war-chest", "Draft"), ("war-chest", "Four players random"), ("unigames", "Ambush")]
CARD = """\
unit: Wanderer
set: wandering
coins: 4
source: our own
tactic: |
  move.
"""


# ---- documents


@pytest.mark.parametrize("name", GAMES)
def test_all_documents_are_named_by_kind_and_set(name: str) -> None:
    found = shipped(name)
    assert set(found.piece_kinds) <= set(found.kinds)
    assert found.sets("all") or name == "unigames"
    for kind in found.kinds:
        names = found.names(kind)
        assert names and list(names) == sorted(set(names)) == sorted(one.name for one in found.library.of_kind(kind))
        with_sets = [set(found.names(kind, [one])) for one in found.sets("all")]
        assert set(found.names(kind, "all")) == set(names) == set().union(*with_sets or [names])


def test_units_and_their_sets() -> None:
    base, nobility, siege = (set(game().names("unit", one)) for one in ("base", "nobility", "siege"))
    assert base == set(COIN_COUNTS) and (len(nobility), len(siege)) == (4, 4)
    assert game().names("unit") == game().names("unit", "all") == tuple(sorted(base | nobility | siege))
    assert game().names("unit", ["siege", "nobility"]) == tuple(sorted(siege | nobility))
    assert set(game().piece_kinds) == {"unit", "fortification"}
    assert set(shipped("unigames").piece_kinds) == {"figure", "chest"}
    assert "Wanderer" in shipped("war-chest", CARD).names("unit", "wandering")


def test_unknown_kinds_and_sets_are_refused() -> None:
    with pytest.raises(PositionError, match="kind: there is no document of a kind 'unitt'; did you mean `unit`"):
        game().names("unitt")
    with pytest.raises(PositionError, match="sets: there is no set 'bases'; did you mean `base`"):
        game().names("unit", ["bases"])


# ---- boards


@pytest.mark.parametrize(("name", "setup"), BOARDS_BY_SETUP)
def test_distances_and_neighbours_go_together(name: str, setup: str) -> None:
    rng, board = Random(1), shipped(name).board_for(setup)
    names = [space.name for space in board.spaces]
    for one in rng.sample(names, 12):
        near = board.neighbours(one)
        assert all(one in board.neighbours(other) for other in near)
        assert set(near) == {other for other in names if board.distance(one, other) == 1}
        assert set(near) == {board.ahead(one, way)[0] for way in board.directions if board.ahead(one, way)}
        for other in rng.sample(names, 12):
            steps = board.distance(one, other)
            assert steps == board.distance(other, one) and (steps == 0) == (one == other)
            assert steps is not None and (not steps or any(board.distance(step, other) == steps - 1 for step in near))
        for way in board.directions:
            assert [board.distance(one, far) for far in board.ahead(one, way)] == [
                *range(1, len(board.ahead(one, way)) + 1)
            ]


@pytest.mark.parametrize("count", [2, 4])
def test_boards_are_as_the_oracle_has_them(count: int) -> None:
    board, known = game().board_for(players=count), BOARDS[count]
    assert {space.name for space in board.spaces} == set(known.spaces) and board.shape == "hexes"
    assert set(board.tagged("location")) == set(known.locations)
    assert len(board.players) == len(board.teams) == count and len(set(board.teams.values())) == 2
    assert game().new(seed=1, players=count).board == board
    assert hash(game().new(seed=1, players=count).board) == hash(board)


def test_the_usual_board_and_players() -> None:
    assert game().players == ("raven", "wolf") == game().board.players
    assert game().board_for("Four players draft").players == ("raven", "wolf", "raven2", "wolf2")
    squares = shipped("unigames").board
    assert squares.players == ("P1", "P2") and len(squares.spaces) == 64 and squares.shape == "squares"
    assert set(squares.neighbours("a1")) == {"a2", "b1"} and squares.distance("a1", "h8") == 14
    assert squares.ahead("d4", "n") == ("d5", "d6", "d7", "d8") and squares.ahead("d4", "e")[0] == "e4"
    assert (squares.space("c4").column, squares.space("c4").row) == (2, -3)
    assert repr(squares) == "BoardMap('Battlefield')"


def test_a_space_that_is_not_there_is_refused() -> None:
    board = game().board
    for refused in (lambda: board.distance("f4", "z9"), lambda: board.neighbours("z9"), lambda: board.space("z9")):
        with pytest.raises(PositionError, match="space: there is no space 'z9'"):
            refused()
    with pytest.raises(PositionError, match="direction: there are only n, ne, se, s, sw, nw, not 'e'"):
        board.ahead("f4", "e")


# ---- options


@pytest.mark.parametrize("name", GAMES)
def test_every_option_is_found_by_its_id(name: str) -> None:
    for decisions in (0, 20, 45, 90):
        state = played(decisions, name, silent=True)
        assert state.decision is not None
        options = state.decision.options
        # Where no two have the same id, and some are found by theirs, all are.
        assert len({option.id for option in options}) == len(options)
        assert all(state.decision.by_id(option.id) is option for option in options[:: max(len(options) // 8, 1)])
        assert all(option.id == id_of(option.data) and "\n" not in option.id for option in options)
        back = shipped(name).position(state.position()).decision
        assert back is not None and [one.id for one in back.options] == [one.id for one in state.decision.options]


@pytest.mark.parametrize("wrong", ["pass coin=Nobody", "", None, 3, ["pass"]])
def test_an_id_that_is_not_on_offer_is_refused(wrong: Any) -> None:
    state = played(20)
    assert state.decision is not None
    with pytest.raises(OptionError, match=r"option: .* is not on offer") as caught:
        state.decision.by_id(wrong)
    assert caught.value.field == "option"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"act": "pass"}, "pass"),
        ({"to": "f5", "act": "move", "as": "maneuver"}, "move as=maneuver to=f5"),
        ({"act": "draw", "coin": "Royal Guard"}, 'draw coin="Royal Guard"'),
        ({"act": "take a turn", "coin 2": "x"}, '"take a turn" "coin 2"=x'),
        (
            {"act": "x", "a": 1, "b": "1", "c": True, "d": "true", "e": None, "f": "null"},
            'x a=1 b="1" c=true d="true" e=null f="null"',
        ),
        ({"act": "x", "a": 'y" b=z'}, 'x a="y\\" b=z"'),
        ({"act": "x", "at": "f3/1", "who": "Élan"}, "x at=f3/1 who=Élan"),
    ],
)
def test_ids_are_short_and_say_all(data: dict[str, Any], text: str) -> None:
    assert id_of(data) == text


def test_ids_are_the_same_whatever_else_is_loaded_and_in_every_process() -> None:
    state = after(8, 9)
    assert state.decision is not None
    ids = [option.id for option in state.decision.options]
    other = shipped("war-chest", CARD).position(state.position()).decision
    assert other is not None and [option.id for option in other.options] == ids
    code = (
        "import json, sys, warchest; state = warchest.load().position(json.load(sys.stdin));"
        "print(json.dumps([option.id for option in state.decision.options]))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(state.position()),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "5"},
        cwd=Path(__file__).parent,
    )
    assert json.loads(told.stdout) == ids


def test_names_are_those_of_the_package() -> None:
    assert {"BoardMap", "Space", "LogEntry"} <= set(warchest.__all__)
