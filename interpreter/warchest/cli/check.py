"""Search a game for faults: cards alone and with others, in many small positions and in whole games.

Each card is checked alone, and in positions in which it is not in play. A card that is named, or that is in a folder of
--cards, is also checked with every other card, as its friend and as its foe. Each fault is reported as a ruling; with
--found it is written to a folder, and checked again the next time. The same seed gives the same result.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from warchest.cli import common
from warchest.cli.cards import documents_in
from warchest.cli.clusters import add_on
from warchest.cli.kit import (
    HOW_TO_KEEP,
    add_found,
    add_from,
    add_kit_arguments,
    add_sets,
    budget_of,
    note_left,
    properties_in,
    sets_in_use,
    tell,
)
from warchest.diagnostics.articles import many
from warchest.diagnostics.reports import ReportedCase
from warchest.diagnostics.visible import visible
from warchest.streams import say_lines
from warchest.testing.budget import OutOfTime, ending

if TYPE_CHECKING:
    from warchest.testing.check_report import CheckReport
    from warchest.testing.law_check import Finding, GameCheck

NAME = "check"
TOGETHER = 3
"""The default of --times for several cards, which give only a few portions of work."""
SHOWN = 24
"""The most lines of a ruling in the report."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "names",
        nargs="*",
        metavar="CARD",
        help="a card, or a document that cards name; several are checked with each other (default: the cards in "
        "--cards, or all in use)",
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--alone", action="store_true", help="check each card without particular others")
    how.add_argument(
        "--pairs",
        action="store_true",
        help="check each card with every card in use (default for a single CARD, and for --cards)",
    )
    how.add_argument("--triples", action="store_true", help="also check a sample of the cards with two others")
    add_sets(parser)
    common.add_number(
        parser,
        "--times",
        help=f"repeat the work N times with other random positions (default: 1; {TOGETHER} for several cards)",
    )
    add_from(parser, "portion")
    add_found(parser, "rulings that show the faults")
    add_kit_arguments(parser)
    add_on(parser)


def run(args: argparse.Namespace) -> int:
    """Check the cards and report; return the exit code."""
    from warchest.testing.check_report import CheckReport, portions_of
    from warchest.testing.law_check import GameCheck
    from warchest.testing.law_rulings import KnownFinding, known_findings
    from warchest.testing.playing import slow_note

    budget, game = budget_of(args), common.load_game(args)
    folder = Path(args.found) if args.found is not None else None
    properties_in(game)
    check = GameCheck(game, sets_in_use(args, game), args.seed)
    cards = _cards(args, check)
    pairs = not args.alone and bool(args.pairs or args.triples or args.names or args.cards)
    others = cards if len(args.names) > 1 and not args.pairs and not args.triples else None
    tasks = check.tasks(cards, pairs, args.triples, args.times or (1 if others is None else TOGETHER), others)
    known = list[KnownFinding]()
    with suppress(OutOfTime), ending(budget.deadline):
        known += known_findings(game, folder) if folder is not None else ()
    report = CheckReport(check, cards, [*args.names], portions_of(check, tasks, budget, args.begin), known)
    if reason := check.player.prepare():
        common.note(slow_note(reason))
    with common.as_far_as_it_goes() as broken:
        report.search.run(report.add, common.shown("looking"))
    if broken and check.under_way is not None:
        report.outcomes.append(replace(check.under_way, whole=False))
    report.sort(folder)
    tell(
        args.format,
        NAME,
        lambda: _record(report, bool(broken)),
        lambda: say_lines("\n".join(_lines(report))),
        lambda: (replace(one, level="error") for one in _cases(report)),
    )
    if folder is None and any(one.findings for one in report.laws):
        common.note(HOW_TO_KEEP)
    if left := report.search.left:
        note_left("from", report.search.further, f"{many(left, 'portion')} {'is' if left == 1 else 'are'} left; ")
    broken.again()
    if report.unwritten is not None:
        raise report.unwritten
    return common.FINDINGS if report.is_broken else common.FINE


