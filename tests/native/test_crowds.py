"""Boards with room for more than 32 pieces: both machines play them alike, with batches, searches and take-backs, too."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from lockstep_support import Seen, checked_library, play_both
from native_support import skirmish_on_squares

import warchest
from warchest.bots import Mcts, bot_named
from warchest.game.native_games import perft
from warchest.game.turn_successors import turn_successors
from warchest.native.compiled import NativeGame
from warchest.rl import Batch
from warchest.source.limits import MAX_PIECES

pytestmark = pytest.mark.usefixtures("compiled_for_tests")
COLUMNS = "abcdefgh"
CAMPS = {"raven": [f"{column}{row}" for row in (1, 2, 3) for column in COLUMNS]}
CAMPS["wolf"] = [f"{column}{row}" for row in (7, 8, 9) for column in COLUMNS]
ALL = [f"{column}{row}" for column in COLUMNS for row in range(1, 10)]
NAMES = ("Runner", "Guard", "Chaser")
BEGIN = """steps: |
  for each player in turn order, for each location it controls,
    put a new Runner into the bag of that player,
    then put a Runner in the bag of that player onto that location as a unit of that player.
"""


def crowd(folder: Path, pieces: int = MAX_PIECES) -> warchest.Game:
    """Load the small game with 24 units of each player at the start, and room for a number of pieces."""
    camps = ", ".join(f"{player}: [{', '.join(spaces)}]" for player, spaces in CAMPS.items())
    only_one = "  you cannot deploy a coin while an own unit of the type of the coin is on a space.\n"
    return skirmish_on_squares(
        folder,
        ", ".join(f"{column}: 1-9" for column in COLUMNS),
        ("origin: c3", f"origin: a1\npieces: {pieces}"),
        ("[a3, e3, c1, c5, c3]", f"[{', '.join(ALL)}]"),
        ("{raven: [a3], wolf: [e3]}", f"{{{camps}}}"),
        ("markers: 3", "markers: 64"),
        (only_one, ""),
        ("steps: |\n  for each player in turn order,\n", f"{BEGIN}  for each player in turn order,\n"),
    )


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> warchest.Game:
    return crowd(tmp_path_factory.mktemp("crowd"))


def scattered(rng: Random) -> dict[str, Any]:
    """Return a position with 40 units or more, two coins in some of them, and coins in all hands."""
    spaces = rng.sample(ALL, rng.randrange(40, 62))
    units = [
        {"at": at, "unit": rng.choice(NAMES), "owner": rng.choice(("raven", "wolf")), "coins": rng.randrange(1, 3)}
        for at in spaces
    ]
    held = {player: [rng.choice(NAMES) for _ in range(3)] for player in ("raven", "wolf")}
    return {"irregular": True, "to_act": "raven", "units": units, "hand": held, "bag": held, "control": CAMPS}


def same(native: warchest.State, reference: warchest.State) -> None:
    """Check that two states are equal, and have the same options."""
    assert native.native and not reference.native
    assert native.pieces == reference.pieces and native.position() == reference.position()
    assert (native.decision is None) == (reference.decision is None)
    if native.decision is not None and reference.decision is not None:
        assert native.decision.keys == reference.decision.keys


def test_positions_with_many_pieces_are_played_alike(game: warchest.Game) -> None:
    seen, most, native = Seen(), 0, NativeGame(checked_library(game.position(scattered(Random(0))).variant))
    for seed in range(6):
        state = game.position(scattered(Random(seed)))
        play_both(native, state, Random(seed), 25, seen, ("attack", "deploy", "tactic")[seed % 3])
        most = max(most, state.pieces)
    assert seen.decisions > 100 and most > 50


def test_both_machines_take_back_alike(game: warchest.Game) -> None:
    rng, reference = Random(2), game.position(scattered(Random(2)))
    native = reference.clone()
    assert native.play_natively() == ""
    for _ in range(8):
        marks = native.mark(), reference.mark()
        for _ in range(rng.randrange(4)):
            assert native.decision is not None
            number = rng.randrange(native.decision.count)
            native.apply(number), reference.apply(number)
        same(native, reference)
        if rng.random() < 0.5:
            native.undo(marks[0]), reference.undo(marks[1])
            same(native, reference)
    assert list(native.log) == list(reference.log)


def test_turns_of_many_pieces_have_as_many_results(game: warchest.Game) -> None:
    begun = game.position({**scattered(Random(5)), "bag": {}})
    begun.silent = True
    assert perft(begun, 1) == len(turn_successors(begun)) > 20


def test_a_batch_plays_the_same_games(game: warchest.Game) -> None:
    batch, rng = Batch(game, 1, seed=3), np.random.default_rng(3)
    seed = batch.seed_of(0, 1)
    state, chance, most = game.new(seed=seed), Random(seed), 0
    for _ in range(30):
        while state.decision is not None and (state.decision.is_chance or state.decision.count == 1):
            state.apply(state.decision.draw(chance) if state.decision.is_chance else 0)
        assert state == batch.state(0) and state.decision is not None
        batch.step(batch.sample(rng))
        while batch.taken[0] < 0:
            batch.step(batch.sample(rng))
        state.apply(int(batch.taken[0]))
        most = max(most, state.pieces)
    assert most > 47


def test_a_search_chooses_the_same_on_either_machine(game: warchest.Game) -> None:
    bot, reference = bot_named("mcts:1", game), game.position(scattered(Random(7)))
    assert isinstance(bot, Mcts)
    bot.ahead = 1
    native = reference.clone()
    assert native.play_natively() == "" and native.native
    assert native.decision is not None and reference.decision is not None
    assert bot.choose(native, Random(4)).id == bot.choose(reference, Random(4)).id


@pytest.mark.parametrize("pieces", [32, 33, MAX_PIECES])
def test_a_board_has_room_for_as_many_pieces_as_its_document_says(tmp_path: Path, pieces: int) -> None:
    game, position = crowd(tmp_path, pieces), scattered(Random(1))
    position["units"] = [{"at": at, "unit": "Runner", "owner": "wolf"} for at in ALL[:pieces]]
    state = game.position(position)
    assert state.pieces == pieces and state.play_natively() == "" and state.pieces == pieces
    position["units"] = [{"at": at, "unit": "Runner", "owner": "wolf"} for at in ALL[: pieces + 1]]
    with pytest.raises(
        warchest.PositionError, match=f"has room for {pieces}; its document can say `pieces:`, up to 64"
    ):
        game.position(position)
