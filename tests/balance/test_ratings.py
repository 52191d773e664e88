"""`warchest rate`: planted ratings are found, the same games give the same bytes, and bad input gets one line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import permutations
from math import log
from random import Random
from typing import Any

import pytest

from loaded import load_once
from warchest.balance import needed_libraries
from warchest.balance.bot_ratings import SPREAD_OF_BOTS, RatedSeries
from warchest.balance.contests import TeamContest, TeamSide
from warchest.balance.strengths import fitted, share_of
from warchest.cli.main import main
from warchest.testing.bot_games import BotTable, GameLimit
from warchest.testing.game_records import Record

POINTS = {"random": -800.0, "policy-c": -100.0, "beginner": 350.0, "greedy": 550.0}
"""The planted ratings, about a mean of 0."""
FEW = ("random", "policy-c", "beginner", "greedy", "-n", "50", "--jobs", "1")
Rated = Callable[..., tuple[int, str, str]]


def made_up(table: BotTable, number: int, seed: int, limit: GameLimit) -> Record:
    """A game that chance decides by the ratings; one in ten is drawn, and one in twenty has no end."""
    seating = table.seating(number)
    first, second = (seating[seat.name] for seat in table.beginning.variant.board.seats[:2])
    rng = Random(f"{seed} {first} {second}")
    won = rng.random() < share_of((POINTS[first] - POINTS[second]) * log(10) / 400)
    winners = (list(seating)[not won],) if rng.random() < 0.9 else ()
    return Record(seed, {}, seating, winners if rng.random() < 0.95 else None, "", 9, 5, 20)


@pytest.fixture
def rated(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Rated:
    """Run the command in this process on games that are made up; return the exit code, the output and the notes."""
    monkeypatch.setattr("warchest.game.game.load_game", load_once)
    monkeypatch.setattr(BotTable, "play", made_up)
    monkeypatch.setattr(BotTable, "play_natively", lambda _: "")

    def run(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["rate", *map(str, words)])
        told = capsys.readouterr()
        assert "Traceback" not in told.err and "fault of the program" not in told.err
        return code, told.out, told.err

    return run


def data_of(ran: tuple[int, str, str]) -> dict[str, Any]:
    assert ran[0] == 0, ran[2]
    found: dict[str, Any] = json.loads(ran[1])
    return found


def test_a_table_of_ratings(rated: Rated) -> None:
    code, out, err = rated(*FEW)
    assert (code, err) == (0, "")
    rows = re.findall(r"│ ([\w-]+) +│ +([+-]\d+) │ +(\d+) │ +(\d+) │\n", out)
    assert [one[0] for one in rows] == ["greedy", "beginner", "policy-c", "random"]
    assert abs(sum(int(one[1]) for one in rows)) <= 2
    assert len(re.findall(r"│ [\w-]+ against [\w-]+ +│ +\d+ │ +\d+ │ +\d+ │ +\d+ │ +\d+\.\d% │ +\d+\.\d% │", out)) == 6
    assert out.endswith("600 games by 50 seeds; these were the most that were asked for\n")
    assert re.search(r"^\d+ games had no end and say nothing about bots$", out, re.MULTILINE)


def test_data_agree_with_themselves(rated: Rated) -> None:
    found = data_of(rated(*FEW, "--format", "json"))
    assert (found["seeds"], found["games"], found["partial"]) == (50, 600, False)
    for name, one in found["bots"].items():
        pairs = [pair for pair in found["pairs"] if name in pair["bots"]]
        assert len(pairs) == 3 and one["games"] == sum(pair["games"] for pair in pairs)
        low, high = one["interval"]
        assert low < one["rating"] < high
    for pair in found["pairs"]:
        better, worse = (found["bots"][name]["rating"] for name in pair["bots"])
        assert better >= worse and pair["expected"] == pytest.approx(
            share_of((better - worse) * log(10) / 400), abs=1e-3
        )
        assert pair["games"] == pair["won"] + pair["drawn"] + pair["lost"] <= 100
        assert pair["share"] == pytest.approx((pair["won"] + pair["drawn"] / 2) / pair["games"], abs=1e-4)


def test_each_two_bots_play_each_seed_from_either_side(rated: Rated, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[tuple[int, tuple[str, ...]]]()

    def noted(table: BotTable, number: int, seed: int, limit: GameLimit) -> Record:
        seen.append((seed, tuple(table.seating(number).values())))
        return made_up(table, number, seed, limit)

    monkeypatch.setattr(BotTable, "play", noted)
    bots = ("random", "greedy", "policy-c")
    assert rated(*bots, "-n", "3", "--seed", "7", "--jobs", "1")[0] == 0
    assert sorted(seen) == sorted((seed, pair) for seed in (7, 8, 9) for pair in permutations(bots, 2))
    seen.clear()
    assert rated("random", "greedy", "-n", "1", "--players", "4", "--jobs", "1")[0] == 0
    assert seen == [(0, ("random", "greedy") * 2), (0, ("greedy", "random") * 2)], "partners are the same bot"


def test_the_same_games_give_the_same_bytes(rated: Rated) -> None:
    assert rated(*FEW)[:2] == rated(*FEW[:-1], "2")[:2]
    assert rated("greedy", "random", *FEW[4:])[1] == rated("random", "greedy", *FEW[4:])[1]


def test_it_stops_when_enough_is_known(rated: Rated) -> None:
    found = data_of(rated("beginner", "greedy", "-n", "500", "--within", "40", "--jobs", "1", "--format", "json"))
    assert found["ended"] == "all ratings were within ±40" and found["seeds"] % 25 == 0 and found["seeds"] < 500
    assert all(high - low < 80 for low, high in (one["interval"] for one in found["bots"].values()))


def test_intervals_are_those_of_95_percent_though_bots_are_far_apart() -> None:
    inside = list[bool]()
    for seed in range(40):
        rng = Random(seed)
        contests = [
            TeamContest(
                game,
                TeamSide("here", {}, {one: 1.0}),
                TeamSide("there", {}, {other: 1.0}),
                float(rng.random() < share_of((POINTS[one] - POINTS[other]) * log(10) / 400 + 0.3)),
            )
            for game in range(60)
            for one, other in permutations(POINTS, 2)
        ]
        for found in fitted(contests, SPREAD_OF_BOTS).bots:
            inside.append(abs(found.elo - POINTS[found.name]) < found.elo_half_width)
    assert 0.88 < sum(inside) / len(inside) < 0.995


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("greedy",), "warchest: name two bots or more: there is no other bot than greedy\n"),
        (("greedy", "greedi"), "there is no bot 'greedi'; did you mean `greedy`?"),
        (("greedy", "random", "greedy"), "warchest: greedy is named twice\n"),
        (("mcts", "mcts:1s"), "warchest: mcts and mcts:1s are the same bot\n"),
        (("greedy", "mcts:soon"), "'soon' is no time to think"),
        (("greedy", "random", "--within", "0"), "it is at least 1"),
    ],
)
def test_bad_input_is_refused(rated: Rated, words: tuple[str, ...], said: str) -> None:
    code, out, err = rated(*words, "--jobs", "1")
    assert code == 2 and out == "" and said in err and err.splitlines()[-1].count(said.strip()) == 1


def test_without_the_libraries_it_names_them(rated: Rated, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needed_libraries, "find_spec", lambda name: None if name == "sklearn" else object())
    assert rated(*FEW)[::2] == (2, "warchest: this needs scikit-learn: pip install 'warchest[balance]'\n")


def test_no_game_that_ends_is_no_rating(rated: Rated, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        BotTable, "play", lambda table, number, seed, _: Record(seed, {}, table.seating(number), None, "", 9, 5, 20)
    )
    code, out, _ = rated("greedy", "random", "-n", "2", "--jobs", "1")
    assert code == 0 and out.splitlines() == [
        "no game has ended",
        "4 games had no end and say nothing about bots",
        "4 games by 2 seeds; these were the most that were asked for",
    ]
    assert data_of(rated("greedy", "random", "-n", "2", "--jobs", "1", "--format", "json"))["bots"] == {}


def test_an_interruption_keeps_the_games_so_far(rated: Rated, monkeypatch: pytest.MonkeyPatch) -> None:
    play = RatedSeries.play

    def interrupted(self: RatedSeries, seed: int) -> Any:
        if seed == 20:
            raise KeyboardInterrupt
        return play(self, seed)

    monkeypatch.setattr(RatedSeries, "play", interrupted)
    code, out, _ = rated(*FEW, "--format", "json")
    found = json.loads(out)
    assert code == 130 and (found["seeds"], found["ended"], found["partial"]) == (20, "broken off", True)


def test_games_that_are_played(capsys: pytest.CaptureFixture[str]) -> None:
    """Both machines give the same ratings."""
    words = ["rate", "random", "policy-c", "-n", "1", "--cap", "150", "--jobs", "1", "--game", "unigames"]
    assert main([*words, "--native", "--format", "json"]) == 0
    found = capsys.readouterr().out
    assert main([*words, "--reference", "--format", "json"]) == 0
    assert capsys.readouterr().out == found
