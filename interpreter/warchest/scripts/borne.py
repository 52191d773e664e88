"""Documents that pieces bear, each in one word: `Name(2)`, turned into the text that a sheet would have."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from warchest.diagnostics.diagnostic import quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.library import Document
from warchest.scripts.fault import Fault, fault
from warchest.scripts.filling import bare, filled
from warchest.scripts.forms import UNREADABLE, CaughtValues, FormReader, Misses, word_at
from warchest.scripts.kinds import squeezed
from warchest.scripts.notation import Form
from warchest.source.text import Span

_WORD = re.compile(r"([A-Za-z][A-Za-z-]*)(\()?")
_END = re.compile(r"\)(?=[ \t]|\Z)")


class SheetText(str):
    """A text as a sheet has it; `once` is what a position must hold besides, such as other sheets it names."""

    once: Mapping[str, Any]


class BorneDocument:
    """A document that is borne, with its fillings."""

    def __init__(self, documents: Sequence[Document], arguments: Sequence[Form], reader: FormReader, said: str) -> None:
        self.documents = {squeezed(one.name).casefold(): one for one in documents}
        self.names = tuple(squeezed(one.name) for one in documents)
        self.arguments, self.reader, self.said = arguments, reader, said

    def read(self, span: Span) -> tuple[Any, int] | None:
        """As for every kind; raises Fault for a name that nothing has, and for words that cannot be filled in.

        A word that is like no name, and has nothing filled in, may have been meant as something else.
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
            raise fault(UNREADABLE, f"{quoted(name.text)} is not {self.said}", name,
                        help=guess or f"there are {', '.join(sorted(self.names))}")
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
        """Return the forms of a document's arguments: those that the notation has for it, else those for all others."""
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
