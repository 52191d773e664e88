"""The rulings of two versions of a game, run in both: their results, and the plays that they consist of."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TypeAlias

from warchest.documents.library import Document
from warchest.documents.load import from_source
from warchest.documents.schemas import read_schemas
from warchest.game.errors import CardError
from warchest.game.game import Game
from warchest.rulings.cases import Case, cases_in
from warchest.rulings.runner import CaseOutcome, CaseResult, run_case
from warchest.source.folders import is_yaml
from warchest.source.records import record
from warchest.source.text import Source
from warchest.testing.bearers import bearers_of
from warchest.testing.budget import UNLIMITED, Budget, OutOfTime, clock, ending, look_at_clock
from warchest.testing.mutants.trying import Trials, rulings_of
from warchest.testing.paths import PlayRecorder, RecordedPlay
from warchest.testing.search import KitSearch
from warchest.testing.versions import Version

LONGEST = 5.0
"""The most seconds of processor time that a ruling may take in a version."""
ENDLESS = f"it did not end within {LONGEST:.0f} s of processor time"
TOGETHER = 10
"""The number of rulings that a process runs at a time."""


@record()
class Rerun:
    """A ruling that was run in two versions: both outcomes, the reason of a failure, its play, and its time."""

    case: Case
    outcomes: tuple[CaseOutcome, CaseOutcome]
    wrong: str = ""
    play: RecordedPlay | None = None
    seconds: float = 0.0
    """The processor time that it took in both."""

    @property
    def differs(self) -> bool:
        """Whether the outcomes differ."""
        return self.outcomes[0] != self.outcomes[1]


class RulingComparison:
    """The rulings of two versions that can be affected by changed documents, which are named by kind and name."""

    def __init__(self, old: Version, new: Version, changed: Collection[tuple[str, str]]) -> None:
        self.versions = old, new
        self.refused = ""
        """The reason why the rulings of a version cannot be read; empty where they can."""
        found: dict[str, Case] = {}
        for version in (new, old):
            try:
                cases = _cases_of(version)
            except CardError as error:
                self.refused = self.refused or str(error).splitlines()[0]
                continue
            documents = [one for key in changed if (one := version.game.library.named(*key)) is not None]
            near = _near(version.game, cases, documents)
            for case in near:
                found.setdefault(_key_of(case), case)
        self.cases = list(found.values())

    def search_in(self, budget: Budget = UNLIMITED) -> KitSearch[Case, RerunOutcome]:
        """Return the search that runs each ruling in both versions."""
        return KitSearch(self.cases, self._rerun, budget, together=TOGETHER)

    def _rerun(self, case: Case) -> RerunOutcome:
        """Run a ruling in both versions; raises OutOfTime if the time is over before that is done."""
        begun, recorder, results = clock(), PlayRecorder(), list[CaseResult]()
        for version in self.versions:
            look_at_clock()
            # The play is recorded in the first version in which it begins.
            watching = recorder if recorder.play is None else None
            try:
                with ending(clock() + LONGEST):
                    results.append(run_case(version.game, _under(version, case), spectator=watching))
            except OutOfTime:
                look_at_clock()
                results.append(CaseResult(case, "failed", ENDLESS))
            except Exception as error:  # any error is a result of the version
                results.append(CaseResult(case, "failed", f"this cannot be run: {type(error).__name__}: {error}"))
        first, second = results
        wrong = second if second.outcome == "failed" else first
        told = wrong.wrong[0] if wrong.wrong else wrong.message
        position = case.values.get("position")
        play = recorder.play
        if isinstance(position, dict):
            # The position in the ruling is shorter than the position of its state.
            written = {key: value for key, value in position.items() if key != "game"}
            play = RecordedPlay(written, play.path if play is not None else ())
        return (first.outcome, second.outcome), told, play, clock() - begun


RerunOutcome: TypeAlias = tuple[tuple[CaseOutcome, CaseOutcome], str, RecordedPlay | None, float]
"""A ruling that was run again, without the ruling itself."""


def _cases_of(version: Version) -> list[Case]:
    """Return the rulings of a version, reading changed files from their new texts; raises CardError.

    If the version is a single file, the places of its rulings are in the file that was named.
    """
    game, is_file = version.game, is_yaml(version.said)
    others = {os.path.realpath(path): text for path, text in game.texts.items()}
    found = [one for one in rulings_of(game) if os.path.realpath(one.span.path) not in others]
    for path, text in game.texts.items():
        if text is None:
            continue
        source = Source(version.said if is_file and len(game.texts) == 1 else path, text)
        found += cases_in(from_source(source, game.library.schemas or read_schemas()))
    return found


def _key_of(case: Case) -> str:
    """Return the key that identifies a ruling in both versions: its subject, its name and its contents."""
    return json.dumps([case.card, case.name, case.values], sort_keys=True, default=str)


def _near(game: Game, cases: Sequence[Case], documents: Sequence[Document]) -> list[Case]:
    """Return the rulings that some documents can affect: those about them, and about the cards that they affect.

    Rules that are not on a card can affect all rulings.
    """
    trials, numbers = Trials(game, cases), dict[int, None]()
    for document in documents:
        bearing = (game.library.named(kind, name) for name in bearers_of(game, document) for kind in game.piece_kinds)
        for one in [document, *filter(None, bearing)]:
            numbers |= dict.fromkeys(trials.about(one))
    return [cases[number] for number in numbers]


def _under(version: Version, case: Case) -> Case:
    """Return a ruling with the options of a version added, except those for which the ruling has other values."""
    position = case.values.get("position")
    if not version.options or not isinstance(position, dict):
        return case
    options = {**version.options, **position.get("options", {})}
    return replace(case, values={**case.values, "position": {**position, "options": options}})
