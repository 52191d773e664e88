"""Boards: how they look, and how the board of a game or a position is found."""

from __future__ import annotations

import json
from typing import Any

import pytest
from setups_support import BATTLES, DEALT, DRAFTS, SEATS, game, played

import warchest
from warchest import PositionError
from warchest.cli.main import main

EXTRA = {"a6", "a7", "b5", "b6", "b7", "i1", "j1", "j2", "j3", "k1", "k2"} - {"i1"}
SIX = ["Archer", "Scout", "Pikeman", "Knight", "Lancer", "Cavalry"]
EIGHT = {"raven": [*SIX[:4]], "wolf": [*SIX[4:], "Ensign", "Footman"]}
TWELVE = {
    "raven": SIX[:3],
    "wolf": SIX[3:],
    "raven2": ["Ensign", "Footman", "Marshall"],
    "wolf2": ["Mercenary", "Swordsman", "Berserker"],
}


def seats(state: warchest.State) -> list[str]:
    """Return who plays, in turn order."""
    return [seat.name for seat in state.variant.board.seats]


# ---- the board for four


def test_the_board_for_four_has_the_dark_hexes_too() -> None:
    two, four = (game().new(seed=1, players=count).variant.board for count in (2, 4))
    names = [{space.name for space in board.spaces} for board in (two, four)]
    assert (len(names[0]), len(names[1])) == (37, 47)
    assert names[1] - names[0] == EXTRA
    assert sorted(len(near) for near in four.neighbours) == [3] * 6 + [4] * 16 + [6] * 25
    assert sum(map(len, four.neighbours)) == 2 * 116
    locations = [{board.spaces[number].name for number in board.tagged("location")} for board in (two, four)]
    assert (len(locations[0]), len(locations[1])) == (10, 14)
    assert locations[1] - locations[0] == {"b5", "j3", "a7", "k1"}
    assert (
        min(
            four.distance[one][other]
            for one in four.tagged("location")
            for other in four.tagged("location")
            if one != other
        )
        == 2
    )


def test_the_board_for_four_looks_the_same_from_both_sides() -> None:
    board = game().new(seed=1, players=4).variant.board
    turned = {(-space.column, -space.row): space for space in board.spaces}
    for space in board.spaces:
        assert turned[space.column, space.row].tags == space.tags
    start = board.start["controller"]
    for one, other in (("raven", "wolf"), ("wolf", "raven")):
        there = {turned[space.column, space.row].name for space in board.spaces if space.name in start[one]}
        assert there == set(start[other]) and len(there) == 3


def test_two_teams_of_two_sit_round_it() -> None:
    state = game().new(seed=1, players=4)
    board = state.variant.board
    assert [(seat.name, seat.team) for seat in board.seats] == [
        ("raven", "raven"),
        ("wolf", "wolf"),
        ("raven2", "raven"),
        ("wolf2", "wolf"),
    ]
    assert board.teams == ("raven", "wolf") and board.numbers["markers"] == 8
    position = state.position()
    assert position["control"] == {"raven": ["b5", "e2", "h1"], "wolf": ["d7", "g6", "j3"]}
    assert list(position["hand"]) == SEATS[4]
    assert all(len(bag) == 7 for bag in position["bag"].values())


# ---- which board


@pytest.mark.parametrize(
    ("given", "names", "setup"),
    [
        ({}, SEATS[2], 4),
        ({"players": 2}, SEATS[2], 4),
        ({"players": 4}, SEATS[4], 3),
        ({"setup": "Four players random"}, SEATS[4], 3),
        ({"setup": "Random armies", "players": 2}, SEATS[2], 4),
        ({"armies": EIGHT}, SEATS[2], 4),
        ({"armies": TWELVE}, SEATS[4], 3),
        ({"armies": TWELVE, "players": 4}, SEATS[4], 3),
        ({"armies": dict.fromkeys(SEATS[4])}, SEATS[4], 3),
    ],
)
def test_arguments_choose_the_board(given: dict[str, Any], names: list[str], setup: int) -> None:
    state = game().new(seed=3, **given)
    assert seats(state) == names
    armies = state.position()["armies"]
    assert [len(army) for army in armies.values()] == [setup] * len(names)
    if any((given.get("armies") or {}).values()):
        assert armies == {player: sorted(cards) for player, cards in given["armies"].items()}


def test_the_usual_board_stays_the_usual_one() -> None:
    game().new(seed=1, players=4)
    assert list(game().players) == list(SEATS[2])


def test_a_player_whose_army_is_left_open_gets_one() -> None:
    state = game().new(seed=3, armies={"raven": EIGHT["raven"], "wolf": None})
    armies = state.position()["armies"]
    assert armies["raven"] == sorted(EIGHT["raven"]) and len(armies["wolf"]) == 4
    assert not set(armies["raven"]) & set(armies["wolf"])
    brought = ["Archer", "Footman", "Knight", "Pikeman"]
    mixed = game().new(seed=1, setup="Crecy", armies={"raven": brought, "wolf": None})
    assert mixed.position()["armies"] == {"raven": brought, "wolf": ["Cavalry", "Crossbowman", "Lancer", "Scout"]}


