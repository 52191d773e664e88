"""First texts that are refused: what their findings say to write is accepted at once."""

from __future__ import annotations

import pytest

from designer.reading_support import advised
from machine.machine_support import card, game


@pytest.mark.parametrize(
    ("key", "first", "advice", "then"),
    [
        (
            "attribute",
            "friendly units adjacent to this may move 2 spaces instead of 1.",
            "`a friendly unit adjacent to this may move to a space exactly 2 spaces away.`",
            "a friendly unit adjacent to this may move to a space exactly 2 spaces away.",
        ),
        (
            "attribute",
            "enemy units adjacent to this cannot move.",
            "`an enemy unit adjacent to this cannot move.`",
            "an enemy unit adjacent to this cannot move.",
        ),
        (
            "tactic",
            "choose an enemy unit 2-3 spaces away in a straight line through empty spaces. "
            "pull that unit to the space adjacent to this in that line. you may attack that unit.",
            "`displace that unit to a space adjacent to this in that line`",
            "choose an enemy unit 2-3 spaces away in a straight line through empty spaces. "
            "displace that unit to a space adjacent to this in that line. this may attack that unit.",
        ),
        (
            "tactic",
            "move. you may attack an adjacent target.",
            "`this may attack an adjacent target`",
            "move. this may attack an adjacent target.",
        ),
        (
            "attribute",
            "when all spaces adjacent to a unit are occupied by enemy units, remove that unit.",
            "make it follow an event: `after …, …`",
            "after a unit moves, for each unit, if no empty space is adjacent to it and no friendly unit is adjacent to it, "
            "remove it.",
        ),
        (
            "attribute",
            "when three units of a team stand next to each other in a straight line on locations, that team wins.",
            "if the number of … is at least 2",
            "after this moves to a location, if the number of friendly units "
            "adjacent to this is at least 2, your team wins.",
        ),
    ],
)
def test_the_advice_of_a_first_text_is_accepted(key: str, first: str, advice: str, then: str) -> None:
    assert any(advice in one.help for one in advised(card("Probe", **{key: first})))
    game(card("Probe", **{key: then}))
