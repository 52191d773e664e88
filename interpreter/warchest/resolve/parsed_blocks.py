"""A cache of parsed blocks in the process: when a game is loaded or linted again, only new sentences are parsed.

A block without any word that has changed in the vocabulary reads the same. Only blocks without findings are kept. The
blocks of a game are stored for the next process as plain data, keyed by the whole text that contains them.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.source.cache import Cache, digest_of_files, plain_of, program_cache
from warchest.source.data import data_folder, is_shipped
from warchest.source.records import names_of, record
from warchest.source.text import Source, Span, digest
from warchest.syntax import ast, parse, phrase_nodes
from warchest.syntax.lexer import scan
from warchest.syntax.words import Vocabulary

ParsedBlock: TypeAlias = list[tuple[Span, list[ast.Sentence], list[Diagnostic]]]
"""The sentences of a block, each with its place, its trees and its findings."""
MOST_BLOCKS = 4000
MOST_VOCABULARIES = 30
"""The most vocabularies that are kept, with the blocks that were read with them."""


@record()
class _KeptBlock:
    """A parsed block: the whole text around it, its words, and the vocabulary that it was read with."""

    text: str
    words: frozenset[str]
    vocabulary: Vocabulary
    parsed: ParsedBlock


_BLOCKS: dict[Span, _KeptBlock] = {}
_VOCABULARIES: dict[int, Vocabulary] = {}
"""The vocabularies that blocks were read with, by their identities; the most recently used one is last."""
_COMPARED: dict[tuple[int, int], tuple[Vocabulary, frozenset[str]]] = {}
"""The words in which a kept vocabulary and another one differ, by their identities."""


def known(span: Span, vocabulary: Vocabulary) -> ParsedBlock | None:
    """Return the trees of a block that was parsed before, if it reads the same with this vocabulary; otherwise None."""
    kept = _BLOCKS.get(span)
    if kept is None or kept.text != span.source.text:
        _recall(span.source)
        kept = _BLOCKS.get(span)
    if kept is None or kept.text != span.source.text:
        return None
    _hold(kept.vocabulary)
    return kept.parsed if kept.words.isdisjoint(_other_words(kept.vocabulary, vocabulary)) else None


@dataclass(slots=True)
class _Written:
    """The stored records: vocabularies, and for each text, by its digest, the blocks in it."""

    vocabularies: list[Vocabulary] = field(default_factory=list)
    texts: dict[str, list[Any]] = field(default_factory=dict)
    data: bytes | None = None
    """The record that was read."""


_WRITTEN = _Written()
_FRESH: set[str] = set()
"""The paths of the texts in which blocks were parsed since the last records were loaded."""
_SPAN = "span"
_CLASSES = {
    one.__name__: (one, names_of(one))
    for one in (*vars(phrase_nodes).values(), *vars(ast).values())
    if isinstance(one, type) and names_of(one) and one is not Span
}
"""All parts of sentences by their names, with the names of their own parts."""


def recall(folder: Path, own: Cache | None = None) -> None:
    """Load the stored blocks of a game; for a game that is not shipped, they are in the user's own cache.

    The last loaded trees are still cached, or have been parsed again since.
    """
    place = _cache_for(folder, own)
    data = place.read(_name_of(folder)) if place is not None else None
    if data == _WRITTEN.data:
        return
    _WRITTEN.vocabularies, _WRITTEN.texts, _WRITTEN.data = [], {}, data
    _FRESH.clear()
    with suppress(ValueError, TypeError, AttributeError):
        found: Any = plain_of(data)
        entries, texts = found or ((), {})
        vocabularies = [Vocabulary({tuple(words): kinds for words, kinds in one}) for one in entries]
        _WRITTEN.vocabularies, _WRITTEN.texts = vocabularies, dict(texts)


def _recall(source: Source) -> None:
    """Load the stored blocks of a text."""
    blocks = _WRITTEN.texts.pop(digest(source.text), ()) if _WRITTEN.texts else ()
    with suppress(LookupError, ValueError, TypeError):
        for number, start, end, words, sentences in blocks:
            vocabulary, span = _WRITTEN.vocabularies[number], Span(source, start, end)
            parsed: ParsedBlock = [
                (Span(source, first, last), [_made(one, source) for one in trees], [])
                for first, last, trees in sentences
            ]
            if span.path not in _FRESH:
                _hold(vocabulary)
                _BLOCKS[span] = _KeptBlock(source.text, frozenset(words), vocabulary, parsed)


def keep_known(folder: Path, sources: Iterable[Source], own: Cache | None = None) -> None:
    """Store all known blocks in the given texts of a game for the next process, if at least one block is new."""
    by_path, place = {source.path: source for source in sources}, _cache_for(folder, own)
    if place is None or _FRESH.isdisjoint(by_path):
        return
    for source in by_path.values():
        _recall(source)
    numbers: dict[int, int] = {}
    vocabularies: list[list[object]] = []
    texts: dict[str, list[Any]] = {}
    for span, kept in _BLOCKS.items():
        home = by_path.get(span.path)
        if home is not None and kept.text == home.text:
            if id(kept.vocabulary) not in numbers:
                numbers[id(kept.vocabulary)] = len(vocabularies)
                vocabularies.append(list(kept.vocabulary.entries.items()))
            sentences = [[piece.start, piece.end, [_plain(one) for one in trees]] for piece, trees, _ in kept.parsed]
            block = [numbers[id(kept.vocabulary)], span.start, span.end, sorted(kept.words), sentences]
            texts.setdefault(digest(home.text), []).append(block)
    place.write_plain(_name_of(folder), [vocabularies, texts])


def _cache_for(folder: Path, own: Cache | None) -> Cache | None:
    return program_cache() if is_shipped(folder) else own


def _name_of(folder: Path) -> str:
    """Return the name of the record of the blocks of a game."""
    return f"{digest(f'blocks of {folder.name if is_shipped(folder) else folder.absolute()} by {_reader()}')}.json"


@cache
def _reader() -> str:
    """Return a digest of everything that a parse depends on, except the text and the words of the block."""
    modules = sorted(Path(parse.__file__).parent.glob("*.py"))
    return digest_of_files((*modules, __file__, data_folder("grammar") / "sentence.lark"))


def _plain(part: Any) -> Any:
    """Return a part of a sentence as plain data: lists that begin with the names of their classes."""
    if isinstance(part, Span):
        return [_SPAN, part.start, part.end]
    if isinstance(part, tuple):
        return ["", *map(_plain, part)]
    known = _CLASSES.get(type(part).__name__)
    return part if known is None else [type(part).__name__, *(_plain(getattr(part, name)) for name in known[1])]


def _made(plain: Any, source: Source) -> Any:
    """Return the part of a sentence from its plain data."""
    if not isinstance(plain, list):
        return plain
    what, *parts = plain
    if what == _SPAN:
        return Span(source, *parts)
    made = [_made(one, source) for one in parts]
    if not what:
        return tuple(made)
    kind, names = _CLASSES[what]
    return kind(**dict(zip(names, made, strict=True)))


def keep(span: Span, vocabulary: Vocabulary, parsed: ParsedBlock) -> None:
    """Cache a parsed block, if it has no findings."""
    if any(found for _, _, found in parsed):
        return
    while _VOCABULARIES and (len(_BLOCKS) >= MOST_BLOCKS or len(_VOCABULARIES) >= MOST_VOCABULARIES):
        _forget(next(iter(_VOCABULARIES)))
    text = span.source.text
    words = frozenset(raw.text for raw in scan(text, span.start, span.end))
    _hold(vocabulary)
    _BLOCKS[span] = _KeptBlock(text, words, vocabulary, parsed)
    _FRESH.add(span.path)


def _hold(vocabulary: Vocabulary) -> None:
    """Hold a vocabulary, as the most recently used one."""
    _VOCABULARIES[id(vocabulary)] = _VOCABULARIES.pop(id(vocabulary), vocabulary)


def _forget(number: int) -> None:
    """Forget a vocabulary, by its identity, which may be reused, and all blocks that were read with it."""
    del _VOCABULARIES[number]
    for span in [span for span, kept in _BLOCKS.items() if id(kept.vocabulary) == number]:
        del _BLOCKS[span]
    for pair in [pair for pair in _COMPARED if pair[0] == number]:
        del _COMPARED[pair]


def _other_words(first: Vocabulary, second: Vocabulary) -> frozenset[str]:
    """Return all words in the spellings and dictionary forms that differ between two vocabularies."""
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
