"""Boards on which ways are longer than 255 steps, and spaces that no way leads to: both machines distinguish these."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from native_support import skirmish_on_squares

import warchest
from machine.machine_support import offered
from warchest.bots.greedy import Greedy
from warchest.game.valuation import Valuation, Weight
from warchest.lint.wc_lint import findings_in
from warchest.lowering.board import FAR, Board
from warchest.picture import style_of
from warchest.source.limits import MAX_DIGITS, MAX_SPACES

LANES, LENGTH = 15, 40
"""The lanes of a way that goes up one and down the next but one; a lane between has one space, at one end."""
BEGIN, NEAR, AT_255, END, ISLAND = "a1", "l1", "m10", "o1", "q1"
STEPS = {NEAR: 245, AT_255: 255, END: 326}
"""The number of steps from the beginning of the way to some of its spaces; no way leads to the island."""
LIMITS = {"Ape": 254, "Bee": 255, "Cow": 300, "Dog": 326, "Elk": 9999, "Fox": 999_999_999}
EXACT = {"Gnu": 255, "Hen": 326, "Ibex": 10_000}


def lanes() -> str:
    """Return the lanes of the way, each with its first and its last row, and the island."""
    rows = ((1, LENGTH), (LENGTH, LENGTH), (1, LENGTH), (1, 1))
    way = (f"{chr(ord('a') + number)}: {low}-{high}" for number in range(LANES) for low, high in (rows[number % 4],))
    return f"{', '.join(way)}, q: 1-1"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> warchest.Game:
    tests = {name: f"within {number} spaces of this" for name, number in LIMITS.items()}
    tests |= {name: f"exactly {number} spaces away" for name, number in EXACT.items()}
    cards = ""
    for name, far in tests.items():
        tactic = f"if an enemy unit is on a space {far}, move." if name in LIMITS else f"attack a unit {far}."
        cards += f"---\nunit: {name}\ncoins: 4\nsource: a test\ntactic: |\n  {tactic}\n"
    return skirmish_on_squares(
        tmp_path_factory.mktemp("far"),
        lanes(),
        ("markers: 3", "markers: 9"),
        ("origin: c3", "origin: a1"),
        ("[a3, e3, c1, c5, c3]", f"[{BEGIN}, {AT_255}, {END}, {ISLAND}]"),
        ("{raven: [a3], wolf: [e3]}", f"{{raven: [{BEGIN}], wolf: [{END}]}}"),
        more=cards,
    )


def place(name: str, at: str) -> dict[str, Any]:
    return {
        "to_act": "raven",
        "hand": {"raven": [name], "wolf": ["Guard"]},
        "control": {"raven": [BEGIN]},
        "units": [{"at": BEGIN, "unit": name, "owner": "raven"}, {"at": at, "unit": "Guard", "owner": "wolf"}],
    }


def test_no_number_of_steps_means_that_there_is_no_way(game: warchest.Game) -> None:
    state = game.position(place("Ape", END))
    assert {at: state.board.distance(BEGIN, at) for at in (*STEPS, ISLAND)} == {**STEPS, ISLAND: None}
    directions = max(len(Board("", shape, (), ()).steps) for shape in ("hexes", "squares"))
    # Ways along which pieces turn are longest.
    assert FAR > MAX_SPACES * directions and 10**MAX_DIGITS <= FAR < 2**31 - 1


@pytest.mark.usefixtures("compiled_for_tests")
@pytest.mark.parametrize("name", [*LIMITS, *EXACT])
def test_conditions_on_long_ways(game: warchest.Game, name: str) -> None:
    for at in (*STEPS, ISLAND):
        state = game.position(place(name, at))
        native = state.clone()
        assert native.play_natively() == "" and native.native
        steps = STEPS.get(at)
        fits = steps is not None and (steps <= LIMITS[name] if name in LIMITS else steps == EXACT[name])
        # Where the condition does not hold, the tactic may be used, and does nothing.
        done = [[one for one in offered(each, act="tactic") if len(one) > 3] for each in (state, native)]
        assert [bool(one) for one in done] == [fits, fits], at


@pytest.mark.usefixtures("compiled_for_tests")
@pytest.mark.parametrize(("held", "steps"), [((BEGIN,), 255), ((BEGIN, AT_255), 326), ((BEGIN, AT_255, END), 0)])
def test_bots_take_long_ways_for_ways(game: warchest.Game, held: tuple[str, ...], steps: int) -> None:
    data = {**place("Ape", END), "control": {"raven": list(held)}}
    state = game.position({**data, "units": data["units"][:1]})
    bot = Greedy([Weight(-1, pieces="units", toward="location", unless="control")], style_of(game.library))
    native = state.clone()
    assert native.play_natively() == ""
    assert bot.worth(state, "raven") == -steps
    assert isinstance(bot.valuation(state.variant), Valuation)
    # The first option is the same on both machines, and so is its worth.
    assert list(bot.worths(native)) == list(bot.worths(state))
    assert min(bot.worths(state)) >= -steps - 1


def test_an_exact_distance_beyond_the_longest_way_is_a_finding(game: warchest.Game) -> None:
    """A space that no way leads to makes no way longer."""
    found = [one for one in findings_in([Path(game.folder)], f"{game.folder}/") if one.name == "never-so"]
    assert [one.message for one in found] == [
        "no space is `exactly 10000 spaces away`: the longest way on a board is 326 spaces"
    ]
