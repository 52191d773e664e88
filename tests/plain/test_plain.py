"""Small generated cards have the meaning of a plain reading, in all positions and for all events.

`python -m plain --count 20000` tries far more of them.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import settings

from loaded import shipped
from plain.board import SPACES, distance, within
from plain.clauses import Move, Sentence
from plain.comparing import Tally, compare
from plain.hooks import Card, Event, Hook
from plain.phrases import Phrase
from plain.reading import acts, ends_of
from plain.world import Unit, World
from seeds import seeds

CASES = 500 if settings().max_examples <= 40 else 2500


@pytest.mark.parametrize("seed", seeds(1, "plain readings", usual=[11]))
def test_cards_have_their_literal_meaning(seed: int) -> None:
    tally = compare(seed, CASES)
    assert not tally.wrong, "\n\n".join(map(str, tally.wrong[:3]))
    assert_is_no_idle_comparison(tally)


def assert_is_no_idle_comparison(tally: Tally) -> None:
    """Check that most cards are accepted, and that many of them do something where they are tried."""
    assert tally.accepted > tally.cards * 0.6
    assert tally.answered > tally.cases * 0.25
    assert sum(tally.open.values()) < tally.cases * 0.1


# ---- the reading by itself


def test_the_board_is_that_of_the_game() -> None:
    board = shipped().board
    assert {one.name for one in board.spaces} == set(SPACES)
    assert all(set(board.neighbours(one)) == set(within(one, 1, 1)) for one in SPACES)
    assert all(board.distance(one, "f4") == distance(one, "f4") for one in SPACES)


STRIKES = Event("attack", "this", Phrase("enemy", "unbolstered"))
PURSUIT = Card("Probe", hooks=[Hook("after", STRIKES, Sentence((Move(True),)))])


@pytest.mark.parametrize(("coins", "ways"), [(1, 7), (2, 1)])
def test_conditions_on_an_event_are_read_at_its_beginning(coins: int, ways: int) -> None:
    world = World([Unit("Probe", "raven", "f4", 1), Unit("Yak", "wolf", "f5", coins)])
    world.zones["hand", "raven"], world.zones["hand", "wolf"] = ["Probe", "Royal Coin"], ["Royal Coin"]
    attack = next(work for data, work in acts(PURSUIT, world) if data["act"] == "attack")
    ends = ends_of(PURSUIT, world, attack, lambda end: json.dumps(end.position(), sort_keys=True))
    assert len(ends) == ways
    assert {askers for askers, _ in ends} == ({("raven",)} if ways > 1 else {()})
