"""Links between words: their declarations, and the places that mention them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from warchest.paraphrase.reading import Study
from warchest.source.nodes import Mapping, Node, Sequence, scalars, within
from warchest.source.text import Source, Span

_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")


def names_at(source: Source, offset: int) -> list[str]:
    """Return the words around a place and their sequences, the longest first: a name can have several words."""
    return [one.text for one in spans_at(source, offset)]


def spans_at(source: Source, offset: int) -> list[Span]:
    """Return the places of the words around a place and of their sequences, the longest first."""
    start, end = source.text.rfind("\n", 0, offset) + 1, source.text.find("\n", offset)
    line = source.text[start : end if end >= 0 else len(source.text)]
    words = [(start + one.start(), start + one.end()) for one in _WORD.finditer(line)]
    here = next((number for number, (first, last) in enumerate(words) if first <= offset <= last), None)
    if here is None:
        return []
    found = [
        (words[first][0], words[last][1])
        for first in range(max(0, here - 3), here + 1)
        for last in range(here, min(len(words), here + 4))
    ]
    return [source.span(first, last) for first, last in sorted(found, key=lambda one: one[0] - one[1])]


def declared(study: Study, names: Iterable[str]) -> Iterator[Span]:
    """Yield the declarations of the first name that is declared: as a document, or as a word of a game or a pack."""
    vocabulary, documents = study.vocabulary, study.library.documents
    for name in names:
        forms = {name, *vocabulary.entries.get(tuple(name.split()), {}).values()}
        found = [one.span for one in documents if one.name in forms]
        found += [span for one in documents if one.kind in ("game", "words") for span in _words_in(one.node, forms)]
        if found:
            yield from dict.fromkeys(found)
            return


def _words_in(root: Node, forms: set[str]) -> Iterator[Span]:
    """Yield the keys and the items of lists in a document that equal any of the given words."""
    for node in within(root):
        if isinstance(node, Mapping):
            yield from (entry.key.span for entry in node.entries if entry.key.text in forms)
        elif isinstance(node, Sequence):
            yield from (one.span for one in scalars(node) if one.text in forms)


def said_of(study: Study, word: str) -> Iterator[Span]:
    """Yield the places that mention a word or a name, in all files and in all its forms."""
    entries = study.vocabulary.entries.items()
    forms = {word, *(" ".join(entry) for entry, kinds in entries if word in kinds.values())}
    pattern = re.compile("|".join(rf"(?<![\w-]){re.escape(one)}(?![\w-])" for one in sorted(forms, key=len)[::-1]))
    for source in study.library.sources:
        yield from (source.span(*one.span()) for one in pattern.finditer(source.text))
