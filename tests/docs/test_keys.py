"""The table of the keys of options in docs/reference/commands/states.md: every key there is, and no other."""

from __future__ import annotations

import re
from random import Random

import pytest
from docs_support import DOCS

import warchest
from loaded import shipped
from warchest.game.explain.option_questions import known_words

SECTION = (
    (DOCS / "reference" / "commands" / "states.md")
    .read_text(encoding="utf-8")
    .partition("### Keys of options\n")[2]
    .partition("\n## ")[0]
)
ROWS = [row.strip("|").split("|") for row in SECTION.splitlines() if row.startswith("| ")]
GENERAL = {key for row in ROWS for key in re.findall(r"`(\w+)`", row[0])}
NOUNS = {row[0].strip(): set(re.findall(r"`(\w+)`", row[1])) for row in ROWS if not row[0].strip().startswith("`")}
GAMES = {"war-chest": "War Chest", "unigames": "WarChest (UNIgames)"}


@pytest.fixture(scope="module", params=GAMES)
def state(request: pytest.FixtureRequest) -> warchest.State:
    return shipped(request.param).new(seed=1)


def nouns(state: warchest.State) -> set[str]:
    return NOUNS[GAMES[state.variant.program.ruleset.name]]


def test_the_table_names_every_key_that_options_of_a_game_can_have(state: warchest.State) -> None:
    acts, keys, _ = known_words(state.variant)
    # Acts of the game itself have no agent; and not every game has things that are numbers.
    assert keys - acts - {"", "game", "number"} <= GENERAL | nouns(state)
    assert nouns(state) <= keys


def test_keys_of_options_are_in_the_table(state: warchest.State) -> None:
    acts, _, _ = known_words(state.variant)
    chance, seen = Random(1), set[str]()
    for _ in range(60):
        if state.decision is None:
            break
        seen |= {key for option in state.decision.options for key in option.data}
        state.apply(state.decision.sample(chance))
    assert {"act", "to"} <= seen
    assert {re.sub(r" \d+$", "", key) for key in seen} <= GENERAL | nouns(state) | acts
