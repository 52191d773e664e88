"""Run rulings: small cases beside the cards, each with a position and the expected results.

Without paths, all rulings of the game and of the folders in --cards are run. Cards in the paths are added to the game.
The properties of the game and of the folders are checked at every step. With --properties, a property that applied
less often than it declares is a failure, too; with paths, only the properties in these are reported.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from warchest.cli.common import (
    FINDINGS,
    FINE,
    USUAL_GAME,
    InputError,
    UsageError,
    add_common,
    add_jobs,
    as_far_as_it_goes,
    drawn,
    folder_of_game,
    load_game,
    note,
    place_record,
    shown,
)
from warchest.cli.kit import properties_in, tell
from warchest.diagnostics.articles import many
from warchest.diagnostics.report_forms import FORMS
from warchest.diagnostics.reports import ReportedCase
from warchest.documents.library import Document
from warchest.documents.load import declaring_files
from warchest.game.game import Game
from warchest.rulings.cases import Case, read_cases
from warchest.rulings.runner import CaseOutcome, CaseResult, run_case
from warchest.source.data import folder_around, folders_of, shipped_game, shipped_games
from warchest.streams import say, say_lines
from warchest.testing.budget import UNLIMITED
from warchest.testing.properties.watch import PropertyTally, PropertyWatch
from warchest.testing.search import KitSearch

NAME = "test"

TOGETHER = 10
"""The number of cases in one portion of work; most take a few thousandths of a second."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a file or folder with rulings or cards, or FILE:LINE for one ruling (default: all)",
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="also list the cases that pass")
    parser.add_argument(
        "--properties",
        action="store_true",
        help="report how often each property applied; fail if one applied too rarely",
    )
    add_jobs(parser)
    add_common(
        parser, None, f"the game whose folder contains the paths, or else {USUAL_GAME}", ("text", "json", *FORMS)
    )


def run(args: argparse.Namespace) -> int:
    """Run the cases and report; exit code 1 if one fails."""
    places = [_place(path) for path in args.paths]
    paths = list(dict.fromkeys(path for path, _ in places))
    args.game = args.game or _game_around(paths) or USUAL_GAME
    paths = paths or usual_folders(args)
    cases, _ = rulings_of(args, paths)
    cases = _chosen(cases, places)
    results: list[CaseResult] = []
    game = load_game(args)
    watch = _watch(game, args.properties)
    if args.properties:
        watch.expect(game.variant())
    with as_far_as_it_goes() as broken:
        _run(game, watch, cases, args.jobs, results)
    left = len(cases) - len(results)
    tallies = _of_paths(watch.tallies, paths if places else []) if args.properties else []
    told = {"properties": [_tally_record(one) for one in tallies]} if args.properties else {}

    def text() -> None:
        _print(results, args.verbose, f"; broken off, {left} not run" if broken else "")
        _print_tallies(tallies)
        if args.properties and not tallies:
            note("the paths have no properties; without paths, those of the game are reported")

    record = {**_report(results, partial=bool(broken)), **told}
    tell(args.format, NAME, lambda: record, text, lambda: map(_reported, results))
    if broken and left:
        note(f"broken off in {cases[len(results)].card}: {cases[len(results)].name}  ({cases[len(results)].place})")
    broken.again()
    wrong = any(result.outcome == "failed" for result in results) or any(one.is_vacuous for one in tallies)
    return FINDINGS if wrong else FINE


def _reported(result: CaseResult) -> ReportedCase:
    """Return a case and its result for other programs."""
    failed, case = result.outcome == "failed", result.case
    why = "\n".join(result.wrong) or result.message.partition("\n")[0]
    said = (why if failed else "", "" if failed or result.outcome == "passed" else why)
    return replace(ReportedCase.at(f"{case.card}: {case.name}", case.span, *said), level="error")


def _place(given: str) -> tuple[Path, int]:
    """Return a path, and the line number after it; the number is 0 if there is none."""
    path, _, line = given.rpartition(":")
    named = path and line.isascii() and line.isdigit() and len(line) < 8 and not os.path.exists(given)
    return (Path(path), int(line)) if named else (Path(given), 0)


def _game_around(paths: Sequence[Path]) -> str | None:
    """Return the game in whose folder all paths are, as its name or its folder; None if there is no such game."""
    around = {folder_around(path) for path in paths}
    folder = around.pop() if len(around) == 1 else None
    if folder is None:
        return None
    shipped = shipped_game(folder.name)
    return folder.name if shipped is not None and shipped.resolve() == folder else f"{folder}{os.sep}"


def _chosen(cases: list[Case], places: Sequence[tuple[Path, int]]) -> list[Case]:
    """Return the cases in the named files, or at the named lines; raises UsageError for a line without one."""
    whole = [path for path, line in places if not line]
    found = [case for case in cases if not places or any(_within(Path(case.span.path), path) for path in whole)]
    for path, line in places:
        if line:
            there = [case for case in cases if _within(Path(case.span.path), path) and case.span.line <= line]
            if not there:
                raise UsageError(f"{path}:{line}: there is no ruling there")
            found.append(max(there, key=lambda case: case.span.line))
    return list({id(case): case for case in found}.values())


