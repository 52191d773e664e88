"""Kinds of fillings of the gaps of forms: numbers, names, the spaces and players of a board, and steps of a path."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from warchest.diagnostics.diagnostic import quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.scripts.fault import Fault, fault
from warchest.scripts.forms import UNREADABLE, GapKind, word_at
from warchest.source.records import record
from warchest.source.text import Span

KINDS = ("number", "player", "space", "direction", "piece", "path")
"""The kinds of gaps there are in every notation."""
NAME = re.compile(r"[A-Za-z][A-Za-z0-9'’_-]*")
WORDS: Mapping[str, re.Pattern[str]] = {
    "name": NAME,
    "word": re.compile(r"[A-Za-z]+"),
    "capitalised": re.compile(r"[A-Z][A-Za-z]*"),
}
"""The kinds of words that a notation can ask for: no other patterns, for the time that one takes could be anything."""
_NUMBER = re.compile(r"-?[0-9]{1,6}(?![0-9])")
_SIGN = re.compile(r"[^ \t]+")


@lru_cache(maxsize=4096)
def squeezed(name: str) -> str:
    """Return a printed name as one word: without blanks and hyphens."""
    return re.sub(r"[ -]", "", name)


@record()
class Reference:
    """A piece by its name; where several are called so, perhaps by its place too."""

    name: str
    place: str | None = None


@record()
class PathStep:
    """One step of a path: its sign, and where that stands."""

    sign: str
    span: Span


class NumberGap:
    """A whole number."""

    said = "a number"
    names: Sequence[str] = ()

    def read(self, span: Span) -> tuple[Any, int] | None:
        """As for every kind."""
        match = _NUMBER.match(span.source.text, span.start, span.end)
        return (int(match.group()), match.end()) if match else None


class WordGap:
    """A word of one of the kinds there are."""

    names: Sequence[str] = ()

    def __init__(self, said: str, kind: str) -> None:
        self.said, self.pattern = said, WORDS[kind]

    def read(self, span: Span) -> tuple[Any, int] | None:
        """As for every kind."""
        match = self.pattern.match(span.source.text, span.start, span.end)
        return (match.group(), match.end()) if match else None


class NameGap:
    """One of some names."""

    def __init__(self, said: str, names: Iterable[str]) -> None:
        self.said, self.names = said, sorted(names, key=len, reverse=True)

    def read(self, span: Span) -> tuple[Any, int] | None:
        """As for every kind; the longest name that stands there counts."""
        text = span.source.text
        found = next((name for name in self.names if text.startswith(name, span.start, span.end)), None)
        return (found, span.start + len(found)) if found else None


class EitherGap:
    """Any of several kinds; the longest value that stands there counts, and of equals the first."""

    def __init__(self, said: str, kinds: Sequence[GapKind]) -> None:
        self.said, self.kinds = said, kinds
        self.names = [name for kind in kinds for name in kind.names]

    def read(self, span: Span) -> tuple[Any, int] | None:
        """As for every kind."""
        found = [read for kind in self.kinds if (read := kind.read(span)) is not None]
        return max(found, key=lambda one: one[1], default=None)


def space_among(spaces: Sequence[str]) -> NameGap:
    """Return the kind of a gap for a space; a message tells how far the spaces go."""
    return NameGap(f"a space ({min(spaces)} to {max(spaces)})" if spaces else "a space", spaces)


class Named:
    """A piece that is called by its name, `Name`, or by name and place, `Name@place`."""

    said = "the name of a piece"

    def __init__(self, names: Iterable[str], spaces: Sequence[str]) -> None:
        self.by_word = {squeezed(name): name for name in names}
        self.names = tuple(self.by_word)
        self.places = space_among(spaces)

    def read(self, span: Span) -> tuple[Any, int] | None:
        """As for every kind."""
        text = span.source.text
        match = NAME.match(text, span.start, span.end)
        name = self.by_word.get(squeezed(match.group())) if match else None
        if match is None or name is None:
            return None
        if text.startswith("@", match.end(), span.end):
            behind = Span(span.source, match.end() + 1, span.end)
            place = self.places.read(behind)
            if place is None:
                raise self._nowhere(behind)
            return Reference(name, place[0]), place[1]
        return Reference(name), match.end()

    def _nowhere(self, span: Span) -> Fault:
        """Return the fault of a place that there is not."""
        word = word_at(span, span.start)
        message = f"{quoted(word.text)} is not {self.places.said}" if word.text else "a space is missing here"
        return fault(UNREADABLE, message, word, help=did_you_mean(word.text, self.places.names))


class PathGap:
    """Steps by their signs, one or more, with blanks between them."""

    def __init__(self, signs: Mapping[str, Any]) -> None:
        self.said = f"a step ({' '.join(signs)})"
        self.names: Sequence[str] = tuple(signs)

    def read(self, span: Span) -> tuple[Any, int] | None:
        """As for every kind; the path ends before the first word that is no step."""
        steps: list[PathStep] = []
        end = span.start
        for match in _SIGN.finditer(span.source.text, span.start, span.end):
            if match.group() not in self.names:
                break
            steps.append(PathStep(match.group(), Span(span.source, match.start(), match.end())))
            end = match.end()
        return (tuple(steps), end) if steps else None
