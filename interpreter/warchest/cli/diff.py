"""Compares two versions of a game: the words that differ, and the smallest position in which they play otherwise.

A version is a folder of cards or of a whole game, a file with a card, a revision of one (`REV:FILE`), or an option of
errata (`NAME=VALUE`).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict
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
    keep_ruling,
)
from warchest.diagnostics.visible import visible
from warchest.parallel import side_by_side
from warchest.rulings.compare import shown
from warchest.source.writing import yaml_text
from warchest.streams import console, say, say_lines

if TYPE_CHECKING:
    from warchest.game.game import Game
    from warchest.game.state import State
    from warchest.testing.differences import Compared, Difference, GameComparison
    from warchest.testing.versions import Version, WordChange

NAME = "diff"
HELP = "show where two versions of cards or games differ"
POSITIONS, TOGETHER = 2000, 100
"""The positions that are compared by default, and how many of them a process is given at a time."""
SHOWN = 12
"""The most options that are listed of either version."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("first", metavar="OLD", help="a folder, a file, `REV:FILE`, or `NAME=VALUE`")
    parser.add_argument("second", metavar="NEW", help="another one")
    add_search_arguments(parser)


def add_search_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say where differences are looked for."""
    parser.add_argument("--near", metavar="CARD", action="append", default=[],
                        help="a card that most positions have; may be given again (default: those that differ)")
    parser.add_argument("--positions", type=common.whole_number(1), default=POSITIONS, metavar="N",
                        help="how many positions to compare at most (default: %(default)s)")  # fmt: skip
    add_found(parser, "the difference that is found")
    add_kit_arguments(parser, work="processes that compare")


def run(args: argparse.Namespace) -> int:
    """Compare them; return the exit code."""
    from warchest.testing.versions import NoVersionError, version_of

    base = common.load_game(args)
    try:
        old, new = version_of(base, args.first), version_of(base, args.second)
    except NoVersionError as error:
        raise common.UsageError(visible(str(error))) from None
    return compare(args, old, new)


def compare(args: argparse.Namespace, old: Version, new: Version, implied: bool = False) -> int:
    """Compare two versions and print the result; return the exit code."""
    from warchest.testing.differences import Compared, GameComparison
    from warchest.testing.versions import read_the_same, words_changed

    words = words_changed(old, new)
    cards = args.near or [*old.cards, *new.cards] or _cards_of(words, old.game)
    same = bool(words) and read_the_same(old, new)
    comparison = GameComparison(old.game, new.game, (old.options, new.options), implied)
    compared, budget = Compared(), budget_of(args)
    portions = _portions(args.seed, args.positions if words else 0)
    done = 0
    with common.as_far_as_it_goes() as broken:
        for part in _searched(comparison, list(dict.fromkeys(cards)), portions, budget):
            compared.add(part)
            if compared.found is not None or not part.whole:
                break
            done += 1
    left = len(portions) - done if compared.found is None else 0
    if args.format == "json":
        common.print_json({**_record(words, compared), "same_rules": same or not words, "partial": bool(left)})
    elif args.format == "text":
        say_lines("\n".join(_word_lines(words)))
        if same:
            say("")
            say("both come to the same rules")
        _tell(comparison, compared, bool(words))
    else:
        _report(args.format, old, words, compared)
    if compared.found is not None:
        _keep(args, comparison, compared.found)
    elif left:
        common.note(f"not all positions were looked at; add `--seed {args.seed + done}` to go on, or a longer --budget")
    broken.again()
    return common.FINDINGS if compared.found is not None else common.FINE


def _cards_of(words: Sequence[WordChange], game: Game) -> list[str]:
    """Return the cards with pieces whose words differ."""
    with_pieces = set(game.piece_kinds)
    return list(dict.fromkeys(one.name for one in words if one.kind in with_pieces))


# ---- searching


def _portions(seed: int, most: int) -> list[tuple[int, int]]:
    """Return the portions of so many positions: the seed of each, and its size."""
    return [(seed + number, min(TOGETHER, most - first)) for number, first in enumerate(range(0, most, TOGETHER))]


def _searched(
    comparison: GameComparison, cards: list[str], portions: Sequence[tuple[int, int]], budget: Budget
) -> Iterator[Compared]:
    """Compare portions of positions side by side, and yield the results in their order."""
    # The processes are made before anything shows progress.
    compared = side_by_side(partial(_portion, comparison, cards, budget), portions, budget.jobs)
    with common.progress() as bar:
        yield from common.counted(bar, compared, len(portions), "comparing")


def _portion(comparison: GameComparison, cards: list[str], budget: Budget, portion: tuple[int, int]) -> Compared:
    from warchest.testing.differences import Compared

    seed, most = portion
    if budget.spent:
        return Compared(whole=False)
    return comparison.look(cards, seed=seed, most=most, until=budget.deadline)


def _keep(args: argparse.Namespace, comparison: GameComparison, found: Difference) -> None:
    """Keep a ruling by which the old version plays, and the new one does not."""
    from warchest.testing.found import case_text, file_stem
    from warchest.testing.mutants.adopting import case_of

    name = f"{NAME} {' '.join(Path(one).stem for one in (args.first, args.second))}"
    case = case_of(comparison, found, name, "ruling: as the old version plays")
    keep_ruling(args, file_stem(name), case_text(name, case))


# ---- telling


def _word_lines(words: Sequence[WordChange]) -> Iterator[str]:
    if not words:
        yield "no difference in words"
    for one in words:
        yield f"{one.kind} {one.name}, {one.key}:"
        yield from (f"  {line}" for line in one.lines())


def _tell(comparison: GameComparison, compared: Compared, looked: bool) -> None:
    if compared.found is None:
        if looked:
            say("")
            say(f"no difference found in {compared.positions:,} positions ({compared.steps:,} options taken)")
        return
    found = compared.found
    for line in ("", "the smallest position found in which they differ:", ""):
        say(line)
    say_lines(yaml_text(found.position).rstrip())
    state = comparison.first.position(
        {**found.position, **({"options": dict(comparison.options[0])} if comparison.options[0] else {})}
    )
    print_board(state)
    for chosen in found.path:
        say(f"then: {chosen}")
    say("")
    for line in _of_difference(comparison, found):
        say(line)


def print_board(state: State) -> None:
    """Print a picture of the board."""
    from warchest.picture import style_of
    from warchest.picture.terminal import board

    console().print(board(state, style_of(state.variant.origin.library)))


def _of_difference(comparison: GameComparison, found: Difference) -> Iterator[str]:
    """Yield lines that tell the difference: options of one version only, or the two outcomes of one."""
    if found.lines:
        yield "what comes of it (the old version's values are those expected):"
        yield from (f"  {line}" for line in found.lines)
        return
    for named, options in zip(("old", "new"), found.only, strict=True):
        yield f"on offer only in the {named} version: {len(options) or 'nothing'}"
        yield from (f"  {one}" for one in options[:SHOWN])
        if len(options) > SHOWN:
            yield f"  and {len(options) - SHOWN} more"
    yield from comparison.reasons(found)


def _report(form: str, old: Version, words: Sequence[WordChange], compared: Compared) -> None:
    """Report each document whose words differ, and the difference in play at the first one."""
    cases: list[KitCase] = []
    for kind, name in dict.fromkeys((one.kind, one.name) for one in words):
        document = old.game.library.named(kind, name)
        if document is not None:
            fault = "; ".join(_plain(compared.found)) if compared.found is not None and not cases else ""
            cases.append(KitCase.at(f"{kind} {name}", document.span, fault))
    say_lines("\n".join(github(cases) if form == "github" else junit(NAME, cases)))


def _plain(found: Difference) -> Iterator[str]:
    yield f"they differ in {shown(found.position)}"
    yield from (f"then {one}" for one in found.path)
    yield from found.lines
    for named, options in zip(("old", "new"), found.only, strict=True):
        yield from (f"only in the {named} version: {one}" for one in options)


def _record(words: Sequence[WordChange], compared: Compared) -> dict[str, Any]:
    found = compared.found
    return {
        "words": [asdict(one) for one in words],
        "positions": compared.positions,
        "options_taken": compared.steps,
        "difference": None if found is None else {
            "position": found.position, "path": list(found.path), "sort": found.sort,
            "only_old": list(found.only[0]), "only_new": list(found.only[1]), "lines": list(found.lines),
        },
    }  # fmt: skip
