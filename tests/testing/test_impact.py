"""The weight of open questions: by positions in which another reading differs, and by games."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from warchest.cli.main import main
from warchest.testing.impact import Rate


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], loads_once: None) -> Callable[..., Any]:
    """Return a function that weighs questions, and returns its output."""

    def called(*arguments: str) -> str:
        assert main(["rulings", "--impact", "--jobs", "1", "--games", "0", *arguments]) == 0
        return capsys.readouterr().out

    return called


def test_each_reading_that_can_be_chosen_is_weighed(run: Callable[..., Any]) -> None:
    out = run("Lancer", "--positions", "4", "--seed", "7")
    assert "How far does the Lancer move in its tactic?" in out and "lancer_distance=two" in out
    assert " 1 of 4 positions" in out and "smallest: {to_act" in out and "only as taken: tactic coin=Lancer" in out


def test_the_same_seed_weighs_the_same(run: Callable[..., Any]) -> None:
    arguments = "Berserker", "--positions", "3", "--seed", "15", "--format", "json"
    first, second = (json.loads(run(*arguments)) for _ in range(2))
    assert first == second
    (told,) = first
    assert told["option"] == "berserker_coin" and told["positions"] == 3 and 0 < told["differing"] < 3


def test_a_card_without_questions_has_none(capsys: pytest.CaptureFixture[str], loads_once: None) -> None:
    assert main(["rulings", "--impact", "Nobody"]) == 2
    assert "question about" in capsys.readouterr().err
    assert main(["rulings", "--impact", "Conceding"]) == 2


def test_intervals_of_rates_depend_on_the_number_of_games() -> None:
    assert Rate(0, 0).interval == (0.0, 1.0)
    low, high = Rate(50, 100).interval
    assert 0.40 < low < 0.5 < high < 0.60
    assert Rate(500, 1000).interval[0] > low
    # Rounding leads to nothing below 0 or above 1, so that no table says `-0%`.
    assert all(f"{Rate(0, games).interval[0]:.0%}" == "0%" for games in range(1, 200))
    assert all(Rate(games, games).interval[1] <= 1 for games in range(1, 200))
