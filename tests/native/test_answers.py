"""Answers and rounds in tight places: both machines offer the same at each decision of a turn."""

from __future__ import annotations

import os
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from lockstep_support import Seen, checked_library, play_turn

from loaded import shipped
from machine.machine_support import card
from oracle.hemmed import PAIRS, hemmed_position
from warchest.native.compiled import NativeGame

FILLS = "choose an empty space adjacent to that unit, then put this onto that space"
ORDERS = "choose a friendly unit 0-2 spaces away. that unit maneuvers."
CARDS = (
    card("Ra", tactic="attack.\nmove."),
    card("Legate", tactic="recruit.\nmove."),
    card("Leaver", attribute="after you recruit, this may move."),
    card("Filler", attribute=f"after an enemy unit attacks, {FILLS}."),
    card("Offerer", attribute=f"after an enemy unit attacks, you may {FILLS}."),
    card(
        "Shield",
        attribute="when an adjacent friendly unit would lose a coin, you may put a coin in this into your box instead.",
    ),
    card("Wall", attribute="when this would lose a coin, put a coin in this into your box instead."),
    card("Warlord", tactic=ORDERS),
    card("Captain", tactic=ORDERS),
    card("Winner", attribute="after this attacks a unit, you become the owner of that unit."),
    card(
        "Charmer",
        tactic="choose an adjacent unit. the left neighbour of its owner becomes its owner, then that unit maneuvers.",
    ),
    card(
        "Asker",
        attribute="after this moves, if an enemy unit can attack this, this may move. otherwise, if this "
        "cannot attack, draw a coin, then put that coin into your hand.",
        tactic="choose an adjacent unit. if that unit can move or attack, that unit maneuvers. otherwise, if this "
        "can move, this moves.",
    ),
    card(
        "Deserter",
        attribute="when this would lose a coin, your left neighbour becomes the owner of this instead.\n"
        "before this moves, your right neighbour becomes the owner of this, then you discard a "
        "coin in your hand if able.",
    ),
    card("Yielder", attribute="when an enemy unit would attack this, that unit may move instead."),
    card("Fury", attribute="when this attacks an enemy unit adjacent to this, this attacks that unit."),
    card("Turncoat", attribute="when you would claim the initiative, you may recruit instead."),
    card("Sleeper", attribute="at the start of the turn of an opponent, this loses a coin."),
    card("Fetcher", attribute="at the start of your turn, put a coin in your supply into your hand."),
    card("Riser", attribute="at the start of your turn, this may move."),
    card("Watch", attribute="before an enemy unit adjacent to this maneuvers, that unit loses a coin."),
    card("Avenger", attribute="before an enemy unit falls, this attacks if able."),
)
SAVING = (
    card("Mover", attribute="when this would fall, move instead."),
    card(
        "Phoenix",
        attribute="when this would fall, you may put a coin in your supply of the type of this into this instead.",
    ),
    card(
        "Medic",
        attribute="when an adjacent friendly unit would fall, you may put a coin in this into that unit instead.",
    ),
    card("Stone", attribute="when this would fall, do nothing instead."),
    card("Watcher", attribute="after a friendly unit falls, this may move."),
    card("Reaper", tactic="choose an adjacent unit. remove that unit."),
    card("Saver", attribute="when another friendly unit would fall, remove this instead."),
)
"""Units that keep others from falling, or try to."""
NAMES = (
    "Ra",
    "Legate",
    "Leaver",
    "Filler",
    "Offerer",
    "Shield",
    "Wall",
    "Warlord",
    "Captain",
    "Berserker",
    "Yielder",
    "Fury",
    "Turncoat",
    "Watch",
    "Sleeper",
    "Riser",
    "Fetcher",
    "Avenger",
)
TAKERS = ("Winner", "Charmer", "Deserter", "Asker")
CORNERS = (("c7", "c6", "d6", "d7", "d5", "e5", "e6"), ("f7", "f6", "e7", "g6", "f5", "e6", "g5"))
COUNT = 300 if os.environ.get("NATIVE_ALL") else 60
"""The number of positions of each kind; NATIVE_ALL=1 takes more."""


