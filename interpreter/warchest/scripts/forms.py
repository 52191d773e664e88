"""Forms of lines: words with gaps for names and numbers, and reading a text by them.

`heal <figure who> -> <figure whom>` is such a form: a gap gives the kind of its value, and a name for the
value. A part in `[…]` may be left out, and one blank means any number of blanks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, TypeAlias

from warchest.diagnostics.diagnostic import quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.scripts.fault import Fault, fault
from warchest.source.records import record
from warchest.source.text import Span

UNREADABLE = "unreadable-line"
_PIECE = re.compile(r"<([a-z]+)(?: ([a-z]+))?>|(\[)|(\])|([ \t]+)|([^<\[\] \t]+)")
_BLANKS = re.compile(r"[ \t]+")
_WORD = re.compile(r"[^ \t]*")
_MOST_LISTED = 8


class Caught(NamedTuple):
    """The value of a gap, and its place."""

    value: Any
    span: Span


CaughtValues: TypeAlias = dict[str, Caught]
"""The caught values, by their names."""


@record()
class Gap:
    """A placeholder for a value of a kind, and the name of the value."""

    kind: str
    name: str


@record()
class Maybe:
    """The beginning of an optional part, and the number of the part that follows if it is left out."""

    past: int


class Blank:
    """Blanks between two words."""


Parts: TypeAlias = tuple[str | Gap | Maybe | Blank, ...]
"""A form in the order in which it is written; an optional part follows its beginning."""


class GapKind(Protocol):
    """A kind of thing that can fill a gap."""

    @property
    def said(self) -> str:
        """The words for it in a message: `a number`."""

    @property
    def names(self) -> Sequence[str]:
        """The names it can have, as far as they are known."""

    def read(self, span: Span) -> tuple[Any, int] | None:
        """Return the value at the start of a text, and where that ends; None if there is no such value."""


@dataclass(slots=True)
class Misses:
    """The furthest place that failing forms have reached, and the words that the forms needed there."""

    at: int = -1
    wanted: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def add(self, at: int, wanted: str, names: Sequence[str]) -> None:
        """Note a need at a place."""
        if at > self.at:
            self.at, self.wanted, self.names = at, [], []
        if at == self.at and wanted not in self.wanted:
            self.wanted.append(wanted)
            self.names.extend(names)


# Each script looks up the notation of its game again, with the same forms.
@lru_cache(maxsize=1024)
def parts_of(form: str) -> Parts:
    """Return the parts of a form as it is written in a notation."""
    parts: list[str | Gap | Maybe | Blank] = []
    opened: list[int] = []
    for match in _PIECE.finditer(form):
        kind, name, opens, closes, blanks, text = match.groups()
        if opens:
            opened.append(len(parts))
            parts.append(Maybe(0))
        elif closes and opened:
            parts[opened.pop()] = Maybe(len(parts))
        elif kind:
            parts.append(Gap(kind, name or kind))
        else:
            parts.append(Blank() if blanks else (text or match.group()))
    return tuple(parts[: opened[0]] if opened else parts)


def gaps_of(parts: Parts) -> list[Gap]:
    """Return all gaps of a form."""
    return [part for part in parts if isinstance(part, Gap)]


class FormReader:
    """Reads texts by forms, with the kinds of things that exist at some moment of a game."""

    def __init__(self, kinds: Mapping[str, GapKind]) -> None:
        self.kinds = kinds

    def read(self, parts: Parts, span: Span, misses: Misses) -> tuple[CaughtValues, int] | None:
        """Read the start of a text by a form: the caught values, and the form's end; None if it does not fit.

        An optional part is first tried as present. If a part was tried at a place before, everything that can follow
        has failed there for all earlier matches, so the time is at most the number of parts times that of places.
        """
        left: list[tuple[int, int, CaughtValues]] = [(0, span.start, {})]
        tried: set[tuple[int, int]] = set()
        while left:
            number, at, known = left.pop()
            while (number, at) not in tried:
                tried.add((number, at))
                if number == len(parts):
                    if self._ends(at, span):
                        return known, at
                    misses.add(at, "a blank", ())
                    break
                part = parts[number]
                if isinstance(part, Maybe):
                    left.append((part.past, at, dict(known)))
                    reached: int | None = at
                else:
                    reached = self._step(part, parts[number + 1 : number + 2], at, span, known, misses)
                if reached is None:
                    break
                number, at = number + 1, reached
        return None

    @staticmethod
    def _ends(at: int, span: Span) -> bool:
        return at == span.end or span.source.text[at] in " \t"

    def _step(
        self, part: str | Gap | Blank, following: Parts, at: int, span: Span, known: CaughtValues, misses: Misses
    ) -> int | None:
        """Return the end of a part at a place; None if it does not occur there."""
        if isinstance(part, Blank):
            match = _BLANKS.match(span.source.text, at, span.end)
            if match is not None and match.end() < span.end:
                return match.end()
            self._miss(following, at, misses)
            return None
        if isinstance(part, Gap):
            return self._caught(part, at, span, known, misses)
        end = at + len(part)
        whole = bool(following) and not isinstance(following[0], Blank)
        # A longer word that only begins like this one is another word.
        if span.source.text.startswith(part, at, span.end) and (whole or self._ends(end, span)):
            return end
        misses.add(at, quoted(part), [part])
        return None

    def _miss(self, parts: Parts, at: int, misses: Misses) -> None:
        """Note that a text ends where parts of a form should follow."""
        first = parts[0] if parts else ""
        if isinstance(first, Gap):
            misses.add(at, self.kinds[first.kind].said, ())
        elif isinstance(first, str):
            misses.add(at, quoted(first), ())

    def _caught(self, gap: Gap, at: int, span: Span, known: CaughtValues, misses: Misses) -> int | None:
        kind = self.kinds[gap.kind]
        found = kind.read(Span(span.source, at, span.end))
        if found is None:
            misses.add(at, kind.said, kind.names)
            return None
        value, end = found
        known[gap.name] = Caught(value, Span(span.source, at, end))
        return end


def behind(span: Span, at: int) -> Span:
    """Return the rest of a text from a place on, without the blanks before it."""
    match = _BLANKS.match(span.source.text, at, span.end)
    return Span(span.source, match.end() if match else at, span.end)


def word_at(span: Span, at: int) -> Span:
    """Return the word at a place of a text; where the text ends, the place itself."""
    match = _WORD.match(span.source.text, at, span.end)
    return Span(span.source, at, match.end() if match else at)


def some_of(words: Sequence[str]) -> str:
    """Return the first of some words as a list, with the number of words left out."""
    more = f" and {len(words) - _MOST_LISTED} more" if len(words) > _MOST_LISTED else ""
    return ", ".join(words[:_MOST_LISTED]) + more


def unreadable(misses: Misses, span: Span) -> Fault:
    """Return the fault of a text that no form fits: at the furthest place that any of them has reached."""
    at = max(misses.at, span.start)
    word = word_at(span, at)
    message = f"{quoted(word.text)} cannot stand here" if word.text else "the line cannot end here"
    wanted = f"here can stand {some_of(misses.wanted)}" if misses.wanted else ""
    guess = did_you_mean(word.text, misses.names) if word.text else ""
    return fault(UNREADABLE, message, word, help="; ".join(filter(None, (guess, wanted))))
