"""States that look alike to a player have equal logs, news, clauses of log lines, questions, options and reasons.

`python -m alike --pairs 10000` compares far more.
"""

from __future__ import annotations

from random import Random

import pytest

from alike.games import KINDS, SEARCHES, look
from alike.pairs import Tally, compare
from loaded import shipped
from machine.machine_support import card, game, passed, take
from seeds import seeds
from warchest import State
from warchest.game.telling.log import LogWriter

ROUND: dict[str, object] = {
    "to_act": "raven",
    "initiative": "wolf",
    "control": {"raven": ["e2"], "wolf": ["d7"]},
    "armies": {"raven": ["Archer", "Swordsman"], "wolf": ["Knight", "Pikeman"]},
    "hand": {"raven": ["Archer"], "wolf": []},
    "bag": {"raven": [], "wolf": ["Knight", "Knight", "Knight"]},
    "discard": {"raven": {"up": ["Archer", "Swordsman"], "down": ["Royal Coin"]}},
}
"""Raven passes, and draws from discards with two coins face up, because the bag is empty."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", seeds(1, "alike", usual=[1000]))
def test_states_that_look_alike_have_the_same_log(kind: str, seed: int) -> None:
    tally = Tally()
    look(kind, seed, tally)
    assert not tally.wrong, "\n\n".join(tally.wrong[:2])
    assert tally.pairs


def test_most_pairs_are_two_different_states() -> None:
    tally = Tally()
    look("two", 1000, tally)
    assert tally.different > tally.pairs / 3


def drawn(coin: str) -> State:
    """Return the state after raven has passed, and drawn a coin first."""
    state = passed(shipped().position(ROUND))
    while state.decision is not None and state.decision.options[0].data["player"] == "wolf":
        state.apply(0)
    assert state.decision is not None and state.decision.is_chance
    return take(state, coin=coin)


def plain_words(state: State, player: str) -> list[str]:
    """Return the lines of a player's trace."""
    return [one.text for one in state.trace_for(player)]


def test_the_remaining_coins_of_a_discard_do_not_reveal_which_one_was_drawn() -> None:
    ways = [drawn(coin) for coin in ("Archer", "Swordsman", "Royal Coin")]
    assert len({str(one.view("wolf")) for one in ways}) == 1
    for read in (State.log_for, State.news_for, plain_words):
        assert len({tuple(read(one, "wolf")) for one in ways}) == 1
        assert len({tuple(read(one, "raven")) for one in ways}) == 3
    # A player who sees both faces, and the coin that was drawn, reads which are left.
    left = "an Archer coin, a Royal Coin and a Swordsman coin"
    assert f"  {left} go from raven's discard to raven's bag" in plain_words(ways[0], "raven")
    # Only their number is in the log, without the face that they had.
    assert "  3 hidden coins go from raven's discard to raven's bag" in plain_words(ways[0], "wolf")
    assert ways[0].news_for("wolf").count("  raven puts what was discarded back into the bag") == 1


def test_the_log_hides_whether_chance_had_more_than_one_outcome_for_others() -> None:
    """The last of two equal coins is drawn without a question; between two different ones there is a question."""
    told = set()
    for bag in (["Archer", "Archer", "Swordsman"], ["Archer", "Swordsman", "Swordsman"]):
        state, count = passed(shipped().position({**ROUND, "bag": {"raven": bag, "wolf": ["Knight"] * 3}})), 0
        while state.decision is not None and state.decision.is_chance:
            state.apply(next(one for one in state.decision.options if one.data["coin"] != "Archer"))
            count += 1
        told.add((count, (*state.log_for("wolf"), *plain_words(state, "wolf"))))
    assert len(told) == 2 and len({log for _, log in told}) == 1


def test_tokens_that_all_go_one_way_are_named_in_the_log() -> None:
    """The view gives them away: they are gone, and only one place has more."""
    text = "after a player passes, put all coins in the discard of that player into the bag of that player."
    state = passed(game(card("Tidying", kind="action", rules=text)).position(ROUND))
    log = plain_words(state, "wolf")
    way = "from raven's discard (up) to raven's bag"
    assert {f"  {one} coin goes {way}" for one in ("an Archer", "a Swordsman")} <= set(log)
    # So is the coin that came into the open before.
    assert "  2 hidden coins go from raven's discard (down) to raven's bag" in log


def after_a_pass(first: str, second: str, **parts: object) -> State:
    """Return the state after raven has passed, and has then done two things by a card."""
    text = SEARCHES.replace("FIRST", first).replace("SECOND", second)
    hand = {"raven": ["Royal Coin"], "wolf": []}
    return passed(game(text).position({**ROUND, "hand": hand, **parts}))


def test_a_player_who_saw_a_hand_does_not_learn_which_coin_chance_takes() -> None:
    hand = {"raven": ["Archer", "Royal Coin", "Swordsman"], "wolf": ["Knight"]}
    state = after_a_pass(
        "choose an opponent, then that opponent sees all coins in your hand",
        "choose a random coin in your hand, then put it into your bag",
        hand=hand,
        discard={},
    )
    assert state.decision is not None and state.decision.is_chance
    assert "  wolf sees Swordsman, Royal Coin" in state.log_for("wolf")
    ways = [state.clone().apply(option) for option in state.decision.options]
    assert len(ways) == 2 and len({tuple(one.log_for("wolf")) for one in ways}) == 1
    assert len({tuple(one.log_for("raven")) for one in ways}) == 2


def test_a_face_does_not_reveal_that_hidden_tokens_are_of_one_kind() -> None:
    told = set()
    for down in ("Archer", "Swordsman"):
        state = after_a_pass(
            "choose a coin in your discard, then put it into your hand",
            "choose a coin in your discard, then put it into your bag",
            hand={"raven": ["Archer"], "wolf": ["Knight"]},
            discard={"raven": {"up": [], "down": [down]}},
        )
        while state.decision is not None and state.decision.player == "raven" and "pending" in state.position():
            state.apply(0)
        told.add(tuple(line for line in plain_words(state, "wolf") if "raven's discard" in line))
    assert told == {
        (
            "  a hidden coin goes from raven's hand to raven's discard (down)",
            "  a hidden coin goes from raven's discard (down) to raven's hand",
            "  a hidden coin goes from raven's discard (down) to raven's bag",
        )
    }


def test_a_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a log that names all, the comparison finds it."""
    monkeypatch.setattr(LogWriter, "_knows", lambda self, token, further=0: True)
    tally, rng = Tally(), Random(1)
    hands = {"raven": ["Archer"], "wolf": ["Knight", "Pikeman"]}
    state = shipped().position({**ROUND, "to_act": "wolf", "hand": hands})
    for _ in range(3):
        compare(state, "raven", rng, tally)
    assert tally.wrong and "raven tells apart, by log" in tally.wrong[0]
