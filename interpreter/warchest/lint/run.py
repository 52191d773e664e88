"""Lint a job: read its documents, check them under every choice of options and on every board."""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TypeAlias, TypeVar

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Fix, Label
from warchest.diagnostics.render import ordered
from warchest.documents.layers import choices
from warchest.documents.library import Document, Library
from warchest.documents.load import load
from warchest.documents.schemas import read_schemas
from warchest.lint.clean_jobs import KeptJob
from warchest.lint.clean_texts import Present
from warchest.lint.documents.blocks import block_findings
from warchest.lint.documents.declarations import declaration_findings, declared
from warchest.lint.documents.distances import reach_findings
from warchest.lint.documents.errata_findings import errata_findings, files_of_errata, unread
from warchest.lint.documents.excuse_findings import excuse_findings
from warchest.lint.documents.other_games import other_game_findings, without_other_games
from warchest.lint.documents.phrase_findings import phrase_findings
from warchest.lint.documents.picture_findings import drawing_findings
from warchest.lint.documents.place_names import place_findings
from warchest.lint.documents.question_findings import question_findings
from warchest.lint.documents.ruling_options import offer_findings
from warchest.lint.documents.ruling_positions import position_findings
from warchest.lint.documents.script_findings import notation_findings, script_findings
from warchest.lint.documents.set_names import set_findings
from warchest.lint.documents.shapes import shape_findings
from warchest.lint.jobs import Job, Report, with_neighbours
from warchest.lint.notes import heeded
from warchest.lint.sentences.texts import Texts, Uncertain
from warchest.resolve import parsed_blocks
from warchest.source.cache import Cache
from warchest.source.garbage import uncollected
from warchest.source.text import Span
from warchest.syntax.words import plural, third_person

MAX_VARIANTS = 32
MAX_LABELS = 3
_QUOTED = re.compile(r"`([^`]*)`")
_SAID_ONCE = ("undefined-word", "unknown-word")
"""The findings about a word that are reported at its first place, with labels at the others."""
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_CUT_SHORT = ("too-many-findings", "too-much")
"""The findings that mean that some files were not read."""
_UNKNOWN = (
    "no-such-document",
    "other-game",
    "undeclared",
    "unknown-name",
    "unknown-word",
    "unknown-key",
    "unknown-kind",
    "undefined-word",
    "unused-word",
    "verb-without-definition",
)
"""The findings about names, words and keys that are declared, defined or used nowhere, or in a file not yet read."""


T = TypeVar("T")
LintSteps: TypeAlias = Generator[Report | None, None, Report]
"""Linting in steps, which returns the complete report. Once all texts are read it yields a report on the errors so far,
perhaps none; after other steps, None. A caller that no longer needs the report just stops.
"""
_LintPart: TypeAlias = Generator[list[Diagnostic] | None, None, T]
"""A part of the linting, which yields all findings so far."""


@uncollected()
def lint(job: Job, cache: Cache | None = None) -> Report:
    """Lint a job; never raises for the contents of its files. `cache` has the records of earlier runs.

    The neighbours of its files are read only if a name or a word is unknown, so that they spoil nothing else.
    """
    steps = lint_in_steps(job, cache)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            found: Report = done.value
            return found


def lint_in_steps(job: Job, cache: Cache | None = None) -> LintSteps:
    """Lint a job as `lint` does, in steps."""
    report = yield from _linted(job, cache)
    if job.alone and any(one.name in _UNKNOWN for one in report.findings):
        wider = with_neighbours(job)
        if len(wider.files) == len(job.files):
            return report  # there are none
        together = yield from _linted(wider, cache)
        if not any(one.name in _CUT_SHORT for one in together.findings):
            return replace(together, elsewhere=report.elsewhere, widened=True)
    return report


def _linted(job: Job, cache: Cache | None) -> LintSteps:
    kept = KeptJob.of(job, cache) if cache is not None else None
    parsed_blocks.recall(job.folder, cache)
    if kept is not None:
        job.contents.recall(kept.cache.read(kept.trees))
    library = load(job.files, read_schemas(), job.found, job.contents)
    found = list(library.findings)
    yield None
    games = library.of_kind("game")
    if games and library.is_whole:
        found += _several(games) if len(games) > 1 else []
        reading = _remembered(library, games[0], job, kept)
        while True:
            try:
                early = next(reading)
            except StopIteration as done:
                found = without_other_games([*found, *done.value], library, games[0])
                break
            if early is None:
                yield None
            else:
                known = without_other_games([*found, *early], library, games[0])
                yield _reported(job, library, [one for one in known if one.severity == "error"])
    return _reported(job, library, found)


