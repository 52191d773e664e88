"""Forms of lines: words with gaps for names and numbers, and reading a text by them.

`heal <figure who> -> <figure whom>` is such a form: a gap names the kind of what stands there, and what it is called
further on. `[…]` may be left out, and one blank stands for any number of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias

from warchest.diagnostics.diagnostic import quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.scripts.fault import Fault, fault
from warchest.source.text import Span

UNREADABLE = "unreadable-line"
_PIECE = re.compile(r"<([a-z]+)(?: ([a-z]+))?>|(\[)|(\])|([ \t]+)|([^<\[\] \t]+)")
_BLANKS = re.compile(r"[ \t]+")
_WORD = re.compile(r"[^ \t]*")
_MOST_LISTED = 8


class Caught(NamedTuple):
    """What stood in a gap, and where."""

    value: Any
    span: Span


Known: TypeAlias = dict[str, Caught]
"""What has been caught, by its name."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A place for something of a kind, and the name under which it is kept."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Maybe:
    """A part of a form that may be left out."""

    parts: Parts


class Blank:
    """Blanks between two words."""


Parts: TypeAlias = "tuple[str | Gap | Maybe | Blank, ...]"


class Kind(Protocol):
    """What can fill a gap."""

    @property
    def said(self) -> str:
        """What it is called in a message: `a number`."""

    @property
    def names(self) -> Sequence[str]:
        """The names it can have, as far as they are known."""

    def read(self, span: Span) -> tuple[Any, int] | None:
        """Return what stands at the start of a text, and where that ends; None if it is nothing of the kind."""


@dataclass(slots=True)
class Misses:
    """How far the forms have led that did not fit, and what they would have needed there."""

    at: int = -1
    wanted: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def add(self, at: int, wanted: str, names: Sequence[str]) -> None:
        """Note what would have been needed at a place."""
        if at > self.at:
            self.at, self.wanted, self.names = at, [], []
        if at == self.at and wanted not in self.wanted:
            self.wanted.append(wanted)
            self.names.extend(names)


def parts_of(form: str) -> Parts:
    """Return the parts of a form as it is written in a notation."""
    stack: list[list[str | Gap | Maybe | Blank]] = [[]]
    for match in _PIECE.finditer(form):
        kind, name, opens, closes, blanks, text = match.groups()
        if opens:
            stack.append([])
        elif closes and len(stack) > 1:
            inner = stack.pop()
            stack[-1].append(Maybe(tuple(inner)))
        elif kind:
            stack[-1].append(Gap(kind, name or kind))
        else:
            stack[-1].append(Blank() if blanks else (text or match.group()))
    return tuple(stack[0])


def gaps_of(parts: Parts) -> list[Gap]:
    """Return all gaps of a form."""
    inner = [gap for part in parts if isinstance(part, Maybe) for gap in gaps_of(part.parts)]
    return [part for part in parts if isinstance(part, Gap)] + inner


class FormReader:
    """Reads texts by forms, with the kinds of things there are in a game at some moment."""

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        self.kinds = kinds

    def read(self, parts: Parts, span: Span, misses: Misses) -> tuple[Known, int] | None:
        """Read the start of a text by a form: what was caught, and where the form ends; None if it does not fit."""
        known: Known = {}
        end = self._follow(parts, span.start, span, known, misses)
        return None if end is None else (known, end)

    def _follow(self, parts: Parts, at: int, span: Span, known: Known, misses: Misses) -> int | None:
        if not parts:
            if at == span.end or span.source.text[at] in " \t":
                return at
            misses.add(at, "a blank", ())
            return None
        head, rest = parts[0], parts[1:]
        if isinstance(head, Blank):
            match = _BLANKS.match(span.source.text, at, span.end)
            if match is None or match.end() == span.end:
                self._miss(rest, at, misses)
                return None
            return self._follow(rest, match.end(), span, known, misses)
        if isinstance(head, Maybe):
            tried = dict(known)
            end = self._follow(head.parts + rest, at, span, tried, misses)
            if end is None:
                return self._follow(rest, at, span, known, misses)
            known.update(tried)
            return end
        reached = self._step(head, at, span, known, misses)
        ends = reached is None or reached == span.end or span.source.text[reached] in " \t"
        if isinstance(head, str) and not ends and (not rest or isinstance(rest[0], Blank)):
            # A longer word that only begins like this one is another word.
            misses.add(at, quoted(head), [head])
            return None
        return None if reached is None else self._follow(rest, reached, span, known, misses)

    def _miss(self, parts: Parts, at: int, misses: Misses) -> None:
        """Note that a text ends where parts of a form should follow."""
        first = parts[0] if parts else ""
        if isinstance(first, Gap):
            misses.add(at, self.kinds[first.kind].said, ())
        elif isinstance(first, str):
            misses.add(at, quoted(first), ())

    def _step(self, part: str | Gap, at: int, span: Span, known: Known, misses: Misses) -> int | None:
        text = span.source.text
        if isinstance(part, str):
            if text.startswith(part, at, span.end):
                return at + len(part)
            misses.add(at, quoted(part), [part])
            return None
        kind = self.kinds[part.kind]
        found = kind.read(Span(span.source, at, span.end))
        if found is None:
            misses.add(at, kind.said, kind.names)
            return None
        value, end = found
        known[part.name] = Caught(value, Span(span.source, at, end))
        return end


def behind(span: Span, at: int) -> Span:
    """Return what is left of a text from a place on, without the blanks before it."""
    match = _BLANKS.match(span.source.text, at, span.end)
    return Span(span.source, match.end() if match else at, span.end)


def word_at(span: Span, at: int) -> Span:
    """Return the word at a place of a text; where the text ends, the place itself."""
    match = _WORD.match(span.source.text, at, span.end)
    return Span(span.source, at, match.end() if match else at)


def some_of(words: Sequence[str]) -> str:
    """Return the first of some words in a row, and how many more there are."""
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
