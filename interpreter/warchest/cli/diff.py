"""Compare two versions of a game: the words that differ, the rulings with other results, and a small position.

In that position the versions offer different options, or the same option has different results. A version is a folder
of cards or of a whole game, a file with a card, a revision of one (REV:FILE), or options of errata (NAME=VALUE).
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from warchest.cli import common
from warchest.cli.kit import add_found, add_kit_arguments, budget_of, keep_case, note_left, tell
from warchest.diagnostics.articles import many
from warchest.diagnostics.reports import ReportedCase
from warchest.diagnostics.visible import visible
from warchest.parallel import processors
from warchest.rulings.compare import shown
from warchest.source.yaml_writing import yaml_text
from warchest.streams import console, say, say_lines
from warchest.testing.budget import Budget

if TYPE_CHECKING:
    from warchest.game.state import State
    from warchest.rulings.cases import Case
    from warchest.testing.differences import Compared, Difference, GameComparison
    from warchest.testing.rerunning import Rerun, RerunOutcome
    from warchest.testing.search import KitSearch
    from warchest.testing.searching import SearchPortion, VersionSearch
    from warchest.testing.versions import Version, WordChange

NAME = "diff"
POSITIONS = 2000
"""The default number of positions to compare."""
SHOWN = 12
"""The most options of each version in the report, and the most rulings with other results."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("first", metavar="OLD", help="a version: a folder, a file, REV:FILE, or NAME=VALUE")
    parser.add_argument("second", metavar="NEW", help="the version to compare with")
    add_search_arguments(parser)


def add_search_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that control the search for differences."""
    near = "a card that most positions contain (default: the cards that the change affects); may be repeated"
    common.add_several(parser, "--near", "CARD", near)
    common.add_number(parser, "--positions", usual=POSITIONS, help="the most positions to compare")
    add_found(parser, "rulings that show the difference")
    add_kit_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Compare two versions; return the exit code."""
    from warchest.testing.versions import NoVersionError, version_of

    budget, base = budget_of(args), common.load_game(args)
    try:
        old, new = version_of(base, args.first), version_of(base, args.second)
    except NoVersionError as error:
        raise common.UsageError(visible(str(error))) from None
    return compare(args, budget, old, new)


def compare(args: argparse.Namespace, budget: Budget, old: Version, new: Version, implied: bool = False) -> int:
    """Compare two versions and print the result; return the exit code."""
    from warchest.testing.differences import Compared
    from warchest.testing.searching import VersionSearch
    from warchest.testing.versions import read_the_same, words_changed

    words = words_changed(old, new)
    same = not words or (all(one.is_sentences for one in words) and read_the_same(old, new))
    result = _DiffResult(words, same, Compared())
    search = VersionSearch(old, new, words, args.near, implied) if not same else None
    with common.as_far_as_it_goes() as broken:
        if search is not None:
            _search(args, budget, search, result)
    if implied:
        # The result of a ruling depends on both directions; only its play counts here.
        result.reruns = []
    tell(args.format, NAME, lambda: _record(result), lambda: _tell(search, result), lambda: _cases(old, result))
    if search is not None and result.compared.found is not None:
        _keep(args, search.games, result.compared.found)
    elif result.left:
        note_left("seed", args.seed + result.seeds, "not everything was compared; ")
    broken.again()
    return common.FINDINGS if result.differs else common.FINE


@dataclass
class _DiffResult:
    """The differences found between two versions, and the progress of the search."""

    words: Sequence[WordChange]
    same: bool
    """Whether differences are impossible, because the texts have the same rules."""
    compared: Compared
    reruns: list[Rerun] = field(default_factory=list)
    near: int = 0
    """The rulings that the change can affect."""
    refused: str = ""
    rulings: KitSearch[Case, RerunOutcome] | None = None
    positions: KitSearch[SearchPortion, Compared] | None = None

    @property
    def left(self) -> int:
        """The number of rulings and portions of positions that were not compared."""
        return sum(one.left for one in (self.rulings, self.positions) if one and self.compared.found is None)

    @property
    def seeds(self) -> int:
        """The number of seeds whose random positions were compared."""
        return sum(not one.plays for one in self.positions.units[: self.positions.done]) if self.positions else 0

    @property
    def apart(self) -> list[Rerun]:
        """The rulings with other results."""
        return [one for one in self.reruns if one.differs]

    @property
    def differs(self) -> bool:
        """Whether any difference in play was found."""
        return bool(self.apart) or self.compared.found is not None


# ---- searching


def _search(args: argparse.Namespace, budget: Budget, search: VersionSearch, result: _DiffResult) -> None:
    """Run the rulings near the change, then compare positions, within the budget."""
    from warchest.testing.rerunning import Rerun

    rulings = search.rulings
    result.refused, result.near = rulings.refused, len(rulings.cases)
    result.rulings = rulings.search_in(budget.share(1 / 2))
    result.rulings.run(lambda case, told: result.reruns.append(Rerun(case, *told)), common.shown("rulings"))
    if min(budget.jobs, processors()) > 1:
        # The clock of this process does not count the work of child processes.
        spent = sum(one.seconds for one in result.reruns) / min(budget.jobs, processors())
        budget = replace(budget, begun=budget.begun - spent)
    result.positions = search.search_in(search.portions(result.reruns, args.seed, args.positions), budget)
    result.positions.run(lambda _, part: result.compared.add(part), common.shown("comparing"))


