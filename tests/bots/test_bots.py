"""Bots: they take offered options, change nothing, and the greedy one is better than chance."""

from __future__ import annotations

import random
from typing import Any

import pytest

import warchest
from loaded import shipped
from warchest.bots import BOTS, bot_named, drive
from warchest.bots.simple import Eager

GAME = shipped()


@pytest.mark.parametrize("name", BOTS[:-1])  # the last one searches, and has tests of its own
def test_a_bot_chooses_an_option_by_chance_alone_and_changes_nothing(name: str) -> None:
    bot, rng = bot_named(name, GAME), random.Random(1)
    state, again = GAME.new(seed=3), GAME.new(seed=3)
    drive(again, dict.fromkeys(("raven", "wolf"), bot_named(name, GAME)), random.Random(1), cap=40)
    for _ in range(40):
        decision = state.decision
        assert decision is not None
        if decision.is_chance:
            state.apply(decision.sample(rng))
            continue
        before = state.clone()
        option = bot.choose(state, rng)
        assert state == before and state.log == before.log
        assert option in decision.options
        state.apply(option)
    assert state == again


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(warchest.OptionError, match="did you mean `greedy`"):
        bot_named("greedi", GAME)


def test_the_eager_bot_takes_its_act_whenever_it_can() -> None:
    bot, rng, seen = Eager(["control"]), random.Random(2), 0
    state = GAME.new(seed=1)
    while state.decision is not None and seen < 3:
        decision = state.decision
        option = decision.sample(rng) if decision.is_chance else bot.choose(state, rng)
        if not decision.is_chance and any(one.data["act"] == "control" for one in decision.options):
            seen += 1
            assert option.data["act"] == "control"
        state.apply(option)
    assert seen


def test_favourite_acts_of_eager_bots_are_offered_in_games() -> None:
    """A verb that no option ever has would make an eager bot play like chance without any other sign."""
    for name, further in (("war-chest", ()), ("unigames", ("storm",))):
        game, seen = shipped(name), set(further)
        favourites = bot_named("policy-c", game).acts  # type: ignore[attr-defined]
        for seed in range(4):
            state, rng = game.new(seed=seed), random.Random(seed)
            for _ in range(150):
                if state.decision is None or favourites <= seen:
                    break
                seen.update(option.act for option in state.decision.options)
                state.apply(state.decision.sample(rng))
        assert favourites <= seen


def test_a_flyer_over_a_war_chest_may_storm_it() -> None:
    """Only they choose it, so that games by chance may not show it; all others storm by their step."""
    game = shipped("unigames")
    flyer = {"name": "Hykolaran Glider", "owner": "P1", "at": "g8", "facing": "e"}
    foe = {"name": "Dwarf Spear", "owner": "P2", "at": "b8", "facing": "s"}
    state = game.position({"turn": "P1", "figures": [flyer, foe], "chests": {"P1": "a1", "P2": "h8"}})
    bot, rng = bot_named("policy-c", game), random.Random(1)
    taken = []
    while state.decision is not None:
        taken.append(bot.choose(state, rng))
        state.apply(taken[-1])
    assert [option.act for option in taken] == ["step", "storm"]
    assert state.outcome is not None and state.outcome.winners == ("P1",)


def test_eager_bots_bring_games_to_an_end() -> None:
    """In the second game chance alone mostly ends without any attack; going forward, one player wins."""
    game = shipped("unigames")
    won = {}
    for name in ("random", "policy-c"):
        won[name] = 0
        for seed in range(8):
            state, bot = game.new(seed=seed), bot_named(name, game)
            drive(state, {"P1": bot, "P2": bot}, random.Random(seed), turns=30)
            won[name] += state.outcome is not None and bool(state.outcome.winners)
    assert won["policy-c"] >= 5 > won["random"]


def test_a_won_game_is_worth_most_and_the_sides_are_weighed_against_each_other() -> None:
    bot = bot_named("greedy", GAME)
    position = {
        "to_act": "raven",
        "initiative": "raven",
        "hand": {"raven": ["Archer"], "wolf": ["Knight"]},
        "control": {"raven": ["e2", "h1", "d4"], "wolf": ["g6"]},
        "units": [{"at": "f4", "unit": "Archer", "owner": "raven", "coins": 2}],
    }
    state = GAME.position(position)
    assert bot.worth(state, "raven") == -bot.worth(state, "wolf") > 0  # type: ignore[attr-defined]
    won = GAME.position({"winner": "raven", "control": {"raven": ["e2", "h1", "d4", "g3", "i2", "e5"]}})
    assert bot.worth(won, "raven") > 1000 and bot.worth(won, "wolf") < -1000  # type: ignore[attr-defined]


NEAR_THE_END: dict[str, Any] = {
    "to_act": "raven",
    "initiative": "raven",
    "control": {"raven": ["e2", "h1", "d4", "g3"], "wolf": ["g6", "d7", "h4", "e5"]},
    "units": [{"at": "e3", "unit": "Knight", "owner": "raven"}, {"at": "g5", "unit": "Pikeman", "owner": "wolf"}],
    "hand": {"raven": ["Knight", "Scout", "Royal Coin"], "wolf": ["Pikeman", "Lancer", "Royal Coin"]},
    "bag": {"raven": ["Knight", "Scout", "Scout"], "wolf": ["Pikeman", "Lancer", "Lancer"]},
    "supply": {"raven": ["Knight", "Scout"], "wolf": ["Pikeman", "Lancer"]},
}
"""Both sides have the same position, and need two more locations."""


def test_the_greedy_bot_beats_chance() -> None:
    """Six games with both seats in turn; it wins them all in practice, as chance would once in 64."""
    won = 0
    for seed in range(6):
        me, other = ("raven", "wolf") if seed % 2 else ("wolf", "raven")
        state = GAME.position(NEAR_THE_END)
        drive(state, {me: bot_named("greedy", GAME), other: bot_named("random", GAME)}, random.Random(seed), cap=300)
        won += state.outcome is not None and state.outcome.winners == (me,)
    assert won == 6


def test_the_greedy_bot_moves_toward_the_pieces_of_its_opponents() -> None:
    """On squares it wins by coming near; what it comes near to is named by a key of the position."""
    game = shipped("unigames")
    greedy, chance = bot_named("greedy", game), bot_named("random", game)
    for seed, seats in ((1, {"P1": greedy, "P2": chance}), (2, {"P1": chance, "P2": greedy})):
        state = game.new(seed=seed, armies={name: ["Dwarf Spear", "Dwarf Spear"] for name in seats})
        drive(state, seats, random.Random(seed), cap=300)
        assert state.outcome is not None
        assert state.outcome.winners == tuple(name for name, bot in seats.items() if bot is greedy)
