"""Planting a fault of the list in a shipped game, and looking for it as a command of the kit does.

A fault is a text that replaces another one, which is once in a file. `check` is to find it without knowing anything
else, or `diff` against the shipped text; both search near some cards, and shrink their findings to the given numbers of
pieces and of options in sequence. `quick` ones are searched for in every run of the tests, all by `make explore` and by
`PYTHONPATH=tests python -m planted`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

from loaded import shipped
from warchest import Game
from warchest.source.data import data_folder
from warchest.testing.budget import clock
from warchest.testing.differences import GameComparison
from warchest.testing.law_check import GameCheck
from warchest.testing.positions import PositionData

BUDGET = 60.0
"""The seconds that a command has unless another budget is given."""
LIST = Path(__file__).parent / "faults.json"


@dataclass(frozen=True)
class PlantedFault:
    """A text in place of another one in a file, the command that finds it, and the size of the position shown."""

    name: str
    file: str
    old: str
    new: str
    by: str
    near: tuple[str, ...]
    pieces: int
    options: int
    quick: bool = False

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.file.partition("/")[0]

    def planted(self) -> Game:
        """Return the game with the fault; raises AssertionError where the text is not there once any more."""
        path, text = self.shipped_text()
        assert text.count(self.old) == 1, f"{self.file} has {self.old!r} {text.count(self.old)} times"
        return shipped(self.game).with_text(str(path), text.replace(self.old, self.new))

    def shipped_text(self) -> tuple[Path, str]:
        """Return the file, and its text."""
        path = data_folder("cards") / self.file
        return path, path.read_text(encoding="utf-8")


@dataclass(frozen=True)
class Sighting:
    """A fault that was found: the law or sort of difference, the position, and the number of options before it."""

    what: str
    position: PositionData
    options: int
    seconds: float

    @property
    def pieces(self) -> int:
        """The number of pieces on the board, besides those that are there from the beginning of every game."""
        return sum(len(self.position.get(key) or ()) for key in ("units", "figures"))


def faults() -> list[PlantedFault]:
    """Return the faults of the list."""
    told: list[dict[str, Any]] = json.loads(LIST.read_text(encoding="utf-8"))
    return [PlantedFault(**{**one, "near": tuple(one["near"])}) for one in told]


def sighted(fault: PlantedFault, budget: float = BUDGET, seed: int = 0) -> Sighting | None:
    """Look for a fault as its command does with its usual arguments; None where it is not found in the budget."""
    return {"check": _checked, "diff": _compared}[fault.by](fault, budget, seed)


def _checked(fault: PlantedFault, budget: float, seed: int) -> Sighting | None:
    check, begun, until = GameCheck(fault.planted(), seed=seed), process_time(), clock() + budget
    check.player.prepare()
    return first_finding(check, fault.near, begun, until)


def first_finding(check: GameCheck, cards: Sequence[str], begun: float, until: float) -> Sighting | None:
    """Return the first finding of a check near some cards; None where there is none until a moment."""
    for task in check.tasks(cards, pairs=True, triples=False, times=9):
        for finding in check.look(task).findings:
            return Sighting(finding.fault.law, finding.position, len(finding.path), process_time() - begun)
        if clock() >= until:
            break
    return None


def _compared(fault: PlantedFault, budget: float, seed: int) -> Sighting | None:
    comparison, begun = GameComparison(shipped(fault.game), fault.planted()), process_time()
    found = comparison.look(fault.near, seed=seed, most=1_000_000, until=clock() + budget).found
    return found and Sighting(found.sort, found.position, len(found.path), process_time() - begun)
