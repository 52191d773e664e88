"""Limits: both machines count alike, and start again at the same moments."""

from __future__ import annotations

import os
from random import Random
from typing import Any

from lockstep_support import Seen, checked_library, play_turn

from loaded import shipped
from machine.machine_support import card
from warchest.native.compiled import NativeGame

BOX = "you may put a coin in your supply of the type of this into your box"
CARDS = (
    card("Duelist", attribute="once a round, after this attacks, it may attack again."),
    card("Runner", tactic="once a turn, move.\neither move, or attack once a game."),
    card("Warder", attribute=f"once a round, when this would lose a coin, {BOX} instead."),
    card("Slinger", attribute="once a round, this may attack a target exactly 2 spaces away."),
    card("Drummer", attribute="up to two times a round per player, after a friendly unit moves, this may move."),
    card("Beadle", attribute="an enemy unit adjacent to this cannot move more than once a round."),
    card("Warlock", tactic="choose an enemy unit. that unit cannot attack until your next turn."),
    card("Keg", tactic="at the start of your next turn, each unit adjacent to this loses a coin; this may move."),
    card("Spotter", tactic="until the end of the round, this may attack a target exactly 2 spaces away. attack."),
    card("Hush", tactic="until the end of the round, an enemy unit cannot move to a space adjacent to this."),
    card("Sidler", attribute="once a round, after this attacks, if it is bolstered, it may move."),
    card("Skirter", attribute="once a turn, after this moves, it attacks if able."),
    card("Crouch", tactic="either attack once a round, or until the end of the round, no unit can attack this."),
    card("Edict", kind="action", rules="no unit can attack more than two times a round."),
    card("Toll", kind="action", rules="a unit cannot move more than three times a round per player."),
)
NAMES = (
    "Duelist",
    "Runner",
    "Warder",
    "Slinger",
    "Drummer",
    "Beadle",
    "Warlock",
    "Keg",
    "Spotter",
    "Hush",
    "Sidler",
    "Skirter",
    "Crouch",
)
SPACES = ("f3", "f4", "f5", "e5", "e4", "g4", "d5")
COUNT = 200 if os.environ.get("NATIVE_ALL") else 25
"""The number of positions; NATIVE_ALL=1 takes more."""


def position(rng: Random) -> dict[str, Any]:
    """Return a position with units beside each other, and coins for a round."""
    names, spaces = rng.sample(NAMES, 6), rng.sample(SPACES, 6)
    owners = {name: "raven" if number % 2 else "wolf" for number, name in enumerate(names)}
    stacks = [
        {"at": space, "unit": name, "owner": owners[name], "coins": rng.choice((1, 2))}
        for name, space in zip(names, spaces, strict=True)
    ]
    own = {player: [name for name in names if owners[name] == player] for player in ("raven", "wolf")}
    return {
        "to_act": "raven",
        "initiative": "raven",
        "units": stacks,
        "hand": own,
        "bag": {player: list(held) for player, held in own.items()},
        "supply": {player: held[:1] for player, held in own.items()},
    }


def test_both_machines_count_alike() -> None:
    game, seen = shipped("war-chest", *CARDS), Seen()
    native = NativeGame(checked_library(game.position(position(Random(0))).variant))
    told = {"used": 0, "lasting": 0}
    for seed in range(COUNT):
        rng, state = Random(seed), game.position(position(Random(seed)))
        for _ in range(10):
            if state.decision is not None:
                play_turn(native, state, rng, seen)
                for key in told:
                    told[key] += key in state.position()
    assert seen.decisions > COUNT and min(told.values()) > COUNT // 2
