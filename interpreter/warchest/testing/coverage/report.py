"""The report of coverage: for each obligation the rulings that met it, or its excuse, as text, data and lcov."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from warchest.diagnostics.visible import visible
from warchest.documents.layers import LAYER
from warchest.lowering.obligations import ORDER, Obligation, What
from warchest.rulings.cases import Case
from warchest.testing.coverage.collecting import CardPair, Collector
from warchest.testing.coverage.excuses import Excuse, excused

LACKING: dict[What, str] = {
    "done": "has never been done",
    "considered": "has only been considered, and never done",
    "used": "has never counted",
    "forbade": "has never forbidden anything",
    "allowed": "has never let anything pass",
    "answered": "has never answered anything",
    "ignored": "has never had an effect",
    "true": "has never decided anything by being true",
    "false": "has never decided anything by being false",
    "taken": "has never been taken",
    "declined": "has never been declined",
    "least": "has never been used at its least, {number}",
    "most": "has never been used at its most, {number}",
    "just": "has never compared equal numbers",
    "beside": "has never compared numbers that only just differ",
    "none": "has never had nothing to choose from",
    "one": "has never had a single thing to choose from",
    "many": "has never had several things to choose from",
}
"""The words for facts that have not been seen."""


@dataclass(frozen=True, slots=True)
class CoverageEntry:
    """An obligation: the rulings that met it, whether a game met it, and its excuse, if there is one."""

    obligation: Obligation
    rulings: tuple[Case, ...]
    in_play: bool
    excuse: Excuse | None
    considered: bool = False
    """Whether a clause that never acted was at least tried."""

    @property
    def met(self) -> bool:
        """Whether anything has met it."""
        return bool(self.rulings) or self.in_play

    @property
    def lacking(self) -> bool:
        """Whether it is neither met nor excused."""
        return not self.met and self.excuse is None

    @property
    def times(self) -> int:
        """The number of rulings that have met it, plus one if a game has met it."""
        return len(self.rulings) + self.in_play

    @property
    def lack(self) -> str:
        """The words that say which fact was not seen."""
        what = "considered" if self.obligation.what == "done" and self.considered else self.obligation.what
        return LACKING[what].format(number=self.obligation.number)

    @property
    def file(self) -> str:
        """The file of its clause, as it is called from the current folder."""
        return near(self.obligation.span.path)

    def data(self) -> dict[str, Any]:
        """Return it JSON-ready."""
        span, one = self.obligation.span, self.obligation
        return {
            "file": self.file,
            "line": span.line,
            "column": span.column,
            "clause": one.clause,
            "what": one.what,
            "number": one.number if one.number >= 0 else None,
            "met": self.met,
            "in_play": self.in_play,
            "rulings": [ruling_data(case) for case in self.rulings],
            "excused": self.excuse.because if self.excuse is not None else None,
        }


def near(path: str) -> str:
    """Return a path relative to the current folder, if it is in that."""
    here = os.path.relpath(path)
    return path if here.startswith(os.pardir) else here


def ruling_data(case: Case) -> dict[str, object]:
    """Return a ruling JSON-ready: its card, its name and its place."""
    return {"card": case.card, "name": case.name, "file": near(case.span.path), "line": case.span.line}


@dataclass(slots=True)
class CoverageReport:
    """All entries in the order of the texts, and the pairs of cards."""

    entries: list[CoverageEntry]
    names: dict[str, str]
    """The names of the documents, by file."""
    cards: tuple[str, ...] = ()
    """The cards whose pairs are counted."""
    met: frozenset[CardPair] = frozenset()
    interacted: frozenset[CardPair] = frozenset()
    idle: list[Excuse] = field(default_factory=list)
    """Excuses that are not needed any more, or fit no obligation."""

    @property
    def lacking(self) -> list[CoverageEntry]:
        """The entries that are neither met nor excused."""
        return [one for one in self.entries if one.lacking]

    @property
    def pairs(self) -> int:
        """The number of all pairs of cards."""
        return len(self.cards) * (len(self.cards) - 1) // 2

    def files(self) -> Iterator[tuple[str, list[CoverageEntry]]]:
        """Yield the files with their entries."""
        for path, entries in groupby(self.entries, key=lambda one: one.obligation.span.path):
            yield near(path), list(entries)

    def counts(self) -> dict[str, int]:
        """Return the numbers of obligations: all, met, excused and lacking."""
        met = sum(one.met for one in self.entries)
        lacking = len(self.lacking)
        return {
            "obligations": len(self.entries),
            "met": met,
            "excused": len(self.entries) - met - lacking,
            "lacking": lacking,
        }

    def data(self) -> dict[str, Any]:
        """Return the report JSON-ready."""
        pairs = {
            "cards": list(self.cards),
            "all": self.pairs,
            "met": sorted(map(list, self.met)),
            "interacted": sorted(map(list, self.interacted)),
        }
        idle = [
            {"of": one.of, "clause": one.clause, "file": near(one.span.path), "line": one.span.line}
            for one in self.idle
        ]
        return {**self.counts(), "entries": [one.data() for one in self.entries], "pairs": pairs, "idle excuses": idle}


# ---- text


def as_text(report: CoverageReport, verbose: bool = False) -> Iterator[str]:
    """Yield the lines of a report: each file with its missing facts; all files if `verbose`."""
    for path, entries in report.files():
        lacking = [one for one in entries if one.lacking]
        if not lacking and not verbose:
            continue
        excused = sum(one.excuse is not None and not one.met for one in entries)
        more = f", {excused} excused" if excused else ""
        yield f"{path}: {sum(one.met for one in entries)} of {len(entries)} met{more}"
        for one in lacking:
            span = one.obligation.span
            yield f'  {span.line}:{span.column}: "{one.obligation.clause}" {one.lack} ({one.obligation.what})'
    for idle in report.idle:
        yield f'{near(idle.span.path)}:{idle.span.line}: "{idle.clause}" needs this excuse no more'
    yield _summary(report)


def _summary(report: CoverageReport) -> str:
    counts = report.counts()
    found = (
        f"{counts['obligations']} obligations: {counts['met']} met, {counts['excused']} excused, "
        f"{counts['lacking']} lacking"
    )
    if report.pairs:
        met, acted = len(report.met), len(report.interacted)
        found += f"; {report.pairs} pairs of cards: {met} have met, {acted} had to do with each other"
    return found


def by_ruling(report: CoverageReport) -> Iterator[tuple[Case, list[CoverageEntry]]]:
    """Yield the rulings, in the order of their files, each with the facts that it shows."""
    found: dict[tuple[str, int], tuple[Case, list[CoverageEntry]]] = {}
    for entry in report.entries:
        for case in entry.rulings:
            found.setdefault((case.span.path, case.span.start), (case, []))[1].append(entry)
    for key in sorted(found):
        yield found[key]


# ---- lcov


def as_lcov(report: CoverageReport) -> Iterator[str]:
    """Yield the lines of a tracefile: a line of text has the count of its use, every other fact is a branch."""
    for path, entries in report.files():
        yield from ("TN:", f"SF:{visible(path)}")
        lines = {
            number: list(found)
            for number, found in groupby(
                sorted(
                    (one for one in entries if one.met or one.excuse is None), key=lambda one: one.obligation.span.line
                ),
                key=lambda one: one.obligation.span.line,
            )
        }
        branches = [record for number, found in lines.items() for record in _branches(number, found)]
        yield from (f"BRDA:{','.join(map(str, record))}" for record in branches)
        yield f"BRF:{len(branches)}"
        yield f"BRH:{sum(record[-1] not in ('-', 0) for record in branches)}"
        hits = {number: _hits(found) for number, found in lines.items()}
        yield from (f"DA:{number},{count}" for number, count in hits.items())
        yield f"LF:{len(hits)}"
        yield f"LH:{sum(map(bool, hits.values()))}"
        yield "end_of_record"


def _hits(entries: Sequence[CoverageEntry]) -> int:
    """Return the hits of a line: the least number of times that a clause on it acted, or the most of any other fact."""
    done = [one.times for one in entries if one.obligation.what == "done"]
    return min(done) if done else max(one.times for one in entries)


def _branches(line: int, entries: Sequence[CoverageEntry]) -> Iterator[tuple[object, ...]]:
    blocks: dict[tuple[int, int], int] = {}
    for one in entries:
        if one.obligation.what != "done":
            block = blocks.setdefault((one.obligation.span.start, one.obligation.span.end), len(blocks))
            reached = any(other.met for other in entries)
            yield line, block, ORDER[one.obligation.what], one.times if reached else "-"


# ---- making a report


def report_of(collector: Collector, excuses: Sequence[Excuse], files: Collection[str] = ()) -> CoverageReport:
    """Return the report on the clauses in some files: the facts that a collector has seen, and the excuses.

    Without files, the report is on all files of documents, except errata.
    """
    table, names = collector.table, {one.span.path: one.name for one in collector.game.library.documents}
    told = {os.path.realpath(file) for file in files}
    told |= set() if files else names.keys() - {one.span.path for one in collector.game.library.of_kind(LAYER)}
    told |= {path for path in names if os.path.realpath(path) in told}
    obligations = [one for one in table.in_order() if one.span.path in told]
    reasons = excused(obligations, excuses, names)
    entries = [_entry(collector, one, reasons.get(one.key)) for one in obligations]
    needed = {id(one.excuse) for one in entries if not one.met}
    about = {names.get(one.span.path, "") for one in obligations}
    idle = [one for one in excuses if id(one) not in needed and one.of in about]
    pairs = collector.pairs
    return CoverageReport(entries, names, collector.cards, frozenset(pairs.met), frozenset(pairs.interacted), idle)


def _entry(collector: Collector, one: Obligation, excuse: Excuse | None) -> CoverageEntry:
    mark = collector.table.number(one.key)
    tried = collector.table.number((*one.key[:3], "considered"))
    assert mark is not None
    rulings = tuple(collector.by_ruling.get(mark, ()))
    considered = (
        one.what == "done" and tried is not None and (tried in collector.by_ruling or tried in collector.in_play)
    )
    return CoverageEntry(one, rulings, mark in collector.in_play, excuse, considered)
