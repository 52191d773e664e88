"""Words that were left out: the original sentence is among the readings of the sentence without them."""

from __future__ import annotations

import os
import re
from collections import Counter
from functools import cache
from random import Random

from loaded import shipped
from warchest.game.errors import CardError
from warchest.game.game import Game
from warchest.testing.meanings import likeliest
from warchest.testing.mutants.making import Mutant, Mutants
from warchest.testing.mutants.readings import ReadingChanges
from warchest.testing.mutants.trying import rules_of

GAMES = {"war-chest": ("unit", "decree"), "unigames": ("ability", "figure")}
"""The kinds of cards of each game."""
ALL = os.environ.get("HYPOTHESIS_PROFILE") == "explore"
EACH, LEAST = 10, 18
"""The number of sentences of each game that lose a word, and the least number in all whose original is tried."""


def lost(mutant: Mutant) -> list[str]:
    """Return the words that a change leaves out; none if it does anything else."""
    before, after = Counter(words(mutant.before)), Counter(words(mutant.after))
    return [] if after - before else list((before - after).elements())


def words(text: str) -> list[str]:
    """Return the words of a sentence; `another` is two words, and `it` counts as `this`."""
    told = re.findall(r"[\w+-]+", text.replace("another", "an other"))
    return ["a" if one == "an" else "this" if one == "it" else one for one in told]


@cache
def robbed(name: str) -> list[tuple[Mutant, Game]]:
    """Return sentences of the cards of a game without one word each, some drawn by a seed, with the games they make."""
    game = shipped(name)
    cards = [one for one in game.library.documents if one.kind in GAMES[name]]
    makes = Mutants(game)
    every = [one for card in cards for one in makes.of(card) if one.kind == "clause" and len(lost(one)) == 1]
    Random(f"robbed {name}").shuffle(every)
    made: list[tuple[Mutant, Game]] = []
    for one in every:
        try:
            other = game.with_text(one.path, one.text)
            if rules_of(other, {}) != rules_of(game, {}):
                made.append((one, other))
        except CardError:
            pass
        if len(made) == EACH and not ALL:
            break
    return made


def is_tried(mutant: Mutant, game: Game) -> bool:
    """Whether the right sentence is among the readings of the card that lacks a word."""
    document = mutant.document
    card = next(one for one in game.library.documents if (one.kind, one.name) == (document.kind, document.name))
    readings = likeliest(Mutants(game, ReadingChanges).of(card))
    return any(sorted(words(one.after)) == sorted(words(mutant.before)) for one in readings)


def test_a_word_left_out_is_among_the_words_that_are_added() -> None:
    cases = [case for name in GAMES for case in robbed(name)]
    found = {(one.document.name, one.before, *lost(one)): is_tried(one, game) for one, game in cases}
    assert len({word for _, _, word in found}) >= 6
    share = sum(found.values()) / len(found)
    assert share >= LEAST / (2 * EACH), [key for key, value in found.items() if not value]
