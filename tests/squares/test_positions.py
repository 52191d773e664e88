"""Positions of the second game that cannot be: they are refused by the field that is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from squares_support import CHESTS, game

import warchest

WITCH = {"name": "Bandit Hypnotist", "at": "d4", "owner": "P1", "facing": "n", "disabled": True}
FOES = [
    {"name": "Dwarf Spear", "at": "d5", "owner": "P2", "facing": "s"},
    {"name": "Dwarf Elder", "at": "e5", "owner": "P2", "facing": "s"},
]
HOLDS = [{"kind": "mind-control", "by": "Bandit Hypnotist", "on": one["name"]} for one in FOES]


def position(**keys: Any) -> warchest.State:
    """Return the state in which two enemies face a Mind Controller."""
    return game().position({"turn": "P1", "chests": CHESTS, "figures": [WITCH, *FOES], **keys})


@pytest.mark.parametrize(
    ("field", "said", "wrong"),
    [
        (
            "links[1].by",
            "Bandit Hypnotist upholds 2 links of the kind mind-control then, and 1 is the most",
            {"links": HOLDS},
        ),
        (
            "figures[1].controller",
            "`links` makes it P1",
            {"links": HOLDS[:1], "figures": [WITCH, {**FOES[0], "controller": "P2"}]},
        ),
        ("actions_left", "7 is too much; 2 is the most", {"actions_left": 7}),
        ("links[0].upon", "no such key", {"links": [{**HOLDS[0], "upon": "d5"}]}),
        (
            "figures[0].counters.lingring",
            "no such key; did you mean `lingering`?",
            {"figures": [{**FOES[0], "counters": {"lingring": 1}}]},
        ),
        ("sheets[0].atack", "no such key; did you mean `attack`?", {"sheets": [{"name": "Ghost", "atack": 1}]}),
    ],
)
def test_impossible_values_are_refused_by_their_field(field: str, said: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(warchest.PositionError) as caught:
        position(**wrong)
    assert (caught.value.field, str(caught.value)) == (field, f"{field}: {said}")


@pytest.mark.parametrize("said", [{}, {"controller": "P1"}])
def test_a_link_determines_the_controller_by_default(said: dict[str, str]) -> None:
    state = position(links=HOLDS[:1], figures=[WITCH, {**FOES[0], **said}])
    assert [one["controller"] for one in state.position()["figures"]] == ["P1", "P1"]
    assert game().position(state.position()) == state


def test_a_position_that_says_it_is_irregular_is_not_refused_and_says_so_again() -> None:
    state = position(links=HOLDS, irregular=True)
    assert state.position()["irregular"] is True and len(state.position()["links"]) == 2
    assert game().position(state.position()) == state


def test_a_position_that_is_regular_does_not_say_otherwise() -> None:
    assert "irregular" not in position(irregular=True).position()


def test_several_pieces_of_a_kind_have_a_list_of_spaces() -> None:
    state = position(chests={"P1": ["a1", "b1"], "P2": "h8"})
    assert state.position()["chests"] == {"P1": ["a1", "b1"], "P2": "h8"}
    with pytest.raises(warchest.PositionError, match=r"chests\.P1\[1\]: there is no space 'x9'"):
        position(chests={"P1": ["a1", "x9"]})
