"""Possible failures after the end of an option are tried natively, too: hooks before events, and texts of documents."""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import Any

from lockstep_support import checked_library, put, same_options

import warchest
from warchest.native.compiled import NativeGame

DECREES = ["Enlist", "Guard", "March", "Redeploy", "Reinforce", "Sacrifice", "Spy", "Encore", "Levy", "Sortie"]
NAMES = ["Scout", "Archer", "Knight", "Herald", "Pikeman", "Cavalry", "Bellman", "Toller", "Censor", "Prior"]
COUNT = 300 if os.environ.get("NATIVE_ALL") else 120
"""In how many positions the options are compared; NATIVE_ALL=1 takes more."""
SPACES = ["e4", "f4", "f5", "e5", "g4", "d4", "g5", "f6", "e6", "e2", "e3"]


def crowd(rng: Random) -> dict[str, Any]:
    """A position with some units close together, in which decrees can mostly not be carried out, or just so."""
    names, spaces = rng.sample(NAMES, 6), rng.sample(SPACES, 6)
    if rng.random() < 0.3 and "Prior" not in names:
        names[0] = "Prior"
    units = [
        {"at": space, "unit": name, "owner": ("raven", "wolf")[number % 2], "coins": rng.choice((1, 1, 2))}
        for number, (space, name) in enumerate(zip(spaces, names, strict=True))
        if rng.random() < 0.8
    ]
    held = {place: [name for name in names[0::2] if rng.random() < 0.3] for place in ("supply", "box", "discard")}
    prior, other = [one for one in names[0::2] if one == "Prior"], [names[1]] if rng.random() < 0.5 else []
    return {
        "to_act": "raven",
        "initiative": "raven",
        "units": units,
        "control": {"raven": [one for one in ("e2", "h1") if rng.random() < 0.5]},
        "hand": {"raven": ["Royal Coin", *prior], "wolf": other},
        "supply": {"raven": held["supply"]},
        "box": {"raven": held["box"]},
        "decrees": [{"name": name} for name in sorted(rng.sample(DECREES, 3))],
    }


def test_decrees_are_on_offer_that_can_be_carried_out(further_game: warchest.Game) -> None:
    game = further_game
    library = checked_library(game.position(crowd(Random(0))).variant)
    natively, offered, seen = NativeGame(library), Counter[str](), Counter[str]()
    for seed in range(COUNT):
        position = crowd(Random(seed))
        state = game.position(position)
        assert state.decision is not None
        put(natively, state)
        # Decrees that proclaim decrees go deep, and there is room for that.
        assert not natively.why, (seed, natively.why)
        same_options(natively, state)
        seen.update(one["name"] for one in position["decrees"])
        offered.update({one.data["decree"] for one in state.decision.options if one.data.get("decree")})
    assert all(0 < offered[name] for name in DECREES), offered
    assert sum(offered[name] < seen[name] for name in DECREES) > 6
