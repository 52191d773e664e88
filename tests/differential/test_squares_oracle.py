"""The second game against its oracle in tests/squares_oracle, written from the rulebook alone: figures without abilities."""

from __future__ import annotations

from random import Random

import pytest

from loaded import shipped
from seeds import seeds
from squares_oracle.random_positions import beginning, from_data, random_position, to_data
from squares_oracle.rules import Position, successors, turn_successors
from warchest import State
from warchest.game import turn_successors as played

POSITIONS = seeds(
    80,
    "squares oracle",
    usual=(3, 4, 33, 58, 67, 72, 82, 89, 103, 118, 136, 140, 147, 150, 158, 175, 181, 183, 198, 199),
)
"""Seeds of positions. The usual ones were chosen from two hundred: with few ends of a turn, each sort of attack, way back,
recovery and end of the game happens in several of them."""
GAMES = seeds(8, "squares oracle games", usual=(3, 12))
"""Seeds of games; the usual two end with a war chest taken and with a draw."""
BATCHES = 2
ACTIONS = 80
"""The Actions after which a game is left."""


def told(state: State) -> Position:
    """Return the position of a state; whether the turn before was waived it does not tell, but a draw does."""
    return from_data(state.position())


def silent(positions: set[Position]) -> set[Position]:
    """Return positions as states tell them."""
    return {one._replace(waived=False) for one in positions}


def check_turn(state: State, position: Position) -> list[State]:
    """Check that the package and the oracle find the same ends of a turn, and return them."""
    ends = played.turn_successors(state)
    found, wanted = [told(one) for one in ends], silent(turn_successors(position))
    missing, extra = sorted(wanted - set(found), key=str), sorted(set(found) - wanted, key=str)
    assert not missing and not extra, (
        f"{len(missing)} missing, {len(extra)} too many from\n{position}\n"
        f"missing: {[*missing, 'none'][0]}\ntoo many: {[*extra, 'none'][0]}"
    )
    return ends


def is_between_actions(state: State) -> bool:
    """Whether an Action can begin, or the turn end, or whether the game is over."""
    return state.decision is None or any(one.data["act"] == "desist" for one in state.decision.options)


def act(state: State, rng: Random) -> None:
    """Let the package play the first Action of a turn by chance, or now and then none."""
    assert state.decision is not None
    *begin, desist = state.decision.options
    state.apply(desist if not begin or rng.random() < 0.1 else rng.choice(begin))
    while not is_between_actions(state):
        assert state.decision is not None
        state.apply(rng.choice(state.decision.options))


def finish(state: State, position: Position, rng: Random) -> State:
    """Return one of the ends of a turn with one Action left: who can win does so."""
    ends = check_turn(state, position)
    return next((one for one in ends if one.outcome is not None), rng.choice(ends))


@pytest.mark.parametrize("batch", range(BATCHES))
def test_turns(batch: int) -> None:
    for seed in POSITIONS[batch::BATCHES]:
        position = random_position(Random(seed))
        state = shipped("unigames").position(to_data(position))
        assert told(state) == position
        check_turn(state, position)


@pytest.mark.parametrize("seed", GAMES)
def test_games(seed: int) -> None:
    rng = Random(seed)
    position = beginning(rng)
    state = shipped("unigames").position(to_data(position))
    for _ in range(ACTIONS):
        if position.actions_left == 1:
            state = finish(state, position, rng)
        else:
            act(state, rng)
        (position,) = (one for one in successors(position) if silent({one}) == {told(state)})
        if position.over:
            break
    assert position.over is (state.outcome is not None)