def rulings_of(args: argparse.Namespace, paths: Sequence[Path]) -> tuple[list[Case], list[Document]]:
    """Return the cases in some files and folders, and the other documents there, which then belong to the cards.

    Raises InputError.
    """
    folder = folder_of_game(args)
    # In a folder of games, only the game that is played is read.
    paths = [folder if _within(folder, path) and not _within(path, folder) else path for path in paths]
    cases, cards, errors = read_cases(paths, _declaring(args, paths))
    if errors:
        raise InputError(errors)
    args.cards += _unknown(cards, args)
    return cases, cards


def usual_folders(args: argparse.Namespace) -> list[Path]:
    """Return the folders that contain the rulings of the game."""
    return [folder_of_game(args), *map(Path, args.cards)]


def _declaring(args: argparse.Namespace, paths: Sequence[Path]) -> list[Path]:
    """Return the files with declarations that cases need, without files that are read for their own cases anyway."""
    files = declaring_files([*folders_of(folder_of_game(args)), *map(Path, args.cards)])
    return [file for file in files if not any(_within(file, path) for path in paths)]


def _unknown(cards: Sequence[Document], args: argparse.Namespace) -> list[str]:
    """Return the files of cards that are neither in a game nor in a folder given with --cards."""
    known = [*shipped_games(), folder_of_game(args), *map(Path, args.cards)]
    files = dict.fromkeys(document.span.path for document in cards)
    return [file for file in files if not any(_within(Path(file), folder) for folder in known)]


def _within(file: Path, folder: Path) -> bool:
    return Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder))


def _watch(game: Game, thorough: bool) -> PropertyWatch:
    """Return a watch on all properties; raises InputError if one cannot be read."""
    properties_in(game)
    return PropertyWatch(game, thorough=thorough)


def _run(game: Game, watch: PropertyWatch, cases: Sequence[Case], workers: int, results: list[CaseResult]) -> None:
    """Run some cases, and append their results."""
    # Each process that runs cases has a watch of its own, and returns all that it has seen.
    own = PropertyWatch(game, thorough=watch.thorough)

    def work(case: Case) -> tuple[CaseOutcome, str, list[PropertyTally]]:
        result = _run_one(game, case, own)
        return result.outcome, result.message, own.collected()

    def add(case: Case, done: tuple[CaseOutcome, str, list[PropertyTally]]) -> None:
        outcome, message, tallies = done
        watch.add(tallies)
        results.append(CaseResult(case, outcome, message))

    KitSearch(cases, work, replace(UNLIMITED, jobs=workers), together=TOGETHER).run(add, shown("rulings"))


def _run_one(game: Game, case: Case, watch: PropertyWatch) -> CaseResult:
    """Run a case; a case in the folder of another game is skipped."""
    file = Path(case.span.path)
    if any(_within(file, one) for one in shipped_games()) and not _within(file, game.folder):
        return CaseResult(case, "skipped", f"it belongs to another game than {game.name}")
    try:
        return run_case(game, case, drawn, watch)
    except Exception as error:  # any error is reported with its case, and the other cases run
        return CaseResult(case, "failed", f"this cannot be run: {type(error).__name__}: {error}")


# ---- the report


def _report(results: Sequence[CaseResult], partial: bool) -> dict[str, object]:
    cases = [
        {
            "card": result.case.card,
            "name": result.case.name,
            "outcome": result.outcome,
            "message": result.message,
            "source": result.case.source,
            **place_record(result.case.span),
        }
        for result in results
    ]
    return {**_counts(results), "partial": partial, "cases": cases}


def _counts(results: Sequence[CaseResult]) -> dict[str, int]:
    counts = Counter(result.outcome for result in results)
    return {"passed": counts["passed"], "failed": counts["failed"], "skipped": counts["skipped"]}


def _tally_record(tally: PropertyTally) -> dict[str, object]:
    """Return a property with its tally, ready for JSON."""
    return {
        "properties": tally.document,
        "says": tally.text,
        "place": tally.place,
        "times": tally.times,
        "held": tally.held,
        "broken": tally.broken,
        "least": tally.least,
        "vacuous": tally.is_vacuous,
    }


def _of_paths(tallies: Mapping[str, PropertyTally], paths: Sequence[Path]) -> list[PropertyTally]:
    """Return the tallies of the properties in some files and folders (all if there are none), and the broken ones."""
    return [
        one
        for place, one in tallies.items()
        if not paths or one.broken or any(_within(Path(place.rsplit(":", 2)[0]), path) for path in paths)
    ]


def _print_tallies(tallies: Sequence[PropertyTally]) -> None:
    for one in tallies:
        wrong = f"  broken {many(one.broken, 'time')}" if one.broken else ""
        wrong += f"  vacuous: it must apply at least {many(one.least, 'time')}" if one.is_vacuous else ""
        say(f"{one.times:>9,} {'time ' if one.times == 1 else 'times'}  {one.document}: {one.text}{wrong}")
    if tallies:
        vacuous = sum(one.is_vacuous for one in tallies)
        say(f"{len(tallies)} properties, {sum(bool(one.broken) for one in tallies)} broken, {vacuous} vacuous")


def _print(results: Sequence[CaseResult], verbose: bool, how: str) -> None:
    for result in results:
        if verbose or result.outcome == "failed":
            say(f"{result.outcome}  {result.case.card}: {result.case.name}  ({result.case.place})")
        if result.outcome == "failed":
            say(f"  source: {result.case.source}")
            say_lines("\n".join(f"  {line}".rstrip() for line in result.message.splitlines()) + "\n\n")
    if not results and not how:
        note("there are no rulings there")
    say(", ".join(f"{count} {outcome}" for outcome, count in _counts(results).items()) + how)
