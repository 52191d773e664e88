"""Numbers of a card that a designer may want to change: values of its keys, and those in its texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from warchest.diagnostics.edits import apart, edited
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.library import Document
from warchest.game.errors import CardError
from warchest.game.game import Game
from warchest.source.nodes import Entry, Scalar, within
from warchest.source.text import Span
from warchest.testing.versions import APART

CORRECTED = 3
"""The most times that a text is corrected."""
_NUMBER = re.compile(r"(?<![\w.])\d{1,6}(?![\w.]*\w)")
_WORD = re.compile(r"\s+([A-Za-z][\w-]*)")


class NoNumberError(ValueError):
    """The name is not a number of a card; the message lists the names."""


@dataclass(frozen=True, slots=True)
class NumberPlace:
    """A number of a card: its names, its value, its place in the file, and the line that holds it."""

    names: tuple[str, ...]
    value: int
    span: Span
    line: str


@dataclass(frozen=True, slots=True)
class NamedNumber:
    """The numbers of a card that have a name: one, or several that are the same and can only change together."""

    name: str
    value: int
    spans: tuple[Span, ...]


def numbers_of(document: Document) -> list[NumberPlace]:
    """Return the numbers of a document, in the order of its file.

    A number that is the value of a key is named by that key. A number in a text is named by the key with its position,
    as in `tactic.1`, by the key alone, and by the word after it.
    """
    return [one for entry in document.node.entries[1:] if entry.key.text not in APART for one in _places(entry)]


def _places(entry: Entry) -> Iterator[NumberPlace]:
    key, number = entry.key.text, 0
    for node in within(entry.value):
        if not isinstance(node, Scalar):
            continue
        span = node.block or node.span
        text = span.source.text[span.start : span.end]
        if node is entry.value and _NUMBER.fullmatch(text):
            yield NumberPlace((key,), int(text), span, f"{key}: {text}")
            continue
        for one in _NUMBER.finditer(text):
            number += 1
            behind = _WORD.match(text, one.end())
            names = (f"{key}.{number}", *((behind[1],) if behind else ()), key)
            place = span.source.span(span.start + one.start(), span.start + one.end())
            yield NumberPlace(names, int(one[0]), place, _line_at(text, one.start()))


def _line_at(text: str, offset: int) -> str:
    begin = text.rfind("\n", 0, offset) + 1
    return " ".join(text[begin:].partition("\n")[0].split())


def number_named(document: Document, name: str) -> NamedNumber:
    """Return the number that a name means, which can occur several times in a document; raises NoNumberError."""
    places = numbers_of(document)
    # A number that is the value of a key has its name before all others.
    found = [one for one in places if one.names[0] == name] or [one for one in places if name in one.names]
    values = {one.value for one in found}
    if len(values) == 1:
        return NamedNumber(name, found[0].value, tuple(one.span for one in found))
    told = "; ".join(f"{one.names[0]} is {one.value} ({one.line})" for one in found or places)
    if found:
        raise NoNumberError(f"{name} of {document.name} means several numbers; choose one: {told}")
    if not places:
        raise NoNumberError(f"{document.name} has no number that could be another one")
    hint = did_you_mean(name, [name for one in places for name in one.names])
    raise NoNumberError(f"{document.name} has no number {name[:60]!r}; {hint + '; ' if hint else ''}there are: {told}")


def with_numbers(game: Game, document: Document, values: Mapping[str, int]) -> Game:
    """Return the game in which numbers of a document are replaced; the words around them agree, as in `1 space`.

    Raises NoNumberError, or CardError if the card cannot have them.
    """
    spans = {span: values[name] for name in values for span in number_named(document, name).spans}
    text = document.span.source.text
    for span, value in sorted(spans.items(), key=lambda one: -one[0].start):
        text = text[: span.start] + str(value) + text[span.end :]
    for _ in range(CORRECTED):
        try:
            return game.with_text(document.span.path, text)
        except CardError as error:
            fixes = [one.fix for one in error.diagnostics]
            chosen = apart(one for one in fixes if one is not None and one.is_safe)
            if len(chosen) < len(fixes):
                raise
            text = edited(text, (edit for fix in chosen for edit in fix.edits))
    return game.with_text(document.span.path, text)
