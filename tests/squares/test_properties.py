"""What holds in every game of the second game, whatever figures play it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_figures import FIGURES

import warchest
from warchest import Game, State

LIMIT, CHOICES = 48, 150
COUNTERS = {"Goblin Imp", "Dwarf Barricade"}
"""What abilities bring into the game from nowhere."""


@cache
def game() -> Game:
    return warchest.load("unigames")


@st.composite
def squads(draw: st.DrawFn) -> list[str]:
    """A squad within the limit, of any figures that are no counters."""
    chosen: list[str] = []
    for name in draw(st.lists(st.sampled_from(sorted(FIGURES.keys() - COUNTERS)), min_size=1, max_size=8)):
        if sum(FIGURES[one].values["cost"] for one in (*chosen, name)) <= LIMIT:
            chosen.append(name)
    return chosen


def played(seed: int, first: list[str], second: list[str], choices: int = CHOICES) -> list[State]:
    """The states of a game played at random, at each decision behind the placement."""
    rng = Random(seed)
    state = game().new(seed=seed, armies={"P1": first, "P2": second})
    seen = []
    while state.decision is not None and len(seen) < choices:
        if state.position()["actions_left"]:
            seen.append(state.clone())
        # A turn that is given away leads nowhere.
        acting = [one for one in state.decision.options if one.data["act"] != "desist"]
        state.apply(rng.choice(acting or list(state.decision.options)))
    return [*seen, state]


def profiles(state: State) -> Counter[str]:
    """How many of each sheet are on the board, as corpses, and in the collections."""
    told = state.position()
    lying = [name for names in told["collection"].values() for name in names]
    return Counter([one["name"] for one in told["figures"]] + [one["of"] for one in told["corpses"]] + lying)


games = given(st.integers(0, 1 << 30), squads(), squads())
few = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))


@few
@games
def test_figures_are_conserved(seed: int, first: list[str], second: list[str]) -> None:
    """Nobody gets lost, and nobody comes from nowhere but what is created."""
    wanted = Counter([*first, *second])
    for state in played(seed, first, second):
        there = profiles(state)
        assert {name: count for name, count in there.items() if name not in COUNTERS} == wanted


@few
@games
def test_a_square_takes_one_figure_or_a_mount_and_its_rider(seed: int, first: list[str], second: list[str]) -> None:
    for state in played(seed, first, second):
        told = state.position()
        if "pending" in told and state.decision is not None and state.decision.options[-1].data["act"] != "desist":
            continue
        here: dict[str, list[str]] = {}
        for one in told["figures"]:
            form = one["name"] if one["form"] == "base" else one["form"]
            here.setdefault(one["at"], []).append(form)
        for square, forms in here.items():
            bears = {ability for form in forms for ability in FIGURES[form].values.get("abilities", ())}
            assert len(forms) == 1 or (len(forms) == 2 and "Mount" in bears), (square, forms)
        assert not set(here) & set(told["chests"].values())


@few
@games
def test_values_stay_in_their_bounds(seed: int, first: list[str], second: list[str]) -> None:
    """Nobody has more Defense than there was, and nobody is on the board with none of it left."""
    for state in played(seed, first, second):
        for one in state.position()["figures"]:
            assert one["damage"] >= 0 and one["stun"] >= 0
            assert min(one["counters"].values()) >= 0


@few
@games
def test_links_end_when_they_must(seed: int, first: list[str], second: list[str]) -> None:
    """Whoever upholds something is disabled and on the board, and so is what it is upheld on."""
    for state in played(seed, first, second):
        told = state.position()
        names = Counter(one["name"] for one in told["figures"])
        for link in told["links"]:
            assert names[link["by"].split("@")[0]] and names[link["on"].split("@")[0]]
            holders = [one for one in told["figures"] if one["name"] == link["by"].split("@")[0]]
            assert any(one["disabled"] for one in holders)


@few
@games
def test_positions_come_back(seed: int, first: list[str], second: list[str]) -> None:
    for state in played(seed, first, second, 40)[::4]:
        again = game().position(state.position())
        assert again == state and again.position() == state.position()
        if state.decision is not None and again.decision is not None:
            assert [one.data for one in again.decision.options] == [one.data for one in state.decision.options]
