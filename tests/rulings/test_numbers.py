"""Every number on a shipped card is pinned: with the next number in its place some ruling of the card fails.

The tests try units, decrees, fortifications and errata of the one game, and the abilities of the other, these only with
larger numbers: their rulings are many, and scripts take longer. The setup in a game's own document is left
out, because rulings begin with positions; tests/setups covers it.
"""

from __future__ import annotations

import re
from functools import lru_cache

import pytest

import warchest
from loaded import shipped
from warchest.scripts import line_play
from warchest.testing.mutants.making import Mutant, Mutants
from warchest.testing.mutants.trying import Trials, rulings_of

KINDS = {"war-chest": ("unit", "decree", "fortification", "errata"), "unigames": ("ability",)}
LARGER = ("unigames",)
"""The games that are tried with larger numbers only."""

SAME = {
    # No unit moves to its own space: no space that is taken can be moved to.
    ("Lancer", "1-2", "0-2"),
    ("Light Cavalry anywhere", "1-2", "0-2"),
    ("Light Cavalry up to two", "1-2", "0-2"),
    # No text asks how many there are of it: only its presence counts.
}
"""Texts that mean the same with another number, with the number that is there and the one put there."""


def numbers(words: str) -> list[int]:
    return [int(one) for one in re.findall("[0-9]+", words)]


def changes(game: str) -> list[Mutant]:
    """The changes of a game that replace one number with another."""
    makes = Mutants(shipped(game))
    found = [
        one
        for document in shipped(game).library.documents
        if document.kind in KINDS[game]
        for one in makes.of(document)
        if one.kind == "number" and numbers(one.new)
    ]
    return [one for one in found if game not in LARGER or numbers(one.new) > numbers(one.old)]


def said(change: Mutant) -> tuple[str, str, str]:
    return change.document.name, change.old, change.new


ALL = [(game, one) for game in KINDS for one in changes(game)]
PINNED = [pytest.param(*one, id=" ".join(said(one[1]))) for one in ALL if said(one[1]) not in SAME]


@lru_cache
def trials(game: str) -> Trials:
    return Trials(shipped(game), rulings_of(shipped(game)))


@pytest.fixture(autouse=True)
def soon_endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a line for endless soon: with the shipped texts none of the rulings takes 40 choices."""
    monkeypatch.setattr(line_play, "_MAX_CHOICES", 200)


@pytest.mark.parametrize(("game", "change"), PINNED)
def test_every_number_is_pinned_by_a_ruling(game: str, change: Mutant) -> None:
    try:
        changed = shipped(game).with_text(change.path, change.text)
    except warchest.CardError:
        return
    assert trials(game).first_failing(changed, change.document) >= 0, f"no ruling fails with: {change.after}"


def test_there_are_many_and_few_are_left_out() -> None:
    assert len(PINNED) >= 40
    assert {said(one) for _, one in ALL} >= SAME