def _reported(job: Job, library: Library, found: list[Diagnostic]) -> Report:
    """Return the report on the findings in the documents of a job."""
    games = library.of_kind("game")
    unique = ordered(dict.fromkeys(_not_following(found, library)))
    is_shown = {one: not games or _is_shown(one, job.shown) for one in unique}
    shown = _gathered([_at_reader(one, job.shown) for one in unique if is_shown[one]])
    hidden = _gathered([one for one in unique if not is_shown[one]])
    if not library.is_whole and library.findings[-1] not in shown:
        # The reading stopped in some file: the files to report on were perhaps not read at all.
        shown.append(library.findings[-1])
        hidden = [one for one in hidden if one != library.findings[-1]]
    elsewhere = len(hidden)
    if job.on_top and not any(one.severity == "error" for one in shown):
        at_fault = [one for one in hidden if Path(one.file).is_relative_to(job.folder)]
        brought = list(_brought_about(at_fault, library, job.shown))
        shown, elsewhere = [*shown, *brought], elsewhere - len(brought)
    ours = [source for source in library.sources if source.path in job.shown]
    passed_over = tuple(path for path in library.passed_over if path in job.shown)
    return Report(tuple(heeded(shown, ours)), elsewhere, len(ours), passed_over)


def _at_reader(found: Diagnostic, shown: Collection[str]) -> Diagnostic:
    """Return a finding; if its file is not shown, move the finding to one of its labels in a shown file."""
    if found.span is None or found.file in shown:
        return found
    place = next(label for label in found.labels if label.span.path in shown)
    others = tuple(label for label in found.labels if label is not place)
    return replace(found, span=place.span, labels=(Label(found.span, "where it is said"), *others))


def _gathered(found: list[Diagnostic]) -> list[Diagnostic]:
    """Merge the findings on one undefined word, or on one unknown word in a file, and drop duplicates."""
    first: dict[tuple[object, ...], int] = {}
    gathered: list[Diagnostic] = []
    for one in found:
        place: object = one.file if one.name == "unknown-word" else ""
        key = (one.name, one.message, place if one.name in _SAID_ONCE else (one.span, one.file))
        if key not in first:
            first[key] = len(gathered)
            gathered.append(one)
            continue
        known = gathered[first[key]]
        if one.span != known.span:
            known = gathered[first[key]] = replace(known, fix=_both(known.fix, one.fix))
        if one.span is not None and one.span != known.span and len(known.labels) < MAX_LABELS:
            gathered[first[key]] = replace(known, labels=(*known.labels, Label(one.span, "and here")))
    return gathered


def _both(first: Fix | None, second: Fix | None) -> Fix | None:
    """Return the fix of two findings that are reported as one; None if one of them has no fix."""
    if first is None or second is None:
        return None
    return Fix((*first.edits, *second.edits), first.is_safe and second.is_safe)


def _brought_about(elsewhere: list[Diagnostic], library: Library, shown: Collection[str]) -> Iterator[Diagnostic]:
    """Yield errors in a shipped game as errors of the files that are read on top of it: the game alone has none.

    An error is reported where these files first use a name in its message, or a word of the faulty text.
    """
    theirs = [document for document in library.documents if document.span.path in shown]
    for one in elsewhere:
        if one.severity == "error" and theirs:
            named = _QUOTED.findall(one.message)
            at_fault = _WORD.findall(one.span.text) if one.span is not None else []
            label = () if one.span is None else (Label(one.span, "in the game itself"),)
            message = f"with this text the game fails: {one.message}"
            telling = (word for word in at_fault if len(word) > len("when"))
            place = _spoken_of(named, theirs) or _spoken_of(telling, theirs) or theirs[0].span
            yield replace(one, span=place, message=message, labels=(*label, *one.labels))


def _spoken_of(words: Iterable[str], documents: Sequence[Document]) -> Span | None:
    """Return the first place of any of the words in the texts of the documents; None if they do not occur."""
    for word in words:
        forms = (word, plural(word), third_person(word))
        for document in documents:
            source = document.span.source
            for found in _WORD.finditer(source.text, document.span.end):
                if found[0] in forms:
                    return source.span(found.start(), found.end())
    return None


def _is_shown(found: Diagnostic, shown: set[str]) -> bool:
    return found.file in shown or any(label.span.path in shown for label in found.labels)


def _not_following(found: Iterable[Diagnostic], library: Library) -> Iterator[Diagnostic]:
    """Drop findings on unknown names whose document exists, and has findings itself."""
    for one in found:
        follows = one.name in ("unknown-name", "no-such-document")
        if not (follows and not library.left_out.isdisjoint(_QUOTED.findall(one.message))):
            yield one


