"""Hooks that are judged when an event begins, and pieces that have gone, on both machines."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from lockstep_support import Seen, checked_library, play_both

import warchest
from warchest.game.native_games import put
from warchest.native.compiled import NativeGame, Standing

SEEDS = 40 if os.environ.get("NATIVE_ALL") else 4

pytestmark = pytest.mark.usefixtures("compiled_for_tests")
CARDS = {
    "Avenger": "after an enemy unit attacks a friendly unit adjacent to this, this may attack that enemy unit.",
    "Bully": "after this attacks an unbolstered unit, this may move.\n"
    "  after this attacks, draw a coin, then use that coin.",
    "Challenger": "before this attacks, it may move.\n  when an adjacent unit attacks this, that unit loses a coin.",
    "Delver": "after one of your units is attacked, this loses a coin, then this may move.",
    "Envoy": "when an enemy unit adjacent to this attacks, this may attack.\n"
    "  after an enemy unit adjacent to this moves, this may move to the space of that unit.",
    "Firer": "after this attacks a target, for each unit adjacent to that target, it loses a coin.",
    "Guide": "when a friendly unit adjacent to this would lose a coin,\n"
    "    you may put a coin in this into your box instead.",
    "Healer": "after an enemy unit attacks a friendly unit within 2 spaces of this,\n"
    "    if a coin in your supply is of the type of that friendly unit,\n"
    "    you may put a coin in your supply of the type of that friendly unit into your bag.",
}
ARMIES = {"raven": ["Avenger", "Bully", "Challenger", "Delver"], "wolf": ["Envoy", "Firer", "Guide", "Healer"]}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> warchest.Game:
    """War Chest with the cards."""
    folder = tmp_path_factory.mktemp("hooks")
    for name, text in CARDS.items():
        card = f"unit: {name}\ncoins: 5\nsource: a test\nattribute: |\n  {text}\n"
        (folder / f"{name.lower()}.yaml").write_text(card, encoding="utf-8")
    return warchest.load("war-chest", extra=[folder])


def thrown(game: warchest.Game, rng: Random) -> warchest.State:
    """Return a state in which all the units are close together."""
    spaces = ["f4", "f5", "e5", "e4", "g4", "g3", "f3", "e6", "g5"]
    rng.shuffle(spaces)
    units = [
        {"at": spaces.pop(), "unit": name, "owner": owner, "coins": rng.choice((1, 1, 2))}
        for owner, army in ARMIES.items()
        for name in army
    ]
    return game.position(
        {
            "to_act": "raven",
            "initiative": "raven",
            "units": units,
            "armies": ARMIES,
            "hand": {owner: army[:3] for owner, army in ARMIES.items()},
            "bag": {owner: army for owner, army in ARMIES.items()},
            "supply": {owner: army for owner, army in ARMIES.items()},
        }
    )


@pytest.mark.parametrize("seed", range(SEEDS))
def test_both_machines_agree_on_lost_units(game: warchest.Game, seed: int) -> None:
    native, seen, rng = NativeGame(checked_library(game.variant())), Seen(), Random(seed)
    state = thrown(game, rng)
    state.silent = True
    play_both(native, state, rng, 60, seen, "attack")
    assert seen.decisions > 20


def test_positions_keep_lost_units(game: warchest.Game) -> None:
    gone = 0
    for seed in range(SEEDS):
        rng = Random(seed)
        state = thrown(game, rng)
        for _ in range(60):
            if state.decision is None:
                break
            position = state.position()
            again = game.position(position)
            assert again == state and again.position() == position
            assert [one.data for one in again.decision.options] == [one.data for one in state.decision.options]
            gone += "'gone'" in str(position.get("pending"))
            attacks = [one for one in state.decision.options if one.data["act"] == "attack"]
            state.apply(rng.choice(attacks or state.decision.options))
    assert gone


MUSTERER = """\
unit: Musterer
coins: 4
tactic: |
  for each player in turn order, it musters.
restriction: |
  this attacks only by its tactic.
"""
FOLLOWER = """\
unit: Follower
coins: 5
attribute: |
  after you use a Mercenary, this may maneuver.
"""


def test_an_answered_event_can_choose_in_the_middle_of_it(tmp_path: Path) -> None:
    """The frame of an answered event is below another one, which a look beyond it must not overwrite."""
    for name, text in (("musterer", MUSTERER), ("follower", FOLLOWER)):
        (tmp_path / f"{name}.yaml").write_text(f"{text}source: a test\n", encoding="utf-8")
    game = warchest.load("war-chest", extra=[tmp_path])
    native, seen = NativeGame(checked_library(game.variant())), Seen()
    for seed in range(10):
        state = game.position(
            {
                "to_act": "raven",
                "initiative": "raven",
                "units": [{"at": "g4", "unit": "Musterer", "owner": "raven", "coins": 2}],
                "hand": {"raven": ["Musterer"], "wolf": []},
                "bag": {"raven": ["Musterer"], "wolf": []},
            }
        )
        state.silent = True
        play_both(native, state, Random(seed), 8, seen, "tactic")
    assert seen.decisions > 20


def test_steps_that_lapse_for_ever_are_given_up(tmp_path: Path) -> None:
    """An impossible step is left out; natively, too, the game does not hang where that happens for ever."""
    drawing = "until the controller of its space is not nobody, draw a coin, then put that coin into your hand."
    text = f"unit: Drummer\ncoins: 5\nsource: a test\nrestriction: |\n  to draw a hand: {drawing}\n"
    (tmp_path / "drummer.yaml").write_text(text, encoding="utf-8")
    state = warchest.load("war-chest", extra=[tmp_path]).position(
        {
            "to_act": "raven",
            "initiative": "raven",
            "units": [{"at": "g4", "unit": "Drummer", "owner": "raven"}],
            "hand": {"raven": ["Drummer"], "wolf": []},
            "bag": {"raven": ["Drummer"], "wolf": ["Scout"]},
        }
    )
    rng, number = Random(1), -1
    with pytest.raises(warchest.EndlessError):
        while state.decision is not None:
            number = rng.randrange(state.decision.count)
            state.apply(number)
    native = NativeGame(checked_library(state.variant))
    assert put(native, state) == Standing.PLAYER and native.take(number) == Standing.LOST
