"""Parsed blocks, kept in the process: loading or linting a game again parses its new sentences alone.

A block is read the same with other words if none of these stands in it. Only blocks without findings are kept. They can
be written down for another process, by the whole text that they stand in; of what is read then, nothing is run, and
nothing is made but sentences, spans and plain data.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.source.text import Source, Span
from warchest.syntax import ast, phrases
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
        _recall(span.source)
        kept = _BLOCKS.get(span)
    if kept is None or kept.text != span.source.text:
        return None
    return kept.parsed if kept.words.isdisjoint(_other_words(kept.vocabulary, vocabulary)) else None


_Entries: TypeAlias = dict[tuple[str, ...], dict[str, str]]
_Block: TypeAlias = tuple[int, Span, frozenset[str], ParsedBlock]
"""A block as it is written down: the number of its vocabulary, its place, its words and its sentences."""


@dataclass(slots=True)
class _Written:
    """What was written down: vocabularies, and for each text, by its digest, the blocks in it."""

    vocabularies: list[Vocabulary] = field(default_factory=list)
    texts: dict[str, bytes] = field(default_factory=dict)


_WRITTEN = _Written()
_FRESH: set[str] = set()
"""The paths of the texts in which blocks were parsed since others were read."""


class _Writer(pickle.Pickler):
    """Writes blocks of one text down, without that text."""

    def persistent_id(self, thing: object) -> str | None:
        """Return a name for the text itself, which is there when it is read."""
        return "source" if isinstance(thing, Source) else None


class _Reader(pickle.Unpickler):
    """Reads what was written down about a text, and makes nothing but parts of sentences."""

    def __init__(self, data: bytes, source: Source | None = None) -> None:
        super().__init__(io.BytesIO(data))
        self.source = source

    def persistent_load(self, name: object) -> Source:
        """Return the text for its name."""
        if self.source is None:
            raise pickle.UnpicklingError
        return self.source

    def find_class(self, module: str, name: str) -> Any:
        """Return a class of sentences by its name; there is nothing else."""
        made = _CLASSES.get((module, name))
        if made is None:
            raise pickle.UnpicklingError
        return made


_CLASSES = {
    (one.__module__, one.__name__): one
    for one in (Span, frozenset, *vars(ast).values(), *vars(phrases).values())
    if isinstance(one, type) and (one in (Span, frozenset) or one.__module__ in (ast.__name__, phrases.__name__))
}


def recall(data: bytes) -> None:
    """Let blocks be known that were written down; what is not readable is as good as nothing."""
    _WRITTEN.vocabularies, _WRITTEN.texts = [], {}
    _FRESH.clear()
    with suppress(Exception):
        entries, texts = _Reader(data).load()
        if all(isinstance(key, str) and isinstance(one, bytes) for key, one in texts.items()):
            _WRITTEN.vocabularies, _WRITTEN.texts = [Vocabulary(one) for one in entries], texts


def _recall(source: Source) -> None:
    """Let the blocks of a text be known that were written down."""
    data = _WRITTEN.texts.pop(_digest(source), b"") if _WRITTEN.texts else b""
    with suppress(Exception):
        blocks: list[_Block] = _Reader(data, source).load() if data else []
        for number, span, words, parsed in blocks:
            vocabulary = _WRITTEN.vocabularies[number]
            _VOCABULARIES[id(vocabulary)] = vocabulary
            if span.path not in _FRESH:
                _BLOCKS[span] = _Kept(source.text, words, vocabulary, parsed)


def written(sources: Iterable[Source]) -> bytes:
    """Return all blocks that are known in some texts, written down; nothing if none of them is new."""
    by_path = {source.path: source for source in sources}
    if _FRESH.isdisjoint(by_path):
        return b""
    for source in by_path.values():
        _recall(source)
    numbers: dict[int, int] = {}
    vocabularies: list[_Entries] = []
    blocks: dict[str, list[_Block]] = {}
    for span, kept in _BLOCKS.items():
        if span.path in by_path and kept.text == by_path[span.path].text:
            if id(kept.vocabulary) not in numbers:
                numbers[id(kept.vocabulary)] = len(vocabularies)
                vocabularies.append(kept.vocabulary.entries)
            blocks.setdefault(span.path, []).append((numbers[id(kept.vocabulary)], span, kept.words, kept.parsed))
    texts = {_digest(by_path[path]): _dumped(found) for path, found in blocks.items()}
    return _dumped((vocabularies, texts))


def _dumped(thing: object) -> bytes:
    made = io.BytesIO()
    _Writer(made, pickle.HIGHEST_PROTOCOL).dump(thing)
    return made.getvalue()


def _digest(source: Source) -> str:
    return hashlib.sha256(source.text.encode(errors="surrogatepass")).hexdigest()


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
    _FRESH.add(span.path)


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
