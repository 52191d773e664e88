"""Games: load the documents of a game, and make states of it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from warchest.check.check import check
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.layers import choices, layered
from warchest.documents.load import Document, Library, load
from warchest.documents.schemas import read_schemas
from warchest.game.errors import CardError, PositionError
from warchest.game.setup import begin
from warchest.game.state import State
from warchest.game.variant import Variant
from warchest.machine.board import Board, Seat, Space
from warchest.machine.program import Program
from warchest.source.data import data_folder

Source = str | Path


def load_game(name: str = "war-chest", extra: Iterable[Source] = ()) -> Game:
    """Load a shipped game by name, with further folders or files; raises CardError if anything is wrong."""
    folder = data_folder("cards") / name
    if not (folder / "game.yaml").is_file():
        shipped = sorted(child.name for child in data_folder("cards").iterdir() if (child / "game.yaml").is_file())
        raise FileNotFoundError(f"there is no game {name!r}; there are: {', '.join(shipped)}")
    return Game(folder, [Path(path) for path in extra])


class Game:
    """The documents of a game; variants are checked and bound when they are first asked for."""

    def __init__(self, folder: Path, extra: Sequence[Path] = ()) -> None:
        self.library = load([*_documents(folder), *extra], read_schemas())
        self.folder, self.extra = folder, tuple(extra)
        self._refuse(self.library.findings)
        self.document = self.library.of_kind("game")[0]
        self.choices = choices(self.library)
        self._variants: dict[tuple[tuple[str, str], ...], Variant] = {}
        self.variant({})

    @property
    def name(self) -> str:
        """The name under which the game is loaded."""
        return self.document.name

    def _refuse(self, findings: Iterable[Diagnostic]) -> None:
        errors = [finding for finding in findings if finding.severity == "error"]
        if errors:
            raise CardError(errors)

    # ---- variants

    def options(self, given: Mapping[str, Any] | None) -> dict[str, str]:
        """Return all options with their values; raises PositionError for one that does not exist."""
        chosen = {name: values[0] for name, values in self.choices.items()}
        for name, value in (given or {}).items():
            if name not in self.choices:
                raise PositionError(f"options.{name}", f"there are only {', '.join(self.choices) or 'no options'}")
            if value not in self.choices[name]:
                raise PositionError(f"options.{name}", f"it is one of {', '.join(self.choices[name])}")
            chosen[name] = value
        return chosen

    def variant(self, given: Mapping[str, Any] | None = None) -> Variant:
        """Return the variant for some options; raises CardError or PositionError."""
        options = self.options(given)
        key = tuple(sorted(options.items()))
        if key not in self._variants:
            self._variants[key] = self._make(options)
        return self._variants[key]

    def _make(self, options: Mapping[str, str]) -> Variant:
        library, findings = layered(self.library, options)
        board_document = library.of_kind("board")[0]
        game = next(one for one in library.of_kind("game") if one.name == self.document.name)
        ruleset, found = check(library, game, board_document)
        self._refuse([*findings, *found])
        program = Program(ruleset, board_of(board_document))
        sources = {one.span.path: one.source or str(one.values.get("ruling", "")) for one in library.documents}
        return Variant(self.name, program, game.values.get("position", {}), options, sources)

    # ---- states

    def new(
        self,
        seed: int | None = None,
        armies: Mapping[str, Sequence[str]] | None = None,
        options: Mapping[str, Any] | None = None,
        setup: str | None = None,
    ) -> State:
        """Return the first state of a game; `seed` settles what chance decides before the first round.

        Raises PositionError for armies, options or a setup that cannot be.
        """
        document = self._setup(setup)
        variant = self.variant(options)
        rng = random.Random(seed)
        return begin(variant, document.values, document.name, armies or document.values.get("armies"), rng,
                     str(self.document.values.get("armies", "")))  # fmt: skip

    def _setup(self, name: str | None) -> Document:
        setups = self.library.of_kind("setup")
        if name is None:
            name = str(self.document.values.get("setup", setups[0].name))
        found = self.library.named("setup", name)
        if found is None:
            raise PositionError("setup", f"there is no {name!r}; there are: {', '.join(one.name for one in setups)}")
        return found

    def position(self, mapping: Mapping[str, Any]) -> State:
        """Return the state for a position; raises PositionError that names the field."""
        if not isinstance(mapping, Mapping):
            raise PositionError("", "a position is a mapping")
        if mapping.get("game", self.name) != self.name:
            raise PositionError("game", f"this is {self.name}, not {mapping['game']}")
        options = mapping.get("options")
        if options is not None and not isinstance(options, Mapping):
            raise PositionError("options", "a mapping is needed")
        return self.variant(options).state(mapping)

    @property
    def board(self) -> Board:
        """The board."""
        return self.variant().board


def _documents(folder: Path) -> list[Path]:
    """Return what a shipped game is made of: everything in its folder but the rulings, which play does not need."""
    return sorted(child for child in folder.iterdir() if child.name != "rulings")


def board_of(document: Document) -> Board:
    """Return the board that a document describes."""
    values = document.values
    origin: str = values["origin"]
    tags: dict[str, list[str]] = values.get("tags", {})
    spaces = []
    for column, rows in values["rows"].items():
        low, _, high = str(rows).partition("-")
        for number in range(int(low), int(high or low) + 1):
            name = f"{column}{number}"
            place = (ord(column) - ord(origin[0]), number - int(origin[1:]))
            bears = frozenset(tag for tag, names in tags.items() if name in names)
            spaces.append(Space(name, *place, bears))
    seats = tuple(Seat(one["name"], one["team"], one.get("colour", "")) for one in values["seats"])
    numbers, start = values.get("numbers", {}), values.get("start", {})
    return Board(document.name, values["shape"], tuple(spaces), seats, numbers, start)


__all__ = ["Game", "Library", "load_game"]
