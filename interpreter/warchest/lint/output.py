"""Findings in the formats of the command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.diagnostics.forms import FORMS
from warchest.diagnostics.render import concise, shown, text, to_json
from warchest.diagnostics.reports import ReportedCase, report_text
from warchest.diagnostics.visible import json_text


def written(findings: Sequence[Diagnostic], form: str, color: bool = False) -> str:
    """Return the findings in one of the forms of the command: `text`, `concise`, `json`, or one of `FORMS`."""
    if form in FORMS:
        return report_text(form, "wc-lint", map(ReportedCase.of, shown(findings)))
    if form == "json":
        return json_text(to_json(findings), indent=2) + "\n"
    return concise(findings) if form == "concise" else text(findings, color)


def about_passed_over(paths: Sequence[str]) -> Iterator[str]:
    """Yield a note on files that were found and are no cards, if there are any."""
    match paths:
        case []:
            pass
        case [path]:
            yield f"{path} is no card and was passed over"
        case several:
            yield f"{len(several)} YAML files are no cards and were passed over"


def statistics(findings: Sequence[Diagnostic], form: str) -> str:
    """Return how many findings of each kind there are, the most frequent first: as lines, or as JSON."""
    counted = Counter((one.code, one.name, one.severity) for one in findings)
    fixable = Counter(one.code for one in findings if one.fix is not None and one.fix.is_safe)
    rows = sorted(counted.items(), key=lambda row: (-row[1], row[0]))
    if form == "json":
        keys = ("code", "name", "severity")
        told = [{**dict(zip(keys, kind, strict=True)), "count": count, "fixable": fixable[kind[0]]}
                for kind, count in rows]  # fmt: skip
        return json_text(told, indent=2) + "\n"
    width = len(str(rows[0][1])) if rows else 1
    return "".join(f"{count:>{width}}  {code} {name}{_some(fixable[code])}\n" for (code, name, _), count in rows)


def _some(number: int) -> str:
    return f" ({number} fixable with --fix)" if number else ""
