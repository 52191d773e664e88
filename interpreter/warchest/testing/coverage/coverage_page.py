"""The report of coverage as one page of HTML, which needs nothing but itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from warchest.diagnostics.visible import visible_lines
from warchest.source.text import Source
from warchest.testing.coverage.report import CoverageEntry, CoverageReport

STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:72em;margin:2em auto;padding:0 1em;color:#222;background:#fff}
h1{font-size:1.4em}summary{cursor:pointer}summary b{font-weight:600}pre{margin:0;font:13px/1.6 ui-monospace,monospace}
pre span{display:block;white-space:pre-wrap;padding:0 .5em;border-left:.4em solid #ddd}
.met{border-color:#2a7d3f!important}.part{border-color:#c77700!important;background:#fff6e5}
.not{border-color:#b3261e!important;background:#fdecea}.excused{border-color:#5b6bbf!important}
ul{margin:.2em 0 .6em;color:#444}small{color:#666}
@media(prefers-color-scheme:dark){body{background:#161616;color:#ddd}ul,small{color:#aaa}.part{background:#33270f}
.not{background:#3a1917}}
"""
WORDS = {"met": "all is met", "part": "some is lacking", "not": "nothing is met", "excused": "excused"}


def as_page(report: CoverageReport, title: str) -> str:
    """Return the page of a report."""
    return "\n".join(_lines(report, title)) + "\n"


def _lines(report: CoverageReport, title: str) -> Iterator[str]:
    counts = report.counts()
    yield '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width,initial-scale=1">'
    yield f"<title>{_text(title)}</title><style>{STYLE}</style></head><body>"
    yield f"<h1>{_text(title)}</h1>"
    yield f"<p>{counts['obligations']} obligations: {counts['met']} met, {counts['excused']} excused, "
    yield f"<b>{counts['lacking']} lacking</b>. {report.pairs} pairs of cards: {len(report.met)} have met, "
    yield f"{len(report.interacted)} had to do with each other.</p>"
    for path, entries in report.files():
        yield from _file(path, entries)
    yield from _pairs(report)
    yield "</body></html>"


def _file(path: str, entries: Sequence[CoverageEntry]) -> Iterator[str]:
    met, lacking = sum(one.met for one in entries), any(one.lacking for one in entries)
    yield f"<details{' open' if lacking else ''}><summary><b>{_text(path)}</b> "
    yield f"<small>{met} of {len(entries)} met</small></summary><pre>"
    source = entries[0].obligation.span.source
    on_line: dict[int, list[CoverageEntry]] = {}
    for one in entries:
        on_line.setdefault(one.obligation.span.line, []).append(one)
    for number in _shown(source, on_line):
        found = on_line.get(number, [])
        kind = _kind(found)
        told = f' class="{kind}" title="{WORDS[kind]}"' if kind else ""
        yield f"<span{told}>{number:>4} {_text(source.line(number))}</span>"
    yield "</pre>"
    lacks = [one for one in entries if not one.met]
    if lacks:
        yield "<ul>"
        yield from map(_lack, lacks)
        yield "</ul>"
    yield "</details>"


def _shown(source: Source, lines: dict[int, list[CoverageEntry]]) -> range:
    """Return the lines of a file from the first clause to the last."""
    return range(min(lines), min(max(lines), source.line_count) + 1)


def _kind(entries: Sequence[CoverageEntry]) -> str:
    if not entries:
        return ""
    lacking = sum(one.lacking for one in entries)
    if not lacking:
        return "met" if any(one.met for one in entries) else "excused"
    return "part" if any(one.met for one in entries) else "not"


def _lack(one: CoverageEntry) -> str:
    reason = f" <small>excused: {_text(one.excuse.because)}</small>" if one.excuse is not None else ""
    return f"<li>line {one.obligation.span.line}: “{_text(one.obligation.clause)}” {_text(one.lack)}{reason}</li>"


def _pairs(report: CoverageReport) -> Iterator[str]:
    if not report.cards:
        return
    yield "<details><summary><b>Pairs of cards</b></summary><ul>"
    for card in report.cards:
        others = [other for other in report.cards if other != card]
        never = [other for other in others if tuple(sorted((card, other))) not in report.interacted]
        if never:
            yield f"<li>{_text(card)} never had to do with {_text(', '.join(never))}</li>"
    yield "</ul></details>"


def _text(text: str) -> str:
    return escape(visible_lines(text))
