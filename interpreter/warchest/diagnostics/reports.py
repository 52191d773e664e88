"""Reports for other programs: annotations for GitHub, JUnit, SARIF, and GitLab's code quality reports.

Each item that was checked is a case, with its fault if it has one; every form of report is made from cases.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from warchest.diagnostics.addresses import escaped
from warchest.diagnostics.diagnostic import Diagnostic, Fix, Severity
from warchest.diagnostics.repository_paths import from_root
from warchest.diagnostics.visible import json_text, visible
from warchest.source.text import Span

SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
"""The name of the schema of SARIF."""
_ANNOTATED = {"error": "error", "warning": "warning", "info": "notice"}
_IN_SARIF = {"error": "error", "warning": "warning", "info": "note"}
_IN_GITLAB = {"error": "critical", "warning": "minor", "info": "info"}


@dataclass(frozen=True, slots=True)
class ReportedCase:
    """An item that was checked: its name, its place, and its fault, or the reason why it was skipped.

    A remark is a piece of information that does not fail a build. `code` is that of the fault, if it has one, and `fix`
    corrects it. Lines and columns count from 1; an unknown end is (0, 0).
    """

    name: str
    file: str
    line: int
    column: int
    fault: str = ""
    skipped: str = ""
    remark: str = ""
    level: Severity = "warning"
    code: str = ""
    end: tuple[int, int] = (0, 0)
    fix: Fix | None = None

    @classmethod
    def at(cls, name: str, span: Span, fault: str = "", skipped: str = "", remark: str = "") -> ReportedCase:
        """Return a case about a place in a text."""
        return cls(name, span.path, span.line, span.column, fault, skipped, remark)

    @classmethod
    def of(cls, found: Diagnostic) -> ReportedCase:
        """Return the case of a finding; a finding about a whole file is placed at its first character."""
        span, message = found.span, f"{found.message}\n{found.help}" if found.help else found.message
        line, column = (span.line, span.column) if span is not None else (1, 1)
        end = (span.end_line, span.end_column) if span is not None else (0, 0)
        return cls(
            f"{found.code} {found.name}",
            found.file,
            line,
            column,
            message,
            "",
            "",
            found.severity,
            found.code,
            end,
            found.fix,
        )


def report_text(form: str, tool: str, cases: Iterable[ReportedCase], pages: str = "") -> str:
    """Return a report in one of the `FORMS`; `tool` is the program, or the suite of tests, that reports.

    `pages` is the address of a folder with a page about each code, as SARIF names them; empty where there is none.
    """
    told = list(cases)
    match form:
        case "github":
            return "".join(f"{line}\n" for line in _annotations(told))
        case "junit":
            return "".join(f"{line}\n" for line in _junit(tool, told))
        case "sarif":
            return json_text(_sarif(tool, told, pages), indent=2) + "\n"
        case _:
            return json_text(list(_gitlab(told)), indent=2) + "\n"


def _annotations(cases: Iterable[ReportedCase]) -> Iterator[str]:
    """Yield the workflow commands that make GitHub show faults and remarks beside their lines."""
    for one in cases:
        if one.fault or one.remark:
            level, message = (_ANNOTATED[one.level], one.fault) if one.fault else ("notice", one.remark)
            fields: dict[str, int | str] = {"line": one.line, "col": one.column}
            if one.end != (0, 0):
                fields |= {"endLine": one.end[0], "endColumn": one.end[1]}
            if one.code:
                fields["title"] = one.name
            yield _annotation(level, one.file, _lines(message), fields)


def _annotation(level: str, file: str, message: str, fields: Mapping[str, int | str]) -> str:
    """Return the line with a message about a file; its level is `error`, `warning` or `notice`.

    The file is named from the root of its repository, whichever folder the program runs in: GitHub knows no other
    names. `fields` give the place in the file, and may hold a title.
    """
    told = {"file": visible(from_root(file)), **fields}
    shown = ",".join(f"{key}={_escaped(str(value), inside=True)}" for key, value in told.items())
    return f"::{level} {shown}::{_escaped(message)}"


def _escaped(part: str, inside: bool = False) -> str:
    part = part.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return part.replace(":", "%3A").replace(",", "%2C") if inside else part


def _junit(suite: str, cases: Sequence[ReportedCase]) -> Iterator[str]:
    """Yield the lines of a JUnit report, which build servers read."""
    faults, skipped = sum(bool(one.fault) for one in cases), sum(bool(one.skipped) for one in cases)
    counts = f'tests="{len(cases)}" failures="{faults}" skipped="{skipped}"'
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<testsuites {counts}><testsuite name={_for_xml(suite)} {counts}>"
    for one in cases:
        head = f"<testcase classname={_for_xml(from_root(one.file))} name={_for_xml(f'{one.line}: {one.name}')}"
        if one.fault:
            yield f"{head}><failure message={_for_xml(one.fault)}/></testcase>"
        elif one.skipped:
            yield f"{head}><skipped message={_for_xml(one.skipped)}/></testcase>"
        elif one.remark:
            yield f"{head}><system-out>{escape(visible(one.remark), quote=False)}</system-out></testcase>"
        else:
            yield f"{head}/>"
    yield "</testsuite></testsuites>"


def _sarif(tool: str, cases: Sequence[ReportedCase], pages: str) -> dict[str, object]:
    """Return a log in SARIF 2.1.0; paths are relative to the root of the repository."""
    found = [one for one in cases if one.fault]
    rules = sorted({_rule(one): one.name for one in found}.items())
    results = [
        {
            "ruleId": _rule(one),
            "level": _IN_SARIF[one.level],
            "message": {"text": _lines(one.fault)},
            "locations": [{"physicalLocation": {"artifactLocation": _artifact(one), "region": _region(one)}}],
            "partialFingerprints": {"warchest/v1": print_},
            **_fixes(one),
        }
        for one, print_ in zip(found, _fingerprints(found), strict=True)
    ]
    codes = {one.code for one in found if one.code} if pages else set()
    driver = {
        "name": tool,
        "rules": [
            {
                "id": name,
                "shortDescription": {"text": said},
                **({"helpUri": f"{pages}/{name}.md"} if name in codes else {}),
            }
            for name, said in rules
        ],
    }
    return {
        "$schema": SARIF,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }


def _gitlab(cases: Iterable[ReportedCase]) -> Iterator[dict[str, object]]:
    """Yield the issues of a code quality report for GitLab."""
    found = [one for one in cases if one.fault]
    for one, print_ in zip(found, _fingerprints(found), strict=True):
        place = {"path": visible(from_root(one.file)), "lines": {"begin": one.line}}
        yield {
            "description": _lines(one.fault),
            "check_name": one.name,
            "fingerprint": print_,
            "severity": _IN_GITLAB[one.level],
            "location": place,
        }


def _fingerprints(cases: Iterable[ReportedCase]) -> Iterator[str]:
    """Yield a fingerprint of each fault, from its file, its code and its message, but not its line or the advice.

    Equal faults are numbered.
    """
    seen: dict[tuple[str, str, str], int] = {}
    for one in cases:
        key = from_root(one.file), _rule(one), one.fault.partition("\n")[0]
        seen[key] = seen.get(key, 0) + 1
        yield hashlib.sha256("\0".join((*key, str(seen[key]))).encode("utf-8", "surrogateescape")).hexdigest()


def _artifact(case: ReportedCase) -> dict[str, str]:
    return {"uri": escaped(from_root(case.file)), "uriBaseId": "%SRCROOT%"}


def _fixes(case: ReportedCase) -> dict[str, object]:
    """Return the fix of a fault in the form of SARIF; empty if there is no fix, or a fix without edits."""
    if case.fix is None or not case.fix.edits:
        return {}
    changes = [
        {
            "deletedRegion": {
                "startLine": one.span.line,
                "startColumn": one.span.column,
                "endLine": one.span.end_line,
                "endColumn": one.span.end_column,
            },
            "insertedContent": {"text": one.text},
        }
        for one in case.fix.edits
    ]
    return {
        "fixes": [
            {
                "artifactChanges": [{"artifactLocation": _artifact(case), "replacements": changes}],
                "properties": {"safe": case.fix.is_safe},
            }
        ]
    }


def _region(case: ReportedCase) -> dict[str, int]:
    region = {"startLine": case.line, "startColumn": case.column}
    return region | ({"endLine": case.end[0], "endColumn": case.end[1]} if case.end != (0, 0) else {})


def _rule(case: ReportedCase) -> str:
    return case.code or case.name


def _lines(text: str) -> str:
    return "\n".join(visible(line) for line in text.split("\n"))


def _for_xml(text: str) -> str:
    return f'"{escape(visible(text))}"'
