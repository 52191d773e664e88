"""Trying mutants: a mutant is caught when some ruling fails with it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

from warchest.documents.layers import LAYER, choice_of
from warchest.documents.library import Document
from warchest.game.errors import CardError, PositionError
from warchest.game.game import Game
from warchest.lint.jobs import jobs
from warchest.lint.run import lint
from warchest.parallel import side_by_side
from warchest.rulings.cases import Case, read_cases
from warchest.rulings.runner import run_case
from warchest.source.data import GAME_FILE, folders_of
from warchest.source.records import record
from warchest.testing.mutants.making import Mutant

MutantOutcome: TypeAlias = Literal["caught", "missed", "unviable", "equivalent"]
"""What comes of a mutant: no ruling fails with one that is missed, the linter refuses an unviable one, and nothing
differs with an equivalent one."""
SAME = "it reads the same"


@record()
class Trial:
    """What came of a mutant: why it is unviable or equivalent, or the ruling that caught it."""

    mutant: Mutant
    outcome: MutantOutcome
    why: str = ""
    case: Case | None = None


def rulings_of(game: Game) -> list[Case]:
    """Return all rulings of a game, and those in its further folders; raises CardError where some cannot be read."""
    paths = [game.folder, *game.extra]
    beside = [folder / GAME_FILE for folder in folders_of(game.folder) if folder != game.folder]
    cases, _, errors = read_cases(paths, beside)
    if errors:
        raise CardError(errors)
    return cases


class Trials:
    """Tries mutants of the cards of a game against its rulings."""

    def __init__(self, game: Game, cases: Sequence[Case], everywhere: bool = False) -> None:
        self.game, self.cases, self.everywhere = game, cases, everywhere
        self._written = [_plain(json.dumps(case.values)) for case in cases]
        self._about: dict[tuple[str, str], list[int]] = {}

    def about(self, document: Document) -> list[int]:
        """Return the numbers of the rulings that concern a document, its own first, then the shortest.

        Rules that stand on no card concern all rulings.
        """
        key = document.kind, document.name
        if key not in self._about:
            self._about[key] = sorted(self._concerning(document), key=lambda number: self._rank(document, number))
        return self._about[key]

    def _concerning(self, document: Document) -> Iterable[int]:
        names = _names_of(document)
        bears = self.game.document.values["documents"].get(_subject(document)[0], {}).get("numbers") is not None
        if self.everywhere or not bears:
            return range(len(self.cases))
        return (number for number, case in enumerate(self.cases)
                if case.card in names or any(_plain(name) in self._written[number] for name in names))  # fmt: skip

    def _rank(self, document: Document, number: int) -> tuple[bool, bool, int]:
        case, choice = self.cases[number], choice_of(document) if document.kind == LAYER else None
        chosen = choice is not None and _options(case).get(choice.name) == choice.value
        return not chosen, case.card not in _names_of(document), len(self._written[number])

    def failing(self, numbers: Iterable[int]) -> list[Case]:
        """Return the rulings among some that fail without any change."""
        return [self.cases[number] for number in numbers if run_case(self.game, self.cases[number]).outcome == "failed"]

    def each(self, mutants: Sequence[Mutant], workers: int = 1) -> Iterator[Trial]:
        """Yield what comes of each mutant, in their order, tried by so many processes."""

        def work(number: int) -> tuple[MutantOutcome, str, int]:
            # A mutant knows the text of its file, which need not come back from where it is tried.
            return self._tried(mutants[number])

        done = side_by_side(work, range(len(mutants)), workers)
        for mutant, (outcome, why, number) in zip(mutants, done, strict=True):
            yield Trial(mutant, outcome, why, self.cases[number] if number >= 0 else None)

    def _tried(self, mutant: Mutant) -> tuple[MutantOutcome, str, int]:
        options = _options_of(mutant.document)
        try:
            game = self.game.with_text(mutant.path, mutant.text)
            same = _rules(game, options) == _rules(self.game, options)
        except CardError as refused:
            return "unviable", refused.diagnostics[0].message, -1
        if same:
            return "equivalent", SAME, -1
        for number in self.about(mutant.document):
            case = self.cases[number]
            if run_case(game, case).outcome == "failed":
                refused_then = _refused(game, case)
                return ("unviable", refused_then, -1) if refused_then else ("caught", "", number)
        found = self._linter.new_in(mutant)
        return ("unviable", found, -1) if found else ("missed", "", -1)

    @cached_property
    def _linter(self) -> Linter:
        return Linter(self.game)


class Linter:
    """Lints files of a game with other texts in their place; no other file is read again."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._known: dict[str, set[tuple[str, str]]] = {}

    def new_in(self, mutant: Mutant) -> str:
        """Return the message of the first finding that there is with a mutant only; empty for none."""
        if mutant.path not in self._known:
            self._known[mutant.path] = set(self._findings(mutant.path, mutant.span.source.text))
        found = self._findings(mutant.path, mutant.text)
        return next((message for name, message in found if (name, message) not in self._known[mutant.path]), "")

    def _findings(self, path: str, text: str) -> list[tuple[str, str]]:
        folder = str(self.game.folder)
        (job,) = jobs([Path(path)], folder, list(self.game.extra))
        name = next(iter(job.shown))
        job.contents = job.contents.with_text(name, text)
        return [(one.name, one.message) for one in lint(job).findings]


def _rules(game: Game, options: Mapping[str, str]) -> object:
    """Return all rules of a game under some options, which can be compared."""
    return game.variant(options).program.ruleset


def _refused(game: Game, case: Case) -> str:
    """Return why the texts of a game are refused under the options of a ruling; empty where they are not."""
    try:
        game.variant(_options(case))
    except CardError as refused:
        return refused.diagnostics[0].message
    except PositionError:
        pass  # the ruling is wrong then, and that is how it fails
    return ""


def _options(case: Case) -> Mapping[str, Any]:
    """Return the options that a ruling is played with."""
    position = case.values.get("position")
    options = position.get("options") if isinstance(position, Mapping) else None
    return options if isinstance(options, Mapping) else {}


def _options_of(document: Document) -> dict[str, str]:
    """Return the options under which a document is in use."""
    choice = choice_of(document) if document.kind == LAYER else None
    return {choice.name: choice.value} if choice is not None else {}


def _subject(document: Document) -> tuple[str, str]:
    """Return the kind and the name of a card, or of that which an erratum amends."""
    amends = document.values["amends"] if document.kind == LAYER else {}
    return str(amends.get("kind", document.kind)), str(amends.get("name", document.name))


def _names_of(document: Document) -> set[str]:
    return {document.name, _subject(document)[1]}


def _plain(text: str) -> str:
    """Return a text without blanks and large letters: scripts write names together."""
    return text.replace(" ", "").casefold()
