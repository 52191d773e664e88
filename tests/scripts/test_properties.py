"""Scripts that are written from games: what is so passes, what is not fails, whatever was played."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import settings
from scripts_support import game, holds, run, stops

from warchest import State

FIGURES = {
    "Foot": "3/4/5",
    "Guard": "2/6/3 Protection(1)",
    "Archer": "2/3/3 Missile(2/4)",
    "Witch": "1/3/4 Boost(+1A)",
    "Dancer": "2/3/4 Escape",
    "Brute": "4/5/3 Backlash(1)",
}
SQUARES = [f"{file}{rank}" for file in "bcdefg" for rank in "3456"]


def opening(seed: int) -> str:
    """Six figures on squares in the middle, three a side."""
    rng = Random(seed)
    squares = rng.sample(SQUARES, len(FIGURES))
    return "".join(
        f"P{number % 2 + 1} {name}@{square}{rng.choice('nesw')} {sheet}\n"
        for number, ((name, sheet), square) in enumerate(zip(FIGURES.items(), squares, strict=True))
    )


def told(figure: dict[str, Any]) -> list[str]:
    """The possible statements about a figure in a position."""
    return [
        f"@{figure['at']}{figure['facing']}",
        f"dmg {figure['damage']}",
        f"stun {figure['stun']}",
        "disabled" if figure["disabled"] else "ready",
        f"ctrl {figure['controller']}",
        f"def {figure['defense'] - figure['damage']}",
    ]


def so(state: State) -> list[str]:
    """The possible statements about a state, one line each."""
    position = state.position()
    lines = [f"= {figure['name']} {' '.join(told(figure))}" for figure in position["figures"]]
    if state.outcome is not None:
        return [*lines, "= draw" if position["winner"] is None else f"= winner {position['winner']}"]
    return [*lines, f"= active {position['turn']} actions {position['actions_left']} ongoing"]


def orders(state: State, rng: Random) -> list[str]:
    """Lines that may be possible: a path, a rest, an ability or the end of the turn, of any figure there."""
    position = state.position()
    names = [figure["name"] for figure in position["figures"]]
    own = [figure["name"] for figure in position["figures"] if figure["controller"] == position["turn"]]
    who, whom = rng.choice(own or names), rng.choice(names)
    path = " ".join(rng.choice(["F", "F", "F", "L", "R", "F!"]) for _ in range(rng.randint(1, 4)))
    tried = [
        f"move {who} {path}",
        f"rest {who}",
        f"react {who}",
        f"missile {who} -> {whom}",
        f"boost {who} -> {whom}",
        f"move {who} F F",
    ]
    return [*rng.sample(tried, 4), "end"]


ORDERS = 3 if settings().max_examples <= 40 else 6
"""The orders that a game is played for: each is tried with all lines before it, so that twice as many take four times
as long."""


@pytest.mark.parametrize("seed", range(6))
def test_a_line_is_carried_out_or_refused_and_assertions_of_a_state_hold(seed: int) -> None:
    rng, script = Random(seed), opening(seed)
    state = holds(script)
    for _ in range(ORDERS):
        for order in orders(state, rng):
            done, refused = run(f"{script}> {order}"), run(f"{script}! {order}")
            assert (done.finding is None) != (refused.finding is None), order
            if done.finding is None:
                assert done.state is not None
                script += f"> {order}\n"
                state = done.state
                break
            assert refused.state == state
        holds(script + "\n".join(so(state)))
        if state.outcome is not None:
            break
    assert "\n> move" in script or "\n> missile" in script or "\n> boost" in script, "too little was possible"


@pytest.mark.parametrize("seed", range(4))
def test_wrong_assertions_do_not_hold(seed: int) -> None:
    rng, script = Random(seed), opening(seed)
    figures = holds(script).position()["figures"]
    figure = rng.choice(figures)
    wrong = [
        f"@{'a8' if figure['at'] != 'a8' else 'b8'}",
        f"dmg {figure['damage'] + 1}",
        f"stun {figure['stun'] + 1}",
        "ready" if figure["disabled"] else "disabled",
        "ctrl None",
        f"def {figure['defense'] + 1}",
        "captured",
        f"atk {figure['attack'] + 1}",
        f"move {figure['move'] + 1}",
    ]
    for said in wrong:
        name, line, column = stops(f"{script}= {figure['name']} {said}")
        assert (name, line, column) == ("wrong-assertion", len(FIGURES) + 1, len(figure["name"]) + 4), said


@pytest.mark.parametrize("seed", range(3))
def test_a_script_leads_where_its_position_would(seed: int) -> None:
    """A script builds the state that its position describes."""
    state = holds(opening(seed))
    assert game().position(state.position()) == state
