"""The fillings of gaps of forms in a game: its spaces and players, and the names of its documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from warchest.diagnostics.diagnostic import quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.library import Document, Library
from warchest.lowering.board import Board
from warchest.scripts.fault import Fault, fault
from warchest.scripts.forms import UNREADABLE, CaughtValues, FormReader, GapKind, Misses, word_at
from warchest.scripts.notation import Form, Notation, bare, filled
from warchest.source.records import record
from warchest.source.text import Span

# ---- kinds of fillings of the gaps of forms

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
    """A piece by its name; if several have it, perhaps by its place too."""

    name: str
    place: str | None = None


@record()
class PathStep:
    """One step of a path: its sign, and the place of the sign."""

    sign: str
    span: Span


class NumberGap:
    """A whole number."""

    said = "a number"
    names: Sequence[str] = ()

    def read(self, span: Span) -> tuple[Any, int] | None:
        """Return the value of the first words of a span, and their end; None if they do not fit."""
        match = _NUMBER.match(span.source.text, span.start, span.end)
        return (int(match.group()), match.end()) if match else None


class WordGap:
    """A word of one of the kinds there are."""

    names: Sequence[str] = ()

    def __init__(self, said: str, kind: str) -> None:
        self.said, self.pattern = said, WORDS[kind]

    def read(self, span: Span) -> tuple[Any, int] | None:
        """Return the value of the first words of a span, and their end; None if they do not fit."""
        match = self.pattern.match(span.source.text, span.start, span.end)
        return (match.group(), match.end()) if match else None


class NameGap:
    """One of some names."""

    def __init__(self, said: str, names: Iterable[str]) -> None:
        self.said, self.names = said, sorted(names, key=len, reverse=True)

    def read(self, span: Span) -> tuple[Any, int] | None:
        """Return the value and the end of the longest name at the start of a span; None if none fits."""
        text = span.source.text
        found = next((name for name in self.names if text.startswith(name, span.start, span.end)), None)
        return (found, span.start + len(found)) if found else None


class EitherGap:
    """Any of several kinds; the longest value at the place counts, and of equally long values the first."""

    def __init__(self, said: str, kinds: Sequence[GapKind]) -> None:
        self.said, self.kinds = said, kinds
        self.names = [name for kind in kinds for name in kind.names]

    def read(self, span: Span) -> tuple[Any, int] | None:
        """Return the value of the first words of a span, and their end; None if they do not fit."""
        found = [read for kind in self.kinds if (read := kind.read(span)) is not None]
        return max(found, key=lambda one: one[1], default=None)


def space_among(spaces: Sequence[str]) -> NameGap:
    """Return the kind of a gap for a space; a message lists the range of spaces."""
    return NameGap(f"a space ({min(spaces)} to {max(spaces)})" if spaces else "a space", spaces)


class Named:
    """A piece by its name, `Name`, or by name and place, `Name@place`."""

    said = "the name of a piece"

    def __init__(self, names: Iterable[str], spaces: Sequence[str]) -> None:
        self.by_word = {squeezed(name): name for name in names}
        self.names = tuple(self.by_word)
        self.places = space_among(spaces)

    def read(self, span: Span) -> tuple[Any, int] | None:
        """Return the value of the first words of a span, and their end; None if they do not fit."""
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
        """Return the finding for an unknown space."""
        word = word_at(span, span.start)
        message = f"{quoted(word.text)} is not {self.places.said}" if word.text else "a space is missing here"
        return fault(UNREADABLE, message, word, help=did_you_mean(word.text, self.places.names))


class PathGap:
    """One or more steps, written as their signs with blanks between them."""

    def __init__(self, signs: Mapping[str, object]) -> None:
        self.said = f"a step ({' '.join(signs)})"
        self.names: Sequence[str] = tuple(signs)

    def read(self, span: Span) -> tuple[Any, int] | None:
        """Return the path at the start of a span, and its end before a word that is no step; None without a path."""
        steps: list[PathStep] = []
        end = span.start
        for match in _SIGN.finditer(span.source.text, span.start, span.end):
            if match.group() not in self.names:
                break
            steps.append(PathStep(match.group(), Span(span.source, match.start(), match.end())))
            end = match.end()
        return (tuple(steps), end) if steps else None


# ---- documents that pieces bear

_WORD = re.compile(r"([A-Za-z][A-Za-z-]*)(\()?")
_END = re.compile(r"\)(?=[ \t]|\Z)")


class SheetText(str):
    """A text in the form of a sheet; `once` are the other requirements on a position, such as other sheets it names."""

    once: Mapping[str, Any]


class BorneDocument:
    """A document that another one names in a list, with values for its parameters."""

    def __init__(self, documents: Sequence[Document], arguments: Sequence[Form], reader: FormReader, said: str) -> None:
        self.documents = {squeezed(one.name).casefold(): one for one in documents}
        self.names = tuple(squeezed(one.name) for one in documents)
        self.arguments, self.reader, self.said = arguments, reader, said

    def read(self, span: Span) -> tuple[Any, int] | None:
        """Return the value and end of the first words of a span; raises Fault for unknown names and misfitting words.

        A word that resembles no name, and has no values filled in, gives None: it may be meant for another gap.
        """
        text = span.source.text
        match = _WORD.match(text, span.start, span.end)
        if match is None:
            return None
        name = Span(span.source, match.start(1), match.end(1))
        document = self.documents.get(squeezed(match[1]).casefold())
        if document is None:
            guess = did_you_mean(name.text, self.names)
            if not guess and match[2] is None:
                return None
            raise fault(
                UNREADABLE,
                f"{quoted(name.text)} is not {self.said}",
                name,
                help=guess or f"there are {', '.join(sorted(self.names))}",
            )
        if match[2] is None:
            if document.values.get("parameters"):
                raise self._miswritten(document, word_at(span, span.start))
            return SheetText(document.name), match.end()
        closing = _END.search(text, match.end(), span.end)
        inner = Span(span.source, match.end(), closing.start() if closing else span.end)
        if closing is None or not document.values.get("parameters"):
            raise self._miswritten(document, Span(span.source, name.start, closing.end() if closing else span.end))
        return self._told(document, inner), closing.end()

    def _forms(self, document: Document) -> list[Form]:
        """Return the forms of a document's arguments: those that the notation has for it, or the default ones."""
        own = [form for form in self.arguments if document.name in form.says.get("of", ())]
        return own or [form for form in self.arguments if "of" not in form.says]

    def _told(self, document: Document, inner: Span) -> SheetText:
        misses = Misses()
        for form in self._forms(document):
            read = self.reader.read(form.parts, inner, misses)
            if read is not None and read[1] == inner.end:
                return _text(document, form, read[0])
        raise self._miswritten(document, inner)

    def _miswritten(self, document: Document, span: Span) -> Fault:
        ways = [f"({form.written})" for form in self._forms(document)] if document.values.get("parameters") else [""]
        says = " or ".join(quoted(squeezed(document.name) + way) for way in ways)
        return fault(UNREADABLE, f"{document.name} is not filled in like this", span, help=f"write {says}")


