"""Lint a job: read its documents, check them under every choice of options and on every board."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TypeAlias

from warchest.check.check import Parsed, check
from warchest.check.model import declare
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Label
from warchest.diagnostics.render import ordered
from warchest.documents.layers import choices, layered, of_board
from warchest.documents.library import Document, Library
from warchest.documents.load import load, uncollected
from warchest.documents.schemas import read_schemas
from warchest.lint.blocks import block_findings
from warchest.lint.declarations import declaration_findings, declared
from warchest.lint.drawings import drawing_findings
from warchest.lint.endless import endless_findings
from warchest.lint.errata import errata_findings, unread
from warchest.lint.itself import itself_findings
from warchest.lint.jobs import Job, Report, with_neighbours
from warchest.lint.notations import notation_findings
from warchest.lint.offers import offer_findings
from warchest.lint.places import place_findings
from warchest.lint.positions import position_findings
from warchest.lint.questions import question_findings
from warchest.lint.reach import reach_findings
from warchest.lint.scripts import script_findings
from warchest.lint.senseless import senseless_findings
from warchest.lint.sets import set_findings
from warchest.lint.shapes import shape_findings
from warchest.lint.slips import with_help

MAX_VARIANTS = 32
MAX_LABELS = 3
_QUOTED = re.compile(r"`([^`]*)`")
_CUT_SHORT = ("too-many-findings", "too-much")
"""The findings that tell that not all files were read."""
_UNKNOWN = ("no-such-document", "undeclared", "unknown-name", "unknown-word",
            "unknown-key", "unknown-kind", "undefined-word", "unused-word", "verb-without-definition")  # fmt: skip
"""The findings about names, words and keys that are declared, defined or used nowhere, or in a file not yet read."""


@uncollected()
def lint(job: Job) -> Report:
    """Lint a job; never raises for the contents of its files.

    The neighbours of its files are read only where a name or a word is unknown, so that they spoil nothing else.
    """
    report = _linted(job)
    if job.alone and any(one.name in _UNKNOWN for one in report.findings):
        wider = with_neighbours(job)
        if len(wider.files) == len(job.files):
            return report  # there are none
        together = _linted(wider)
        if not any(one.name in _CUT_SHORT for one in together.findings):
            return replace(together, elsewhere=report.elsewhere, widened=True)
    return report


def _linted(job: Job) -> Report:
    library = load(job.files, read_schemas(), job.found)
    found = list(library.findings)
    games = library.of_kind("game")
    if games and library.is_whole:
        found += _several(games) if len(games) > 1 else []
        found += _game_findings(library, games[0], job.shown)
    unique = ordered(dict.fromkeys(_not_following(found, library)))
    shown = _gathered([one for one in unique if not games or _is_shown(one, job.shown)])
    if not library.is_whole and library.findings[-1] not in shown:
        # Wherever it is that the reading stopped: what is asked about was perhaps not read at all.
        shown.append(library.findings[-1])
    if job.on_top and not any(one.severity == "error" for one in shown):
        told = set(shown)
        elsewhere = [one for one in unique if one not in told and Path(one.file).is_relative_to(job.folder)]
        shown += _brought_about(elsewhere, library, job.shown)
    read = sum(source.path in job.shown for source in library.sources)
    passed_over = tuple(path for path in library.passed_over if path in job.shown)
    return Report(tuple(shown), len(unique) - len(shown), read, passed_over)


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


def _brought_about(elsewhere: list[Diagnostic], library: Library, shown: Collection[str]) -> Iterator[Diagnostic]:
    """Yield the errors in a shipped game as those of the files that are read on top of it: without these it has none.

    An error is said of the first document of theirs that speaks of what it names, or else of their first.
    """
    theirs = [document for document in library.documents if document.span.path in shown]
    for one in elsewhere:
        if one.severity == "error" and theirs:
            named = _QUOTED.findall(one.message)
            about = (each for each in theirs if any(name in each.span.source.text for name in named))
            label = () if one.span is None else (Label(one.span, "in the game itself"),)
            message = f"with this document the game goes wrong: {one.message}"
            yield replace(one, span=next(about, theirs[0]).span, message=message, labels=(*label, *one.labels))


def _is_shown(found: Diagnostic, shown: set[str]) -> bool:
    return found.file in shown or any(label.span.path in shown for label in found.labels)


def _not_following(found: Iterable[Diagnostic], library: Library) -> Iterator[Diagnostic]:
    """Leave out that a name is unknown where its document is there, and was reported itself."""
    for one in found:
        follows = one.name in ("unknown-name", "no-such-document")
        if not (follows and not library.left_out.isdisjoint(_QUOTED.findall(one.message))):
            yield one


def _several(games: list[Document]) -> list[Diagnostic]:
    labels = (Label(games[0].span, "the first"),)
    return [
        report("several-games", "there is a document of kind `game` already", other.span, labels=labels,
               help="keep each game in a folder of its own")
        for other in games[1:]
    ]  # fmt: skip


def _game_findings(library: Library, game: Document, shown: Collection[str]) -> list[Diagnostic]:
    found = declaration_findings(library, game)
    found += shape_findings(library, game, declared(library, game))
    found += place_findings(library, game)
    found += position_findings(library, game)
    found += block_findings(library, game)
    found += errata_findings(library)
    found += question_findings(library)
    found += set_findings(library, game)
    found += drawing_findings(library, game)
    told = notation_findings(library, game)
    # Lines are read by the notation, so it is to be mended first.
    found += told or script_findings(library, game, shown)
    # The words of a game are the same under all options, so no sentence is parsed anew for each of them.
    alike: _Alike = [(boards, {}) for boards in _alike(library, game)]
    first, *others = variants(library)
    usual = _under(library, game, first, alike, shown)
    found += usual
    for whole, options in unread(library, [first, *others]):
        found += [one for one in _under(whole, game, options, alike, ()) if one not in usual]
    if any(one.severity == "error" for one in usual):
        # What is wrong as usual would be said again under all other options; it is to be mended first.
        return found
    found += offer_findings(library, game, shown)
    found += reach_findings(library, alike[0][1], shown)
    more = [one for options in others for one in _under(library, game, options, alike, ()) if one not in usual]
    if more and len(others) < len(choices(library)):
        # Several layers were tried at once; by itself each may have something else to be said of it.
        more += [one for options in singly(library) for one in _under(library, game, options, alike, ())]
    return found + more


_Alike: TypeAlias = list[tuple[list[Document], Parsed]]


def _under(
    library: Library, game: Document, options: Mapping[str, str], alike: _Alike, shown: Collection[str]
) -> list[Diagnostic]:
    """Return what is found when the players choose these options."""
    amended, found = layered(library, options)
    # A layer can change the game's own document too.
    now = next((one for one in amended.of_kind("game") if one.name == game.name), game)
    return [*found, *(one for boards, parsed in alike for one in _checked(amended, now, boards, parsed, shown))]


def _alike(library: Library, game: Document) -> list[list[Document]]:
    """Return the boards, those together which add the same words to the game; no board counts as one without any."""
    boards = library.of_kind("board")
    if "setup" in game.values["documents"]:
        # Here the names of setups are words too, and each board has its own.
        return [[board] for board in boards] or [[]]
    by_words: dict[tuple[str, ...], list[Document]] = {}
    for board in boards:
        by_words.setdefault(tuple(sorted(board.values.get("numbers", ()))), []).append(board)
    return list(by_words.values()) or [[]]


def _checked(
    library: Library, game: Document, boards: list[Document], parsed: Parsed, shown: Collection[str]
) -> list[Diagnostic]:
    """Check what boards with the same words share, and the setups of all, at once; if that finds anything, each alone.

    Boards differ for a check in their setups only, and what one setup says means nothing to another text.
    """
    here = _of_boards(library, boards) if boards else library
    first = boards[0] if boards else None
    ruleset, wrong = check(here, game, first, parsed)
    at_fault = {one.file for one in wrong if one.severity == "error"}
    # Where something is wrong in some of the files, the others can still be told what makes no sense in them.
    if at_fault <= set(shown):
        more = [*endless_findings(ruleset), *itself_findings(ruleset)]
        wrong += [one for one in more if one.file not in at_fault]
        wrong += senseless_findings(ruleset, set(shown) - at_fault, not at_fault)
    told = with_help(wrong, declare(here, game, first).vocabulary) if wrong else []
    if told and len(boards) > 1:
        alone = _checked(library, game, boards[:1], parsed, shown)
        # What is the same on one board does not come of the setups of others, and all of them were looked at together.
        others = boards[1:] if set(alone) != set(told) else []
        return alone + [found for board in others for found in _checked(library, game, [board], parsed, shown)]
    return told


def _of_boards(library: Library, boards: list[Document]) -> Library:
    parts = [of_board(library, board.name) for board in boards]
    kept = {id(document) for part in parts for document in part.documents}
    return replace(parts[0], documents=[one for one in library.documents if id(one) in kept])


def variants(library: Library) -> Iterator[Mapping[str, str]]:
    """Yield all choices of options, the usual one first; where there are too many, as many as it takes to try each."""
    offered = choices(library)
    count = 1
    for values in offered.values():
        count *= len(values)
    if count <= MAX_VARIANTS:
        for chosen in product(*offered.values()):
            yield dict(zip(offered, chosen, strict=True))
        return
    for number in range(max(len(values) for values in offered.values())):
        yield {name: values[min(number, len(values) - 1)] for name, values in offered.items()}


def singly(library: Library) -> Iterator[Mapping[str, str]]:
    """Yield each value of an option by itself, with the usual ones of all others."""
    offered = choices(library)
    usual = {name: values[0] for name, values in offered.items()}
    for name, values in offered.items():
        for value in values[1:]:
            yield {**usual, name: value}
