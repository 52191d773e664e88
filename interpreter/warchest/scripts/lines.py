"""The lines of a script: what each is for, and where its text stands."""

from __future__ import annotations

import re
from dataclasses import dataclass

from warchest.source.text import Span

DO, ANSWER, REFUSE, ASSERT = ">", "|", "!", "="
MARKS = (DO, ANSWER, REFUSE, ASSERT)
_LINE = re.compile(r"[^\r\n]+")
_NOTE = re.compile(r"(?:^|(?<=\s))#.*")


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its mark (empty: it tells of the position) and its text, without notes and outer blanks."""

    mark: str
    span: Span

    @property
    def text(self) -> str:
        """The text itself."""
        return self.span.text


def lines_of(span: Span) -> list[Line]:
    """Return the lines of a script, or of the block of a document that holds one; blank ones and notes are left out."""
    found = []
    text = span.source.text
    for match in _LINE.finditer(text, span.start, span.end):
        start = match.start()
        end = start + len(_NOTE.sub("", match.group()).rstrip())
        while start < end and text[start].isspace():
            start += 1
        if start == end:
            continue
        mark = text[start] if text[start] in MARKS else ""
        start += len(mark)
        while start < end and text[start].isspace():
            start += 1
        found.append(Line(mark, Span(span.source, start, end)))
    return found
