"""Ask what a card means, by positions in which slightly different readings of its sentences disagree.

Your answers become rulings, and the readings that agree with all of them are printed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from warchest.cli import common
from warchest.cli.kit import add_found, add_kit_arguments, budget_of, keep_case, tell
from warchest.diagnostics.reports import ReportedCase
from warchest.diagnostics.visible import visible
from warchest.source.yaml_writing import yaml_text
from warchest.streams import ask, console, is_attended, say, say_lines

if TYPE_CHECKING:
    from warchest.documents.library import Document
    from warchest.game.game import Game
    from warchest.testing.meanings import MeaningQuestion, Meanings

NAME = "quiz"
POSITIONS, SENTENCES = 300, 2
"""The default number of positions in which readings are compared, and the most sentences in an answer."""
ALIKE = 5
"""The most readings without a difference that are shown."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("card", metavar="CARD", help="a card of the game or of --cards")
    common.add_several(parser, "--answer", "N=K", "answer question N with K")
    common.add_number(
        parser, "--positions", usual=POSITIONS, help="the number of positions to compare for each reading"
    )
    add_found(parser, "rulings of the answers")
    add_kit_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Find the questions, ask them, and report; return the exit code."""
    from warchest.testing.meanings import LOOKING, MeaningSearch, rounds

    budget, game = budget_of(args), common.load_game(args)
    common.check_known("card", args.card, sorted({one.name for one in game.library.documents}))
    document = next(one for one in game.library.documents if one.name == args.card)
    search = MeaningSearch(game, document, budget.seed)
    with common.as_far_as_it_goes() as broken:
        for one in rounds(search, args.positions, budget.share(LOOKING)):
            for _ in common.shown("reading")(one.done, one.size):
                pass
    meanings = search.meanings()
    if broken:
        common.note("interrupted: these are the readings found so far; run it again for all")
    elif budget.share(LOOKING).spent:
        common.note("the time was over before all readings were compared; give a longer --budget")
    chosen = _chosen(args.answer, meanings)
    tell(
        args.format,
        NAME,
        lambda: _record(meanings, chosen, bool(broken)),
        lambda: _ask(game, meanings, chosen, is_attended() and not broken),
        lambda: (
            ReportedCase.at(" / ".join(one.moment.path) or "a position", document.span) for one in meanings.questions
        ),
    )
    if chosen:
        _settle(args, document, meanings, chosen)
    broken.again()
    return common.FINE


def _chosen(given: list[str], meanings: Meanings) -> dict[int, int]:
    """Return the given answers, by the numbers of their questions from 0 on; raises UsageError."""
    found: dict[int, int] = {}
    for name, value in common.pairs("answer", given):
        if not (name.isascii() and name.isdigit() and 1 <= int(name) <= len(meanings.questions)):
            raise common.UsageError(f"--answer: there are {len(meanings.questions)} questions, and none is {name!r}")
        answers = meanings.questions[int(name) - 1].answers
        if not (value.isascii() and value.isdigit() and 1 <= int(value) <= len(answers)):
            raise common.UsageError(f"--answer: question {name} has answers 1 to {len(answers)}, and not {value!r}")
        found[int(name) - 1] = int(value) - 1
    return found


def _ask(game: Game, meanings: Meanings, chosen: dict[int, int], attended: bool) -> None:
    """Print the questions; if a person can answer, ask those that are still open, and add the answers."""
    if not meanings.questions:
        say("no near-miss reading plays differently in the positions that were compared")
    for number, question in enumerate(meanings.questions):
        if attended and not meanings.is_open(number, chosen):
            continue
        if number:
            say("")
        _tell(game, meanings, number)
        if attended:
            try:
                answer = _answer(len(question.answers))
            except (EOFError, KeyboardInterrupt):
                say("")
                common.note("your answers are kept; the other questions are asked the next time")
                break
            if answer is not None:
                chosen[number] = answer
    for line in _alike(meanings):
        say(line)


def _alike(meanings: Meanings) -> Iterator[str]:
    """Yield some of the readings that play like the text as written."""
    if meanings.alike:
        yield "\nno difference in any position that was compared:"
        yield from (f"  - {visible(one.said)}" for one in meanings.alike[:ALIKE])
        if len(meanings.alike) > ALIKE:
            yield f"  - and {len(meanings.alike) - ALIKE} more (all with --format json)"


def _answer(count: int) -> int | None:
    """Ask for the right answer, and return its number; None if the person skips the question."""
    while True:
        said = ask(f"which is right? (1-{count}; nothing: skip) > ").strip()
        if not said:
            return None
        if said.isascii() and said.isdigit() and 1 <= int(said[:9]) <= count:
            return int(said) - 1
        say(f"a number from 1 to {count} is needed, not {said[:40]!r}")


def _tell(game: Game, meanings: Meanings, number: int) -> None:
    """Print a question: the position, a small picture of it, and the answers."""
    from warchest.picture import scene, style_of
    from warchest.picture.terminal import WIDTH, small_board

    question = meanings.questions[number]
    say(f"question {number + 1} of {len(meanings.questions)}:")
    say_lines(yaml_text(question.moment.position).rstrip())
    state = game.position(question.moment.position)
    console().print(small_board(scene(state, style_of(game.library)), WIDTH))
    for one in question.moment.path:
        say(f"then: {one}")
    for line in _answers(meanings, question):
        say(line)


def _answers(meanings: Meanings, question: MeaningQuestion) -> Iterator[str]:
    for number, answer in enumerate(question.answers, 1):
        yield f"  {number}. {'as it is written' if 0 in answer.readings else 'if it said otherwise'}:"
        yield from (f"       {line}" for line in answer.lines)
        sentences = [meanings.readings[one].said for one in answer.readings if one]
        yield from (f"     - {one}" for one in sentences[:SENTENCES])
        if len(sentences) > SENTENCES:
            yield f"     - and {len(sentences) - SENTENCES} more"


# ---- answers


def _settle(args: argparse.Namespace, document: Document, meanings: Meanings, chosen: Mapping[int, int]) -> None:
    """Print the readings that are left, and write a ruling for each answer."""
    left = meanings.meant(chosen)
    if args.format == "text":
        say("")
        say("readings that agree with your answers:" if left else "no reading agrees with all these answers")
        for one in left:
            said = "the text as it is written" if one.mutant is None else f"{one.mutant.place}: {one.said}"
            say(f"  {visible(said)}")
    for number, answer in chosen.items():
        _keep(args, document, meanings, number, answer)


def _keep(args: argparse.Namespace, document: Document, meanings: Meanings, number: int, answer: int) -> None:
    """Write or print the ruling of an answer."""
    from warchest.testing.meanings import answer_case

    case = answer_case(document, meanings, meanings.questions[number], answer)
    keep_case(args, (document.name, "quiz", str(number + 1)), f"{document.name} {number + 1}", case)


def _record(meanings: Meanings, chosen: Mapping[int, int], partial: bool) -> dict[str, object]:
    return {
        "partial": partial,
        "readings": [one.said for one in meanings.readings],
        "alike": [one.said for one in meanings.alike],
        "questions": [
            {
                "position": one.moment.position,
                "path": list(one.moment.path),
                "answers": [{"readings": list(answer.readings), "lines": list(answer.lines)} for answer in one.answers],
            }
            for one in meanings.questions
        ],
        "meant": [meanings.readings.index(one) for one in meanings.meant(chosen)] if chosen else None,
    }
