"""Setting up the second game: squads of any size that has room, placed in turns, with any facing."""

from __future__ import annotations

from collections import Counter

import pytest
from machine_support import comes_back, take

from loaded import shipped
from warchest import PositionError, State

IMP, SPEAR, GHOUL = "Goblin Imp", "Dwarf Spear", "Kotharian Ghoul"


def begun(first: list[str], second: list[str]) -> State:
    """Begin a game of two squads."""
    return shipped("unigames").new(seed=1, armies={"P1": first, "P2": second})


def who(state: State) -> str | None:
    """Return who decides."""
    assert state.decision is not None
    return state.decision.player


def offered(state: State, act: str) -> bool:
    """Whether an act is among the options."""
    assert state.decision is not None
    return any(one.data["act"] == act for one in state.decision.options)


def placed(state: State) -> State:
    """Place everything, taking the first option."""
    while state.decision is not None and not state.position()["actions_left"]:
        state.apply(state.decision.options[0])
    return state


def test_a_figure_is_placed_on_any_square_at_home_with_any_facing() -> None:
    """R3."""
    state = begun([SPEAR], [GHOUL])
    assert state.decision is not None
    ways = [one.data for one in state.decision.options if one.data["act"] == "station"]
    assert Counter(one["direction"] for one in ways) == dict.fromkeys("nesw", 16)
    assert {one["to"] for one in ways} == {f"{file}{rank}" for file in "abcdefgh" for rank in (1, 2)}
    take(state, act="station", to="c2", direction="w")
    (figure,) = state.position()["figures"]
    assert (figure["at"], figure["facing"], figure["disabled"], figure["acted"]) == ("c2", "w", False, False)


@pytest.mark.parametrize("moment", [0, 1, 2])
def test_the_chest_is_placed_at_any_turn_of_its_owner_and_counts_as_one(moment: int) -> None:
    """R4."""
    state = begun([IMP, IMP], [GHOUL, GHOUL])
    for turn in range(3):
        assert who(state) == "P1" and offered(state, "plant") is (turn <= moment)
        assert offered(state, "station") is (turn < 2 or moment < 2)
        if turn == moment:
            take(state, act="plant", to="a1")
        else:
            take(state, act="station", to=f"{'bcd'[turn]}1", direction="n")
        assert who(state) == "P2"
        comes_back(state)
        assert state.decision is not None
        state.apply(state.decision.options[0])
    assert state.position()["chests"]["P1"] == "a1" and len(state.position()["figures"]) == 4


def test_a_player_without_figures_left_waits_while_the_other_places_the_rest() -> None:
    state = begun([IMP, IMP, IMP], [])
    order = []
    while not state.position()["actions_left"]:
        assert state.decision is not None
        order.append(state.decision.player)
        state.apply(state.decision.options[0])
    assert order == ["P1", "P2", "P1", "P1", "P1"]
    assert state.position()["opening"] and state.position()["actions_left"] == 1


@pytest.mark.parametrize("size", [0, 1, 15])
def test_a_squad_is_of_none_to_fifteen_figures(size: int) -> None:
    """R39: its home has room for fifteen beside the chest."""
    state = placed(begun([IMP] * size, [GHOUL]))
    told = state.position()
    assert len(told["figures"]) == size + 1 and set(told["chests"]) == {"P1", "P2"}
    assert told["pools"]["P1"].get("generic", 0) == 48 - 3 * size
    assert state.outcome is None


def test_a_player_without_a_figure_passes_its_turns_and_has_not_lost() -> None:
    """R39, R33."""
    state = placed(begun([], [GHOUL]))
    assert state.outcome is None and who(state) in ("P1", "P2")


def test_a_squad_that_its_home_has_no_room_for_is_refused() -> None:
    """R39."""
    with pytest.raises(PositionError) as caught:
        begun([IMP] * 16, [GHOUL])
    assert caught.value.field == "armies.P1" and "15" in str(caught.value)
