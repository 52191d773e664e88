"""Findings in the formats of the command."""

from __future__ import annotations

from collections.abc import Sequence

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.diagnostics.github import annotation
from warchest.diagnostics.render import concise, shown, text, to_json
from warchest.diagnostics.visible import json_text, visible

_LEVELS = {"error": "error", "warning": "warning", "info": "notice"}


def written(findings: Sequence[Diagnostic], form: str, color: bool = False) -> str:
    """Return the findings in a form: `text`, `concise`, `json` or `github`."""
    if form == "json":
        return json_text(to_json(findings), indent=2) + "\n"
    if form == "github":
        return "".join(_annotation(found) for found in shown(findings))
    return concise(findings) if form == "concise" else text(findings, color)


def _annotation(found: Diagnostic) -> str:
    """Return the workflow command by which GitHub shows a finding beside the line it is about."""
    span, fields = found.span, dict[str, int | str]()
    if span is not None:
        fields = {"line": span.line, "col": span.column, "endLine": span.end_line, "endColumn": span.end_column}
    fields["title"] = f"{found.code} {found.name}"
    message = visible(found.message) + (f"\n{visible(found.help)}" if found.help else "")
    return annotation(_LEVELS[found.severity], found.file, message, fields) + "\n"
