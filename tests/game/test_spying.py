"""The spy's view of a hand, at a table of four."""

from __future__ import annotations

from game_support import Position, game
from modes_support import SEATS

from watching import text

SPYING: Position = {
    "to_act": "raven",
    "initiative": "raven",
    "decrees": [{"name": "Spy"}],
    "hand": {"raven": ["Royal Coin"], "wolf": ["Knight", "Scout"], "raven2": ["Royal Coin"], "wolf2": ["Royal Coin"]},
    "bag": {"wolf": ["Archer", "Lancer"]},
}


def test_only_the_spy_sees_what_is_spied_out() -> None:
    """Four players: the spy sees the hand, its owner the lost and drawn coins, the others neither."""
    told: dict[str, set[str]] = {player: set() for player in SEATS[4]}
    for coin in ("Knight", "Scout"):
        for drawn in ("Archer", "Lancer"):
            state = game().position(SPYING)
            for wanted in ({"act": "proclaim"}, {"player": "wolf"}, {"coin": coin}, {"coin": drawn}):
                assert state.decision is not None
                found = [one for one in state.decision.options if one.data.items() >= wanted.items()]
                if "player" in wanted and not found:
                    found = [one for one in state.decision.options if "wolf" in one.data.values()]
                state.apply(found[0])
            assert state.position()["discard"]["wolf"] == {"up": [], "down": [coin]}
            assert drawn in state.position()["hand"]["wolf"]
            for player in SEATS[4]:
                told[player].add(text([state.log_for(player), state.view(player)]))
    assert [len(told[player]) for player in SEATS[4]] == [2, 4, 1, 1]


def test_the_number_of_kinds_in_a_hand_is_hidden_from_others() -> None:
    told = set()
    for hand in (["Knight", "Knight"], ["Knight", "Scout"]):
        state = game().position({**SPYING, "hand": {**SPYING["hand"], "wolf": hand}})
        for _ in range(2):
            assert state.decision is not None
            state.apply(
                next(
                    one
                    for one in state.decision.options
                    if one.data["act"] == "proclaim" or "wolf" in one.data.values()
                )
            )
        assert any("raven sees Knight" in line for line in state.log)
        told.add(text(state.log_for("wolf2")))
    assert len(told) == 1
