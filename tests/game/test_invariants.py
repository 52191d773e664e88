"""The invariants of every state of every game of War Chest: each game is played once for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from game_support import game
from invariants import IN_DUELS, INVARIANTS
from modes_support import SEATS, TEAM, TEAMS, Duel, Walk, turned

from oracle.state import ALL_COUNTS
from seeds import quick, seeds
from warchest import State
from watching import Invariant, Moment, is_mid_effect, watch

USUAL = {2: (0, 1, 2), 4: (1, 2, 4)}
"""The seeds of the usual run, by the number of players: all clauses act in these games that act in the first five."""
WALKS = {players: [Walk(players, seed) for seed in seeds(5, f"{players} players", USUAL[players])] for players in SEATS}
DUELS = [Duel(seed) for seed in seeds(16, "duel", range(8))]


@pytest.mark.parametrize("walk", [*(one for walks in WALKS.values() for one in quick(walks, 1)), *quick(DUELS, 4)])
def test_all_invariants_hold(walk: Walk | Duel) -> None:
    assert watch(walk, IN_DUELS if isinstance(walk, Duel) else INVARIANTS) > 1


# ---- that all this is no idle test


def test_a_broken_invariant_is_named_and_the_others_are_still_checked() -> None:
    seen: Counter[str] = Counter()

    def the_turn_is_low(moment: Moment, rng: Any) -> None:
        seen["low"] += 1
        assert moment.step < 5

    def there_are_options(moment: Moment, rng: Any) -> None:
        seen["there"] += 1
        assert moment.options

    def it_is_early(moment: Moment, rng: Any) -> None:
        raise ValueError("late")

    watched = [Invariant(the_turn_is_low), Invariant(there_are_options), Invariant(it_is_early, last=True)]
    with pytest.raises(ExceptionGroup, match="duel, seed 3: 2 of 3 invariants are broken") as caught:
        watch(Duel(3), watched)
    assert [(type(one), one.__notes__) for one in caught.value.exceptions] == [
        (AssertionError, ["broken: the turn is low; duel, seed 3, step 5"]),
        (ValueError, ["broken: it is early; duel, seed 3, step 40"]),
    ]
    assert seen == {"low": 6, "there": 41}


def lost(position: dict[str, Any]) -> dict[str, Any]:
    """Return a position from whose bags a coin is missing."""
    for bag in position["bag"].values():
        del bag[:1]
    return position


def told(view: dict[str, Any], state: State) -> dict[str, Any]:
    """Return a view with all hands."""
    return {**view, "hand": state.position()["hand"]}


FAULTS: dict[str, tuple[type, str, Callable[[Any], Any], set[str]]] = {
    "a copy that is none": (State, "clone", lambda real: lambda self: self, {"a clone is independent"}),
    "positions that lose coins": (
        State,
        "position",
        lambda real: lambda self: lost(real(self)) if self.turn % 5 == 4 else real(self),
        {"coins are conserved"},
    ),
    "views that tell of hands": (
        State,
        "view",
        lambda real: lambda self, player: told(real(self, player), self),
        {"a view tells no more than lengths", "hidden coins do not show"},
    ),
    "an option that is taken whatever it is": (
        State,
        "apply",
        lambda real: lambda self, option: real(self, 0 if option == -1 else option),
        {"a wrong index is refused"},
    ),
    "a log that is handed out itself": (
        State,
        "log",
        lambda real: property(lambda self: self.__dict__.setdefault("kept", real.fget(self))),
        {"what is handed out is a copy"},
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of, name, spoil, wanted = FAULTS[fault]
    monkeypatch.setattr(of, name, spoil(getattr(of, name)))
    found: set[str] = set()
    for duel in DUELS:
        if wanted <= found:
            break
        try:
            watch(duel, [one for one in INVARIANTS if one.name in wanted])
        except ExceptionGroup as broken:
            found |= {note.split(": ")[1].split(";")[0] for one in broken.exceptions for note in one.__notes__}
    assert wanted <= found


OFTEN = {"built": 1, "razed": 3, "won": 3, "mid effect": 50, "draft": 1}
RICH = {2: (3, 6, 9, 10, 13), 4: (6, 8, 14)}
"""The seeds of games that come first, by the number of players, because the rarest is met in them."""


def test_all_units_decrees_and_ends_occur() -> None:
    """Among such games as those above are all units, all decrees, forts that are built and razed, and ends of games."""
    decrees, seen = {one.name for one in game().library.of_kind("decree")}, Counter[str]()
    assert decrees
    rich = [Walk(players, seed) for players in SEATS for seed in RICH[players]]
    for walk in dict.fromkeys(rich + [Walk(players, seed) for players in SEATS for seed in range(15)]):
        forts: set[str] | None = None
        for number, state in enumerate(walk.states()):
            seen["mid effect"] += seen["mid effect"] < 50 and is_mid_effect(state)
            if number % 3 and state.outcome is None:
                continue
            position = state.position()
            seen.update({unit["unit"] for unit in position["units"]})
            if forts is not None:
                seen["built"] += bool(set(position["forts"]) - forts)
                seen["razed"] += bool(forts - set(position["forts"]))
            forts = set(position["forts"])
        seen.update(decree["name"] for decree in position["decrees"] if decree["seals"])
        seen["won"] += state.outcome is not None and bool(state.outcome.winners)
        seen["draft"] += walk.seed % 5 == 1
        missing = (decrees | set(ALL_COUNTS)) - set(seen)
        if not missing and all(seen[what] >= least for what, least in OFTEN.items()):
            return
    pytest.fail(f"{seen} and no {missing}")


def test_members_of_a_team_sit_opposite_each_other() -> None:
    assert [TEAM[player] for player in SEATS[4]] == 2 * TEAMS
    assert turned({"winner": "wolf", "to_act": "wolf"}, 4) == {"winner": "raven", "to_act": "raven2"}
