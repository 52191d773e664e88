"""Determinized states: the things hidden from a player are resampled; every sample is possible, and nothing else
changes."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from game_support import after, game

import warchest
from loaded import shipped
from warchest import OptionError, State

HIDDEN: dict[str, Any] = {
    "to_act": "raven",
    "hand": {"raven": ["Scout"], "wolf": ["Archer", "Knight"]},
    "bag": {"raven": ["Scout", "Pikeman"], "wolf": ["Knight", "Lancer"]},
    "discard": {"wolf": {"up": ["Cavalry"], "down": ["Royal Coin"]}},
    "supply": {"wolf": ["Lancer"]},
}
WOLF = Counter(("Archer", "Knight", "Knight", "Lancer", "Royal Coin"))


def held(state: State, player: str = "wolf") -> tuple[tuple[str, ...], ...]:
    """Return the hidden coins of a player: in hand, in the bag, and face down."""
    told = state.position()
    return tuple(tuple(one) for one in (told["hand"][player], told["bag"][player], told["discard"][player]["down"]))


def in_use(document: str) -> warchest.Game:
    """Return War Chest with a further document."""
    return shipped("war-chest", document)


def taken(state: State, **parts: Any) -> State:
    """Take the first option that has all these parts."""
    assert state.decision is not None
    return state.apply(next(one for one in state.decision.options if one.data.items() >= parts.items()))


# ---- which deals there are


def test_every_deal_can_come_up_and_as_often_as_it_should() -> None:
    state, rng, count = game().position(HIDDEN), Random(1), 600
    found = Counter(held(state.determinize("raven", rng)) for _ in range(count))
    ways: Counter[tuple[tuple[str, ...], ...]] = Counter()
    coins = sorted(WOLF.elements())
    for down in range(5):
        left = [coin for place, coin in enumerate(coins) if place != down]
        for one in range(4):
            for two in range(one):
                hand = tuple(sorted((left[one], left[two])))
                bag = tuple(coin for place, coin in enumerate(left) if place not in (one, two))
                ways[hand, bag, (coins[down],)] += 1
    assert found.keys() == ways.keys()
    assert all(abs(found[deal] / count - ways[deal] / 30) < 0.03 for deal in ways)


def test_visible_and_own_coins_stay() -> None:
    state, rng = game().position(HIDDEN), Random(2)
    whole, theirs = state.position(), {"raven": "wolf", "wolf": "raven"}
    for me, other in theirs.items():
        deals = [state.determinize(me, rng) for _ in range(30)]
        assert {held(dealt, me) for dealt in deals} == {held(state, me)}
        assert len({held(dealt, other) for dealt in deals}) > 1
        for told in (dealt.position() for dealt in deals):
            assert told["discard"]["wolf"]["up"] == ["Cavalry"]
            for key in told.keys() - {"hand", "bag", "discard"}:
                assert told[key] == whole[key]


def test_the_same_chance_deals_the_same_and_the_state_stays() -> None:
    for seed in range(20):
        state = after(seed, 5 + seed)
        before, log = state.key(), state.log
        deals = [state.determinize("wolf", Random(seed)) for _ in range(2)]
        assert deals[0] == deals[1] and hash(deals[0]) == hash(deals[1])
        deals[0].apply(0) if deals[0].decision is not None else None
        assert state.key() == before and state.log == log


def test_an_unknown_player_is_refused() -> None:
    with pytest.raises(OptionError, match="player: there is no player 'fox'"):
        game().position(HIDDEN).determinize("fox", Random(1))


def test_any_source_of_chance_will_do() -> None:
    class Last:
        def randrange(self, stop: int, /) -> int:
            return stop - 1

    state = game().position(HIDDEN)
    assert state.determinize("raven", Last()).view("raven") == state.view("raven")


# ---- in the middle of something


def test_a_drawn_coin_that_only_its_player_knows_is_dealt_too() -> None:
    position = {
        **HIDDEN,
        "units": [
            {"at": "f4", "unit": "Warrior Priest", "owner": "raven"},
            {"at": "f5", "unit": "Archer", "owner": "wolf"},
        ],
        "hand": {"raven": ["Warrior Priest", "Scout"], "wolf": ["Knight"]},
        "supply": {"raven": ["Scout"]},
    }
    state = taken(game().position(position), act="attack", target="f5")
    assert state.decision is not None and state.decision.is_chance
    taken(state, coin="Pikeman")
    assert "Pikeman" in str(state.position()["pending"]) and state.decision is not None
    rng, met = Random(3), Counter[str]()
    for _ in range(60):
        dealt = state.determinize("wolf", rng)
        assert dealt.decision is not None and dealt.decision.player == "raven"
        (drawn,) = {one.data["coin"] for one in dealt.decision.options}
        hand, bag, _ = held(dealt, "raven")
        assert Counter((drawn, *hand, *bag)) == Counter(("Scout", "Scout", "Pikeman"))
        met[drawn] += 1
        mine = state.determinize("raven", rng)
        assert mine.decision is not None and {one.data["coin"] for one in mine.decision.options} == {"Pikeman"}
    assert met.keys() == {"Scout", "Pikeman"}


def test_coins_that_a_player_may_choose_from_are_known() -> None:
    position = {
        **HIDDEN,
        "hand": {"raven": ["Royal Coin"], "wolf": ["Archer", "Knight"]},
        "decrees": [{"name": "Spy", "seals": []}],
    }
    state = taken(game().position(position), act="proclaim")
    assert state.decision is not None and state.decision.player == "raven"
    rng, bags = Random(4), set()
    for _ in range(60):
        dealt = state.determinize("raven", rng)
        assert dealt.decision is not None
        assert [one.data for one in dealt.decision.options] == [one.data for one in state.decision.options]
        assert held(dealt)[0] == ("Archer", "Knight")
        bags.add(held(dealt)[1])
    assert len(bags) > 1


STOCK = """\
words: Stock
source: our own
zones:
  common: {of: game, holds: coin, seen by: nobody}
