"""Findings in the formats of the command."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.diagnostics.render import concise, shown, text, to_json
from warchest.diagnostics.report_forms import FORMS
from warchest.diagnostics.reports import ReportedCase, report_text
from warchest.diagnostics.visible import json_text
from warchest.lint.files import WrongUse, reason
from warchest.source.file_reading import NotAFileError, begins_with
from warchest.source.replacing import replace_file

STANDARD_OUTPUT = "-"
"""The name of standard output among files."""
_HEAD = 4096
_TEXTS = (".txt", ".log")
_REPORT = re.compile(
    r"<\?xml[^>]*>\s*<testsuites|::(?:error|warning|notice) |\[(?:\]|\s*\{\s*\"(?:code|description)\")"
    r"|\{\s*\"(?:\$schema|passed|partial)\"|(?:error|warning|info)\[WC|[^\n]*: (?:error|warning|info)\[WC"
    r"|[0-9]+  WC[0-9]|--- [^\n]*\n\+\+\+ "
)
"""The beginnings of reports, in all formats."""


def written(findings: Sequence[Diagnostic], form: str, color: bool = False, pages: str = "") -> str:
    """Return the findings in one of the forms of the command: `text`, `concise`, `json`, or one of `FORMS`.

    `pages` is the address of the pages about codes, if it is known.
    """
    if form in FORMS:
        return report_text(form, "wc-lint", map(ReportedCase.of, shown(findings)), pages)
    if form == "json":
        return json_text(to_json(findings), indent=2) + "\n"
    return concise(findings) if form == "concise" else text(findings, color)


def check_target(file: Path) -> None:
    """Raise WrongUse if no report can be written into a file.

    An existing file is only replaced if it is empty, an earlier report, or by its name a text or a log.
    """
    place = f"--output-file: {file}"
    try:
        head = begins_with(file, _HEAD) if os.path.lexists(file) else b""
    except NotAFileError as error:
        raise WrongUse(f"{place}: {error}") from None
    except OSError as error:
        raise WrongUse(f"{place}: {reason(error)}") from None
    begin = head.decode("latin-1").strip()
    if begin and file.suffix not in _TEXTS and _REPORT.match(begin) is None:
        raise WrongUse(f"{place} is there already, and is no report; choose another name")
    if not file.parent.is_dir():
        raise WrongUse(f"{place}: there is no folder {file.parent}")


def keep_report(file: Path, text: str) -> None:
    """Write a report into a file; raises WrongUse if that fails."""
    check_target(file)
    try:
        replace_file(Path(os.path.realpath(file)), text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise WrongUse(f"--output-file: {file}: {reason(error)}") from None


def about_passed_over(paths: Sequence[str]) -> Iterator[str]:
    """Yield a note on files in folders that are not cards, if there are any."""
    match paths:
        case []:
            pass
        case [path]:
            yield f"{path} is no card and was passed over"
        case several:
            yield f"{len(several)} YAML files are no cards and were passed over"


def statistics(findings: Sequence[Diagnostic], form: str) -> str:
    """Return the number of findings of each kind, the most frequent first: as lines, or as JSON."""
    counted = Counter((one.code, one.name, one.severity) for one in findings)
    fixable = Counter(one.code for one in findings if one.fix is not None and one.fix.is_safe)
    rows = sorted(counted.items(), key=lambda row: (-row[1], row[0]))
    if form == "json":
        keys = ("code", "name", "severity")
        told = [
            {**dict(zip(keys, kind, strict=True)), "count": count, "fixable": fixable[kind[0]]} for kind, count in rows
        ]
        return json_text(told, indent=2) + "\n"
    width = len(str(rows[0][1])) if rows else 1
    return "".join(f"{count:>{width}}  {code} {name}{_some(fixable[code])}\n" for (code, name, _), count in rows)


def _some(number: int) -> str:
    return f" ({number} fixable with --fix)" if number else ""
