"""Differences by games of the same seeds, and the numbers of cards by their names."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loaded import load_once
from warchest.balance.asked_versions import AskedError, ranges_of
from warchest.balance.contests import contests_of, score_with
from warchest.balance.differences_paired import paired_difference
from warchest.balance.number_places import NoNumberError, number_named, numbers_of, with_numbers
from warchest.balance.tuning import JudgedNumbers, NumberRange, tuned
from warchest.testing.game_records import Record

GAME = load_once("war-chest")
SEATS = GAME.beginning().variant.board.seats
FIRST, SECOND = (seat.name for seat in SEATS)


def game_won_by(*winners: str, seed: int = 0) -> Record:
    armies = {FIRST: ["one"], SECOND: ["other"]}
    return Record(seed, armies, dict.fromkeys(armies, "greedy"), winners, "", 1, 1, 1)


def test_scores() -> None:
    assert [score_with(game_won_by(who), SEATS, "one") for who in (FIRST, SECOND)] == [1, 0]
    assert score_with(game_won_by(), SEATS, "one") == 0.5
    assert score_with(game_won_by(FIRST), SEATS, "missing") is None
    given_up = Record(0, {}, dict.fromkeys((FIRST, SECOND), "greedy"), None, "", 1, 1, 1)
    assert list(contests_of(given_up, SEATS)) == [] and score_with(given_up, SEATS, "one") is None


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.floats(0, 0.4), st.integers(100, 400))
def test_a_planted_difference_is_found(seed: int, change: float, count: int) -> None:
    """Games that are lost as they are are won with the other version in some cases."""
    rng, games = Random(seed), list[tuple[Record, Record]]()
    for _ in range(count):
        won, turned = rng.random() < 0.4, rng.random() < change
        games.append(tuple(game_won_by(FIRST if one else SECOND) for one in (won, won or turned)))  # type: ignore[arg-type]
    found = paired_difference("one", games, SEATS)
    assert found.games == count and 0 <= found.otherwise <= count
    assert abs(found.value - 0.6 * change) < 5.5 * found.error
    assert found.after - found.before == pytest.approx(found.value)
    assert -1 <= found.interval[0] <= found.value <= found.interval[1] <= 1


def test_games_that_all_end_alike_leave_some_doubt() -> None:
    found = paired_difference("one", [(game_won_by(FIRST), game_won_by(FIRST))] * 30, SEATS)
    assert (found.value, found.otherwise) == (0, 0) and 0.02 < found.half_width < 0.1


# ---- numbers


def names(card: str) -> list[tuple[str, int]]:
    document = next(one for one in GAME.library.documents if one.name == card)
    return [(one.names[0], one.value) for one in numbers_of(document)]


def test_numbers_of_a_card() -> None:
    assert names("Archer") == [("coins", 4), ("tactic.1", 2)]
    assert names("Lancer") == [("coins", 4), ("tactic.1", 1), ("tactic.2", 2), ("tactic.3", 1)]


def test_a_number_is_named_by_its_key_and_by_the_word_after_it() -> None:
    archer, ensign, lancer = (GAME.library.named("unit", name) for name in ("Archer", "Ensign", "Lancer"))
    assert archer is not None and ensign is not None and lancer is not None
    assert number_named(archer, "spaces") == number_named(archer, "spaces")
    assert [number_named(archer, name).value for name in ("coins", "tactic.1", "spaces", "tactic")] == [4, 2, 2, 2]
    assert len(number_named(ensign, "spaces").spans) == 2, "equal ones go together"
    with pytest.raises(NoNumberError, match=r"several numbers; choose one: tactic\.1 is 1 .*; tactic\.2 is 2"):
        number_named(lancer, "tactic")
    with pytest.raises(NoNumberError, match=r"no number 'range'; there are: coins is 4 \(coins: 4\)"):
        number_named(archer, "range")


@pytest.mark.parametrize("game", ["war-chest", "unigames"])
def test_numbers_are_changed_in_their_places(game: str) -> None:
    """Each number of each card can be named, and set to its own value without any other change."""
    loaded = load_once(game)
    for document in [one for kind in loaded.piece_kinds for one in loaded.library.of_kind(kind)][:40]:
        for one in numbers_of(document):
            assert one.span.text == str(one.value)
            named = number_named(document, one.names[0])
            assert one.span in named.spans


def test_other_numbers_make_another_game() -> None:
    archer = GAME.library.named("unit", "Archer")
    assert archer is not None
    other = with_numbers(GAME, archer, {"coins": 3, "spaces": 1}).library.named("unit", "Archer")
    assert other is not None and other.values["coins"] == 3
    assert other.values["tactic"] == "attack a target exactly 1 space away.\n", "words follow the number"


def test_ranges() -> None:
    assert ranges_of(GAME, "Archer", "coins, spaces=1-4") == [
        NumberRange("coins", 4, 2, 6),
        NumberRange("spaces", 2, 1, 4),
    ]
    assert NumberRange.near("one", 1).least == 1 and NumberRange.near("none", 0).least == 0
    for wrong, said in (
        ("coins=5-6", "4 now, which is not from 5 to 6"),
        ("", "no number to tune"),
        ("wheel", "no number"),
    ):
        with pytest.raises(AskedError, match=said):
            ranges_of(GAME, "Archer", wrong)


# ---- tuning


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 6), st.integers(1, 3), st.integers(0, 99), st.integers(1, 30))
def test_the_nearest_comes_first(best: int, other: int, seed: int, trials: int) -> None:
    """Where all numbers can be tried, the best is found; the present ones are always tried first."""
    asked: list[dict[str, int]] = []

    def judge(numbers: dict[str, int]) -> JudgedNumbers:
        asked.append(dict(numbers))
        return JudgedNumbers(numbers, 0.5 + 0.05 * (abs(numbers["a"] - best) + abs(numbers["b"] - other)))

    ranges = [NumberRange("a", 4, 2, 6), NumberRange("b", 2, 1, 3)]
    found = tuned(ranges, 0.5, trials, seed, judge)  # type: ignore[arg-type]
    assert asked[0] == {"a": 4, "b": 2}
    assert len(asked) == len({tuple(one.values()) for one in asked}) <= trials, "none is judged twice"
    assert [abs(one.share - 0.5) for one in found] == sorted(abs(one.share - 0.5) for one in found)
    if trials >= 15:
        assert found[0].numbers == {"a": best, "b": other}
    assert found == tuned(ranges, 0.5, trials, seed, judge)  # type: ignore[arg-type]


def test_impossible_numbers_are_last() -> None:
    def judge(numbers: dict[str, int]) -> JudgedNumbers:
        return JudgedNumbers(numbers, 0.9, refused="too many" if numbers["a"] > 2 else "")

    found = tuned([NumberRange("a", 2, 1, 4)], 0.5, 9, 0, judge)  # type: ignore[arg-type]
    assert [one.numbers["a"] for one in found] == [1, 2, 3, 4]
    assert [bool(one.refused) for one in found] == [False, False, True, True]
