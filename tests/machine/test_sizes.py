"""Numbers of things are compared as numbers are, also where it is only asked whether there is any."""

from __future__ import annotations

import operator

from machine_support import card, game, offered, position

WORDS = {
    "is {}": operator.eq,
    "is not {}": operator.ne,
    "is at least {}": operator.ge,
    "is at most {}": operator.le,
    "is more than {}": operator.gt,
    "is less than {}": operator.lt,
}
BESIDE = ("", ", wolf Scout f5", ", wolf Scout f5, wolf Knight f3")


def test_a_number_of_things_is_compared_with_a_small_number_as_numbers_are() -> None:
    asked = {
        (words, number): f"Probe{words[2:-3].title()}{'abc'[number]}".replace(" ", "")
        for words in WORDS
        for number in range(3)
    }
    asks = "if the number of enemy units adjacent to this {}, move. otherwise, choose a unit."
    probes = [card(name, tactic=asks.format(words.format(number))) for (words, number), name in asked.items()]
    tried = game(*probes)
    for (words, number), name in asked.items():
        there = [position(f"{name} f4{one}", name) for one in BESIDE]
        found = [bool(offered(tried.position(one), act="tactic", then="move")) for one in there]
        assert found == [WORDS[words](count, number) for count in range(len(BESIDE))], (words, number)
