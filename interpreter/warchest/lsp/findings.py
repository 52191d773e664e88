"""Findings, fixes and places as the protocol writes them."""

from __future__ import annotations

from warchest.diagnostics.diagnostic import Diagnostic, Edit
from warchest.lsp.text_positions import range_of, uri_of
from warchest.source.text import Source, Span

SEVERITIES = {"error": 1, "warning": 2, "info": 3}
"""The numbers of the protocol for grades of findings."""


def diagnostic(found: Diagnostic, source: Source) -> dict[str, object]:
    """Return a finding in a text, with the places that its labels name."""
    message = f"{found.message}\n{found.help}" if found.help else found.message
    span = found.span or source.span(0, 0)
    related = [{"location": location(label.span), "message": label.text} for label in found.labels]
    return {
        "range": range_of(source.span(span.start, span.end)),
        "severity": SEVERITIES[found.severity],
        "code": found.code,
        "source": "wc-lint",
        "message": message,
        **({"relatedInformation": related} if related else {}),
    }


def location(span: Span) -> dict[str, object]:
    """Return a place in a file."""
    return {"uri": uri_of(span.path), "range": range_of(span)}


def action(found: Diagnostic, source: Source) -> dict[str, object]:
    """Return the action that applies the fix of a finding."""
    assert found.fix is not None
    edits = [edit(one, source) for one in found.fix.edits]
    title = found.help.partition(";")[0] or "Apply the fix"
    return {
        "title": title,
        "kind": "quickfix",
        "isPreferred": found.fix.is_safe,
        "diagnostics": [diagnostic(found, source)],
        "edit": {"changes": {uri_of(found.file): edits}},
    }


def edit(one: Edit, source: Source) -> dict[str, object]:
    """Return an edit of a text."""
    return {"range": range_of(source.span(one.span.start, one.span.end)), "newText": one.text}
