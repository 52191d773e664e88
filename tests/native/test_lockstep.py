"""Whole games in both machines: memory, stack, options in order, chance weights and deciders are the same."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from edges import card, small, standing
from exploring import checked, contest, sanitizer
from lockstep_support import Seen, checked_library, native_for, play_both, put, same_standing

from loaded import load_once
from warchest.bots import bot_named, drive
from warchest.game.native_games import successors
from warchest.game.turn_successors import frontier
from warchest.native.compiled import NativeGame, Standing

SETUPS = [
    ("war-chest", "Random armies"),
    ("war-chest", "Gaugamela"),
    ("war-chest", "Draft"),
    ("war-chest", "Four players random"),
    ("unigames", "Alternate reveal"),
    ("unigames", "Conjurers"),
]
SEEDS, CAP = ((3, 7, 12, 30), 400) if os.environ.get("NATIVE_ALL") else ((3,), 100)
"""The games that are played, and how many decisions of each; NATIVE_ALL=1 plays more."""


@pytest.mark.parametrize(("name", "setup"), SETUPS)
@pytest.mark.parametrize("favourite", ["control", ""])
def test_both_machines_play_the_same_game(name: str, setup: str, favourite: str) -> None:
    beginning, library = native_for(name, setup)
    game, seen = NativeGame(library), Seen()
    for seed in SEEDS:
        state = beginning.begin(seed)
        state.silent = True
        play_both(game, state, Random(seed), CAP, seen, favourite)
    assert seen.decisions > 60 and seen.options > 300


@pytest.mark.parametrize(("name", "setup"), SETUPS)
def test_the_native_machine_goes_on_from_anywhere(name: str, setup: str) -> None:
    beginning, library = native_for(name, setup)
    game, seen, rng = NativeGame(library), Seen(), Random(5)
    state = beginning.begin(5)
    state.silent = True
    for _ in range(CAP):
        if state.decision is None:
            break
        same_standing(game, state, put(game, state), seen)
        state.apply(state.decision.sample(rng))


TURNER = ("your left neighbour becomes the active player.", "move.")
"""The tactic of a unit that changes the game before there is a choice."""


def test_changes_by_a_text_are_undone_when_its_options_are_listed(tmp_path: Path) -> None:
    """The unit maneuvers by an answer: nothing else has changed then, and its tactic is one of the options."""
    answers = "attribute: |\n  after this moves, it maneuvers.\n"
    state = small(tmp_path, more=card("Turner", *TURNER) + answers).position(standing({"c3": "Turner"}, ["Turner"] * 2))
    state.silent, seen = True, Seen()
    play_both(NativeGame(checked_library(state.variant)), state, Random(1), 20, seen)
    assert seen.decisions == 20


def test_playouts_end_as_games_do() -> None:
    beginning, library = native_for("war-chest", "Random armies")
    given = beginning.prepared().memory, beginning.setup.name, "control", 1000, range(4, 204)
    rows = library.playouts(*given)
    assert sum(row.standing is Standing.OVER for row in rows) > 100
    assert {row.winner for row in rows if row.standing is Standing.OVER} == {0, 1}
    assert all(row.standing is not Standing.LOST and row.decisions <= 1000 for row in rows)
    assert library.playouts(*given) == rows


@pytest.mark.parametrize(
    ("name", "setup", "moves"), [("war-chest", "Random armies", (45, 100)), ("unigames", "Alternate reveal", (60,))]
)
def test_turn_successors_are_as_many(name: str, setup: str, moves: tuple[int, ...]) -> None:
    beginning, library = native_for(name, setup)
    for count in moves:
        rng, state = Random(count), beginning.begin(count)
        state.silent = True
        for _ in range(count):
            assert state.decision is not None
            state.apply(state.decision.sample(rng))
        game = NativeGame(library)
        put(game, state)
        for depth in (1, 2) if name == "war-chest" else (1,):
            assert successors(game, state.variant, depth) == len(frontier(state, depth))


def test_turn_successors_at_the_end_of_a_game_are_as_many() -> None:
    beginning, library = native_for("war-chest", "Random armies")
    bots = dict.fromkeys(("raven", "wolf"), bot_named("policy-c", load_once("war-chest")))
    state = beginning.begin(4)
    count = drive(state, bots, Random(4))
    assert state.outcome is not None
    game = NativeGame(library)
    put(game, state)
    assert successors(game, state.variant, 2) == len(frontier(state, 2)) == 1
    state = beginning.begin(4)
    drive(state, bots, Random(4), count - 2)
    put(game, state)
    further = frontier(state, 2)
    assert any(one.outcome is not None for one in further)
    assert successors(game, state.variant, 2) == len(further)


def test_the_checked_build_finds_nothing() -> None:
    """Sanitizers are active, and everything that is undone is compared with its former state."""
    if sanitizer() is None:
        pytest.skip("the compiler brings no sanitizers")
    _, library = native_for("war-chest", "Random armies")
    seeds, games = range(6), contest("war-chest", "Random armies", 300)
    told = checked("war-chest", games, seeds)
    assert told == games.played(library, seeds)
    assert all(len(one) > 2 for one in told)
