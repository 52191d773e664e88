"""The contents of a replay, as plain data, and its possible faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from warchest.diagnostics.visible import visible
from warchest.game.telling.labels import label_of
from warchest.source.carried import Carried

PlainData = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning of a game: by a setup with its seed, or from a position; with its board and its sets of cards.

    Armies, points and collections are kept as requested; None leaves them to the setup.

    The position is kept in both cases: with a setup it shows whether the setup still gives the same start.
    """

    position: PlainData
    seed: int | None = None
    setup: str | None = None
    armies: PlainData | None = None
    from_position: bool = False
    board: str | None = None
    sets: tuple[str, ...] | None = None
    points: int | None = None
    collection: PlainData | None = None


CHANCE = "chance"
"""The name of the taker of a step of chance."""


@dataclass(frozen=True, slots=True)
class TakenStep:
    """An option that was taken, as its data; `by` is None if chance decided."""

    by: str | None
    option: PlainData

    @property
    def label(self) -> str:
        """The step in one line, as far as the data alone show it."""
        return f"{self.by or CHANCE}: {label_of(self.option)}"


@dataclass(frozen=True, slots=True)
class Replay:
    """A game as it was played.

    `cards` are fingerprints of the documents in use: `shipped` and `extra`. `layers` are fingerprints of the errata
    in use, by name; None in a file that has none.
    """

    game: str
    options: PlainData
    start: Start
    taken: tuple[TakenStep, ...] = ()
    outcome: PlainData | None = None
    cards: PlainData = field(default_factory=dict)
    layers: PlainData | None = None


class Unreadable(ValueError):
    """The file is not a replay; the message begins with its path."""


class Misfit(Carried, ValueError):
    """A replay no longer fits the cards: the step, the expected thing, and the thing found instead."""

    def __init__(self, path: str, step: int, expected: str, found: str, offered: Sequence[str] = ()) -> None:
        self.path, self.step, self.expected, self.found = path, step, expected, found
        self.offered = tuple(offered)
        where = f"step {step}" if step else "the start"
        lines = [
            f"{visible(path)}: {where} no longer fits the cards",
            f"  expected: {expected}",
            f"  found:    {found}",
        ]
        if offered:
            lines += ["  on offer:", *(f"    {label}" for label in self.offered)]
        super().__init__("\n".join(lines))
