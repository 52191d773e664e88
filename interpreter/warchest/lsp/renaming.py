"""Renaming of the user's own cards and words, in all files and in all forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from warchest.lsp.links import declared, said_of, spans_at
from warchest.lsp.protocol import RequestError
from warchest.paraphrase.reading import Study
from warchest.source.data import is_shipped
from warchest.source.nodes import Node, Scalar, within
from warchest.source.text import Source, Span
from warchest.source.yaml import parse
from warchest.syntax.parse import is_word
from warchest.syntax.words import NAMES, participle, plural, third_person

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9'’-]*(?: [A-Za-z0-9'’-]+)*")
_FORMS: dict[str, Callable[[str], str]] = {
    "PLURAL": plural,
    "NAMES": plural,
    "VERBS": third_person,
    "VERBED": participle,
}
"""The forms of words, by their terminals."""


def renamed(study: Study, source: Source, offset: int, new: str) -> dict[str, list[tuple[Span, str]]]:
    """Return the edits that rename the word or card at a place, by the paths of files.

    Raises RequestError where it is not the user's own, or the new name cannot be used.
    """
    word, places, _ = _named(study, source, offset)
    _check(study, word, new, places)
    found: dict[str, list[tuple[Span, str]]] = {}
    read = cache(lambda one: parse(one)[0])
    for span in said_of(study, word):
        if is_shipped(span.path):
            raise RequestError(f"{span.path} comes with the package and mentions `{word}`, so it cannot be renamed")
        if word[:1].islower() and " " in new and span not in places and _is_value(span, read):
            raise RequestError(
                f"{span.path} says `{span.text}` outside of sentences, as one word; choose a name without blanks"
            )
        if word[:1].isupper() or _is_said(span, read):
            found.setdefault(span.path, []).append((span, _formed(study, span.text, word, new)))
    return found


def renamable(study: Study, source: Source, offset: int) -> tuple[str, Span]:
    """Return the word or name at a place that can be renamed, and its place there; raises RequestError."""
    word, _, here = _named(study, source, offset)
    return word, here


def _named(study: Study, source: Source, offset: int) -> tuple[str, list[Span], Span]:
    """Return the user's own word or name at a place, where it is declared, and its place; raises RequestError."""
    for here in spans_at(source, offset):
        places = list(declared(study, [here.text]))
        if places:
            word = places[0].text.strip("'\"")
            if any(is_shipped(one.path) for one in places):
                raise RequestError(f"`{word}` comes with the package; only names from your own files can be renamed")
            return word, places, here
    raise RequestError("there is no card and no word of a game here; put the cursor on the name of one")


def _check(study: Study, word: str, new: str, places: list[Span]) -> None:
    if not _NAME.fullmatch(new) or new[0].isupper() != word[0].isupper():
        kind = "a capital letter" if word[0].isupper() else "a small letter"
        raise RequestError(f"a new name consists of letters, digits, blanks and hyphens, and begins with {kind}")
    names = {one.name for one in study.library.documents}
    if new in names or is_word(new.lower().split(), study.vocabulary):
        raise RequestError(f"`{new}` already has a meaning; choose another name")


def _formed(study: Study, said: str, word: str, new: str) -> str:
    """Return the form of the new name for a form of the old one."""
    if said == word:
        return new
    kinds = study.vocabulary.entries.get(tuple(said.split()), {})
    form = next((_FORMS[kind] for kind, lexeme in kinds.items() if lexeme == word and kind in _FORMS), None)
    if form is None and any(kind in NAMES for kind in kinds):
        form = plural
    if form is None and said == study.vocabulary.form("PLURAL", word):
        form = plural
    return form(new) if form is not None else new


def _is_said(span: Span, read: Callable[[Source], list[Node]]) -> bool:
    """Whether a word is a part of a sentence, or a whole key or value, and not just a word in a comment or in prose."""
    text = span.source.text
    line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    if "#" in line:
        return False
    words = (one for root in read(span.source) for one in _words(root, span.text))
    return any(one.start <= span.start and span.end <= one.end for one in words)


def _is_value(span: Span, read: Callable[[Source], list[Node]]) -> bool:
    """Whether a word is a whole key or value, and no part of a sentence."""
    return any(
        one.start == span.start and one.end == span.end for root in read(span.source) for one in _words(root, span.text)
    )


def _words(root: Node, word: str) -> Iterator[Span]:
    """Yield the blocks of sentences in a document, and the keys and values that equal a word."""
    for node in within(root):
        if isinstance(node, Scalar) and node.block is not None:
            yield node.block
        elif isinstance(node, Scalar) and node.text == word:
            yield node.span
