"""What can fail behind the end of an option is tried natively, too: hooks before events, and texts of documents."""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import Any

import pytest
from lockstep_support import checked_library, put

import warchest
from warchest.native.library import NativeGame, NativeLibrary

DECREES = ["Enlist", "Guard", "March", "Redeploy", "Reinforce", "Sacrifice", "Spy", "Encore", "Muster", "Sortie"]
CARDS = {
    "decree: Encore": "effect: |\n  proclaim a decree in the court.",
    "decree: Muster": "effect: |\n  recruit.\n  you may recruit.\n  recruit.",
    "decree: Sortie": "effect: |\n  choose a friendly unit. that unit moves.\n"
                      "  choose a friendly unit on a location you control. the second unit attacks.",
    "unit: Crier": "attribute: |\n  before you proclaim, this moves if able.",
    "unit: Toller": "attribute: |\n  before you proclaim, put a coin in your supply into your discard if able.",
    "unit: Prior": "attribute: |\n  before you proclaim a decree by the tactic of this,\n"
                   "    put a new seal of the type of the decree into your chancery.\n"
                   "tactic: |\n  this moves to an adjacent space. proclaim a decree in the court.",
    "unit: Censor": "attribute: |\n  when an opponent would proclaim a decree,\n"
                    "    you may put a coin in this into your box instead.",
}  # fmt: skip
NAMES = ["Scout", "Archer", "Knight", "Herald", "Pikeman", "Cavalry", "Crier", "Toller", "Censor", "Prior"]
COUNT = 150 if os.environ.get("NATIVE_ALL") else 60
"""In how many positions the options are compared; NATIVE_ALL=1 takes more."""
SPACES = ["e4", "f4", "f5", "e5", "g4", "d4", "g5", "f6", "e6", "e2"]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> warchest.Game:
    folder = tmp_path_factory.mktemp("cards")
    for number, (name, text) in enumerate(CARDS.items()):
        coins = "coins: 4\n" if name.startswith("unit") else ""
        (folder / f"{number}.yaml").write_text(f"{name}\n{coins}source: a test\n{text}\n", encoding="utf-8")
    return warchest.load("war-chest", extra=[folder])


@pytest.fixture(scope="module")
def library(game: warchest.Game) -> NativeLibrary:
    return checked_library(game.position(crowd(Random(0))).variant)


def crowd(rng: Random) -> dict[str, Any]:
    """A position with some units close together, in which decrees can mostly not be carried out, or just so."""
    names, spaces = rng.sample(NAMES, 6), rng.sample(SPACES, 6)
    if rng.random() < 0.3 and "Prior" not in names:
        names[0] = "Prior"
    units = [{"at": space, "unit": name, "owner": ("raven", "wolf")[number % 2], "coins": rng.choice((1, 1, 2))}
             for number, (space, name) in enumerate(zip(spaces, names, strict=True)) if rng.random() < 0.8]  # fmt: skip
    held = {place: [name for name in names[0::2] if rng.random() < 0.3] for place in ("supply", "box", "discard")}
    prior, other = [one for one in names[0::2] if one == "Prior"], [names[1]] if rng.random() < 0.5 else []
    return {
        "to_act": "raven", "initiative": "raven", "units": units,
        "control": {"raven": [one for one in ("e2", "h1") if rng.random() < 0.5]},
        "hand": {"raven": ["Royal Coin", *prior], "wolf": other},
        "supply": {"raven": held["supply"]}, "box": {"raven": held["box"]},
        "decrees": [{"name": name} for name in sorted(rng.sample(DECREES, 3))],
    }  # fmt: skip


def test_decrees_are_on_offer_that_can_be_carried_out(game: warchest.Game, library: NativeLibrary) -> None:
    natively, offered, seen = NativeGame(library), Counter[str](), Counter[str]()
    names = {number: name for name, number in library.acts.items()} | {0: ""}
    for seed in range(COUNT):
        position = crowd(Random(seed))
        state = game.position(position)
        assert state.decision is not None
        put(natively, state)
        options = [(one.path.taken, one.act) for one in state.decision.options]
        assert options == [(one.taken, names[one.act]) for one in natively.options]
        seen.update(one["name"] for one in position["decrees"])
        offered.update({one.data["decree"] for one in state.decision.options if one.data.get("decree")})
    assert all(0 < offered[name] for name in DECREES)
    assert sum(offered[name] < seen[name] for name in DECREES) > 6
