"""Change sentences of cards, one word or clause at a time, and report the changes that no ruling notices.

Without CARD, all cards and errata of the game are changed, or those in the folders of --cards.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from warchest.cli import common
from warchest.cli.cards import documents_in, documents_named, hint
from warchest.cli.clusters import add_on
from warchest.cli.kit import add_found, add_from, add_kit_arguments, budget_of, keep_case, note_left, tell
from warchest.diagnostics.reports import ReportedCase
from warchest.source.yaml_writing import yaml_text
from warchest.streams import say, say_lines
from warchest.testing.budget import Budget

if TYPE_CHECKING:
    from warchest.documents.library import Document
    from warchest.game.game import Game
    from warchest.testing.mutants.keeping import KeptTrials
    from warchest.testing.mutants.making import Mutant
    from warchest.testing.mutants.trying import Trial, Trials

NAME = "mutants"
POSITIONS = 300
"""The default number of positions in which to search for a difference."""
MISSED, CAUGHT = "missed", "caught"
_PASSED_OVER = ("unviable", "equivalent")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "names", nargs="*", metavar="CARD", help="the name of a card, an erratum or an action, or `kind: NAME`"
    )
    parser.add_argument(
        "--in-diff", metavar="REV", help="change only sentences that differ from a revision of git, such as HEAD"
    )
    parser.add_argument(
        "--all-rulings", action="store_true", help="try all rulings of the game, not only those that name the card"
    )
    parser.add_argument("--list", action="store_true", help="list the changes without trying them")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="print all changes, not only those that no ruling noticed"
    )
    add_from(parser, "change")
    parser.add_argument("--no-cache", action="store_true", help="also try changes with cached results")
    common.add_number(
        parser, "--positions", least=0, usual=POSITIONS, help="the most positions to compare for a missed change"
    )
    add_found(parser, "the rulings that would notice missed changes", "also write {} to this folder")
    add_kit_arguments(parser, usual="10m")
    add_on(parser)


def run(args: argparse.Namespace) -> int:
    """Try the mutants and report; exit code 1 if one is missed."""
    from warchest.testing.mutants.making import Mutants

    budget, game = budget_of(args), common.load_game(args)
    makes = Mutants(game)
    mutants = [one for document in _documents(game, args) for one in makes.of(document)]
    mutants = (_touched(mutants, args) if args.in_diff is not None else mutants)[args.begin :]
    if args.list:
        _list(args, mutants)
        return common.FINE
    trials = _trials(game, mutants, args, budget)
    done: list[Trial] = []

    def add(trial: Trial) -> None:
        done.append(trial)
        if args.format == "text":
            _tell(trials, trial, args.verbose)
        if args.found is not None:
            _keep(args, trials, trial)

    with common.as_far_as_it_goes() as broken:
        _kept(trials, args).run(mutants, budget, add, common.shown("mutants", among=True))
    left = len(mutants) - len(done)
    tell(
        args.format,
        NAME,
        lambda: _record(trials, done, left),
        lambda: say(_summary(done, left)),
        lambda: map(_kit_case, done),
    )
    if left:
        note_left("from", args.begin + len(done), f"{left} changes are left; ")
    broken.again()
    return common.FINDINGS if any(one.outcome == MISSED for one in done) else common.FINE


# ---- which


def _documents(game: Game, args: argparse.Namespace) -> list[Document]:
    """Return the documents whose sentences are changed; raises UsageError for an unknown name."""
    from warchest.documents.layers import LAYER

    there = game.library.documents
    if args.names:
        found: list[Document] = []
        for name in args.names:
            named = documents_named(game, name)
            if not named:
                raise common.UsageError(f"there is no card {name[:60]!r}; {hint(game, name)}")
            found += [one for one in named if one not in found]
        return found
    if args.cards:
        return documents_in(there, args.cards)
    if args.in_diff is not None:
        return there
    shapes = game.document.values["documents"]
    return [one for one in there if one.kind == LAYER or shapes.get(one.kind, {}).get("numbers") is not None]


def _touched(mutants: Sequence[Mutant], args: argparse.Namespace) -> list[Mutant]:
    """Return the mutants of sentences that differ from a revision; raises UsageError."""
    from warchest.source.git import GitError
    from warchest.source.revisions import TouchedLines

    try:
        touched = TouchedLines(args.in_diff, (one.path for one in mutants))
    except GitError as error:
        more = "" if args.cards or args.names else "; name the folder of your cards with --cards"
        raise common.UsageError(f"--in-diff: {error}{more}") from None
    return [one for one in mutants if touched.has(one.sentence)]


# ---- trying


def _trials(game: Game, mutants: Sequence[Mutant], args: argparse.Namespace, budget: Budget) -> Trials:
    """Return the trials; raises UsageError if a ruling that they need fails without any change."""
    from warchest.testing.mutants.trying import DifferenceSearch, Trials, rulings_of

    search = DifferenceSearch(args.positions, budget.seed) if args.positions else None
    trials = Trials(game, rulings_of(game), args.all_rulings, search)
    failing = trials.failing_before(mutants)
    if failing:
        first = f"{failing[0].card}: {failing[0].name}"
        more = f", and so do {len(failing) - 1} more" if len(failing) > 1 else ""
        message = f"{first!r} fails without any change{more} ({failing[0].place}); see `warchest test`"
        raise common.UsageError(message)
    return trials


def _kept(trials: Trials, args: argparse.Namespace) -> KeptTrials:
    """Return the trials, with results from the cache if it is used."""
    from warchest.source.cache import own_cache
    from warchest.testing.mutants.keeping import FOLDER, KeptTrials

    cache, doubt = (None, "") if args.no_cache else own_cache(FOLDER)
    if doubt:
        common.note(f"no results are kept: {doubt}")
    return KeptTrials(trials, cache)


# ---- reporting


def _list(args: argparse.Namespace, mutants: Sequence[Mutant]) -> None:
    listed = (f"{one.place}: {one.change}" for one in mutants)
    tell(
        args.format,
        NAME,
        lambda: [_of_mutant(one) for one in mutants],
        lambda: say_lines("\n".join([*listed, f"{len(mutants)} mutants"])),
        lambda: [ReportedCase.at(one.change, one.span, skipped="not tried") for one in mutants],
    )


def _tell(trials: Trials, trial: Trial, verbose: bool) -> None:
    from warchest.testing.mutants.adopting import adopted

    mutant = trial.mutant
    if trial.outcome != MISSED and not verbose:
        return
    told = trial.why or (f"by {trial.case.card}: {trial.case.name}" if trial.case is not None else "")
    say_lines(f"{mutant.place}: {trial.outcome}: {mutant.change}" + (f" ({told})" if told else ""))
    if trial.outcome == MISSED:
        say_lines(f"  old: {mutant.before}\n  new: {mutant.after or '(left out)'}")
        case = adopted(trials, trial)
        if case is not None:
            say_lines("  a ruling that would notice it, if it is right:")
            say_lines("\n".join(f"    {line}".rstrip() for line in yaml_text([case]).splitlines()))


def _keep(args: argparse.Namespace, trials: Trials, trial: Trial) -> None:
    """Write the ruling that would notice a mutant into a folder, if there is one."""
    from warchest.testing.mutants.adopting import adopted

    case, mutant = adopted(trials, trial), trial.mutant
    if case is not None:
        name, told = mutant.document.name, {**case, "source": f"ruling: … (of {mutant.change})"}
        keep_case(args, ("missed", name), f"Missed {name}", told)


def _counts(done: Sequence[Trial]) -> dict[str, int]:
    return {outcome: sum(one.outcome == outcome for one in done) for outcome in (CAUGHT, MISSED, *_PASSED_OVER)}


def _record(trials: Trials, done: Sequence[Trial], left: int) -> dict[str, object]:
    records = [_of_trial(trials, one) for one in done]
    return {**_counts(done), "left": left, "partial": bool(left), "mutants": records}


def _summary(done: Sequence[Trial], left: int) -> str:
    counts = _counts(done)
    able = counts[CAUGHT] + counts[MISSED]
    share = f"; {counts[CAUGHT] / able:.1%} caught of those that make a difference" if able else ""
    told = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
    return f"{len(done)} mutants: {told}{share}" + (f"; {left} not tried" if left else "")


def _kit_case(trial: Trial) -> ReportedCase:
    change = trial.mutant.change
    fault = f"no ruling notices {change}" if trial.outcome == MISSED else ""
    skipped = f"{trial.outcome}: {trial.why}" if trial.outcome in _PASSED_OVER else ""
    return ReportedCase.at(change, trial.mutant.span, fault, skipped)


def _of_mutant(mutant: Mutant) -> dict[str, object]:
    span = mutant.span
    return {
        "card": mutant.document.name,
        "kind": mutant.kind,
        **common.place_record(span),
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "old": mutant.old,
        "new": mutant.new,
        "before": mutant.before,
        "after": mutant.after,
    }


def _of_trial(trials: Trials, trial: Trial) -> dict[str, object]:
    from warchest.testing.mutants.adopting import adopted

    case = trial.case
    ruling = {"name": case.name, **common.place_record(case.span)} if case is not None else None
    told = {"outcome": trial.outcome, "why": trial.why, "ruling": ruling, "adopt": adopted(trials, trial)}
    return {**_of_mutant(trial.mutant), **told}