def _keep(args: argparse.Namespace, comparison: GameComparison, found: Difference) -> None:
    """Write or print a ruling that passes in the old version and fails in the new one."""
    from warchest.testing.mutants.adopting import case_of

    name = f"{NAME} {' '.join(Path(one).stem for one in (args.first, args.second))}"
    case = case_of(comparison, found, name, "ruling: as the old version plays")
    keep_case(args, [name], name, case)


# ---- reporting


def _word_lines(words: Sequence[WordChange]) -> Iterator[str]:
    if not words:
        yield "no difference in words"
    for one in words:
        yield f"{one.kind} {one.name}, {one.key}:"
        yield from (f"  {line}" for line in one.lines())


def _tell(search: VersionSearch | None, result: _DiffResult) -> None:
    say_lines("\n".join(_word_lines(result.words)))
    if search is None:
        if result.words:
            say_lines("\nboth have the same rules")
        return
    found, compared, lines = result.compared.found, result.compared, list(_ruling_lines(result))
    if found is None:
        lines.append(f"no difference found in {compared.positions:,} positions ({compared.steps:,} options taken)")
    say_lines("\n".join(["", *lines] if lines else []))
    if found is None:
        return
    comparison = search.games
    for line in ("", "the smallest position found in which they differ:", ""):
        say(line)
    say_lines(yaml_text(found.position).rstrip())
    state = comparison.state_of(found.position)
    if state is not None:
        print_board(state)
    for chosen in found.path:
        say(f"then: {chosen}")
    say("")
    for line in _of_difference(comparison, found):
        say(line)


def _ruling_lines(result: _DiffResult) -> Iterator[str]:
    """Yield lines on rulings with other results, and on the numbers of rulings near the change and of run rulings."""
    if result.refused:
        yield f"the rulings were not run, because they cannot be read: {result.refused}"
    count, apart = len(result.reruns), result.apart
    if not count:
        return
    part = f"{count:,} of " if count < result.near else ""
    rulings = f"{part}{many(result.near, 'ruling')} near the change"
    if not apart:
        yield f"{rulings}: {'with the same result' if count == 1 else 'all with the same results'}"
        return
    yield f"{rulings}: {len(apart)} {'has another result' if len(apart) == 1 else 'have other results'}"
    for one in apart[:SHOWN]:
        yield f"  {one.outcomes[0]}, now {one.outcomes[1]}: {one.case.card}: {one.case.name}  ({one.case.place})"
        yield f"    source: {one.case.source}"
        yield f"    {_reason(one)}"
    if len(apart) > SHOWN:
        yield f"  and {len(apart) - SHOWN} more"


def _reason(rerun: Rerun) -> str:
    """Return the reason why a ruling fails in one line, without the list of options on offer."""
    first = rerun.wrong.partition("\n")[0]
    return re.split(r"; (?:on offer to|but there is)\b", first)[0]


def print_board(state: State) -> None:
    """Print a picture of the board."""
    from warchest.picture import style_of
    from warchest.picture.terminal import board

    console().print(board(state, style_of(state.variant.origin.library)))


def _of_difference(comparison: GameComparison, found: Difference) -> Iterator[str]:
    """Yield lines on a difference: the options of only one version, or the two results of an option."""
    if found.lines:
        yield "the results (the old version's values are the expected ones):"
        yield from (f"  {line}" for line in found.lines)
        return
    for named, options in zip(("old", "new"), found.only, strict=True):
        yield f"on offer only in the {named} version: {len(options) or 'nothing'}"
        yield from (f"  {one}" for one in options[:SHOWN])
        if len(options) > SHOWN:
            yield f"  and {len(options) - SHOWN} more"
    yield from comparison.reasons(found)


def _cases(old: Version, result: _DiffResult) -> list[ReportedCase]:
    """Return a case for each document whose words differ; the first case also has the differences in play."""
    cases: list[ReportedCase] = []
    for kind, name in dict.fromkeys((one.kind, one.name) for one in result.words):
        document = old.game.library.named(kind, name)
        if document is not None:
            fault = "; ".join(_plain(result)) if not cases else ""
            cases.append(ReportedCase.at(f"{kind} {name}", document.span, fault))
    return cases


def _plain(result: _DiffResult) -> Iterator[str]:
    for one in result.apart[:SHOWN]:
        yield f"{one.outcomes[0]}, now {one.outcomes[1]}: {one.case.card}: {one.case.name} ({one.case.place})"
    found = result.compared.found
    if found is None:
        return
    yield f"they differ in {shown(found.position)}"
    yield from (f"then {one}" for one in found.path)
    yield from found.lines
    for named, options in zip(("old", "new"), found.only, strict=True):
        yield from (f"only in the {named} version: {one}" for one in options)


def _record(result: _DiffResult) -> dict[str, object]:
    found = result.compared.found
    return {
        "words": [
            {"kind": one.kind, "name": one.name, "key": one.key, "old": one.old, "new": one.new} for one in result.words
        ],
        "rulings": {
            "near": result.near,
            "run": len(result.reruns),
            "otherwise": [
                {
                    "card": one.case.card,
                    "name": one.case.name,
                    "source": one.case.source,
                    **common.place_record(one.case.span),
                    "old": one.outcomes[0],
                    "new": one.outcomes[1],
                    "message": one.wrong,
                }
                for one in result.apart
            ],
        },
        "positions": result.compared.positions,
        "options_taken": result.compared.steps,
        "difference": None
        if found is None
        else {
            "position": found.position,
            "path": list(found.path),
            "sort": found.sort,
            "only_old": list(found.only[0]),
            "only_new": list(found.only[1]),
            "lines": list(found.lines),
        },
        "same_rules": result.same,
        "partial": bool(result.left),
    }
