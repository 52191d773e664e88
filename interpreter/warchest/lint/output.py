"""Findings in the formats of the command."""

from __future__ import annotations

from collections.abc import Sequence

from warchest.diagnostics.diagnostic import Diagnostic
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
    fields = {"file": visible(found.file)}
    if found.span is not None:
        span = found.span
        fields |= {"line": str(span.line), "col": str(span.column), "endLine": str(span.end_line),
                   "endColumn": str(span.end_column)}  # fmt: skip
    fields["title"] = f"{found.code} {found.name}"
    shown = ",".join(f"{key}={_escaped(value, inside=True)}" for key, value in fields.items())
    message = visible(found.message) + (f"\n{visible(found.help)}" if found.help else "")
    return f"::{_LEVELS[found.severity]} {shown}::{_escaped(message)}\n"


def _escaped(part: str, inside: bool = False) -> str:
    part = part.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return part.replace(":", "%3A").replace(",", "%2C") if inside else part
