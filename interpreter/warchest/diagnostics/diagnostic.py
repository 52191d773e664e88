"""The one type of all findings, for all modules that make them and all that show them.

Style of messages: lower-case start, no full stop, the user's text in backticks. Advice belongs in `help` alone.
"""

from __future__ import annotations

from typing import Literal

from warchest.diagnostics.visible import visible
from warchest.source.records import record
from warchest.source.text import Span

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""The grades of findings, the gravest first."""

_QUOTE_LIMIT = 60


@record()
class Label:
    """A second place that belongs to a finding, with a few words on why."""

    span: Span
    text: str


@record()
class Edit:
    """A change of a text: the words that replace a span; the span is empty if they are inserted."""

    span: Span
    text: str


@record()
class Fix:
    """Edits of one file that correct a finding.

    `is_safe`: there is only one way to correct it, and the meaning of everything else stays the same.
    """

    edits: tuple[Edit, ...]
    is_safe: bool = True

    @classmethod
    def put(cls, span: Span, text: str, is_safe: bool = True) -> Fix:
        """Return the fix that replaces a span by words."""
        return cls((Edit(span, text),), is_safe)


@record()
class Diagnostic:
    """A finding. `path` names the file where there is no span (a file that cannot be read)."""

    code: str
    name: str
    severity: Severity
    message: str
    span: Span | None
    help: str = ""
    labels: tuple[Label, ...] = ()
    path: str = ""
    fix: Fix | None = None

    @property
    def file(self) -> str:
        """The path of the file the finding is about; empty if it is about none."""
        return self.span.path if self.span is not None else self.path

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        """The sort key of findings: file, then place, then code; those without a place come first."""
        start, end = (self.span.start, self.span.end) if self.span is not None else (-1, -1)
        return self.file, start, end, self.code, self.message


def quoted(text: str) -> str:
    """Return the user's `text` in backticks for use in a message: on one line, and cut if it is long."""
    shown = text if len(text) <= _QUOTE_LIMIT else text[: _QUOTE_LIMIT - 1] + "…"
    return f"`{visible(shown)}`"
