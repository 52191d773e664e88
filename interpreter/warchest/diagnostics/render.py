"""Findings as text, as short lines and as JSON. Pure functions: findings in, text or plain data out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import groupby

from warchest.diagnostics.articles import many
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import SEVERITIES, Diagnostic, Fix
from warchest.diagnostics.snippet import Underline, snippet
from warchest.diagnostics.visible import painted, visible
from warchest.source.limits import MAX_FINDINGS
from warchest.source.text import Span


def ordered(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the findings sorted by file and place."""
    return sorted(diagnostics, key=lambda found: found.sort_key)


def shown(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the findings to show, by file and place; of too many, the gravest ones, and a count of the others."""
    found = ordered(diagnostics)
    if len(found) <= MAX_FINDINGS:
        return found
    by_weight = sorted(found, key=lambda one: SEVERITIES.index(one.severity))
    kept, left = by_weight[:MAX_FINDINGS], by_weight[MAX_FINDINGS:]
    message = f"and {len(left):,} more, from here on" if len(left) > 1 else "and 1 more, here"
    return [*ordered(kept), report("too-many-findings", message, left[0].span, path=left[0].path)]


def text(diagnostics: Iterable[Diagnostic], color: bool = False) -> str:
    """Return the findings with their source lines, carets, labels and help; "" if there are none."""
    return "\n".join(_block(found, color) for found in shown(diagnostics))


def concise(diagnostics: Iterable[Diagnostic]) -> str:
    """Return one line for each finding: `file:line:column: error[WC204] name: message`."""
    return "".join(f"{_place(found)}: {_title(found)}\n" for found in shown(diagnostics))


def to_json(diagnostics: Iterable[Diagnostic]) -> list[dict[str, object]]:
    """Return the findings as JSON-ready mappings; one about a whole file begins at its first character."""
    return [_record(found) for found in shown(diagnostics)]


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """Return one line that counts the findings, such as "2 errors, 1 warning in 1 file"."""
    found = list(diagnostics)
    if not found:
        return "no findings"
    counts = Counter(one.severity for one in found)
    graded = ((counts["error"], "error"), (counts["warning"], "warning"), (counts["info"], "note"))
    parts = [many(count, noun) for count, noun in graded if count]
    files = {one.file for one in found if one.file}
    return ", ".join(parts) + (f" in {many(len(files), 'file')}" if files else "")


def about_fixes(diagnostics: Iterable[Diagnostic]) -> str:
    """Return the number of findings that can be fixed, with the options to fix them; empty for no such finding."""
    safe = [one.fix.is_safe for one in diagnostics if one.fix is not None]
    parts = [
        f"{sum(safe)} fixable with --fix" if any(safe) else "",
        f"{len(safe) - sum(safe)} with --fix --unsafe-fixes" if not all(safe) else "",
    ]
    return ", ".join(part for part in parts if part)


def _title(found: Diagnostic) -> str:
    return f"{found.severity}[{found.code}] {found.name}: {visible(found.message)}"


def _place(found: Diagnostic) -> str:
    path = visible(found.file) or "(no file)"
    return f"{path}:{found.span.line}:{found.span.column}" if found.span is not None else f"{path}:1:1"


def _record(found: Diagnostic) -> dict[str, object]:
    span = found.span
    return {
        "code": found.code,
        "name": found.name,
        "severity": found.severity,
        "file": found.file,
        "line": span.line if span else 1,
        "column": span.column if span else 1,
        "end_line": span.end_line if span else 1,
        "end_column": span.end_column if span else 1,
        "message": found.message,
        "help": found.help,
        "fix": _fix(found.fix) if found.fix is not None else None,
    }


def _fix(fix: Fix) -> dict[str, object]:
    """Return a fix as JSON-ready data; its edits change the file of its finding."""
    edits = [
        {
            "line": one.span.line,
            "column": one.span.column,
            "end_line": one.span.end_line,
            "end_column": one.span.end_column,
            "text": one.text,
        }
        for one in fix.edits
    ]
    return {"safe": fix.is_safe, "edits": edits}


def _block(found: Diagnostic, color: bool) -> str:
    head = f"{found.severity}[{found.code}]"
    rest = f" {found.name}: {visible(found.message)}"
    lines = [_paint(head, found.severity, color) + _paint(rest, "bold", color)]
    marks = [Underline(found.span, "^", "")] if found.span is not None else []
    marks += [Underline(label.span, "-", label.text) for label in found.labels]
    width = max((len(str(mark.span.line)) for mark in marks), default=1)
    pad = " " * width
    if found.span is None and found.file:
        lines.append(_paint(f"{pad}--> ", "dim", color) + f"{visible(found.file)}:1:1")
    # The file of the finding itself comes first, before other files that labels point to.
    marks.sort(key=lambda mark: (mark.span.path != found.file, mark.span.path))
    for index, (_, group) in enumerate(groupby(marks, key=lambda mark: mark.span.path)):
        lines += _file_part(list(group), width, "-->" if index == 0 else ":::", color)
    if found.help:
        lines.append(_paint(f"{pad} = ", "dim", color) + f"help: {visible(found.help)}")
    return "\n".join(lines) + "\n"


def _file_part(marks: list[Underline], width: int, arrow: str, color: bool) -> list[str]:
    """The place and the marked lines of one file; `marks[0]` gives the place."""
    pad = " " * width
    span: Span = marks[0].span
    lines = [_paint(f"{pad}{arrow} ", "dim", color) + f"{visible(span.path)}:{span.line}:{span.column}"]
    lines.append(_paint(f"{pad} |", "dim", color))
    marks = sorted(marks, key=lambda mark: (mark.span.line, mark.span.start))
    last = 0
    for number, group in groupby(marks, key=lambda mark: mark.span.line):
        if last and number > last + 1:
            lines.append(_paint(f"{pad}...", "dim", color))
        shown, below = snippet(list(group))
        lines.append((_paint(f"{number:>{width}} |", "dim", color) + f" {shown}").rstrip())
        lines += [_paint(f"{pad} |", "dim", color) + f" {mark}" for mark in below]
        last = number
    return lines


def _paint(part: str, style: str, color: bool) -> str:
    return painted(part, style) if color else part