def _text(document: Document, form: Form, known: CaughtValues) -> SheetText:
    told = SheetText(f"{document.name} ({bare(filled(form.says['says'], known))})")
    told.once = bare(filled(form.says.get("once", {}), known))
    return told


# ---- the fillings of gaps of forms in a game

Sheets: TypeAlias = Sequence[tuple[str, str]]
"""Documents by their kinds and names; a position can have more of them than its game."""


def sheets_in(library: Library) -> Sheets:
    """Return the documents of a library by their kinds and names."""
    return [(document.kind, document.name) for document in library.documents]


def kinds_of(
    notation: Notation, library: Library, board: Board, sheets: Sheets, pieces: Iterable[str] = ()
) -> Mapping[str, GapKind]:
    """Return the kinds of gaps in a game, where there are these documents, and pieces of these names."""
    spaces = [space.name for space in board.spaces]
    kinds: dict[str, GapKind] = {
        "number": NumberGap(),
        "player": NameGap("a player", [seat.name for seat in board.seats]),
        "space": space_among(spaces),
        "direction": NameGap(f"a direction ({' '.join(board.directions)})", board.directions),
        "piece": Named(pieces, spaces),
        "path": PathGap(notation.steps),
    }
    for name, says in notation.values.get("kinds", {}).items():
        kinds[name] = _further(says, sheets)
    borne = notation.values.get("borne")
    if borne:
        documents = library.of_kind(borne["documents"])
        kinds["borne"] = BorneDocument(documents, notation.arguments, FormReader(dict(kinds)), str(borne["said"]))
    return kinds


def _further(says: Mapping[str, Any], sheets: Sheets) -> GapKind:
    """Return a kind of gap that the notation adds: names of documents, listed words, a kind of word, or several."""
    said = str(says["said"])
    kinds: list[GapKind] = []
    if "documents" in says:
        kinds.append(_Printed(said, [called for kind, called in sheets if kind == says["documents"]]))
    if "words" in says:
        kinds.append(NameGap(said, says["words"]))
    if "is" in says:
        kinds.append(WordGap(said, says["is"]))
    return kinds[0] if len(kinds) == 1 else EitherGap(said, kinds)


class _Printed(NameGap):
    """Names of documents, written as one word."""

    def __init__(self, said: str, names: Iterable[str]) -> None:
        self.printed = {squeezed(name): name for name in names}
        super().__init__(said, self.printed)

    def read(self, span: Span) -> tuple[Any, int] | None:
        """Return the printed name at the start of a span, even without hyphens, and its end; None if there is none."""
        match = NAME.match(span.source.text, span.start, span.end)
        whole = self.printed.get(squeezed(match.group())) if match else None
        if match is not None and whole is not None:
            return whole, match.end()
        found = super().read(span)
        return (self.printed[found[0]], found[1]) if found else None
