"""Semantic tokens: the sorts of words in sentences, for colouring in editors."""

from __future__ import annotations

from collections.abc import Iterator

from warchest.lsp.text_positions import position_of
from warchest.source.nodes import blocks
from warchest.source.text import Source, Span
from warchest.source.yaml import parse
from warchest.syntax.lexer import scan, with_genitives
from warchest.syntax.words import Vocabulary

TYPES = ("keyword", "class", "function", "modifier", "number", "variable")
"""The sorts: words of the language, names of cards, acts, adjectives, numbers, and things."""
_OF_KINDS = {"NAME": 1, "NAMES": 1, "VERB": 2, "VERBS": 2, "VERBED": 2, "ADJ": 3, "ADV": 3, "NOUN": 5, "PLURAL": 5}
LONGEST = 4
"""The most words of a spelling."""


def semantic_tokens(source: Source, vocabulary: Vocabulary) -> list[int]:
    """Return the tokens of all sentences of a text as the protocol encodes them: five numbers for each."""
    found, line, character = list[int](), 0, 0
    for span, sort in sorted(_tokens(source, vocabulary), key=lambda one: one[0].start):
        place, end = position_of(source, span.start), position_of(source, span.end)
        if place["line"] != end["line"]:
            continue
        step = place["line"] - line
        begin = place["character"] - (character if not step else 0)
        found += [step, begin, end["character"] - place["character"], sort, 0]
        line, character = place["line"], place["character"]
    return found


def _tokens(source: Source, vocabulary: Vocabulary) -> Iterator[tuple[Span, int]]:
    roots, _ = parse(source)
    for root in roots:
        for block in blocks(root):
            raw, place = with_genitives(scan(source.text, block.start, block.end), vocabulary), 0
            while place < len(raw):
                length, sort = sort_of([one.text for one in raw[place : place + LONGEST]], vocabulary)
                if sort is not None:
                    yield source.span(raw[place].start, raw[place + length - 1].end), sort
                place += length


def sort_of(words: list[str], vocabulary: Vocabulary) -> tuple[int, int | None]:
    """Return the number of words in the first spelling, and its sort; None for punctuation."""
    for length in range(len(words), 0, -1):
        kinds = vocabulary.entries.get(tuple(words[:length]), {})
        sort = next((_OF_KINDS[kind] for kind in kinds if kind in _OF_KINDS), None)
        if sort is not None:
            return length, sort
    first = words[0]
    if first[:1].isdigit():
        return 1, TYPES.index("number")
    return 1, TYPES.index("keyword") if first[:1].isalpha() else None
