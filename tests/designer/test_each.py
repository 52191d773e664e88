"""A plain sentence about each of some things, and `other` beside `another`."""

from __future__ import annotations

import pytest

from machine.machine_support import card, coins, game, offered, player, position, refused, take

UNITS = "Probe f4 2, Archer e4 2, wolf Scout f5 3, wolf Knight c4 2"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("each unit adjacent to this loses a coin.", {"e4": 1, "f5": 2}),
        ("each adjacent enemy unit loses a coin.", {"f5": 2}),
        ("each enemy unit loses a coin.", {"f5": 2, "c4": 1}),
        ("each friendly unit loses a coin.", {"f4": 1, "e4": 1}),
        ("each other friendly unit loses a coin.", {"e4": 1}),
        ("each of your other units loses a coin.", {"e4": 1}),
        ("for each other friendly unit, it loses a coin.", {"e4": 1}),
        ("choose an enemy unit adjacent to this. each other unit adjacent to that unit loses a coin.", {}),
        ("each unit adjacent to this loses a coin, then this loses a coin.", {"f4": 1, "e4": 1, "f5": 2}),
        ("if no other friendly unit is adjacent to this, this loses a coin.", {}),
        ("if no other enemy unit is adjacent to this, this loses a coin.", {}),
        ("if the number of other friendly units is 1, this loses a coin.", {"f4": 1}),
    ],
)
def test_each_of_some_things_does_it(text: str, left: dict[str, int]) -> None:
    state = game(card("Probe", tactic=text)).position(position(UNITS, "Probe"))
    take(state, act="tactic")
    assert coins(state) == {"f4": 2, "e4": 2, "f5": 3, "c4": 2, **left}


def test_each_may_take_an_offer_or_leave_it() -> None:
    probe = card("Probe", tactic="each of your units may move, then that unit loses a coin.")
    state = game(probe).position(position("Probe f4 2, Archer e4 2", "Probe"))
    take(state, act="tactic", then="decline", unit="f4")
    assert player(state) == "raven" and offered(state, act="decline") and offered(state, act="move")
    take(state, act="move", to="f3")
    assert coins(state) == {"e4": 2, "f3": 1}


def test_each_player_is_asked_in_turn_order() -> None:
    decree = card("Gift", kind="decree", effect="each player may draw a coin, then put that coin into its hand.")
    state = game(decree).position(
        position(
            "",
            "Royal Coin, Archer",
            "Royal Coin, Scout",
            decrees=[{"name": "Gift"}],
            bag={"raven": ["Archer"], "wolf": ["Scout"]},
        )
    )
    take(state, act="proclaim")
    assert player(state) == "raven"
    take(state, act="decline")
    assert player(state) == "wolf"


@pytest.mark.parametrize(
    ("text", "finding", "help"),
    [
        ("all adjacent units lose a coin.", "number-of-things", "`each adjacent unit …`"),
        ("choose an enemy unit. each adjacent unit attacks it.", "ambiguous-it", "that"),
        ("choose any friendly unit. each adjacent unit loses a coin in its bag.", "ambiguous-it", "that"),
        ("another other unit moves.", "says-nothing", "leave it out"),
    ],
)
def test_ambiguous_texts_are_found(text: str, finding: str, help: str) -> None:
    (found,) = refused(card("Probe", tactic=text))
    assert found.name == finding and help in found.help


@pytest.mark.parametrize(
    "text",
    [
        "move one of your other units to a space adjacent to it.",
        "choose an enemy unit. move another friendly unit. that enemy unit loses a coin.",
        "move another friendly unit, then each adjacent enemy unit loses a coin.",
        "choose another friendly unit. move another friendly unit.",
    ],
)
def test_a_unit_is_chosen_to_move(text: str) -> None:
    there = position("Probe f4, Archer e4 2, Knight g3, wolf Scout f5 3", "Probe")
    state = game(card("Probe", tactic=text)).position(there)
    found = {one.get("chosen") or one.get("chosen 2") for one in offered(state, act="tactic")}
    assert found and "f4" not in found


@pytest.mark.parametrize(
    "text",
    [
        "each player moves one of their units.",
        "each player may move one of their units, then it draws a hand.",
        "for each player in turn order, it moves one of its units, then it draws a hand.",
    ],
)
def test_players_move_their_units(text: str) -> None:
    game(card("Gift", kind="decree", effect=text))
