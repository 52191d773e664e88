"""Bots that look ahead weigh an option at the end of their own choices, as far as they know these."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from loaded import shipped
from machine.machine_support import card, game, position
from warchest import State
from warchest.bots import bot_named
from warchest.bots.greedy import Greedy
from warchest.game.valuation import LOOK

SUPPLY = {"raven": ["Bishop", "Bishop"], "wolf": []}
CHAPLAIN = card("Chaplain", coins=4, tactic="recruit.\nyou may recruit.\nattack.")
WALKER = card("Walker", coins=4, tactic="\n".join(["move."] * 5))
PEEPER = card(
    "Peeper",
    coins=4,
    tactic="""
    choose an opponent.
    see all coins in the hand of that opponent.
    you may choose a Royal Coin in the hand of that opponent, then recruit.
""",
)


def greedy(state: State) -> Greedy:
    bot = bot_named("greedy", shipped())
    assert isinstance(bot, Greedy) and not state.native
    return bot


def taken(state: State) -> set[str]:
    """Return the acts that the greedy bot takes by one chance or another."""
    return {greedy(state).choose(state, Random(seed)).act for seed in range(9)}


@pytest.mark.parametrize("units", ["Bishop f4, wolf Scout f5", "Bishop f4, wolf Scout d6"])
def test_a_tactic_is_taken_that_does_more_than_the_plain_act(units: str) -> None:
    """It recruits, and then attacks or moves; the coin that it costs is the same."""
    state = shipped().position(position(units, hand="Bishop", supply=SUPPLY))
    assert taken(state) == {"tactic"}


def test_a_tactic_is_weighed_through_all_its_steps() -> None:
    supply = {"raven": ["Chaplain", "Chaplain"], "wolf": []}
    state = game(CHAPLAIN).position(position("Chaplain f4, wolf Scout f5", hand="Chaplain", supply=supply))
    assert taken(state) == {"tactic"}
    bot, plain = greedy(state), [one.act for one in state.decision.options]  # type: ignore[union-attr]
    worths = dict(zip(plain, bot.worths(state), strict=True))
    # The unit that is attacked goes, and two coins come; of the plain acts, each is worth less.
    assert worths["tactic"] > worths["attack"] > worths["pass"]


def test_the_number_of_weighed_states_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    state, weighed = game(WALKER).position(position("Walker f4", hand="Walker")), list[str]()
    worth = Greedy.worth

    def counted(self: Greedy, state: State, player: str) -> float:
        weighed.append(player)
        return worth(self, state, player)

    monkeypatch.setattr(Greedy, "worth", counted)
    greedy(state).worths(state)
    assert state.decision is not None
    # All six options of the second step are weighed, and at most LOOK later states; the tactic has some 6 ** 5 paths.
    assert 6 * 6 < len(weighed) <= state.decision.count * (6 + LOOK)


def test_the_bot_uses_no_hidden_information() -> None:
    """A coin can only be recruited if the opponent holds the Royal Coin, which the bot does not know."""
    loaded, worths = game(PEEPER), list[Any]()
    for hand, bag in (("Royal Coin", "Scout"), ("Scout", "Royal Coin")):
        there = position("Peeper f4", hand="Peeper", other=hand, bag={"raven": [], "wolf": [bag]})
        state = loaded.position({**there, "supply": {"raven": ["Peeper"], "wolf": []}})
        worths.append(list(greedy(state).worths(state)))
        assert "tactic" in {one.act for one in state.decision.options}  # type: ignore[union-attr]
    assert worths[0] == worths[1]