def _cards(args: argparse.Namespace, check: GameCheck) -> list[str]:
    """Return the cards to check: named cards, or cards of the folders, or all cards in use; raises UsageError.

    A document without pieces is replaced by the cards that name it.
    """
    for name in args.names:
        common.check_known("card", name, check.known)
    own = args.names or [
        one.name for one in documents_in(check.game.library.documents, args.cards) if one.name in check.known
    ]
    found = dict.fromkeys(card for name in own for card in check.cards_near(name))
    for name in args.names:
        near = check.cards_near(name)
        if near != (name,):
            common.note(f"{name} is checked by the cards that have it: {', '.join(near)}")
    return list(found) or list(check.cards)


# ---- the report


def _lines(report: CheckReport) -> Iterator[str]:
    width = max(len(one.name) for one in report.laws)
    for line in report.laws:
        yield f"{line.told(report.has_looked):<4}  {line.name:<{width}}  {line.says}"
        for finding, file in line.findings:
            yield f"        {finding.task.title}: {finding.fault.text}"
            yield from (
                f"        {one.path}:{one.line}: {' '.join(one.text.split())}" for one in finding.fault.clauses[:1]
            )
            yield f"        seed {report.check.seed}{f', {file}' if file else ''}"
            yield from (f"          {one}" for one in (() if file else _ruling_lines(report, finding)))
        for one in line.known:
            yield f"        {'known' if one.still else 'fixed'}: {one.case.place}"
    yield ""
    yield from report.totals()
    for note, portions in report.notes().items():
        yield f"in {many(portions, 'portion')}: {visible(note)}"
    yield from _silent_lines(report)


def _silent_lines(report: CheckReport) -> Iterator[str]:
    silent = report.silent()
    if not report.has_looked:
        yield "nothing was checked"
    elif silent:
        yield "never seen to act:"
        yield from (f"  {one.file}:{one.line}: {one.text}" for one in silent)
    else:
        yield "every sentence was seen to act" if report.sentences() else "these cards have no sentences"


def _ruling_lines(report: CheckReport, finding: Finding) -> Iterator[str]:
    from warchest.testing.law_rulings import text_of

    lines = text_of(report.check.game, finding, report.check.seed).splitlines()
    lines = [one for one in lines if not one.startswith("#")]
    yield from lines[:SHOWN]
    if len(lines) > SHOWN:
        yield f"and {many(len(lines) - SHOWN, 'further line')}"


def _record(report: CheckReport, partial: bool) -> dict[str, object]:
    return {
        "game": report.check.game.name,
        "seed": report.check.seed,
        "cards": report.cards,
        "partial": partial or bool(report.search.left),
        **report.counts(),
        "laws": [
            {
                "law": line.name,
                "says": line.says,
                "ok": not line.is_broken,
                "found": [_found_record(finding, file) for finding, file in line.findings],
                "known": [{**common.place_record(one.case.span), "still": one.still} for one in line.known],
            }
            for line in report.laws
        ],
        "notes": report.notes(),
        "never_acted": [{"file": one.file, "line": one.line, "text": one.text} for one in report.silent()],
    }


def _found_record(finding: Finding, file: str) -> dict[str, object]:
    return {
        "cards": list(finding.task.cards),
        "relation": finding.task.relation,
        "text": finding.fault.text,
        "clauses": [{**common.place_record(one), "text": one.one_line} for one in finding.fault.clauses],
        "position": finding.position,
        "path": list(finding.path),
        "file": file,
    }


def _cases(report: CheckReport) -> Iterator[ReportedCase]:
    """Yield a case for each law, and one for each finding."""
    start = report.check.game.document.span
    for line in report.laws:
        if not line.is_broken:
            yield ReportedCase.at(line.name, start)
        for finding, file in line.findings:
            place = finding.fault.clauses[0] if finding.fault.clauses else start
            kept = f" ({file})" if file else ""
            yield ReportedCase.at(line.name, place, f"{line.says} But {finding.task.title}: {finding.fault.text}{kept}")
        for one in line.known:
            yield ReportedCase.at(
                line.name, one.case.span, f"{line.says} But {one.case.place} still shows a fault" if one.still else ""
            )
