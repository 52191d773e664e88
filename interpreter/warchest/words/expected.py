"""The words that can follow in a sentence, by the automaton of the parser."""

from __future__ import annotations

from collections.abc import Iterator

from warchest.source.records import record
from warchest.source.text import Source, Span
from warchest.syntax.automaton import Automaton, Unexpected
from warchest.syntax.lexer import Raw, SentenceInput, begun_small, cut, scan
from warchest.syntax.parse import automaton_and_lexer
from warchest.syntax.words import Vocabulary

STOP = "."
LANGUAGE = "language"
"""The sort of the words of the language, which belong to no game."""


@record()
class NextWord:
    """A word, or a spelling of several words, that can follow.

    `sort` is `language` for words of the language itself; for words of the game their use: `NOUN`, `PLURAL`, `ADJ`,
    `ADV`, `VERB`, `VERBS` (third person), `VERBED` (participle), `NAME`, `NAMES` or `PARAMETER`.
    """

    text: str
    sort: str


def expected_words(text: str, start: int, place: int, vocabulary: Vocabulary) -> list[NextWord]:
    """Return the words that are possible at a place in a block of sentences that begins at `start`, in no order.

    A partly typed word right before the place is ignored. The list is empty after an error in the sentence.
    """
    begun = begin_of_word(text, start, place)
    sentences = cut(scan(text, start, begun))
    raw = sentences[-1] if sentences and sentences[-1][-1].text != STOP else []
    automaton = _fed(Span(Source("", text), start, begun), raw, vocabulary)
    return list(_accepted(automaton, vocabulary)) if automaton is not None else []


def begin_of_word(text: str, start: int, place: int) -> int:
    """Return the beginning of the word around a place, or right before it."""
    while place > start and (text[place - 1].isalnum() or text[place - 1] in "-'"):
        place -= 1
    return place


def _fed(span: Span, raw: list[Raw], vocabulary: Vocabulary) -> Automaton | None:
    """Return the automaton after some words of a sentence; None if these have an error."""
    automaton, lexer = automaton_and_lexer(span.source, vocabulary)
    try:
        for token in lexer.lex(SentenceInput(span, begun_small(raw, vocabulary), vocabulary), automaton):
            automaton.feed(token)
    except (Unexpected, RecursionError):
        return None
    return automaton


def _accepted(automaton: Automaton, vocabulary: Vocabulary) -> Iterator[NextWord]:
    _, lexer = automaton_and_lexer(Source("", ""), vocabulary)
    known: dict[str, bool] = {}
    seen = set[str]()
    for phrases in lexer.phrases.values():
        for words, terminal in phrases:
            spelling = " ".join(words)
            if spelling not in seen and _takes(automaton, terminal, known):
                seen.add(spelling)
                yield NextWord(spelling, LANGUAGE)
    for entry, kinds in vocabulary.entries.items():
        spelling = " ".join(entry)
        fitting = [terminal for terminal in kinds if _takes(automaton, terminal, known)]
        if fitting and spelling not in seen:
            seen.add(spelling)
            yield NextWord(spelling, fitting[0])


def _takes(automaton: Automaton, terminal: str, known: dict[str, bool]) -> bool:
    if terminal not in known:
        known[terminal] = automaton.accepts(terminal)
    return known[terminal]
