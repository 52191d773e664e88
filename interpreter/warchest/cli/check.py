"""Looks for faults in a game: of cards by themselves and with others, in many small positions and whole games.

A card is looked at alone, in the game without its texts, and with every other card, as its friend and as its foe. What
is found becomes a ruling in a folder, and is asked again the next time. The same seed finds the same.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warchest.cli import common
from warchest.cli.kit import (
    Budget,
    KitCase,
    add_found,
    add_kit_arguments,
    budget_of,
    github,
    junit,
    properties_in,
)
from warchest.diagnostics.visible import visible
from warchest.parallel import side_by_side
from warchest.signals import held_back
from warchest.streams import say_lines

if TYPE_CHECKING:
    from warchest.game.game import Game
    from warchest.testing.check import CheckTask, Finding, GameCheck, TaskOutcome
    from warchest.testing.ruled import KnownFinding
    from warchest.testing.sentences import CardSentence

NAME = "check"
HELP = "look for what breaks a game: laws, in positions and games of some cards"
GRACE = 0.05
"""The part of the time that may be taken on top of it to make small what was found last."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("names", nargs="*", metavar="CARD",
                        help="a card to look at (default: those of --cards, or all in use)")  # fmt: skip
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--alone", action="store_true", help="look at the cards with no particular others")
    how.add_argument("--pairs", action="store_true",
                     help="look at each with every card in use; so it is for cards that are named")  # fmt: skip
    how.add_argument("--triples", action="store_true", help="look at some with two others, too")
    parser.add_argument("--sets", metavar="A,B", help="the sets of cards in use, or `all`; the game has usual ones")
    parser.add_argument("--times", type=common.whole_number(1), default=1, metavar="N",
                        help="go through all of it so many times (default: %(default)s)")  # fmt: skip
    parser.add_argument("--from", type=common.whole_number(0), default=0, metavar="N", dest="begin",
                        help="go on from this portion of work (default: 0)")  # fmt: skip
    add_found(parser, "what is found")
    add_kit_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Look, and report; return the exit code."""
    from warchest.testing.check import GameCheck
    from warchest.testing.ruled import known_findings

    game, folder, budget = common.load_game(args), Path(args.found), budget_of(args)
    properties_in(game)
    check = GameCheck(game, args.sets, args.seed)
    cards = _cards(args, check)
    pairs = not args.alone and bool(args.pairs or args.triples or args.names or args.cards)
    tasks = check.tasks(cards, pairs, args.triples, args.times)
    report = CheckReport(check, cards, tasks, args.begin, list(known_findings(game, folder)))
    reason = check.player.prepare()
    if reason:
        common.note(f"few games are played, by the reference machine: {reason}")
    with common.as_far_as_it_goes() as broken:
        _look(check, report, budget)
    report.write(folder)
    _print(args, report, bool(broken))
    if report.left:
        begin = args.begin + report.done
        common.note(f"{report.left} portions are left; add `--from {begin}` to go on, or a longer --budget")
    broken.again()
    return common.FINDINGS if report.is_broken else common.FINE


def _cards(args: argparse.Namespace, check: GameCheck) -> list[str]:
    """Return the cards to look at: those named, else those of the folders, else all in use; raises UsageError."""
    for name in args.names:
        common.check_known("card", name, check.known)
    if args.names:
        return list(dict.fromkeys(args.names))
    folders = [Path(one).resolve() for one in args.cards]
    own = [name for name in check.known if _lies_in(check.game, name, folders)]
    return own or list(check.cards)


def _lies_in(game: Game, name: str, folders: Sequence[Path]) -> bool:
    files = [Path(one.span.path).resolve() for one in game.library.documents if one.name == name]
    return any(file.is_relative_to(folder) for file in files for folder in folders)


def _look(check: GameCheck, report: CheckReport, budget: Budget) -> None:
    """Do the portions side by side until all are done, or the time is over."""
    tasks = report.tasks[report.begin :]
    look = partial(check.look, until=budget.deadline, most=budget.deadline + GRACE * budget.seconds)
    done = side_by_side(look, tasks, budget.jobs)
    with common.progress() as bar:
        for outcome in common.counted(bar, done, len(tasks), "looking"):
            with held_back():
                report.outcomes.append(outcome)
            if not outcome.whole:
                break


# ---- the report


@dataclass(slots=True)
class LawLine:
    """The findings of a law that have no other one like them, each with its file."""

    name: str
    says: str
    findings: list[tuple[Finding, str]] = field(default_factory=list)
    known: list[KnownFinding] = field(default_factory=list)

    @property
    def is_broken(self) -> bool:
        """Whether something breaks it."""
        return bool(self.findings) or any(one.still for one in self.known)


@dataclass(slots=True)
class CheckReport:
    """The portions that were done so far, and their results."""

    check: GameCheck
    cards: list[str]
    tasks: list[CheckTask]
    begin: int
    known: list[KnownFinding]
    outcomes: list[TaskOutcome] = field(default_factory=list)
    laws: list[LawLine] = field(default_factory=list)

    @property
    def left(self) -> int:
        """The number of portions that are left to do."""
        return max(len(self.tasks) - self.begin - self.done, 0)

    @property
    def done(self) -> int:
        """The number of portions that were done to their end."""
        return sum(one.whole for one in self.outcomes)

    @property
    def is_broken(self) -> bool:
        """Whether any law is."""
        return any(one.is_broken for one in self.laws)

    def write(self, folder: Path) -> None:
        """Write the findings into a folder, but for those known there; and sort them by laws."""
        from warchest.testing.ruled import source_of, write_finding

        seen = {one.case.source for one in self.known if one.still}
        self.laws = [LawLine(one.name, one.says) for one in self.check.laws]
        for line in self.laws:
            line.known = [one for one in self.known if one.law == line.name]
            for finding in (one for outcome in self.outcomes for one in outcome.findings):
                source = source_of(finding)
                if finding.fault.law == line.name and source not in seen:
                    seen.add(source)
                    file = write_finding(self.check.game, finding, folder, self.check.seed)
                    line.findings.append((finding, str(file)))

    # ---- in numbers

    def counts(self) -> dict[str, int]:
        """Return the numbers of pairs of cards, positions, options and games that were looked at."""
        done = [one.task for one in self.outcomes]
        return {
            "portions": self.done,
            "left": self.left,
            "pairs": len({one.cards for one in done if len(one.cards) == 2}),
            "triples": len({one.cards for one in done if len(one.cards) > 2}),
            "positions": sum(one.positions for one in self.outcomes),
            "options": sum(one.options for one in self.outcomes),
            "games": sum(one.games for one in self.outcomes),
            "fewest_games_of_a_pair": self._fewest(),
            "unfinished": sum(one.unfinished for one in self.outcomes),
        }

    def _fewest(self) -> int:
        games = [one.games for one in self.outcomes if len(one.task.cards) == 2]
        return min(games, default=0)

    def silent(self) -> list[CardSentence]:
        """Return the sentences of the cards that were never seen to act."""
        from warchest.testing.sentences import sentences_in

        acted = {one for outcome in self.outcomes for one in outcome.acted}
        files = [one.span.path for one in self.check.documents_of(self.cards)]
        program = self.check.game.variant(self.check.options or None).program
        return [one for one in sentences_in(program, files) if not any(map(one.includes, acted))]

    def notes(self) -> dict[str, int]:
        """Return why something could not be looked at, and in how many portions."""
        found = dict[str, int]()
        for one in self.outcomes:
            if one.note:
                found[one.note] = found.get(one.note, 0) + 1
        return found


def _print(args: argparse.Namespace, report: CheckReport, partial: bool) -> None:
    if args.format == "json":
        common.print_json(_record(report, partial))
    elif args.format == "text":
        say_lines("\n".join(_lines(report)))
    else:
        cases = list(_cases(report))
        say_lines("\n".join(github(cases, "error") if args.format == "github" else junit(NAME, cases)))


def _lines(report: CheckReport) -> Iterator[str]:
    width = max(len(one.name) for one in report.laws)
    for line in report.laws:
        told = "FAIL" if line.is_broken else "ok  " if report.outcomes else "?   "
        yield f"{told}  {line.name:<{width}}  {line.says}"
        for finding, file in line.findings:
            yield f"        {finding.task.title}: {finding.fault.text}"
            yield from (f"        {one.path}:{one.line}: {' '.join(one.text.split())}"
                        for one in finding.fault.clauses[:1])  # fmt: skip
            yield f"        seed {report.check.seed}, {file}"
        for one in line.known:
            yield f"        {'known' if one.still else 'put right'}: {one.case.place}"
    yield ""
    counts = report.counts()
    yield f"{_many(counts['pairs'], 'pair')} as friend and as foe, {_many(counts['triples'], 'triple')}"
    games = f"{counts['games']:,} games ({counts['unfinished']:,} given up)"
    least = f", at least {counts['fewest_games_of_a_pair']} for each pair" if counts["pairs"] else ""
    yield f"{counts['positions']:,} positions, {counts['options']:,} options, {games}{least}"
    for note, portions in report.notes().items():
        yield f"in {_many(portions, 'portion')}: {visible(note)}"
    silent = report.silent()
    yield "every sentence was seen to act" if not silent else "never seen to act:"
    yield from (f"  {one.file}:{one.line}: {one.text}" for one in silent)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _record(report: CheckReport, partial: bool) -> dict[str, Any]:
    return {
        "game": report.check.game.name,
        "seed": report.check.seed,
        "cards": report.cards,
        "partial": partial or bool(report.left),
        **report.counts(),
        "laws": [
            {
                "law": line.name,
                "says": line.says,
                "ok": not line.is_broken,
                "found": [_found_record(finding, file) for finding, file in line.findings],
                "known": [{"file": one.case.span.path, "line": one.case.span.line, "still": one.still}
                          for one in line.known],
            }
            for line in report.laws
        ],
        "notes": report.notes(),
        "never_acted": [{"file": one.file, "line": one.line, "text": one.text} for one in report.silent()],
    }  # fmt: skip


def _found_record(finding: Finding, file: str) -> dict[str, Any]:
    return {
        "cards": list(finding.task.cards),
        "relation": finding.task.relation,
        "text": finding.fault.text,
        "clauses": [{"file": one.path, "line": one.line, "text": one.one_line}
                    for one in finding.fault.clauses],
        "position": finding.position,
        "path": list(finding.path),
        "file": file,
    }  # fmt: skip


def _cases(report: CheckReport) -> Iterator[KitCase]:
    """Yield a case for each law, and one for each finding."""
    start = report.check.game.document.span
    for line in report.laws:
        if not line.is_broken:
            yield KitCase.at(line.name, start)
        for finding, file in line.findings:
            place = finding.fault.clauses[0] if finding.fault.clauses else start
            yield KitCase.at(line.name, place, f"{line.says} But {finding.task.title}: {finding.fault.text} ({file})")
        for one in line.known:
            yield KitCase.at(line.name, one.case.span, f"{line.says} But it is still as {one.case.place} tells"
                          if one.still else "")  # fmt: skip
