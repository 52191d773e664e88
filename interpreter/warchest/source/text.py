"""Source texts and places in them.

Every offset in the project counts characters of `Source.text`, and every line and column shown to a user is computed
here from such an offset, so that all layers agree about places.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from dataclasses import dataclass, field

# The three line ends editors (and the language server protocol) count; YAML's others are refused earlier.
_LINE_END = re.compile(r"\r\n|\n|\r")
_NO_SLUG = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A text and the path it is reported under. Two sources are equal only if they are the same object."""

    path: str
    text: str = field(repr=False)
    # Filled at the first question for a line, because most sources are never reported on.
    _starts: list[int] = field(default_factory=list, init=False, repr=False)

    def _line_starts(self) -> list[int]:
        if not self._starts:
            self._starts.append(0)
            self._starts.extend(match.end() for match in _LINE_END.finditer(self.text))
        return self._starts

    @property
    def line_count(self) -> int:
        """The number of lines, at least 1; the empty line after a final line end counts."""
        return len(self._line_starts())

    def position(self, offset: int) -> tuple[int, int]:
        """Turn a character offset into (line, column), both from 1; offsets outside the text are clamped."""
        offset = max(0, min(offset, len(self.text)))
        starts = self._line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return line `number` (from 1) without its line end; raises IndexError if there is no such line."""
        starts = self._line_starts()
        if not 1 <= number <= len(starts):
            raise IndexError(f"{self.path} has no line {number}")
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")

    def span(self, start: int, end: int) -> Span:
        """Return the span from `start` up to, not including, `end` (offsets in characters)."""
        return Span(self, start, end)


@dataclass(slots=True, eq=False)
class Span:
    """A stretch of a source, from `start` up to, not including, `end`; spans with the same path, start, end are equal.

    As with records, Python does not freeze it, for speed alone.
    """

    source: Source
    start: int
    end: int

    @property
    def path(self) -> str:
        """The path of the source."""
        return self.source.path

    @property
    def line(self) -> int:
        """The line of the first character, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column of the first character, in characters from 1."""
        return self.source.position(self.start)[1]

    @property
    def end_line(self) -> int:
        """The line of the place just after the last character, from 1."""
        return self.source.position(self.end)[0]

    @property
    def end_column(self) -> int:
        """The column of the place just after the last character, in characters from 1."""
        return self.source.position(self.end)[1]

    @property
    def text(self) -> str:
        """The stretch itself."""
        return self.source.text[self.start : self.end]

    @property
    def one_line(self) -> str:
        """The stretch with single blanks between its words, as it is shown within a line."""
        return " ".join(self.text.split())

    def to(self, last: Span) -> Span:
        """Return the span from the start of this one to the end of another; this one if that is in another source."""
        return Span(self.source, self.start, max(self.end, last.end)) if last.source is self.source else self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Span):
            return NotImplemented
        return (self.path, self.start, self.end) == (other.path, other.start, other.end)

    def __hash__(self) -> int:
        return hash((self.path, self.start, self.end))


def line_end(text: str) -> str:
    """Return the line end of a text: that of its first line, unless it is a lone `\\r`; then, or without any, `\\n`."""
    first = _LINE_END.search(text)
    return "\r\n" if first is not None and first.group() == "\r\n" else "\n"


def slug(name: str) -> str:
    """Return a name in small letters and digits, with hyphens between its words; empty if it has none of them."""
    return _NO_SLUG.sub("-", name.lower()).strip("-")


def with_line_ends(text: str, ending: str) -> str:
    """Return a text in which all lines end alike."""
    return _LINE_END.sub(ending, text)


def digest(text: str) -> str:
    """Return a short text that identifies a longer one."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