---
action: Trading
source: our own
rules: |
  after a player passes, put all coins in the common into the supply of that player.
"""


def test_a_hidden_stock_of_the_game_is_dealt_with_the_hands() -> None:
    bare = {
        "to_act": "raven",
        "hand": {"raven": ["Scout"], "wolf": ["Archer", "Archer"]},
        "armies": {"raven": ["Scout"], "wolf": ["Archer", "Ensign"]},
    }
    state, rng = in_use(STOCK).position({**bare, "common": ["Ensign", "Archer"]}), Random(5)
    hands = set()
    for _ in range(40):
        dealt = state.determinize("raven", rng)
        assert dealt.view("raven") == state.view("raven") and dealt.view("raven")["common"] == 2
        hands.add(held(dealt)[0])
    assert hands == {("Archer", "Archer"), ("Archer", "Ensign")}


def test_a_deal_gives_no_player_coins_of_another_army() -> None:
    state, rng = in_use(STOCK).position({**HIDDEN, "common": ["Ensign"]}), Random(5)
    for _ in range(3):
        dealt = state.determinize("raven", rng)
        assert dealt.view("raven") == state.view("raven") and "irregular" not in dealt.position()


HOLDER = """\
unit: Keeper
set: test
coins: 5
source: our own
tactic: |
  choose a coin in your hand, then draw a coin, then discard the first coin faceup,
    then put the second coin into your hand.
"""


def test_a_coin_that_pending_work_will_move_stays_where_it_is() -> None:
    position = {
        **HIDDEN,
        "units": [{"at": "f4", "unit": "Keeper", "owner": "raven"}],
        "hand": {"raven": ["Keeper", "Scout", "Ensign"], "wolf": ["Archer"]},
        "bag": {"raven": ["Scout", "Pikeman", "Marshall"]},
    }
    state = in_use(HOLDER).position(position)
    taken(state, act="tactic", chosen="Ensign")
    assert state.decision is not None and state.decision.is_chance
    rng, hands = Random(6), set()
    for _ in range(60):
        dealt = state.determinize("wolf", rng)
        hand = held(dealt, "raven")[0]
        assert "Ensign" in hand
        hands.add(hand)
        assert dealt.decision is not None
        dealt.apply(0)
        assert "Ensign" in dealt.position()["discard"]["raven"]["up"]
    assert len(hands) > 1