@pytest.mark.parametrize(
    "given",
    [
        {"raven": EIGHT["raven"]},
        {"wolf": EIGHT["wolf"]},
        {player: TWELVE[player] for player in SEATS[4][:3]},
        {player: TWELVE[player] for player in ("raven", "raven2", "wolf2")},
    ],
)
def test_a_player_who_is_not_named_gets_an_army_of_the_setup(given: dict[str, list[str]]) -> None:
    armies = game().new(seed=3, armies=given).position()["armies"]
    players = SEATS[2 if given.keys() <= set(SEATS[2]) else 4]
    assert armies.keys() == set(players) and len({len(army) for army in armies.values()}) == 1
    assert {player: armies[player] for player in given} == {player: sorted(army) for player, army in given.items()}
    assert armies == game().new(seed=3, armies={**dict.fromkeys(players), **given}).position()["armies"]


@pytest.mark.parametrize("given", [{"raven": EIGHT["raven"]}, {"wolf": EIGHT["wolf"], "fox": []}, {"raven": SIX[:1]}])
def test_the_command_and_the_library_say_the_same_of_armies(
    given: dict[str, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word for player, names in given.items() for word in ("--armies", f"{player}={','.join(names)}")]
    code = main(["sim", "-n", "1", "--turns", "1", "--jobs", "1", "--seed", "3", "--format", "json", *words])
    said = capsys.readouterr()
    try:
        armies = game().new(seed=3, armies=given).position()["armies"]
    except PositionError as error:
        assert code == 2 and said.err.strip() == f"warchest: {error}"
    else:
        assert code == 0 and json.loads(said.out)[0]["armies"] == armies


WRONG: dict[str, tuple[dict[str, Any], str, str]] = {
    "too few": ({"armies": {**EIGHT, "wolf": ["Ensign"]}}, "armies.wolf", "4 cards are needed, not 1"),
    "none": ({"armies": {**EIGHT, "wolf": []}}, "armies.wolf", "4 cards are needed, not 0"),
    "too many": ({"armies": {**EIGHT, "raven": [*SIX[:4], "Marshall"]}}, "armies.raven", "4 cards are needed, not 5"),
    "too many for four": (
        {"armies": {**TWELVE, "wolf2": [*TWELVE["wolf2"], "Crossbowman"]}},
        "armies.wolf2",
        "3 cards are needed, not 4",
    ),
    "a card twice": ({"armies": {**TWELVE, "wolf2": ["Archer", "Swordsman", "Berserker"]}}, "armies.wolf2[0]", "twice"),
    "no such card": ({"armies": {**EIGHT, "wolf": ["Dragon"]}}, "armies.wolf[0]", "there is no"),
    "no such player": ({"armies": {**EIGHT, "fox": SIX[:4]}}, "armies.fox", "no such player"),
    "no list": ({"armies": {**EIGHT, "wolf": "Archer"}}, "armies.wolf", "a list of names"),
    "no mapping": ({"armies": [SIX]}, "armies", "a mapping"),
    "brought to a draft": ({"armies": EIGHT, "setup": "Draft"}, "armies", "not brought"),
    "for four, at a board for two": ({"armies": TWELVE, "setup": "Random armies"}, "armies.raven2", "no such player"),
    "three players": ({"players": 3}, "players", "boards for 2 and 4"),
    "players and setup": ({"players": 4, "setup": "Draft"}, "players", "is for 2 players, not 4"),
    "no such setup": ({"setup": "Drafts"}, "setup", "did you mean `Draft`"),
    "no such set": ({"sets": ["bsae"]}, "sets", "did you mean `base`"),
    "no such date": ({"date": "2019-13"}, "date", "2019-08-31"),
    "no such option": ({"options": {"lances": "long"}}, "options.lances", "there are only"),
}


@pytest.mark.parametrize(("given", "field", "says"), WRONG.values(), ids=WRONG)
def test_impossible_beginnings_are_refused_by_their_field(given: dict[str, Any], field: str, says: str) -> None:
    with pytest.raises(PositionError) as caught:
        game().new(seed=1, **given)
    assert caught.value.field == field and says in str(caught.value)


# ---- the board of a position


@pytest.mark.parametrize(
    ("mapping", "count"),
    [
        ({"to_act": "raven", "hand": {"raven": ["Archer"]}}, 2),
        ({"to_act": "raven2", "hand": {"raven2": ["Archer"]}}, 4),
        ({"to_act": "raven", "initiative": "wolf2", "hand": {"raven": ["Archer"]}}, 4),
        ({"to_act": "raven", "control": {"raven": ["b5"]}, "hand": {"raven": ["Archer"], "raven2": []}}, 4),
        ({"to_act": "raven", "hand": {"raven": ["Archer"], "wolf2": []}}, 4),
        ({"to_act": "raven", "hand": {"raven": ["Archer"]}, "board": "Four players"}, 4),
        ({"to_act": "raven", "hand": {"raven": ["Archer"]}, "board": "Two players"}, 2),
    ],
)
def test_the_board_of_a_position(mapping: dict[str, Any], count: int) -> None:
    state = game().position(mapping)
    assert seats(state) == SEATS[count]
    assert game().position(state.position()) == state
    assert "board" not in state.position()


@pytest.mark.parametrize(
    ("mapping", "field"),
    [
        ({"to_act": "fox", "hand": {"raven": ["Archer"]}}, "to_act"),
        ({"to_act": "raven2", "control": {"raven": ["z9"]}}, "control.raven[0]"),
        ({"to_act": "raven", "board": "Five players"}, "board"),
        ({"to_act": "raven", "board": ["Two players"]}, "board"),
        ({"to_act": "raven2", "board": "Two players"}, "to_act"),
        ({"to_act": "raven", "control": {"raven2": ["b5"]}}, "control"),
    ],
)
def test_a_position_on_no_board(mapping: dict[str, Any], field: str) -> None:
    with pytest.raises(PositionError) as caught:
        game().position(mapping)
    assert caught.value.field == field


# ---- a designer's own board

SMALL = """\
board: Small field
source: a test
setup: Skirmish
shape: hexes
origin: f4
rows: {d: 4-6, e: 3-6, f: 2-6, g: 2-5, h: 2-4}
seats:
  - {name: raven, team: raven, colour: blue}
  - {name: wolf, team: wolf, colour: yellow}
tags:
  location: [e3, g5, f4, d4, h4]
numbers: {markers: 3}
start:
  controller: {raven: [e3], wolf: [g5]}
"""
SKIRMISH = """\
setup: Skirmish
board: Small field
source: a test
army size: 2
fill: {card deck: card}
steps: |
  for each player in turn order, until the number of cards in its army is at least 2,
    put a random card in the card deck into its army.
  remove all cards in the card deck.
  for each player in turn order, it musters.
"""
THREE = """\
board: Three sides
source: a test
shape: hexes
origin: f4
rows: {e: 4-5, f: 3-5, g: 3-4, m: 4}
seats:
  - {name: fox, team: fox, colour: blue}
  - {name: hare, team: hare, colour: yellow}
  - {name: bear, team: bear, colour: red}
tags:
  location: [e4, g4, f5]
numbers: {markers: 2}
start:
  controller: {fox: [e4], hare: [g4], bear: [f5]}
"""
MELEE = SKIRMISH.replace("Skirmish", "Melee").replace("Small field", "Three sides")


def test_a_board_of_ones_own() -> None:
    own = game(SMALL, SKIRMISH, THREE, MELEE)
    state = own.new(seed=1, setup="Skirmish")
    assert state.variant.board.name == "Small field" and len(state.variant.board.spaces) == 19
    written = state.position()
    assert written["board"] == "Small field" and own.position(written) == state
    assert [len(army) for army in written["armies"].values()] == [2, 2]
    with pytest.raises(PositionError):
        own.position({key: value for key, value in written.items() if key != "board"})
    played(state, 1)
    assert state.outcome is not None and state.position()["board"] == "Small field"
    assert own.position(state.position()) == state


def test_a_board_for_three() -> None:
    own = game(SMALL, SKIRMISH, THREE, MELEE)
    for state in (own.new(seed=1, players=3), own.new(seed=1, setup="Melee")):
        assert seats(state) == ["fox", "hare", "bear"]
        assert "board" not in state.position() and own.position(state.position()) == state
    assert own.position({"to_act": "hare", "hand": {"hare": ["Archer"]}}).variant.board.name == "Three sides"
    assert own.new(seed=1).variant.board.name == "Two players"
    with pytest.raises(PositionError) as caught:
        own.new(players=5)
    assert "boards for 2, 3 and 4" in str(caught.value)
    played(state, 1, 300)
    assert own.position(state.position()) == state


def test_a_setup_may_name_a_number_of_its_board_alone() -> None:
    board = SMALL.replace("markers: 3", "markers: 3, guests: 2")
    setup = SKIRMISH.replace("at least 2", "at least the guests")
    state = game(board, setup).new(seed=1, setup="Skirmish")
    assert [len(army) for army in state.position()["armies"].values()] == [2, 2]


def test_a_setup_without_its_board() -> None:
    with pytest.raises(PositionError) as caught:
        game(SKIRMISH).new(setup="Skirmish")
    assert caught.value.field == "setup" and "Small field" in str(caught.value)


def test_a_board_without_a_setup() -> None:
    with pytest.raises(PositionError) as caught:
        game(THREE).new(players=3)
    assert caught.value.field == "setup" and "Three sides" in str(caught.value)


def test_every_shipped_setup_is_known_here() -> None:
    shipped = {document.name for document in game().library.of_kind("setup")}
    assert shipped == {*DRAFTS, *DEALT, *BATTLES}