def crowded(rng: Random) -> dict[str, Any]:
    """Return a position with units packed into a corner; one of them can use its tactic."""
    spaces, names = list(rng.choice(CORNERS)), rng.sample(NAMES, 7)
    if rng.random() < 0.5:
        names.sort(key=lambda name: name not in ("Ra", "Warlord", "Legate"))
    units: list[dict[str, Any]] = []
    for number, (space, name) in enumerate(zip(spaces, names, strict=True)):
        if not number or rng.random() < 0.85:
            owner, coins = "raven" if number % 3 == 0 else "wolf", rng.choice((1, 1, 2))
            units.append({"at": space, "unit": name, "owner": owner, "coins": coins})
    return {
        "to_act": "raven",
        "units": units,
        "hand": {"raven": [names[0]], "wolf": ["Royal Coin"]},
        "supply": {"raven": ["Scout"]},
    }


def taken_over(rng: Random) -> dict[str, Any]:
    """Return a position with units that make others, or themselves, change sides."""
    position = crowded(rng)
    for one, name in zip(position["units"], rng.sample(TAKERS, len(TAKERS)), strict=False):
        if not any(other["unit"] == name for other in position["units"]):
            one["unit"] = name
    first = next(one["unit"] for one in position["units"] if one["owner"] == "raven")
    return {**position, "hand": {"raven": [first], "wolf": ["Royal Coin"]}}


@pytest.mark.parametrize("made", [crowded, taken_over])
def test_ordered_answers_offers_and_rounds(made: Callable[[Random], dict[str, Any]]) -> None:
    game, seen = shipped("war-chest", *CARDS), Seen()
    native = NativeGame(checked_library(game.position(made(Random(0))).variant))
    for seed in range(COUNT):
        for again in range(3):
            play_turn(native, game.position(made(Random(seed))), Random(again), seen)
    assert seen.decisions > COUNT


def saving(rng: Random) -> dict[str, Any]:
    """Return a position with units side by side that keep each other from falling."""
    names = rng.sample([one.split("\n")[0].removeprefix("unit: ") for one in SAVING] + ["Cavalry"], 6)
    owners = [rng.choice(("raven", "wolf")) for _ in names]
    units = [
        {"at": at, "unit": name, "owner": owner, "coins": rng.choice((1, 1, 2))}
        for at, name, owner in zip(("e4", "f4", "f5", "g4", "e5", "f3"), names, owners, strict=True)
    ]
    own = {
        side: [name for name, owner in zip(names, owners, strict=True) if owner == side] or ["Royal Coin"]
        for side in ("raven", "wolf")
    }
    return {
        "to_act": "raven",
        "units": units,
        "hand": {side: some[:3] for side, some in own.items()},
        "supply": {side: some[:1] for side, some in own.items() if some != ["Royal Coin"]},
    }


def test_units_kept_from_falling_have_coins() -> None:
    game, seen = shipped("war-chest", *SAVING), Seen()
    native = NativeGame(checked_library(game.position(saving(Random(0))).variant))
    for seed in range(COUNT):
        state = game.position(saving(Random(seed)))
        for _ in range(3):
            play_turn(native, state, Random(seed), seen)
            if state.decision is not None and state.turn > 1 and not state.decision.is_chance:
                assert all(one["coins"] for one in state.position()["units"])
    assert seen.decisions > COUNT


def test_shipped_units_without_room() -> None:
    game, seen, known = shipped(), Seen(), dict[Any, NativeGame]()
    for seed in range(COUNT):
        state = game.position(hemmed_position(Random(seed), PAIRS[seed % len(PAIRS)]))
        if state.variant not in known:
            known[state.variant] = NativeGame(checked_library(state.variant))
        for again in range(3):
            play_turn(known[state.variant], state.clone(), Random(again), seen)
    assert seen.decisions > COUNT
