"""Temporary values of fields of a piece, in a game without bonuses: they end with the piece."""

from __future__ import annotations

from machine.machine_support import card, game, position, round_trips, take

WORDS = "words: Lords\nfields: {unit: {master: player}}\n"
TACTIC = (
    "choose another unit within 2 spaces of this, then you become the master of that unit until this moves; "
    "remove that unit."
)


def test_a_prevailing_value_ends_with_its_piece() -> None:
    of = game(WORDS, card("Lord", tactic=TACTIC, attribute="after this attacks, its owner becomes the master of this."))
    state = take(of.position(position("Lord f4 2, wolf Scout f5", "Lord")), act="tactic")
    round_trips(state)
    assert "pending" not in state.position()
