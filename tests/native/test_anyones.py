"""Texts that do the same whichever equal unit carries them out: both machines list an option with them once."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from lockstep_support import Seen, checked_library, play_turn

from loaded import shipped
from machine.machine_support import card, offered, position
from warchest.native.compiled import NativeGame

MANY = "the limit of this is 3."
CARDS = (
    card("Multi", tactic="for each own Multi in any order, it may move.\nrecruit.", attribute=MANY),
    card("Lone", tactic="draw a coin, then put that coin into your hand.", attribute=MANY),
    card("Pick", tactic="choose an enemy unit. that unit loses a coin.", attribute=MANY),
    card("Self", tactic="choose an enemy unit. that unit loses a coin, then this may move.", attribute=MANY),
    card("Beside", tactic="choose an enemy unit adjacent to this. that unit loses a coin.", attribute=MANY),
    card("Last", tactic="end the game.", attribute=f"{MANY}\nto use a coin: this may maneuver."),
)
ENEMIES = "wolf Scout f6 2, wolf Archer c4 2"
HANDS: dict[str, Any] = {"supply": {"raven": ["Lancer"]}, "bag": {"raven": ["Lancer", "Ensign"]}}


def there(name: str, *others: str) -> dict[str, Any]:
    """Return a position with three units of a card."""
    units = ", ".join((f"{name} f5", f"{name} g3 2", f"{name} e6", ENEMIES, *others))
    return position(units, f"{name}, Royal Coin") | HANDS


PLACES = [
    *(there(name) for name in ("Multi", "Lone", "Pick", "Self", "Beside", "Last")),
    position("Last f5, Last g3, wolf Scout f6 2", "Last, Last, Royal Coin"),
    position("Footman f5, Footman g3, wolf Scout f6 2", "Footman"),
    position("Footman f5 2, Footman g3, wolf Scout f6 2, Berserker f4 2", "Footman, Royal Coin"),
    position("Footman c4, Footman f6, Scout d4, Cavalry c5, Archer d3", "Footman, Royal Coin"),
]


def test_both_machines_list_them_once() -> None:
    game, seen = shipped("war-chest", *CARDS), Seen()
    native = NativeGame(checked_library(game.position(PLACES[0]).variant))
    for place in PLACES:
        for seed in range(8):
            play_turn(native, game.position(place), Random(seed), seen)
    assert seen.decisions > len(PLACES) * 8


@pytest.mark.parametrize(("name", "count"), [("Lone", 1), ("Pick", 2), ("Self", 6), ("Beside", 2)])
def test_a_text_without_this_is_the_same_for_equal_units(name: str, count: int) -> None:
    state = shipped("war-chest", *CARDS).position(there(name))
    assert len(offered(state, act="tactic")) == count


@pytest.mark.parametrize(("others", "count"), [((), 13), (("Berserker h5 2",), 13), (("wolf Hook h5 2",), 26)])
def test_first_steps_of_two_units_are_listed_twice_only_if_a_text_asks(others: tuple[str, ...], count: int) -> None:
    """They are listed twice only where a text asks whose tactic it is."""
    hook = card("Hook", attribute="after an enemy unit maneuvers, that unit loses a coin.")
    cards = [hook] if "Hook" in str(others) else []
    units = ", ".join(("Footman g3", "Footman f5", *others))
    state = shipped("war-chest", *cards).position(position(units, "Footman"))
    found = offered(state, act="tactic")
    assert len(found) == count
    steps = {(one.get("each", one["unit"]), one["then"], one.get("to"), one.get("location")) for one in found}
    assert len(steps) == 13
    if count == 13:
        assert not any("each" in one for one in found)
