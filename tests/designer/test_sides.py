"""Whom `another` leaves out, from where distances count, and whose side words are said from."""

from __future__ import annotations

from pathlib import Path

import pytest

from linted import lint_text
from machine.machine_support import card, game, offered, position, take

ANOTHER = "another friendly unit"


# ---- whom `another` leaves out


@pytest.mark.parametrize(("attribute", "at", "answers"), [
    (f"after an enemy unit attacks {ANOTHER}, this may move.", "f4", False),
    (f"after an enemy unit attacks {ANOTHER}, this may move.", "e4", True),
    (f"after {ANOTHER} is attacked, this may move.", "f4", False),
    (f"after {ANOTHER} is attacked, this may move.", "e4", True),
    (f"after an enemy unit attacks a unit adjacent to {ANOTHER}, this may move.", "f4", True),
    (f"after an enemy unit attacks a unit adjacent to {ANOTHER}, this may move.", "e4", False),
    (f"after an enemy unit attacks a unit, if {ANOTHER} is bolstered, this may move.", "f4", False),
])  # fmt: skip
def test_another_leaves_out_the_card_itself_in_an_event(attribute: str, at: str, answers: bool) -> None:
    units = (
        "Probe f4 3, Scout e4 2, wolf Cavalry e5" if "if" not in attribute else "Probe f4 3, wolf Cavalry e5"
    )
    state = game(card("Probe", attribute=attribute)).position(
        position(units, "Royal Coin", "Cavalry", to_act="wolf")
    )
    take(state, act="attack", target=at)
    assert bool(offered(state, act="decline")) == answers


@pytest.mark.parametrize(("restriction", "targets"), [
    (f"a unit cannot attack {ANOTHER}.", {"f4"}),
    (f"an enemy unit cannot attack a unit adjacent to {ANOTHER}.", {"e4"}),
    (f"a unit cannot attack while {ANOTHER} is bolstered.", set()),
    (f"{ANOTHER} cannot attack.", {"f4", "e4"}),
])  # fmt: skip
def test_another_leaves_out_the_card_itself_in_a_prohibition(restriction: str, targets: set[str]) -> None:
    state = game(card("Probe", restriction=restriction)).position(
        position("Probe f4, Scout e4 2, wolf Cavalry e5", "Royal Coin", "Cavalry", to_act="wolf")
    )
    assert {one["target"] for one in offered(state, act="attack")} == targets


def test_another_leaves_out_the_card_itself_in_a_permission() -> None:
    probe = card("Probe", attribute=f"a friendly unit may attack a target adjacent to {ANOTHER}.")
    state = game(probe).position(position("Probe f4, Scout c4, wolf Cavalry d4, wolf Archer f5", "Scout"))
    assert {one["target"] for one in offered(state, act="attack")} == {"d4"}


def test_in_an_order_to_another_piece_that_one_is_left_out_too() -> None:
    state = game(card("Lord", tactic="choose another unit. that unit attacks another unit.")).position(
        position("Lord f4, Scout e4, wolf Archer e5", "Lord")
    )
    assert {one["target"] for one in offered(state, act="tactic", chosen="e4")} == {"e5"}
    swapping = card("Lord", tactic="choose another unit. that unit swaps places with another unit.")
    state = game(swapping).position(position("Lord f4, Scout e4, wolf Archer e5", "Lord"))
    found = offered(state, act="tactic", chosen="e4")
    assert found and all("e4" not in str({**one, "chosen": "", "unit": ""}) for one in found)


@pytest.mark.parametrize("text", [
    f"after an enemy unit attacks {ANOTHER}, this may move.", f"a unit cannot attack {ANOTHER}.",
])  # fmt: skip
def test_no_word_is_idle_where_another_leaves_out_the_card(text: str, tmp_path: Path) -> None:
    assert not lint_text(tmp_path, card("Probe", attribute=text))


# ---- from where distances count


@pytest.mark.parametrize(("event", "at", "answers"), [
    ("before an adjacent unit is attacked", "e4", True),
    ("before an adjacent unit is attacked", "c4", False),
    ("before a unit within 2 spaces of this is attacked", "e4", True),
    ("before an own unit exactly 3 spaces away is attacked", "c4", True),
    ("before an own unit exactly 3 spaces away is attacked", "e4", False),
])  # fmt: skip
def test_where_nobody_acts_a_distance_is_measured_from_the_card(event: str, at: str, answers: bool) -> None:
    probe = card("Probe", attribute=f"{event}, this may move.")
    state = game(probe).position(
        position("Probe f4, Scout e4 2, Archer c4 2, wolf Cavalry d4", "Royal Coin", "Cavalry", to_act="wolf")
    )
    take(state, act="attack", target=at)
    assert bool(offered(state, act="decline")) == answers
