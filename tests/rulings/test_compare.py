"""Differences of positions: a line for each part that differs, and no line for equal positions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from loaded import shipped
from warchest.rulings.compare import agree, differences

SHAPES = shipped("unigames").document.values["position"]


def figure(at: str, name: str, **further: Any) -> dict[str, Any]:
    return {"at": at, "name": name, "owner": "P1", **further}


FIGURES = some.lists(
    some.builds(figure, some.sampled_from("abc"), some.sampled_from("XY"), damage=some.integers(0, 2)), max_size=5
)


@given(FIGURES, FIGURES)
def test_differences_of_lists_are_reported_if_and_only_if_there_are_any(expected: list[Any], actual: list[Any]) -> None:
    lines = differences({"figures": expected}, {"figures": actual}, shapes=SHAPES)
    assert bool(lines) == (not agree(expected, actual))
    assert len(lines) <= len(expected) + len(actual) and all(len(line) < 80 for line in lines)


TOKENS = some.lists(some.sampled_from("ABC"), max_size=8)


@given(some.dictionaries(some.sampled_from(["up", "down"]), TOKENS), some.dictionaries(some.just("up"), TOKENS))
def test_differences_between_possessions_of_players_are_reported(
    expected: dict[str, Any], actual: dict[str, Any]
) -> None:
    lines = differences({"pile": {"P1": expected}}, {"pile": {"P1": actual}}, shapes=SHAPES)
    assert bool(lines) == (not agree(expected, actual)) and all(line.startswith("pile.P1") for line in lines)


@pytest.mark.parametrize(
    ("expected", "actual", "told"),
    [
        (
            [figure("g2", "Shield", damage=2), figure("a1", "Imp")],
            [figure("a1", "Imp"), figure("g2", "Shield", damage=3)],
            ["g2 Shield: damage expected 2, it is 3"],
        ),
        ([figure("g2", "Shield", damage=2)], [figure("g2", "Shield")], ["g2 Shield: damage expected 2, it is 0"]),
        ([figure("g2", "Shield")], [figure("g3", "Shield")], ["g2 Shield: at expected g2, it is g3"]),
        ([figure("g2", "Shield")], [figure("g2", "Imp")], ["g2 Shield: name expected Shield, it is Imp"]),
        ([figure("g2", "Shield")], [], ["g2 Shield is expected, but it is not there"]),
    ],
)
def test_items_are_called_by_place_and_name(expected: list[Any], actual: list[Any], told: list[str]) -> None:
    lines = differences({"figures": expected}, {"figures": actual}, shapes=SHAPES)
    assert lines == [f"figures: {one}" for one in told]


def test_only_differences_of_long_lists_are_reported() -> None:
    lines = differences({"hand": {"P1": list("AAAAB")}}, {"hand": {"P1": list("AAAAC")}})
    assert lines == ["hand.P1: B is expected, but it is not there", "hand.P1: C is there, but it is not expected"]
