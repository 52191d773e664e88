"""The pipeline of a game: documents under layers are read, lowered and loaded into a machine, once for each variant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.editions import Edition, edition
from warchest.documents.layers import readings
from warchest.documents.library import Document
from warchest.documents.packs import PACKS
from warchest.engine.machine import machine_of
from warchest.engine.runs import Machine
from warchest.game.errors import CardError
from warchest.game.option_values import OptionValues
from warchest.game.position.own_sheets import ToldSheet, plain
from warchest.game.setup.boards import KEY, Boards
from warchest.game.variant import OriginGame, Variant
from warchest.lowering.program import Program
from warchest.resolve.model import Model, raisable
from warchest.resolve.resolve import check_plain, read_all
from warchest.source.garbage import uncollected

MachineMaker: TypeAlias = Callable[[Program], Machine]
_Key: TypeAlias = tuple[str, tuple[tuple[str, str], ...]]
"""A variant: its board and its options."""
ROOM = 16
"""Programs have room for a multiple of this number of further sheets."""


class Pipeline:
    """Makes the variants of a game.

    The pipeline of a game with sheets of a position builds on `below`, the pipeline of the game `without` these sheets,
    whose texts are not read again. The pipeline of a game on other machines takes over the usual pipeline's variants.
    """

    def __init__(
        self,
        origin: OriginGame,
        boards: Boards,
        values: OptionValues,
        told: list[ToldSheet] | None = None,
        below: Pipeline | None = None,
        usual: Pipeline | None = None,
        machine_for: MachineMaker = machine_of,
    ) -> None:
        self.origin, self.boards, self.values = origin, boards, values
        self.told, self.below, self.usual, self.machine_for = told or [], below, usual, machine_for
        self._variants: dict[_Key, Variant] = {}
        self._models: dict[_Key, Model] = {}
        self._machines: dict[tuple[_Key, int], Machine] = {}
        """The machines, by variant and by the number of further sheets for which they have room."""

    def played_on(self, machine_for: MachineMaker) -> Pipeline:
        """Return a pipeline with the same variants on other machines; the argument returns the machine of a program."""
        return Pipeline(self.origin, self.boards, self.values, self.told, None, self, machine_for)

    def variant(self, options: Mapping[str, str], board: Document) -> Variant:
        """Return the variant under some options on a board; raises CardError."""
        key = _key(board, options)
        if key not in self._variants:
            if self.usual is not None:
                variant = self.usual.variant(options, board)
                self._variants[key] = variant.on(self.machine_for(variant.program))
            else:
                self._variants[key] = self._made(options, board)
        return self._variants[key]

    @uncollected()
    def _made(self, options: Mapping[str, str], board: Document) -> Variant:
        there = edition(self.origin.library, self.origin.name, board.name, options)
        model, known, found = self._read(there, options)
        refuse([*there.faults, *found])
        if known is None or self.below is None:
            machine = machine_of(Program(model.ruleset, self.boards.described_by(there.board)))
        else:
            further, key = len(model.ruleset.sheets) - len(known.ruleset.sheets), _key(there.board, options)
            machine = self.below._machine_with_room(known, there.board, further, key).having(model.ruleset)
        return self._on(machine, there, options)

    def _on(self, machine: Machine, there: Edition, options: Mapping[str, str]) -> Variant:
        """Return the variant of an edition, to be played on a machine."""
        documents = there.library.documents
        sources = {one.span.path: one.source or str(one.values.get("ruling", "")) for one in documents}
        shapes = dict(there.game.values.get("position", {}))
        if self.boards.must_be_named(there.board.name):
            shapes = {KEY: {"always": there.board.name}, **shapes}
        kinds = there.game.values["documents"]
        sheets = {(one.kind, one.name): one.values for one in documents if one.kind in kinds}
        told = [(one.kind, one.name) for one in self.told]
        packs = there.game.values.get(PACKS, ())
        return Variant(self.origin, machine, shapes, options, self._written(options), sources, sheets, told, packs)

    def _read(self, there: Edition, options: Mapping[str, str]) -> tuple[Model, Model | None, list[Diagnostic]]:
        """Return the model of an edition with its findings; if only sheets are added, the texts are not read again.

        The second item is the model whose texts were read, if this is another model.
        """
        if self.below is not None:
            known = self.below.model(options, there.board.name)
            documents = plain(there.library, self.told, there.game, self.below.origin.library)
            if documents is not None:
                model, found = check_plain(known, there.library, there.game, documents)
                return model, known, found
        reader, found = read_all(there.library, there.game, there.board)
        self._models[_key(there.board, options)] = reader.model
        return reader.model, None, found

    def model(self, options: Mapping[str, str], board: str) -> Model:
        """Return the model of a variant, which is used to look up the words of further sentences."""
        reading, document = self.below or self.usual or self, self.boards.named(board)
        if reading is not self:
            return reading.model(options, board)
        self.variant(options, document)
        return self._models[_key(document, options)]

    def _machine_with_room(self, known: Model, board: Document, further: int, key: _Key) -> Machine:
        """Return the machine that plays this game with a number of further sheets without texts; it is made once."""
        room = -(-max(further, 1) // ROOM) * ROOM
        if (key, room) not in self._machines:
            program = Program(known.ruleset, self.boards.described_by(board), room, raisable(known))
            self._machines[key, room] = machine_of(program)
        return self._machines[key, room]

    def _written(self, options: Mapping[str, str]) -> dict[str, str]:
        """Return the options that positions state: printings always, readings only where they differ from the default."""
        usual, chosen = self.values.all(None), readings(self.origin.library)
        return {name: value for name, value in options.items() if name not in chosen or value != usual[name]}


def refuse(findings: Iterable[Diagnostic]) -> None:
    """Raise CardError if there are errors among some findings."""
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        raise CardError(errors)


def _key(board: Document, options: Mapping[str, str]) -> _Key:
    return board.name, tuple(sorted(options.items()))
