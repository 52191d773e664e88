"""List the rulings of a game by card, with the readings that they follow; or the open questions, with all readings.

With names of cards, only the entries about these are listed.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from warchest.cli import common
from warchest.cli.clusters import add_on, workers_of
from warchest.cli.kit import add_kit_arguments, tell
from warchest.diagnostics.reports import ReportedCase
from warchest.documents.library import Library
from warchest.documents.load import load
from warchest.documents.schemas import read_schemas
from warchest.rulings.cases import Case, cases_in
from warchest.rulings.compare import shown
from warchest.rulings.questions import Question, QuestionReading, cited_by, questions_in
from warchest.source.data import folders_of
from warchest.streams import say, say_lines
from warchest.testing.budget import UNLIMITED, Budget

if TYPE_CHECKING:
    from warchest.game.game import Game
    from warchest.testing.impact import Impact

NAME = "rulings"
POSITIONS, GAMES, EAGER = 200, 400, "policy-c"
"""The default numbers of positions and games for weighing a question, and the bot that plays the games."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("cards_named", nargs="*", metavar="CARD", help="list only entries about this card")
    parser.add_argument(
        "--open",
        action="store_true",
        help="list open questions: the reading in use, the other readings, and their options",
    )
    parser.add_argument(
        "--impact",
        action="store_true",
        help="report how often another reading of an open question changes options or winners",
    )
    common.add_number(
        parser,
        "--positions",
        usual=POSITIONS,
        help="with --impact: the number of positions to compare for each reading",
    )
    common.add_number(
        parser, "--games", least=0, usual=GAMES, help="with --impact: the number of games to play for each reading"
    )
    add_kit_arguments(parser)
    add_on(parser)


def run(args: argparse.Namespace) -> int:
    """List the rulings or questions; return the exit code."""
    library = _read(args)
    questions = questions_in(library)
    if args.impact:
        known = _known(args.cards_named, [name for question in questions for name in question.about], "question about")
        return _weigh(args, [question for question in questions if not known or known & set(question.about)])
    if args.open:
        known = _known(args.cards_named, [name for question in questions for name in question.about], "question about")
        chosen = [question for question in questions if not known or known & set(question.about)]
        tell(
            args.format,
            NAME,
            lambda: [_question_record(question) for question in chosen],
            lambda: _print_questions(chosen) if chosen else common.note("there are no open questions"),
            lambda: (ReportedCase.at(question.title, question.span) for question in chosen),
        )
    else:
        cases = sorted(cases_in(library), key=lambda case: case.card)
        about = [name for question in questions for name in question.about]
        known = _known(args.cards_named, [*(case.card for case in cases), *about], "ruling on")
        kept = [case for case in cases if not known or case.card in known]
        cards = known or {*about, *(case.card for case in cases)}
        tell(
            args.format,
            NAME,
            lambda: [_case_record(case, questions) for case in kept],
            lambda: _print_cases(kept, questions, cards) if cards else common.note("there are no rulings"),
            lambda: (ReportedCase.at(f"{case.card}: {case.name}", case.span) for case in kept),
        )
    return common.FINE


# ---- the weight of questions


def _weigh(args: argparse.Namespace, questions: list[Question]) -> int:
    """Print the weight of each alternative to the chosen readings, the heaviest first."""
    from warchest.testing.impact import readings_beside
    from warchest.testing.search import KitSearch

    game = common.load_game(args)
    chosen = [question for question in questions if any(True for _ in readings_beside(question))]
    if not chosen:
        common.note("there are no open questions with an option for another reading")
        return common.FINE
    # Each question has its share of the time.
    workers = workers_of(args)
    share = args.budget * (args.jobs if workers is None else workers.count) / len(chosen)
    budget = replace(UNLIMITED, jobs=args.jobs, workers=workers)
    weighed = partial(_impacts, game, args.positions, args.games, args.seed, share)
    search = KitSearch(chosen, weighed, budget)
    found: list[Impact] = []
    with common.as_far_as_it_goes() as broken:
        search.run(lambda _, impacts: found.extend(impacts), common.shown("weighing"))
    found.sort(key=lambda one: -one.compared.differing / max(one.compared.positions, 1))

    def text() -> None:
        for one in found:
            say_lines("\n".join(_impact_lines(one)))

    tell(args.format, NAME, lambda: [_impact_record(one) for one in found], text, lambda: map(_impact_case, found))
    if broken:
        left = dict.fromkeys(name for question in chosen[search.done :] for name in question.about)
        common.note(f"broken off; to go on: warchest {NAME} --impact {shlex.join(left)}")
    broken.again()
    return common.FINE


def _impact_case(one: Impact) -> ReportedCase:
    remark = _differing(one) if one.compared.differing else ""
    return ReportedCase.at(f"{one.question.title}: {one.reading.value}", one.question.span, remark=remark)


def _differing(one: Impact) -> str:
    return f"options or outcomes differ in {one.compared.differing} of {one.compared.positions} positions"


