"""The arguments common to the commands of the kit: the notation of times, and budgets made of them."""

from __future__ import annotations

import argparse
from importlib import import_module

import pytest

from warchest.cli import common, exhaust
from warchest.cli.kit import FORMATS, add_kit_arguments, budget_of, seconds_of
from warchest.cli.main import main
from warchest.game.game import Game
from warchest.testing.budget import Budget, clock

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(("written", "seconds"), [("60s", 60), ("2m", 120), ("1.5m", 90), ("1h", 3600), (" 3s ", 3)])
def test_times_are_read(written: str, seconds: float) -> None:
    assert seconds_of(written) == seconds


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("60", "such as 60s or 2m, not '60'"),
        ("", "not ''"),
        ("-5s", "not '-5s'"),
        ("٣s", "a time is needed"),
        ("1e3s", "a time is needed"),
        ("0s", "more than 0s"),
        ("0.0m", "more than 0s"),
        ("9999999h", "at most 168h"),
        ("9" * 400 + "s", "a time is needed"),
    ],
)
def test_an_invalid_time_is_refused(written: str, said: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=r"^.{1,120}$") as refused:
        seconds_of(written)
    assert said in str(refused.value)


def test_the_arguments_make_a_budget() -> None:
    parser = argparse.ArgumentParser()
    add_kit_arguments(parser, "2m")
    usual = budget_of(parser.parse_args([]))
    assert (usual.seconds, usual.seed) == (120, 0)
    given = budget_of(parser.parse_args(["--budget", "5s", "--jobs", "3", "--seed", "7"]))
    assert (given.seconds, given.jobs, given.seed) == (5, 3, 7)
    assert {parser.parse_args(["--format", form]).format for form in FORMATS} == set(FORMATS)


def test_a_budget_is_spent_when_its_time_is_over() -> None:
    now = clock()
    over, begun = Budget(2, begun=now - 3), Budget(1000, begun=now)
    assert over.spent and over.left == 0
    assert not begun.spent and 900 < begun.left <= 1000
    assert begun.deadline == now + 1000


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        (["a", "--coins", "2"], ["a", "--upto", "coins=2"]),
        (["a", "--spaces", "2", "--height", "3"], ["a", "--spaces", "2", "--upto", "height=3"]),
        (["--coins", "--depth", "2"], ["--coins", "--depth", "2"]),
        (["--coins=2", "3"], ["--coins=2", "3"]),
        (["--dept", "2"], ["--dept", "2"]),
    ],
)
def test_numbers_of_the_game_are_options_of_exhaust(given: list[str], taken: list[str]) -> None:
    parser = argparse.ArgumentParser()
    exhaust.add_arguments(parser)
    assert exhaust.rewritten(given, parser) == taken


@pytest.mark.parametrize(
    "words", ["check", "quiz Lancer", "mutants", "exhaust Lancer", "diff a b", "same a b", "cover"]
)
def test_loading_counts_into_the_budget(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    verb, made = import_module(f"warchest.cli.{words.split()[0]}"), list[str]()

    def budget(args: argparse.Namespace) -> Budget:
        made.append("budget")
        return budget_of(args)

    def load(args: argparse.Namespace) -> Game:
        made.append("game")
        raise common.UsageError("enough")

    monkeypatch.setattr(verb, "budget_of", budget)
    monkeypatch.setattr(verb if hasattr(verb, "load_game") else common, "load_game", load)
    assert main([*words.split()]) == common.WRONG
    assert made == ["budget", "game"]
