"""Read a card or a sentence back from its compiled rules, with every reference spelt out."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from warchest.cli import common
from warchest.cli.begin_options import add_choice, choice_of
from warchest.cli.cards import documents_named, hint
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.diagnostics.render import text as rendered
from warchest.streams import say, say_lines

if TYPE_CHECKING:
    from warchest.game.game import Game
    from warchest.paraphrase.reading import Reading, Study


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "what", metavar="CARD|SENTENCE", nargs="+", help="the name of a card, or sentences, each with its full stop"
    )
    parser.add_argument(
        "--on",
        metavar="CARD",
        default="",
        help="read the sentence as if it were on this card, or `game`: among its rules",
    )
    parser.add_argument(
        "--as",
        dest="meaning",
        choices=("steps", "rules", "properties"),
        help="read it as steps, rules or a property (default: the first that fits)",
    )
    add_choice(parser)
    common.add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Read the card or the sentence; return the exit code."""
    what = " ".join(args.what).strip()
    game = common.load_game(args)
    options = choice_of(game, args)
    from warchest.paraphrase.reading import study as study_of

    study = study_of(game.library, game.name, game.boards.usual, options)
    if what.endswith("."):
        found: list[Reading | Diagnostic] = list(_sentence(game, study, what, args))
    else:
        documents = documents_named(game, what)
        if not documents:
            raise common.UsageError(
                f"{what!r} is neither a sentence, which ends with a full stop, nor a card; {hint(game, what)}"
            )
        keys = {(one.kind, one.name) for one in documents}
        found = [
            one
            for document in study.library.documents
            if (document.kind, document.name) in keys
            for one in study.document(document)
        ]
    return _print(found, args.format)


def _sentence(game: Game, study: Study, text: str, args: argparse.Namespace) -> Iterable[Reading | Diagnostic]:
    """Read sentences as steps or as rules; if both fail, report the errors for the kind that they resemble."""
    carrier = study.bearer("" if args.on == "game" else args.on)
    if args.on == "game":
        carrier = study.nobody
    elif args.on and carrier.number < 0:
        raise common.UsageError(f"--on: there is no card {args.on!r}; {hint(game, args.on)}")
    wrong: list[Diagnostic] = []
    for meaning in (args.meaning,) if args.meaning else ("steps", "rules", "properties"):
        found = study.written(text, meaning, carrier)
        if not isinstance(found, list):
            return [found]
        # The faults that the text has in the right block are more useful than a refusal for the wrong one.
        if not wrong or wrong[0].name in ("rule-among-steps", "step-among-rules", "property-among-rules"):
            wrong = found
    from warchest.lint.sentences.advice_trial import AdviceTrial
    from warchest.lint.sentences.slips import with_help

    trial = AdviceTrial(study.vocabulary, study.desk.reader, study.library, study.game)
    return with_help(wrong, study.vocabulary, trial)


def _print(found: list[Reading | Diagnostic], form: str) -> int:
    wrong = [one for one in found if isinstance(one, Diagnostic)]
    if form == "json":
        common.print_json([_record(one) for one in found])
    else:
        for index, one in enumerate(found):
            if not isinstance(one, Diagnostic):
                if index:
                    say()
                say_lines("\n".join(_lines(one)))
        if not found:
            say("no sentences")
        if wrong:
            say_lines(rendered(wrong))
    return common.FINDINGS if wrong else common.FINE


def _lines(reading: Reading) -> list[str]:
    lines = [f"{reading.key}:", *(f"  {one}" for one in reading.sentences)]
    lines += ["read as:", *(f"  {one}" for one in reading.said)]
    if reading.unsaid:
        lines.append(f"  (the language has no words for this: {reading.unsaid})")
    return lines + [f"  - {fact.about}: {fact.text}" for fact in reading.facts]


def _record(one: Reading | Diagnostic) -> dict[str, object]:
    if isinstance(one, Diagnostic):
        return {"finding": one.name, "message": one.message, "help": one.help}
    return {
        "key": one.key,
        **common.place_record(one.span),
        "sentences": list(one.sentences),
        "reading": list(one.said),
        "unsaid": one.unsaid,
        "facts": [{"about": fact.about, "text": fact.text} for fact in one.facts],
    }
