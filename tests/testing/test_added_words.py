"""Words that were left out: the original sentence is among the readings of the sentence without them."""

from __future__ import annotations

import os
import re
from collections import Counter
from functools import cache
from random import Random

from loaded import shipped
from warchest.documents.library import Document
from warchest.game.errors import CardError
from warchest.game.game import Game
from warchest.testing.budget import Budget
from warchest.testing.meanings import MeaningSearch, likeliest
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


def card_of(mutant: Mutant, game: Game) -> Document:
    """Return the card that lacks a word, in the game with it."""
    document = mutant.document
    return next(one for one in game.library.documents if (one.kind, one.name) == (document.kind, document.name))


def is_tried(mutant: Mutant, game: Game) -> bool:
    """Whether the right sentence is among the readings of the card that lacks a word."""
    readings = likeliest(Mutants(game, ReadingChanges).of(card_of(mutant, game)))
    return any(sorted(words(one.after)) == sorted(words(mutant.before)) for one in readings)


def told_apart(mutant: Mutant, game: Game, rounds: tuple[int, ...]) -> bool | None:
    """Whether a question tells the right sentence from the one without the word; None if they play alike."""
    search = MeaningSearch(game, card_of(mutant, game))
    for positions in rounds:
        assert [*search.round(positions, Budget(300))]
    found = search.meanings()
    right = sorted(words(mutant.before))
    if any(sorted(words(one.said)) == right for one in found.alike):
        return None
    return any(sorted(words(one.said)) == right for one in found.readings)


def test_a_word_left_out_is_among_the_words_that_are_added() -> None:
    cases = [case for name in GAMES for case in robbed(name)]
    found = {(one.document.name, one.before, *lost(one)): is_tried(one, game) for one, game in cases}
    assert len({word for _, _, word in found}) >= 6
    share = sum(found.values()) / len(found)
    assert share >= LEAST / (2 * EACH), [key for key, value in found.items() if not value]


def test_a_word_left_out_is_among_the_answers() -> None:
    """In every run one card is tried, with few positions; all cards of War Chest by `make explore`."""
    cases = robbed("war-chest")
    found = [told_apart(*one, (60, 240)) for one in cases] if ALL else [told_apart(*cases[2], (5,))]
    assert None not in found if not ALL else found.count(None) <= len(found) / 4
    assert found.count(True) >= 0.9 * (len(found) - found.count(None))
