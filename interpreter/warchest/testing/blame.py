"""Clauses to blame: the sentences without which a fault does not occur."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import islice
from typing import Any

from warchest.documents.library import Document
from warchest.game.errors import CardError
from warchest.game.game import Game
from warchest.source.text import Span
from warchest.testing.mutants.making import Mutants

MOST = 24
"""The most sentences that are left out, one after the other."""
SENTENCE = "sentence"
"""The kind of mutant in which a whole sentence is missing."""


def blamed(game: Game, documents: Collection[Document], happens: Callable[[Game], bool]) -> list[Span]:
    """Return the sentences of some documents without which a fault does not occur.

    `happens` is called with games that lack one sentence. A game that cannot be loaded without a sentence proves
    nothing about it.
    """
    shortened = islice(_shortened(game, documents), MOST)
    return [sentence for sentence, without in shortened if not happens(without)]


def _shortened(game: Game, documents: Collection[Document]) -> Iterator[tuple[Span, Game]]:
    """Yield the sentences of documents, each with the game without it."""
    mutants = Mutants(game)
    for document in documents:
        for mutant in mutants.of(document):
            if mutant.kind == SENTENCE:
                try:
                    yield mutant.sentence, game.with_text(mutant.path, mutant.text)
                except CardError:
                    continue


def named_in(game: Game, value: object) -> list[Document]:
    """Return the documents that a position, or another value made of names, names."""
    said = set(_texts(value))
    kinds = game.document.values["documents"]
    return [one for one in game.library.documents if one.kind in kinds and one.name in said]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, str):
        yield value
