"""Lint a job: read its documents, check them under every choice of options and on every board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from warchest.check.check import Parsed, check
from warchest.check.model import declare
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Label
from warchest.diagnostics.render import ordered
from warchest.documents.layers import choices, layered, of_board
from warchest.documents.load import Document, Library, load
from warchest.documents.schemas import read_schemas
from warchest.lint.blocks import block_findings
from warchest.lint.declarations import declaration_findings
from warchest.lint.jobs import Job
from warchest.lint.places import place_findings
from warchest.lint.slips import with_help

MAX_VARIANTS = 32
MAX_LABELS = 3


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a job: the findings to be shown, how many there are elsewhere, and how many files were read."""

    findings: tuple[Diagnostic, ...]
    elsewhere: int
    read: int


def lint(job: Job) -> Report:
    """Lint a job; never raises for what its files hold."""
    library = load(job.files, read_schemas())
    found = list(library.findings)
    games = library.of_kind("game")
    if games:
        found += _several(games) if len(games) > 1 else []
        found += _game_findings(library, games[0])
    unique = ordered(dict.fromkeys(_not_following(found, library)))
    shown = _gathered([one for one in unique if not games or _is_shown(one, job.shown)])
    read = sum(source.path in job.shown for source in library.sources)
    return Report(tuple(shown), len(unique) - len(shown), read)


def _gathered(found: list[Diagnostic]) -> list[Diagnostic]:
    """Say once that a word is undefined, with the next few places where it stands."""
    first: dict[tuple[str, str], int] = {}
    gathered: list[Diagnostic] = []
    for one in found:
        key = (one.name, one.message)
        if one.name != "undefined-word" or key not in first:
            first[key] = len(gathered)
            gathered.append(one)
            continue
        known = gathered[first[key]]
        if one.span is not None and len(known.labels) < MAX_LABELS:
            gathered[first[key]] = replace(known, labels=(*known.labels, Label(one.span, "and here")))
    return gathered


def _is_shown(found: Diagnostic, shown: set[str]) -> bool:
    return found.file in shown or any(label.span.path in shown for label in found.labels)


def _not_following(found: Iterable[Diagnostic], library: Library) -> Iterator[Diagnostic]:
    """Leave out that a name is unknown where its document is there, and was reported itself."""
    for one in found:
        named = {name for name in library.left_out if f"`{name}`" in one.message}
        if not (named and one.name in ("unknown-name", "no-such-document")):
            yield one


def _several(games: list[Document]) -> list[Diagnostic]:
    labels = (Label(games[0].span, "the first"),)
    return [
        report("several-games", "there is a document of kind `game` already", other.span, labels=labels,
               help="keep each game in a folder of its own")
        for other in games[1:]
    ]  # fmt: skip


def _game_findings(library: Library, game: Document) -> list[Diagnostic]:
    found = declaration_findings(library, game)
    found += place_findings(library, game)
    found += block_findings(library, game)
    boards: list[Document | None] = [*library.of_kind("board")]
    parsed: dict[tuple[str, ...], Parsed] = {}
    for options in variants(library):
        amended, wrong = layered(library, options)
        found += wrong
        for board in boards or [None]:
            # The words of a game are the same under all options, but a board adds those for its numbers.
            words = tuple(sorted(board.values.get("numbers", ()))) if board is not None else ()
            here = of_board(amended, board.name) if board is not None else amended
            _, wrong = check(here, game, board, parsed.setdefault(words, {}))
            found += with_help(wrong, declare(here, game, board).vocabulary) if wrong else []
    return found


def variants(library: Library) -> Iterator[Mapping[str, str]]:
    """Yield all choices of options; where there are too many, each value by itself, and all but the usual ones."""
    offered = choices(library)
    count = 1
    for values in offered.values():
        count *= len(values)
    if count <= MAX_VARIANTS:
        for chosen in product(*offered.values()):
            yield dict(zip(offered, chosen, strict=True))
        return
    usual = {name: values[0] for name, values in offered.items()}
    yield usual
    for name, values in offered.items():
        for value in values[1:]:
            yield {**usual, name: value}
    yield {name: values[-1] for name, values in offered.items()}
