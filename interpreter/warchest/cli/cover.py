"""Report for each clause of the rules which facts the rulings show of it, and which they never show.

Of a clause that is carried out, the fact is that it was; of an offer, that it was taken and that it was declined; of a
condition, that it decided the case by being true, and by being false; of a prohibition, that it forbade and that it let
pass; of a range, both ends; of a choice, that there were no, one and several candidates. Without paths, all rulings are
run, and all clauses except those of errata are reported. Documents of kind `excused` name the facts that need no ruling.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from warchest.cli import common
from warchest.cli.common import FINDINGS, FINE, UsageError, add_number, as_far_as_it_goes, load_game, note, print_json
from warchest.cli.kit import add_found, add_kit_arguments, budget_of, keep_case, tell
from warchest.cli.outputs import HTML, LCOV
from warchest.cli.test import rulings_of, usual_folders
from warchest.diagnostics.articles import many
from warchest.diagnostics.report_forms import FORMS
from warchest.diagnostics.reports import ReportedCase
from warchest.rulings.cases import Case
from warchest.source.yaml_writing import yaml_text
from warchest.streams import say, say_lines
from warchest.testing.budget import Budget, OutOfTime, ending
from warchest.testing.search import KitSearch

if TYPE_CHECKING:
    from warchest.bots import Bot
    from warchest.game.game import Game
    from warchest.game.setup.beginning import Beginning
    from warchest.testing.coverage.collecting import Collector
    from warchest.testing.coverage.excuses import Excuse
    from warchest.testing.coverage.missing import FoundCase, MissingSearch
    from warchest.testing.coverage.report import CoverageReport

MANY = 50
"""The least number of games for which a machine with counters is compiled without a request."""
CAP = 1000
"""The most decisions of a game."""
PLAYER = "policy-c"
"""The bot that plays the games."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a file or folder: report only its clauses, or, if it has none, run only its rulings",
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="also list the files that are fully covered")
    parser.add_argument(
        "--by-ruling", action="store_true", help="list the rulings, each with the clauses that it covers"
    )
    parser.add_argument(
        "--missing",
        action="store_true",
        help="search for positions that show missing facts, and print them as rulings to start from",
    )
    add_found(parser, "each ruling", "with --missing: write {} to a file in this folder instead")
    parser.add_argument(
        "--lcov",
        type=LCOV,
        metavar="FILE",
        help="write an LCOV tracefile: clauses are lines, all other facts are branches",
    )
    parser.add_argument("--html", type=HTML, metavar="FILE", help="write a self-contained page with the texts")
    add_number(parser, "--games", help="also count N games that the bot `policy-c` plays")
    common.add_machine(
        parser,
        "play the games on the native machine (default from 50 on), which reports no pairs of cards",
        "play the games on the reference machine, which reports all",
    )
    add_kit_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Run the rulings and report; exit code 1 if a fact is lacking, unless rulings are only listed."""
    if args.by_ruling and args.missing:
        raise UsageError("--by-ruling and --missing are two reports; ask for one of them")
    for file in (args.lcov, args.html):
        if file is not None and not Path(file).parent.is_dir():
            raise UsageError(f"there is no folder {str(Path(file).parent)!r} to write {file} into")
    covering = _Covering(args)
    with as_far_as_it_goes() as broken:
        covering.rulings()
        covering.games()
    report = covering.report()
    _write(args, report)
    if broken:
        note("broken off: these are the facts so far; run it again for all")
    elif args.missing:
        covering.missing(report)
        return FINDINGS if report.lacking else FINE
    _print(args, report)
    broken.again()
    return FINDINGS if report.lacking and not args.by_ruling else FINE


class _Covering:
    """The work of the command: rulings, games, and the search for lacking facts."""

    def __init__(self, args: argparse.Namespace) -> None:
        from warchest.testing.coverage.collecting import Collector

        self.budget: Budget = budget_of(args)
        self.args, asked = args, _asked(args)
        self.cases, self.files, self.excuses = asked.cases, asked.files, asked.excuses
        self.game: Game = load_game(args)
        self.collector: Collector = Collector(self.game)

    def rulings(self) -> None:
        """Run the rulings; the facts shown by failing ones count as well."""
        failed = 0
        for result in common.shown("rulings")(self.collector.run(self.cases), len(self.cases)):
            failed += result.outcome == "failed"
        if failed:
            note(f"{many(failed, 'ruling')} failed; see `warchest test`")

    # ---- games

    def games(self) -> None:
        """Play games, if requested, as long as there is time."""
        games, args = self.args.games or 0, self.args
        beginning = self.game.beginning()
        if games and not args.reference and (args.native or games >= MANY):
            reason = self._natively(beginning, games)
            if not reason:
                return
            note(f"the reference machine plays: {reason}")
        if games:
            self._watched(beginning, games)

    def _natively(self, beginning: Beginning, games: int) -> str:
        """Play games natively; return the reason if this is impossible."""
        acts: frozenset[str] = getattr(self._bot(), "acts", frozenset())
        reasons = list[str]()

        def play(seed: int) -> str:
            return self.collector.play_natively(beginning, acts, seed, CAP)

        search = KitSearch(self._seeds(games), play, replace(self.budget, jobs=1), ends=bool)
        search.run(lambda _, reason: reasons.append(reason), common.shown("games"))
        if not any(reasons):
            self._told(search.done, games)
        return "".join(reasons)

    def _watched(self, beginning: Beginning, games: int) -> None:
        """Play games on the reference machine, with its events observed."""
        from warchest.testing.coverage.collecting import SeenPairs

        collector, bots = self.collector, self._bots(beginning)
        collector.begun(beginning, self.args.seed)

        in_play, pairs = collector.in_play, collector.pairs

        def play(seed: int) -> tuple[set[int], SeenPairs]:
            collector.in_play, collector.pairs = set(), SeenPairs()
            collector.play(beginning, bots, seed, CAP)
            return collector.in_play, collector.pairs

        def add(_: int, found: tuple[set[int], SeenPairs]) -> None:
            in_play.update(found[0])
            pairs.add(found[1])

        search = KitSearch(self._seeds(games), play, self.budget)
        try:
            search.run(add, common.shown("games"))
        finally:
            # The facts seen before a game was interrupted are reported nevertheless.
            collector.in_play, collector.pairs = in_play, pairs
            self._told(search.done, games)

    def _seeds(self, games: int) -> range:
        return range(self.args.seed, self.args.seed + games)

    def _told(self, played: int, games: int) -> None:
        note(f"{many(played, 'game')} played")
        if played < games:
            note(f"the time was over; for the others add --seed {self.args.seed + played}, or a longer --budget")

    def _bot(self) -> Bot:
        from warchest.bots import bot_named

        return bot_named(PLAYER, self.game)

    def _bots(self, beginning: Beginning) -> dict[str, Bot]:
        bot = self._bot()
        return {seat.name: bot for seat in beginning.variant.board.seats}

    # ---- the results

    def report(self) -> CoverageReport:
        """Return the report of the facts seen so far."""
        from warchest.testing.coverage.report import report_of

        return report_of(self.collector, self.excuses, self.files)

    def missing(self, report: CoverageReport) -> None:
        """Search for the facts that are lacking, and print the findings as rulings to start from."""
        from warchest.testing.coverage.missing import MissingSearch

        wanted = [one.obligation for one in report.lacking]
        search = MissingSearch(self.collector, wanted, report.names, self.args.seed)
        found: list[FoundCase] = []
        with as_far_as_it_goes() as broken:
            found += common.shown("lacking", among=True)(self._found(search), len(wanted))
        _print_found(self.args, found, report)
        left = len(search.left)
        note(f"{len(found)} of {len(wanted)} found{f'; {left} left, a longer --budget may find more' if left else ''}")
        broken.again()

    def _found(self, search: MissingSearch) -> Iterator[FoundCase]:
        with suppress(OutOfTime), ending(self.budget.deadline):
            yield from search.found()
            beginning = self.game.beginning()
            bots, seed = self._bots(beginning), self.args.seed
            while search.left:
                yield from search.in_play(beginning, bots, seed, CAP)
                seed += 1


@dataclass(frozen=True, slots=True)
class _CoverTask:
    """The rulings to run, the files whose clauses are reported (if empty, all documents' files), and the excuses."""

    cases: list[Case]
    files: set[str]
    excuses: list[Excuse]


def _asked(args: argparse.Namespace) -> _CoverTask:
    from warchest.testing.coverage.excuses import KIND, excuses_in

    usual = usual_folders(args)
    cases, cards = rulings_of(args, [Path(path) for path in args.paths]) if args.paths else ([], [])
    files = {one.span.path for one in cards if one.kind != KIND}
    further, documents = rulings_of(args, usual)
    excuses = excuses_in([*documents, *(one for one in cards if one.kind == KIND)])
    if args.paths and not files:
        return _CoverTask(cases, set(), excuses)
    known = {_resolved(case) for case in further}
    return _CoverTask(further + [case for case in cases if _resolved(case) not in known], files, excuses)


def _resolved(case: Case) -> tuple[Path, int]:
    return Path(case.span.path).resolve(), case.span.start


# ---- reports


def _write(args: argparse.Namespace, report: CoverageReport) -> None:
    """Write the requested files."""
    from warchest.testing.coverage.coverage_page import as_page
    from warchest.testing.coverage.report import as_lcov

    if args.lcov is not None:
        Path(args.lcov).write_text("\n".join(as_lcov(report)) + "\n", encoding="utf-8", errors="backslashreplace")
    if args.html is not None:
        page = as_page(report, "Facts of each clause that rulings show")
        Path(args.html).write_text(page, encoding="utf-8", errors="backslashreplace")


def _print(args: argparse.Namespace, report: CoverageReport) -> None:
    from warchest.testing.coverage.report import as_text, by_ruling, ruling_data

    def record() -> object:
        if not args.by_ruling:
            return report.data()
        listed = by_ruling(report)
        return [{**ruling_data(case), "shows": [one.data() for one in entries]} for case, entries in listed]

    def text() -> None:
        if not args.by_ruling:
            say_lines("\n".join(as_text(report, args.verbose)))
            return
        for case, entries in by_ruling(report):
            say(f"{case.card}: {case.name}  ({case.place})")
            for one in entries:
                say(f'  {one.file}:{one.obligation.span.line}: "{one.obligation.clause}" ({one.obligation.what})')

    tell(args.format, "coverage", record, text, lambda: _cases(report))


def _cases(report: CoverageReport) -> Iterator[ReportedCase]:
    """Yield the entries of a report in the form of cases for other programs."""
    for one in report.entries:
        name = f'"{one.obligation.clause}" ({one.obligation.what})'
        fault = f'"{one.obligation.clause}" {one.lack}' if one.lacking else ""
        skipped = one.excuse.because if one.excuse is not None and not one.met else ""
        span = one.obligation.span
        yield ReportedCase(name, one.file, span.line, span.column, fault, skipped)


def _print_found(args: argparse.Namespace, found: Sequence[FoundCase], report: CoverageReport) -> None:
    for one in found if args.found is not None else ():
        card = report.names.get(one.obligation.span.path, "rules")
        keep_case(args, ("shows", one.obligation.what, card), card, one.data())
    if args.format in FORMS:
        _print(args, report)
    elif args.format == "json":
        print_json([{**one.about(), "case": one.data()} for one in found])
    elif args.found is None:
        _print_cases(found, report)


def _print_cases(found: Sequence[FoundCase], report: CoverageReport) -> None:
    """Print the cases as documents of rulings, one for each card."""
    by_name: dict[str, list[dict[str, object]]] = {}
    for one in found:
        by_name.setdefault(report.names.get(one.obligation.span.path, ""), []).append(one.data())
    say_lines("\n".join(yaml_text({"rulings": name, "cases": cases}) for name, cases in by_name.items()))