def _impacts(game: Game, positions: int, games: int, seed: int, seconds: float, question: Question) -> list[Impact]:
    from warchest.bots.choose import bot_named
    from warchest.bots.simple import acts_drawn
    from warchest.testing.impact import weigh

    acts = acts_drawn(bot_named(EAGER, game)) or frozenset()
    return list(weigh(game, question, positions, games, acts, seed, Budget(seconds).deadline))


def _impact_record(one: Impact) -> dict[str, object]:
    found = one.compared.found
    return {
        "question": one.question.name,
        "about": list(one.question.about),
        "option": one.question.option,
        "taken": one.question.taken.value,
        "other": one.reading.value,
        "positions": one.compared.positions,
        "differing": one.compared.differing,
        "changes_winners": one.changes_winners,
        "won_by_first": [{"won": rate.won, "games": rate.games} for rate in one.rates],
        "position": None if found is None else found.position,
        "path": [] if found is None else list(found.path),
        "only": [[], []] if found is None else [list(options) for options in found.only],
        "lines": [] if found is None else list(found.lines),
    }


def _impact_lines(one: Impact) -> Iterator[str]:
    compared = one.compared
    yield f"{one.question.title}   {', '.join(one.question.about)}"
    yield f"  {one.question.asks}"
    yield f"  or: {_said(one.question, one.reading)}"
    yield f"  {_differing(one)}"
    if all(rate.games for rate in one.rates):
        shares = " and ".join(f"{rate.won / rate.games:.0%} of {rate.games}" for rate in one.rates)
        more = "; that is more than chance" if one.changes_winners else ""
        yield f"  the first player wins {shares} games{more}"
    if compared.found is not None:
        yield f"  smallest: {shown(compared.found.position)}"
        yield from (f"    then {chosen}" for chosen in compared.found.path)
        yield from (f"    {line}" for line in compared.found.lines)
        for named, options in zip(("as taken", "otherwise"), compared.found.only, strict=True):
            yield from (f"    only {named}: {option}" for option in options[:3])
    yield ""


def _read(args: argparse.Namespace) -> Library:
    """Return all documents of the game and of the folders given with --cards; raises InputError."""
    folder = common.load_game(args).folder  # raises for a missing game, and for wrong cards
    library = load([*folders_of(folder), *map(Path, args.cards)], read_schemas())
    errors = [found for found in library.findings if found.severity == "error"]
    if errors:
        raise common.InputError(errors)
    return library


def _known(given: Iterable[str], names: Iterable[str], what: str) -> set[str]:
    """Return the names that are meant, ignoring case; raises UsageError for an unknown name."""
    written = {name.casefold(): name for name in names}
    for name in given:
        common.check_known(what, written.get(name.casefold(), name), sorted(set(written.values())))
    return {written[name.casefold()] for name in given}


# ---- rulings


def _case_record(case: Case, questions: list[Question]) -> dict[str, object]:
    """Return a ruling ready for JSON, with the readings that it follows."""
    cited = [{"question": one.name, "reading": one.taken.text} for one in cited_by(case.source, questions)]
    return {
        "card": case.card,
        "name": case.name,
        "source": case.source,
        "cites": cited,
        **common.place_record(case.span),
    }


def _print_cases(cases: list[Case], questions: list[Question], cards: set[str]) -> None:
    """Print rulings by card, and below a card's rulings the chosen readings of the questions about it."""
    for number, card in enumerate(sorted(cards)):
        if number:
            say()
        say(card)
        for case in cases:
            if case.card == card:
                say(f"  • {case.name}   {case.source}".rstrip())
        for question in questions:
            if card in question.about:
                say(f"  read: {question.title}: {question.asks} {question.taken.text}")


# ---- open questions


def _question_record(question: Question) -> dict[str, object]:
    """Return all data about a question, ready for JSON."""
    return {
        "question": question.name,
        "cited_as": list(question.cited_as),
        "about": list(question.about),
        "asks": question.asks,
        "option": question.option,
        "taken": _reading_record(question.taken),
        "because": question.because,
        "others": [_reading_record(reading) for reading in question.others],
        "not_offered": question.not_offered,
        "source": question.source,
        **common.place_record(question.span),
    }


def _reading_record(reading: QuestionReading) -> dict[str, object]:
    return {"reading": reading.text, "used_by": list(reading.used_by), "value": reading.value}


def _print_questions(questions: list[Question]) -> None:
    for number, question in enumerate(questions):
        if number:
            say()
        say(f"{question.title}   {', '.join(question.about)}")
        say(f"  {question.asks}")
        say(f"  taken:   {_said(question, question.taken)}")
        say(f"  because: {question.because}")
        for reading in question.others:
            say(f"  or:      {_said(question, reading)}")
        if question.not_offered:
            say(f"  not offered: {question.not_offered}")
        say(f"  source:  {question.source}")


def _said(question: Question, reading: QuestionReading) -> str:
    """Return a reading with the option that chooses it and its users."""
    parts = [reading.text, question.chosen_by(reading)]
    if reading.used_by:
        parts.append(f"used by {', '.join(reading.used_by)}")
    return "   ".join(part for part in parts if part)
