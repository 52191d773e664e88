"""Strengths of cards: those that were planted are found, apart from seat, bots and partners."""

from __future__ import annotations

from random import Random

import pytest
from balance_support import about_the_mean, planted
from hypothesis import given, settings
from hypothesis import strategies as st

from warchest.balance.card_pairs import extreme_pairs
from warchest.balance.contests import TeamContest, TeamSide
from warchest.balance.strengths import fitted, share_of

CARDS = [f"card {number:02}" for number in range(16)]
SPREAD = 0.5


def some_strengths(seed: int) -> dict[str, float]:
    rng = Random(seed)
    return {card: rng.gauss(0, SPREAD) for card in CARDS}


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10**6), st.floats(-1, 1), st.floats(-1, 1))
def test_planted_strengths_are_found(seed: int, seat: float, bot: float) -> None:
    """Most of sixteen are within their intervals of 95 % for all worths of seat and bot; none is far outside."""
    strengths = some_strengths(seed)
    fit = fitted(planted(strengths, 1200, seed, seat, {"one": 0.0, "other": bot}))
    errors = [(found.value - about_the_mean(strengths)[found.name]) / found.error for found in fit.cards]
    assert len(errors) == 16
    # By chance fewer than one in a million of these samples has six outside, or any beyond six errors.
    assert sum(abs(error) > 1.96 for error in errors) <= 6
    assert max(map(abs, errors)) < 6
    here, there = fit.teams
    assert here.value == pytest.approx(-there.value)
    assert abs(here.value - seat) < 6 * here.error
    one, other = fit.bots
    assert abs((other.value - one.value) - bot) < 6 * 2 * one.error


def test_intervals_are_those_of_95_percent() -> None:
    inside = [
        one.interval[0] <= about_the_mean(some_strengths(seed))[one.name] <= one.interval[1]
        for seed in range(12)
        for one in fitted(planted(some_strengths(seed), 400, seed)).cards
    ]
    assert 0.91 < sum(inside) / len(inside) < 0.99


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10**6))
def test_a_card_under_another_name_is_as_strong(seed: int) -> None:
    strengths = some_strengths(seed)
    strengths["copy"] = strengths[CARDS[0]]
    fit = fitted(planted(strengths, 1500, seed))
    one, other = fit.card(CARDS[0]), fit.card("copy")
    assert one is not None and other is not None
    assert abs(one.value - other.value) < 4.5 * (one.error**2 + other.error**2) ** 0.5


def test_inseparable_cards_are_reported() -> None:
    games = planted(some_strengths(1), 50, 1)
    assert fitted(games).inseparable() == []
    sides = [TeamSide("here", {"a": 1, "b": 1}, {"one": 1.0}), TeamSide("there", {"c": 1}, {"one": 1.0})]
    fit = fitted([TeamContest(seed, *sides, 1.0) for seed in range(9)])
    assert fit.inseparable() == [("a", "b")]
    one, other = fit.card("a"), fit.card("b")
    assert one is not None and other is not None and one.value == pytest.approx(other.value)


def test_more_games_give_smaller_errors() -> None:
    few, many = (fitted(planted(some_strengths(1), games, 1)) for games in (200, 800))
    ratios = [one.error / other.error for one, other in zip(few.cards, many.cards, strict=True)]
    assert all(1.6 < ratio < 2.2 for ratio in ratios)


def test_the_same_games_give_the_same_strengths_whatever_their_order() -> None:
    games = planted(some_strengths(2), 300, 2)
    first, again, turned = fitted(games), fitted(list(games)), fitted(games[::-1])
    assert first.cards == again.cards
    for one, other in zip(first.cards, turned.cards, strict=True):
        assert (one.name, one.games) == (other.name, other.games)
        assert one.value == pytest.approx(other.value, abs=1e-6)


def test_seats_exchanged_are_strengths_unchanged() -> None:
    games = planted(some_strengths(3), 300, 3, seat=0.5, draws=0.2)
    turned = [TeamContest(one.seed, one.second, one.first, 1 - one.score) for one in games]
    for one, other in zip(fitted(games).cards, fitted(turned).cards, strict=True):
        assert one.value == pytest.approx(other.value, abs=1e-6)


def test_draws_make_cards_alike() -> None:
    strengths = some_strengths(4)
    some, none = (fitted(planted(strengths, 2000, 4, draws=share)) for share in (0.5, 0.0))
    assert sum(abs(one.value) for one in some.cards) < 0.7 * sum(abs(one.value) for one in none.cards)


def test_a_card_that_was_hardly_played_has_no_absurd_strength() -> None:
    """It won its only game."""
    side = TeamSide("here", {"new": 1, CARDS[0]: 1}, {"one": 1.0})
    games = [
        *planted(some_strengths(5), 300, 5),
        TeamContest(300, side, TeamSide("there", {CARDS[1]: 2}, {"one": 1.0}), 1),
    ]
    found = fitted(games).card("new")
    assert found is not None and 0 < found.value < 1 and found.error > 0.5


@pytest.mark.parametrize("games", [0, 1])
def test_few_games_give_small_strengths(games: int) -> None:
    fit = fitted(planted(some_strengths(6), games, 6))
    assert len(fit.cards) == 8 * games
    assert all(abs(one.value) < 1 for one in fit.cards)


def test_shares_agree_with_planted_strengths() -> None:
    """An army with the card wins that share against one with a card of no strength in its place."""
    strengths = dict.fromkeys(CARDS, 0.0) | {CARDS[0]: 0.8}
    found = fitted(planted(strengths, 6000, 7)).card(CARDS[0])
    assert found is not None
    assert found.shares[0] < share_of(0.8 * 15 / 16) < found.shares[1]
    assert found.half_width == pytest.approx((found.shares[1] - found.shares[0]) / 2)


# ---- pairs


def together(army: object) -> float:
    return 1.2 if {CARDS[1], CARDS[2]} <= set(army) else 0.0  # type: ignore[call-overload]


def test_a_planted_pair_is_found() -> None:
    fit = fitted(planted(some_strengths(8), 3000, 8, extra=together))
    first, *others = extreme_pairs(fit)
    assert (first.card, first.other, first.is_against) == (CARDS[1], CARDS[2], False)
    assert first.stands_out and sum(one.stands_out for one in others) <= 1, "one in twenty may by chance"
    assert abs(first.value - 1.2) < 4 * first.error
    shown = {contest.seed: contest for contest in fit.contests}
    for seed in first.seeds:
        contest = shown[seed]
        winner = contest.first if contest.score == 1 else contest.second
        assert {CARDS[1], CARDS[2]} <= set(winner.cards)


def test_hardly_any_pair_is_found_by_chance() -> None:
    found = [extreme_pairs(fitted(planted(some_strengths(seed), 500, seed))) for seed in range(8)]
    assert sum(any(one.stands_out for one in pairs) for pairs in found) <= 3
    assert all(len(pairs) == 5 for pairs in found)


def test_pairs_of_some_cards() -> None:
    pairs = extreme_pairs(fitted(planted(some_strengths(9), 800, 9)), [CARDS[3]])
    assert pairs and all(CARDS[3] in (one.card, one.other) for one in pairs)
