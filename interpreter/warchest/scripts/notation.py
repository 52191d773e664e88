"""Notations: documents that define the meaning of the lines of scripts in the words of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from warchest.documents.library import Document, Library
from warchest.scripts.forms import Caught, CaughtValues, FormReader, Misses, Parts, behind, parts_of, unreadable
from warchest.source.records import record
from warchest.source.text import Span

# ---- templates of a notation

ALL = "$all"
"""The placeholder for all captured values, as a mapping."""
_WHOLE = re.compile(r"\$([a-z]+)\Z")
_INSIDE = re.compile(r"\$([a-z]+)")
_DROPPED = object()


def filled(template: Any, known: CaughtValues) -> Any:
    """Return a template filled with the caught values; a key or an item without a caught value is left out.

    A placeholder that is alone is filled with a `Caught`, so that its place in the text is known.
    """
    value = _filled(template, known)
    return None if value is _DROPPED else value


def _filled(template: object, known: CaughtValues) -> object:
    if isinstance(template, Mapping):
        pairs = {_text(key, known): _filled(value, known) for key, value in template.items()}
        return {key: value for key, value in pairs.items() if value is not _DROPPED}
    if isinstance(template, list):
        return [value for value in (_filled(item, known) for item in template) if value is not _DROPPED]
    if not isinstance(template, str):
        return template
    if template == ALL:
        return dict(known)
    whole = _WHOLE.match(template)
    return known.get(whole[1], _DROPPED) if whole else _text(template, known)


def _text(template: str, known: CaughtValues) -> str:
    return _INSIDE.sub(lambda match: str(known[match[1]].value) if match[1] in known else "", template)


def bare(value: Any) -> Any:
    """Return a filled template without the places of the caught values."""
    if isinstance(value, Caught):
        return bare(value.value)
    if isinstance(value, Mapping):
        return {key: bare(inner) for key, inner in value.items()}
    return [bare(inner) for inner in value] if isinstance(value, list) else value


# ---- notations

KIND = "notation"
"""The kind of document."""
POSITION, ORDERS, ANSWERS, ASSERTIONS = "position", "orders", "answers", "asserts"
SECTIONS = (POSITION, ORDERS, ANSWERS, ASSERTIONS)


@record()
class Form:
    """A form of a line or of some words in it, and the notation's entry for it."""

    written: str
    parts: Parts
    says: Mapping[str, Any] = field(repr=False)

    @property
    def more(self) -> str:
        """The group of forms that may follow, any number of them; empty if none may."""
        return str(self.says.get("more", ""))


@record()
class LinePhrase:
    """Words that were read by a form: the caught values, and the phrases that followed by forms of its group."""

    form: Form
    known: CaughtValues
    span: Span
    more: tuple[LinePhrase, ...] = ()


class Notation:
    """The notation of a game."""

    def __init__(self, document: Document) -> None:
        values = document.values
        self.document, self.values = document, values
        self.pieces: Mapping[str, str] = values["pieces"]
        self.steps: Mapping[str, Sequence[Mapping[str, Any]]] = values.get("steps", {})
        sections = {name: values.get(name, ()) for name in SECTIONS} | values.get("groups", {})
        self.forms = {name: [_form(one) for one in forms] for name, forms in sections.items()}
        self.arguments = [_form(one) for one in values.get("borne", {}).get("arguments", ())]

    def phrase(self, section: str, span: Span, reader: FormReader) -> LinePhrase:
        """Read a whole text as one phrase; raises Fault where it fits no form."""
        misses = Misses()
        for form in self.forms[section]:
            read = self._read(form, span, reader, misses)
            left = behind(span, read.span.end) if read is not None else span
            if read is not None and left.start == span.end:
                return read
            if read is not None:
                misses.add(left.start, "the end of the line", ())
        raise unreadable(misses, span)

    def phrases(self, section: str, span: Span, reader: FormReader) -> list[LinePhrase]:
        """Read a whole text as phrases, one after the other; raises Fault where no form fits."""
        found: list[LinePhrase] = []
        left = span
        while left.start < left.end:
            misses = Misses()
            tried = (self._read(form, left, reader, misses) for form in self.forms[section])
            read = next((one for one in tried if one is not None), None)
            if read is None:
                if found:
                    # The words after the last phrase may have been meant to belong to it.
                    self._more(found[-1].form, found[-1].known, left, reader, misses)
                raise unreadable(misses, left)
            found.append(read)
            left = behind(left, read.span.end)
        return found

    def _read(self, form: Form, span: Span, reader: FormReader, misses: Misses) -> LinePhrase | None:
        read = reader.read(form.parts, span, misses)
        if read is None:
            return None
        known, end = read
        more, end = self._more(form, known, Span(span.source, end, span.end), reader, misses)
        return LinePhrase(form, known, Span(span.source, span.start, end), tuple(more))

    def _more(
        self, form: Form, known: CaughtValues, span: Span, reader: FormReader, misses: Misses
    ) -> tuple[list[LinePhrase], int]:
        """Read words by the forms of a group, as far as these fit."""
        found: list[LinePhrase] = []
        end = span.start
        left = behind(span, end)
        while form.more and left.start < left.end:
            tried = ((one, reader.read(one.parts, left, misses)) for one in self.forms[form.more])
            fits = next(((one, read) for one, read in tried if read is not None), None)
            if fits is None:
                break
            one, (caught, end) = fits
            found.append(LinePhrase(one, {**known, **caught}, Span(span.source, left.start, end)))
            left = behind(left, end)
        return found, end


def _form(says: Mapping[str, object]) -> Form:
    return Form(str(says["form"]), parts_of(str(says["form"])), says)


def notation_of(library: Library) -> Notation | None:
    """Return the notation of a game, or None if it has none."""
    found = library.of_kind(KIND)
    return Notation(found[0]) if found else None
