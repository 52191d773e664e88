"""Parsed blocks, kept in the process: loading or linting a game again parses its new sentences alone.

A block is read the same with other words if none of these stands in it. Only blocks without findings are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.source.text import Span
from warchest.syntax import ast
from warchest.syntax.lexer import scan
from warchest.syntax.words import Vocabulary

ParsedBlock: TypeAlias = list[tuple[Span, list[ast.Sentence], list[Diagnostic]]]
"""The sentences of a block, each with its place, its trees and its findings."""
MOST_BLOCKS = 4000
MOST_VOCABULARIES = 30
"""How many blocks, and vocabularies that they were read with, are kept at most before all are forgotten."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A parsed block: the whole text that it stood in, its words, and the vocabulary that it was read with."""

    text: str
    words: frozenset[str]
    vocabulary: Vocabulary
    parsed: ParsedBlock


_BLOCKS: dict[Span, _Kept] = {}
_VOCABULARIES: dict[int, Vocabulary] = {}
_COMPARED: dict[tuple[int, int], tuple[Vocabulary, frozenset[str]]] = {}
"""The words in which a vocabulary that was kept and another one differ, by their identities."""


def known(span: Span, vocabulary: Vocabulary) -> ParsedBlock | None:
    """Return the trees of a block that was parsed before, if it reads the same with this vocabulary; else None."""
    kept = _BLOCKS.get(span)
    if kept is None or kept.text != span.source.text:
        return None
    return kept.parsed if kept.words.isdisjoint(_other_words(kept.vocabulary, vocabulary)) else None


def keep(span: Span, vocabulary: Vocabulary, parsed: ParsedBlock) -> None:
    """Keep a block that was parsed, if nothing was found in it."""
    if any(found for _, _, found in parsed):
        return
    if len(_BLOCKS) >= MOST_BLOCKS or len(_VOCABULARIES) >= MOST_VOCABULARIES:
        for kept in (_BLOCKS, _VOCABULARIES, _COMPARED):
            kept.clear()
    text = span.source.text
    words = frozenset(raw.text for raw in scan(text, span.start, span.end))
    _VOCABULARIES[id(vocabulary)] = vocabulary
    _BLOCKS[span] = _Kept(text, words, vocabulary, parsed)


def _other_words(first: Vocabulary, second: Vocabulary) -> frozenset[str]:
    """Return all words in the spellings and dictionary forms of which two vocabularies have different ones."""
    if first is second:
        return frozenset()
    pair = id(first), id(second)
    if pair not in _COMPARED or _COMPARED[pair][0] is not second:
        if len(_COMPARED) >= MOST_VOCABULARIES * 4:
            _COMPARED.clear()
        _COMPARED[pair] = second, _compared(first, second)
    return _COMPARED[pair][1]


def _compared(first: Vocabulary, second: Vocabulary) -> frozenset[str]:
    found: set[str] = set()
    for one, other in ((first.entries, second.entries), (second.entries, first.entries)):
        for words, kinds in one.items():
            if other.get(words) != kinds:
                found.update(words)
                found.update(word for lexeme in kinds.values() for word in lexeme.split())
    return frozenset(found)