def _several(games: list[Document]) -> list[Diagnostic]:
    message, labels = "there is a document of kind `game` already", (Label(games[0].span, "the first"),)
    help = "keep each game in a folder of its own"
    return [report("several-games", message, other.span, labels=labels, help=help) for other in games[1:]]


def _remembered(library: Library, game: Document, job: Job, kept: KeptJob | None) -> _LintPart[list[Diagnostic]]:
    """Return the findings in a game, without checking the texts that are recorded as clean."""
    if kept is None:
        found, _ = yield from _game_findings(library, game, job.shown, frozenset())
        return found
    present = Present.on(job, library, game)
    unread, clean, changed = present.compared(kept)
    found = list[Diagnostic]()
    texts: Texts | None = None
    if unread:
        with suppress(Uncertain):
            less = replace(library, unread=unread)
            found, texts = yield from _game_findings(less, game, job.shown, present.replaceable, clean)
    if texts is None or not changed <= texts.apart:
        found, texts = yield from _game_findings(library, game, job.shown, present.replaceable)
    if not any(one.severity == "error" for one in (*library.findings, *found)):
        kept.keep(present.facts(texts, [*library.findings, *found]))
    # Files that are read on top of a game soon change.
    lasting = [one for one in library.sources if not (job.on_top and one.path in job.shown)]
    parsed_blocks.keep_known(job.folder, lasting, kept.cache)
    trees = job.contents.written(library.sources)
    if trees:
        kept.cache.write_plain(kept.trees, trees)
    return found


def _declaring(library: Library, game: Document) -> tuple[list[Diagnostic], bool]:
    """Return the findings about the declarations in a game, its boards and its setups, and whether the game has errors.

    Each check reads by the declarations that the checks before it have read: it counts only if these have no errors.
    """
    found, known = declaration_findings(library, game), declared(library, game)
    for more in (shape_findings(library, game, known), place_findings(library, game), set_findings(library, game)):
        if any(one.severity == "error" and one.file == game.span.path for one in found):
            return found, True
        found += more
    return found, False


def _document_findings(
    library: Library, game: Document, shown: Collection[str], clean: frozenset[str]
) -> list[Diagnostic]:
    """Return the findings in a game, except the findings about its declarations and its sentences."""
    found = [*position_findings(library, game), *block_findings(library, game), *question_findings(library)]
    found += errata_findings(library) if not files_of_errata(library) <= clean else []
    found += [*other_game_findings(library, game), *excuse_findings(library), *drawing_findings(library, game)]
    found += phrase_findings(library, game)
    told = notation_findings(library, game)
    # Lines are read by the notation, so its faults must be fixed first.
    return found + (told or script_findings(library, game, shown))


def _game_findings(
    library: Library,
    game: Document,
    shown: Collection[str],
    replaceable: Collection[str],
    clean: frozenset[str] = frozenset(),
) -> _LintPart[tuple[list[Diagnostic], Texts]]:
    """Return the findings in a game, and its texts; the `clean` files had no findings, and have not changed since."""
    texts = Texts(library, game, shown, clean)
    found, is_wrong = _declaring(library, game)
    if is_wrong:
        return found, texts  # all texts are read by these declarations
    found += _document_findings(library, game, shown, clean)
    first, *others = variants(library)
    usual = texts.under(first, shown)
    found += usual
    said = frozenset(usual)
    for whole, options in unread(library, [first, *others]):
        found += [one for one in texts.under(options, (), whole) if one not in said]
    if any(one.severity == "error" for one in usual):
        # Errors under the default options would recur under all others; they must be fixed first.
        return found, texts
    yield found
    offers, leaning = offer_findings(library, game, shown, texts.alike, texts.apart & frozenset(replaceable))
    found += offers
    texts.lean(leaning)
    found += reach_findings(library, texts.alike[0][1], shown)
    more = list[Diagnostic]()
    for options in others:
        yield None
        more += [one for one in texts.under(options) if one not in said]
    if more and len(others) < len(choices(library)):
        # Several layers were tried at once; alone, each may have other findings.
        more += [one for options in singly(library) for one in texts.under(options)]
    return found + more, texts


def variants(library: Library) -> Iterator[Mapping[str, str]]:
    """Yield all choices of options, the default one first; if there are too many, enough to try each value."""
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
    """Yield each value of an option by itself, with the defaults of all others."""
    offered = choices(library)
    usual = {name: values[0] for name, values in offered.items()}
    for name, values in offered.items():
        for value in values[1:]:
            yield {**usual, name: value}
