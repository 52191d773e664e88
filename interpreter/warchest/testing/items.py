"""Rulings and properties as tests of pytest: files of cards, and the cases and sentences in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from warchest.diagnostics.render import text
from warchest.documents.load import declaring_files
from warchest.game.errors import CardError
from warchest.game.game import Game, load_game
from warchest.game.game_files import folder_of, no_game
from warchest.picture import plain
from warchest.resolve.stated import KIND
from warchest.rulings.cases import Case, read_cases
from warchest.rulings.runner import run_case
from warchest.source.data import folders_of
from warchest.testing.blame import blamed, named_in
from warchest.testing.positions import PositionData
from warchest.testing.properties.stated_properties import StatedProperty, properties_of
from warchest.testing.properties.watch import PropertyTally, PropertyWatch
from warchest.testing.shrinking import shrunk
from warchest.testing.telling import report


class RulingError(AssertionError):
    """A ruling that does not hold; the message is the report."""


class CardFolders:
    """The folders of cards that are tested, with their game: both are read when the first test is collected."""

    def __init__(self, game: str, folders: Sequence[Path]) -> None:
        self.name, self.folders = game, list(dict.fromkeys(folders))

    @cached_property
    def game(self) -> Game:
        """The game with the cards in the folders. Raises CardError."""
        return load_game(self._named, self.folders)

    @property
    def _named(self) -> str | Path:
        """The name of the game, or its folder if the setting is written as a path."""
        return Path(self.name) if "/" in self.name else self.name

    @cached_property
    def cases(self) -> dict[Path, list[Case]]:
        """The rulings of each file. Raises CardError."""
        folder = folder_of(self._named)
        if folder is None:
            raise pytest.UsageError(f"warchest_game: {no_game(self._named)}")
        declaring = [
            file
            for file in declaring_files(folders_of(folder))
            if not any(file.resolve().is_relative_to(one.resolve()) for one in self.folders)
        ]
        cases, _, errors = read_cases(self.folders, declaring)
        if errors:
            raise CardError(errors)
        found: dict[Path, list[Case]] = {}
        for case in cases:
            found.setdefault(Path(case.span.path).resolve(), []).append(case)
        return found

    @cached_property
    def watch(self) -> PropertyWatch:
        """The watch on the properties while rulings are tests, which is made ready once."""
        return PropertyWatch(self.game)

    @cached_property
    def tallies(self) -> dict[str, PropertyTally]:
        """The tallies of all properties over all rulings in the folders, by place. Raises CardError."""
        watch = PropertyWatch(self.game, thorough=True)
        for cases in self.cases.values():
            for case in cases:
                run_case(self.game, case, None, watch)
        return watch.tallies

    def properties(self, path: Path) -> list[StatedProperty]:
        """Return the properties in a file. Raises CardError."""
        return [one for one in properties_of(self.game) if Path(one.sentence.span.path).resolve() == path.resolve()]


class CardFile(pytest.File):
    """A file in a folder of cards."""

    cards: CardFolders

    @classmethod
    def of(cls, parent: pytest.Collector, path: Path, cards: CardFolders) -> CardFile:
        """Return the file at a path."""
        made: CardFile = cls.from_parent(parent, path=path)
        made.cards = cards
        return made

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the rulings in the file, and then the properties, in their order."""
        try:
            cases = self.cards.cases.get(self.path.resolve(), [])
            stated = self.cards.properties(self.path) if states_properties(self.path) else []
        except CardError as error:
            raise self.CollectError(text(error.diagnostics)) from None
        for case in cases:
            yield RulingItem.of(self, case, self.cards)
        for one in stated:
            yield PropertyItem.of(self, one, self.cards)


class _CardItem(pytest.Item):
    """A test in a file of cards: a failure is reported without lines of Python."""

    title: str
    """The words above a failure."""

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the text that is printed: the report of a failure, or the findings in the cards."""
        if isinstance(excinfo.value, RulingError):
            return f"{self.title}\n{excinfo.value}"
        if isinstance(excinfo.value, CardError):
            return text(excinfo.value.diagnostics)
        return super().repr_failure(excinfo, style)


class RulingItem(_CardItem):
    """A ruling as a test."""

    case: Case
    cards: CardFolders

    @classmethod
    def of(cls, parent: CardFile, case: Case, cards: CardFolders) -> RulingItem:
        """Return the test of a case."""
        made: RulingItem = cls.from_parent(parent, name=case.name)
        made.case, made.cards = case, cards
        made.title = f"{case.card}: {case.name}  ({case.place})"
        return made

    def runtest(self) -> None:
        """Run the case; raises RulingError where it does not hold."""
        game = self.cards.game
        result = run_case(game, self.case, plain, self.cards.watch)
        if result.outcome == "skipped":
            pytest.skip(result.message)
        if result.outcome == "failed":
            again = f"warchest test {self._shown}:{self.case.span.line}"
            raise RulingError(f"{result.message}\n{explained(game, self.case, again)}")

    @property
    def _shown(self) -> str:
        """The path of the file, relative to the folder where pytest was started, if it is in there."""
        path, here = self.path, self.config.invocation_params.dir
        return str(path.relative_to(here) if path.is_relative_to(here) else path)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the place of the case, and its name."""
        return self.path, self.case.span.line - 1, f"{self.case.card}: {self.case.name}"


class PropertyItem(_CardItem):
    """A property as a test: no ruling breaks it, and it applies often enough in the rulings."""

    stated: StatedProperty
    cards: CardFolders

    @classmethod
    def of(cls, parent: CardFile, stated: StatedProperty, cards: CardFolders) -> PropertyItem:
        """Return the test of a property."""
        made: PropertyItem = cls.from_parent(parent, name=stated.text)
        made.stated, made.cards = stated, cards
        made.title = f"{stated.document}: {stated.text}  ({stated.place})"
        return made

    def runtest(self) -> None:
        """Check the property in all rulings; raises RulingError where it is broken, or vacuous."""
        tally = self.cards.tallies[self.stated.place]
        again = f"to see it again: warchest test --properties {' '.join(map(str, self.cards.folders))}"
        if tally.first is not None:
            raise RulingError(f"{tally.first.message}\n{again}")
        if tally.is_vacuous:
            raise RulingError(
                f"VACUOUS: it applied {tally.times} times in the rulings, and {tally.least} are wanted; "
                f"write rulings that put it to the test\n{again}"
            )

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the place of the sentence, and its text."""
        return self.path, self.stated.sentence.span.line - 1, f"{self.stated.document}: {self.stated.text}"


def states_properties(path: Path) -> bool:
    """Whether a file can state properties; the game is loaded only for one that can."""
    return KIND in path.read_text(encoding="utf-8", errors="replace")


def explained(game: Game, case: Case, again: str) -> str:
    """Return the smallest position in which a case fails in the same words, and the clauses to blame for that."""
    given = case.values.get("position")
    if not isinstance(given, dict) or "setup" in given:
        return f"to see it again: {again}"
    wrong = run_case(game, case, None, PropertyWatch(game)).wrong

    def fails(told: PositionData, among: Game = game) -> bool:
        moved = replace(case, values={**case.values, "position": told})
        return run_case(among, moved, None, PropertyWatch(among)).wrong == wrong

    told = shrunk(given, fails, game=game) if wrong else given
    culprits = blamed(game, named_in(game, told), lambda other: fails(told, other)) if wrong else []
    # The board was shown already.
    return report(None, told, culprits, again=again)
