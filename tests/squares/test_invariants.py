"""The invariants of every game of the second game, with any figures: each game is played once for all of them."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

import pytest
from squares_support import SQUADS
from test_figures import FIGURES

from loaded import shipped
from seeds import quick, seeds
from warchest import Decision, State
from watching import Invariant, Moment, Seeded, collected, kept, the_same_options_make_the_same_game, watch

LIMIT = 48
COUNTERS = {"Goblin Imp", "Dwarf Barricade"}
"""The figures that abilities create."""
INVARIANTS: list[Invariant] = []


@dataclass(frozen=True)
class Battle(Seeded):
    """A random game of the usual squads, or of two of any figures but counters, within the limit; settled by a seed."""

    kind = "battle"
    cap: int = 180
    """About thirty decisions are those of the placement."""

    def squads(self) -> dict[str, list[str]]:
        """Return the squads; every third game has the usual ones."""
        rng = Random(self.seed)
        return SQUADS if self.seed % 3 == 2 else {player: squad(rng) for player in ("P1", "P2")}

    def start(self) -> State:
        """Return its first state."""
        return shipped("unigames").new(seed=self.seed, armies=None if self.squads() is SQUADS else self.squads())

    def choose(self, decision: Decision, rng: Random) -> int:
        """Return the index of the option that is taken: a turn that is given away leads nowhere."""
        acting = [index for index, one in enumerate(decision.options) if one.data["act"] != "desist"]
        return rng.choice(acting or range(len(decision.options)))


def squad(rng: Random) -> list[str]:
    """Return a squad of up to eight figures."""
    chosen: list[str] = []
    for name in rng.choices(sorted(FIGURES.keys() - COUNTERS), k=rng.randint(1, 8)):
        if sum(FIGURES[one].values["cost"] for one in (*chosen, name)) <= LIMIT:
            chosen.append(name)
    return chosen


@pytest.mark.parametrize("battle", quick([Battle(seed) for seed in seeds(6, "battle", range(4))], 2))
def test_all_invariants_hold(battle: Battle) -> None:
    assert watch(battle, INVARIANTS) > 1


invariant = partial(collected, INVARIANTS)
"""Lets a function be one of the invariants."""


def is_placed(moment: Moment) -> bool:
    """Whether the placement is over."""
    return bool(moment.position["actions_left"]) or moment.decision is None


def profiles(told: dict[str, Any]) -> Counter[str]:
    """How many of each sheet are on the board, as corpses, and in the collections."""
    lying = [name for names in told["collection"].values() for name in names]
    return Counter([one["name"] for one in told["figures"]] + [one["of"] for one in told["corpses"]] + lying)


@invariant()
def figures_are_conserved(moment: Moment, rng: Random) -> None:
    """No figure gets lost, and none appears except created ones."""
    if is_placed(moment):
        there = profiles(moment.position)
        squads = moment.walk.squads()
        assert {name: count for name, count in there.items() if name not in COUNTERS} == Counter(
            [*squads["P1"], *squads["P2"]]
        )


@invariant()
def a_square_takes_one_figure_or_a_mount_and_its_rider(moment: Moment, rng: Random) -> None:
    told = moment.position
    if "pending" in told and moment.decision is not None and moment.decision.options[-1].data["act"] != "desist":
        return
    here: dict[str, list[str]] = {}
    for one in told["figures"]:
        form = one["name"] if one["form"] == "base" else one["form"]
        here.setdefault(one["at"], []).append(form)
    for square, forms in here.items():
        bears = {ability for form in forms for ability in FIGURES[form].values.get("abilities", ())}
        assert len(forms) == 1 or (len(forms) == 2 and "Mount" in bears), (square, forms)
    # A figure that reaches a chest wins.
    assert moment.decision is None or not set(here) & set(told["chests"].values())


@invariant(looks=5)
def where_nothing_is_hidden_there_is_nothing_to_deal(moment: Moment, rng: Random) -> None:
    """Only the owner has more of the hidden things of a squad, and they are in one place."""
    for player in ("P1", "P2"):
        assert moment.state.determinize(player, rng) == moment.state


@invariant()
def values_stay_in_their_bounds(moment: Moment, rng: Random) -> None:
    """No figure gains Defense, and none is on the board without Defense."""
    for one in moment.position["figures"]:
        assert one["damage"] >= 0 and one["stun"] >= 0
        assert min(one["counters"].values()) >= 0


@invariant()
def acts_leave_no_trace(moment: Moment, rng: Random) -> None:
    """Between two Actions no value of an act is left, and no field that lasts until an act is over."""
    if moment.decision is None or moment.decision.options[-1].data["act"] != "desist":
        return
    fields, told = moment.state.variant.program.ruleset.fields, moment.position.get("pending", {}).get("fields", {})
    ending = {one.name for one in fields if one.act >= 0 or one.lasts_for}
    assert ending and ending.isdisjoint(name.rpartition(" of ")[0] or name for name in told)


@invariant()
def links_end_when_they_must(moment: Moment, rng: Random) -> None:
    """A figure that upholds an effect is disabled and on the board, and so is its target."""
    told = moment.position
    names = Counter(one["name"] for one in told["figures"])
    for link in told["links"]:
        assert names[link["by"].split("@")[0]] and names[link["on"].split("@")[0]]
        holders = [one for one in told["figures"] if one["name"] == link["by"].split("@")[0]]
        assert any(one["disabled"] for one in holders)


for law, share in {"saved": 24.0, "words": math.inf, "refused": 3.0, "views": 3.0, "symmetry": 3.0}.items():
    invariant(looks=share)(kept(law))


@invariant()
def labels_are_short(moment: Moment, rng: Random) -> None:
    if moment.decision is not None:
        assert all(len(option.label) < 80 for option in moment.decision.options)


invariant(last=True)(the_same_options_make_the_same_game)
