"""The lines of a script: the purpose of each, the place of its text, and the plays that they belong to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from warchest.scripts.fault import fault
from warchest.source.limits import MAX_LINE, MAX_LINES
from warchest.source.records import record
from warchest.source.text import Span

DO, ANSWER, REFUSE, ASSERT = ">", "|", "!", "="
MISPLACED = "misplaced-line"
TOO_MUCH = "too-much"
MARKS = (DO, ANSWER, REFUSE, ASSERT)
_LINE = re.compile(r"[^\r\n]+")
_NOTE = re.compile(r"(?:^|(?<=\s))#.*")


@record()
class Line:
    """A line with its mark (empty: it tells of the position) and its text, without notes and outer blanks."""

    mark: str
    span: Span

    @property
    def text(self) -> str:
        """The text itself."""
        return self.span.text


@dataclass(slots=True)
class Play:
    """A position with the lines that play it, and the answers that belong to each."""

    setting: list[Line] = field(default_factory=list)
    lines: list[tuple[Line, list[Line]]] = field(default_factory=list)

    @property
    def first(self) -> Line:
        """The first line; raises Fault where none tells of the position."""
        if not self.setting:
            raise fault(MISPLACED, "nothing tells what stands on the board", self.lines[0][0].span,
                        help="begin with lines that tell of the position")
        return self.setting[0]


def lines_of(span: Span) -> list[Line]:
    """Return the lines of a script, or of the block of a document that holds one; blank ones and notes are left out.

    Raises Fault where there are too many of them, or one is too long.
    """
    found: list[Line] = []
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
        line = Line(mark, Span(span.source, start, end))
        if end - start > MAX_LINE:
            raise fault(TOO_MUCH, f"the line has more than {MAX_LINE:,} characters", line.span,
                        help="write what it says in several lines")
        if len(found) == MAX_LINES:
            raise fault(TOO_MUCH, f"the script has more than {MAX_LINES:,} lines", line.span,
                        help="cut it into several scripts")
        found.append(line)
    return found


def plays_of(lines: list[Line]) -> Iterator[Play]:
    """Yield the plays of a script; a line of a position behind others begins a new one. Raises Fault."""
    play = Play()
    for line in lines:
        if not line.mark:
            if play.lines:
                yield play
                play = Play()
            play.setting.append(line)
        elif line.mark == ANSWER:
            if not play.lines or play.lines[-1][0].mark not in (DO, REFUSE):
                raise fault(MISPLACED, "an answer belongs to a line before it", line.span,
                            help=f"write it behind a line with `{DO}` or `{REFUSE}`")
            play.lines[-1][1].append(line)
        else:
            play.lines.append((line, []))
    if play.setting or play.lines:
        yield play
