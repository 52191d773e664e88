"""Trying mutants: a mutant is caught when some ruling fails with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from warchest.documents.layers import LAYER, choice_of
from warchest.documents.library import Document
from warchest.documents.load import declaring_files
from warchest.game.errors import CardError, PositionError
from warchest.game.game import ALL, Game
from warchest.lint.jobs import Job, Report, jobs
from warchest.lint.run import lint
from warchest.rulings.cases import Case, read_cases
from warchest.rulings.runner import run_case
from warchest.source.records import record
from warchest.testing.bearers import bearers_of
from warchest.testing.budget import UNLIMITED, Budget, OutOfTime
from warchest.testing.differences import Difference, GameComparison
from warchest.testing.mutants.making import Mutant
from warchest.testing.positions import NoPositionError, PositionData
from warchest.testing.search import KitSearch

MutantOutcome: TypeAlias = Literal["caught", "missed", "unviable", "equivalent"]
"""The outcome of a mutant: no ruling fails with a missed one, the linter refuses an unviable one, an equivalent one
makes no difference.
"""
SAME, NOT_LOOKED = "it reads the same", "no difference was looked for"
ELSEWHERE = "there is a finding in another file"
BEGUN = range(3)
"""The seeds of the games begun by each setup, to check whether rules make a difference there."""


@record()
class Trial:
    """The outcome of a mutant: why it is unviable or equivalent, the ruling that caught it, or a difference missed."""

    mutant: Mutant
    outcome: MutantOutcome
    why: str = ""
    case: Case | None = None
    difference: Difference | None = None


@record()
class DifferenceSearch:
    """The settings of a search for differences: the most positions, and a seed."""

    positions: int
    seed: int = 0


def rulings_of(game: Game) -> list[Case]:
    """Return all rulings of a game, and those in its further folders; raises CardError if some cannot be read.

    Given texts replace files, as in the game.
    """
    return read_rulings(game)[0]


def read_rulings(game: Game) -> tuple[list[Case], list[Document]]:
    """Return the rulings as `rulings_of` does, and the other documents that are in their files."""
    beside = declaring_files(folder for folder in game.folders if folder != game.folder)
    cases, documents, errors = read_cases(game.paths, beside, game.contents)
    if errors:
        raise CardError(errors)
    return cases, documents


class Trials:
    """Tries mutants of the cards of a game against its rulings."""

    def __init__(
        self, game: Game, cases: Sequence[Case], everywhere: bool = False, search: DifferenceSearch | None = None
    ) -> None:
        self.game, self.cases, self.everywhere, self.search = game, cases, everywhere, search
        self._written = [_plain(str(case.values)) for case in cases]
        self._about: dict[tuple[str, str], list[int]] = {}
        self._linter = TextLinter(game)

    def about(self, document: Document) -> list[int]:
        """Return the numbers of the rulings that concern a document, its own first, then the shortest.

        If the document is no card, all rulings concern it.
        """
        key = document.kind, document.name
        if key not in self._about:
            self._about[key] = sorted(self._concerning(document), key=lambda number: self._rank(document, number))
        return self._about[key]

    def _concerning(self, document: Document) -> Iterable[int]:
        names = _names_of(document)
        if self.everywhere or not self.is_card(document):
            return range(len(self.cases))
        return (
            number
            for number, case in enumerate(self.cases)
            if case.card in names or any(_plain(name) in self._written[number] for name in names)
        )

    def is_card(self, document: Document) -> bool:
        """Whether a document is a card, or changes one, and does not belong to the rules of the game."""
        return self.game.document.values["documents"].get(_subject(document)[0], {}).get("numbers") is not None

    def _rank(self, document: Document, number: int) -> tuple[bool, bool, int]:
        case, choice = self.cases[number], choice_of(document) if document.kind == LAYER else None
        chosen = choice is not None and _options(case).get(choice.name) == choice.value
        return not chosen, case.card not in _names_of(document), len(self._written[number])

    def failing(self, numbers: Iterable[int]) -> list[Case]:
        """Return the rulings among some that fail without any change."""
        return [self.cases[number] for number in numbers if run_case(self.game, self.cases[number]).outcome == "failed"]

    def failing_before(self, mutants: Iterable[Mutant]) -> list[Case]:
        """Return the rulings about some mutants that fail without any change, so that they notice nothing."""
        return self.failing(sorted({number for one in mutants for number in self.about(one.document)}))

    def first_failing(self, game: Game, document: Document) -> int:
        """Return the number of the first ruling that fails in a game with another text of a document; -1 for none."""
        failing = (one for one in self.about(document) if run_case(game, self.cases[one]).outcome == "failed")
        return next(failing, -1)

    def search_in(self, mutants: Sequence[Mutant], budget: Budget = UNLIMITED) -> KitSearch[Mutant, Tried]:
        """Return the search that tries mutants."""
        return KitSearch(mutants, self.tried, budget)

    def prepare(self, mutants: Iterable[Mutant]) -> None:
        """Read the files that trials of some mutants need now: a machine that does a trial may not have them."""
        for path in dict.fromkeys(one.path for one in mutants):
            self._linter.job_of(path)

    def trial(self, mutant: Mutant, tried: Tried) -> Trial:
        """Return a trial with its mutant and its ruling."""
        case = self.cases[tried.number] if tried.number >= 0 else None
        return Trial(mutant, tried.outcome, tried.why, case, tried.found)

    def tried(self, mutant: Mutant) -> Tried:
        """Try a mutant; raises OutOfTime if the time is over before its outcome is known."""
        options = self.options_of(mutant.document)
        try:
            game = self.game.with_text(mutant.path, mutant.text)
            same = rules_of(game, options) == rules_of(self.game, options)
        except CardError as refused:
            return Tried("unviable", refused.diagnostics[0].message)
        if same:
            return Tried("equivalent", SAME)
        found = self._linter.new_in(mutant)
        if found:
            return Tried("unviable", found)
        number = self.first_failing(game, mutant.document)
        if number >= 0:
            refused_then = _refused(game, self.cases[number])
            return Tried("unviable", refused_then) if refused_then else Tried("caught", number=number)
        return self._compared(game, mutant.document, options)

    def _compared(self, game: Game, document: Document, options: Mapping[str, str]) -> Tried:
        """Search for a position in which a change that no ruling has noticed makes a difference in play.

        Raises OutOfTime if the time is over before that is known.
        """
        if self.search is None:
            return Tried("missed", NOT_LOOKED)
        comparison, search = GameComparison(self.game, game, (options, options)), self.search
        try:
            known = self.known_positions(document)[: search.positions // 2]
            compared = comparison.look(bearers_of(self.game, document), (), search.seed, search.positions, known=known)
        except NoPositionError as reason:
            return Tried("missed", f"no position to compare was found: {reason}")
        if compared.found is not None:
            return Tried("missed", found=compared.found)
        if not compared.whole:
            raise OutOfTime
        outcome: MutantOutcome = "equivalent" if compared.positions else "missed"
        return Tried(outcome, f"no difference in {compared.positions} positions")

    def known_positions(self, document: Document) -> list[PositionData]:
        """Return positions in which a document is likely to matter: those of rulings, and all beginnings for rules."""
        told = [self.cases[number].values.get("position") for number in self.about(document)]
        sets = {"sets": list(self.game.sets(ALL))} if "sets" in self.game.document.values else {}
        setups = () if self.is_card(document) else self.game.names("setup")
        return [*({"setup": one, "seed": seed, **sets} for one in setups for seed in BEGUN), *filter(None, told)]

    def options_of(self, document: Document) -> dict[str, str]:
        """Return the options under which a document is in use, with all documents that it depends on."""
        if document.kind != LAYER:
            return {}
        choice = choice_of(document)
        options = {choice.name: choice.value} if choice is not None else {}
        below = (self.game.library.named(LAYER, name) for name in document.values.get("on", ()))
        for one in below:
            options |= self.options_of(one) if one is not None else {}
        return options


@record()
class Tried:
    """A trial without the mutant and the ruling, in the form that is sent between processes."""

    outcome: MutantOutcome
    why: str = ""
    number: int = -1
    """The number of the ruling that fails; -1 for none."""
    found: Difference | None = None


class TextLinter:
    """Lints files of a game with other texts in their place; no other file is read again."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._known: dict[str, tuple[set[tuple[str, str]], int]] = {}
        """The findings in each file as it is, and the number of those in others."""
        self._jobs: dict[str, Job] = {}

    def new_in(self, mutant: Mutant) -> str:
        """Return the message of the first finding that only occurs with a mutant; empty if there is none."""
        if mutant.path not in self._known:
            report = self._report(mutant.path, mutant.span.source.text)
            self._known[mutant.path] = {(one.name, one.message) for one in report.findings}, report.elsewhere
        known, elsewhere = self._known[mutant.path]
        report = self._report(mutant.path, mutant.text)
        new = (one.message for one in report.findings if (one.name, one.message) not in known)
        return next(new, ELSEWHERE if report.elsewhere > elsewhere else "")

    def job_of(self, path: str) -> Job:
        """Return the job that lints a file of the game."""
        game = self.game
        if path not in self._jobs:
            (self._jobs[path],) = jobs([Path(path)], str(game.folder), game.paths[1:], contents=game.contents)
        return self._jobs[path]

    def _report(self, path: str, text: str) -> Report:
        job = self.job_of(path)
        return lint(replace(job, contents=job.contents.with_texts({next(iter(job.shown)): text})))


def rules_of(game: Game, options: Mapping[str, str]) -> object:
    """Return all rules of a game under some options, which can be compared."""
    return game.variant(options).program.ruleset


def _refused(game: Game, case: Case) -> str:
    """Return the reason why the texts of a game are refused under the options of a ruling; empty if they are not."""
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


def _subject(document: Document) -> tuple[str, str]:
    """Return the kind and the name of a card, or of the card that an erratum amends."""
    amends = document.values["amends"] if document.kind == LAYER else {}
    return str(amends.get("kind", document.kind)), str(amends.get("name", document.name))


def _names_of(document: Document) -> set[str]:
    return {document.name, _subject(document)[1]}


def _plain(text: str) -> str:
    """Return a text without blanks and in small letters: scripts write names together."""
    return text.replace(" ", "").casefold()
