"""A variant: one game on one board with one choice of options, ready to play. States of a variant share it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from warchest.documents.library import Document, Library
from warchest.engine.runs import Frame, Machine, Run
from warchest.game.digest import Digest
from warchest.game.errors import OptionError
from warchest.game.position.pending import Pending
from warchest.game.position.writing import Format
from warchest.game.telling.naming import Naming
from warchest.game.telling.phrases import TablePhrases, phrases_of
from warchest.game.telling.wording import LineWording
from warchest.ir.values import NOTHING
from warchest.lowering.board import Board
from warchest.lowering.code import LISTS
from warchest.lowering.layout import ENDED, MUST_ASK, POSTPONED, ROUND, TURN


class OriginGame(Protocol):
    """The game that a variant is made from."""

    @property
    def name(self) -> str:
        """The name of the game."""

    @property
    def library(self) -> Library:
        """The documents of the game."""

    @property
    def document(self) -> Document:
        """The document of the game itself."""

    @property
    def digest(self) -> str:
        """A digest of the documents: equal digests mean equal games."""

    @property
    def digest_without_sheets(self) -> str:
        """The digest of the documents in files, without the sheets of a position."""

    def variant(self, given: Mapping[str, Any] | None = None, board: str | None = None) -> Variant:
        """Return the variant for some options on a board; all other options have their defaults."""


class Variant:
    """The common part of all states of a game, board and choice of options."""

    def __init__(
        self,
        origin: OriginGame,
        machine: Machine,
        shapes: Mapping[str, Mapping[str, Any]],
        options: Mapping[str, str],
        written: Mapping[str, str],
        sources: Mapping[str, str],
        sheets: Mapping[tuple[str, str], Mapping[str, Any]],
        told: Sequence[tuple[str, str]] = (),
        packs: Sequence[str] = (),
    ) -> None:
        self.origin, self.game = origin, origin.name
        program = machine.program
        self.machine, self.functions, self.program = machine, machine.functions, program
        self.options, self.sources = dict(options), dict(sources)
        self.board: Board = program.board
        self.naming = Naming(program.layout, [bound.hook.span.one_line for bound in program.hooks])
        self.pending = Pending(program, self.naming)
        self.format = Format(program.layout, self.naming, shapes, written, self._limits(), sheets, told, packs)
        self.phrases: TablePhrases = phrases_of(origin.library)
        self.wording = LineWording(self.naming, self.phrases.directions)
        self._owners = self._holder_owners()
        self._digest: Digest | None = None
        self._kinds = len(program.ruleset.kinds)

    def __reduce__(self) -> tuple[Any, ...]:
        return variant_of, (self.origin, self.options, self.board.name)

    def is_same(self, other: Variant) -> bool:
        """Whether another variant has the same documents, options and board."""
        return self is other or (
            self.origin.digest == other.origin.digest
            and self.options == other.options
            and self.board.name == other.board.name
        )

    def on(self, machine: Machine) -> Variant:
        """Return the same variant on another machine for the same program."""
        # A copy made by `copy` is sent like a pickle, and becomes the variant that is known already.
        made = Variant.__new__(Variant)
        made.__dict__.update(self.__dict__)
        made.machine, made.functions = machine, machine.functions
        return made

    def _limits(self) -> dict[int, int]:
        run = self.blank_run()
        limits = {}
        for value in self.program.ruleset.limits.values():
            evaluate = self.functions.value(value)
            for document in range(len(self.program.ruleset.sheets)):
                limits[document] = evaluate(run, (NOTHING, NOTHING, NOTHING, NOTHING, document))
        return limits

    # ---- positions

    def blank_run(self) -> Run:
        """Return a run without pieces, tokens and pending work."""
        return Run(self.machine, self.program.layout.blank())

    def mixed(self, memory: list[int]) -> bool:
        """Whether pieces of several kinds are on the board, so that two of them may share a space."""
        first = self.program.layout.of_kind
        return self._kinds > 1 and sum(map(bool, memory[first : first + self._kinds])) > 1

    def crowded(self, memory: list[int]) -> int:
        """Return the set of the pieces that share their space with a piece of another kind."""
        layout, found = self.program.layout, 0
        kinds = memory[layout.of_kind : layout.of_kind + self._kinds]
        for there in memory[layout.at : layout.of_document]:
            if there & (there - 1) and all(there & ~kind for kind in kinds):
                found |= there
        return found

    # ---- who sees what

    def _holder_owners(self) -> dict[int, tuple[frozenset[int], str]]:
        """Return, for each holder of a zone, the players who own it, and the word for the players who see it."""
        found = {}
        for zone, holders in zip(self.program.ruleset.zones, self.program.layout.zones, strict=True):
            for owner in range(holders.owners):
                for face in range(holders.faces):
                    seen: str = zone.seen_by
                    if seen == "face":
                        seen = "all" if face == 0 else "owner"
                    found[holders.number(owner, face)] = (self._whose(zone.of, owner), seen)
        return found

    def _whose(self, of: str, owner: int) -> frozenset[int]:
        """Return the players who own a zone of a player or a team; empty for a zone of the game."""
        if of == "team":
            team = self.board.teams[owner]
            return frozenset(number for number, seat in enumerate(self.board.seats) if seat.team == team)
        return frozenset({owner} if of == "player" else ())

    def sees(self, viewer: int, holder: int) -> bool:
        """Whether a player sees the tokens in a holder."""
        if holder >= self.program.layout.first_piece_holder:
            return True
        owners, seen = self._owners.get(holder, (frozenset(), "nobody"))
        return seen == "all" or (seen == "owner" and viewer in owners)

    def owners(self, holder: int) -> frozenset[int]:
        """Return the players who own a holder of a zone; empty for a zone of the game."""
        return self._owners[holder][0]

    def player_number(self, name: str) -> int:
        """Return the number of the player with a name; raises OptionError if there is none."""
        if name not in self.naming.players:
            raise OptionError("player", f"there is no player {name!r}")
        return self.naming.players.index(name)

    # ---- sameness

    @property
    def digest(self) -> Digest:
        """The maker of hashes of the variant's states."""
        if self._digest is None:
            self._digest = Digest(self.program.layout, self.format.write)
        return self._digest

    def alike(self, run: Run, other: Run) -> bool:
        """Whether two runs are in equal states: the cells are compared first, and then the keys."""
        counted = max(ROUND, TURN) + 1
        same = run.top == other.top and run.memory[counted:] == other.memory[counted:]
        return same or self.key(run) == self.key(other)

    def key(self, run: Run) -> tuple[Any, ...]:
        """Return the identity of a state, in which pieces are named by place and not by number, also in the stack."""
        layout, memory = self.program.layout, run.memory
        if memory[ENDED]:
            # Things without a key in positions do not matter any more.
            return (json.dumps(self.format.write(memory), sort_keys=True),)
        pieces = self.naming.pieces(memory)
        made_of = [layout.holder_cells(layout.first_piece_holder + one) for one in pieces]
        told = tuple(
            (*memory[layout.piece(one) : layout.piece(one) + layout.stride], *memory[cells.start : cells.stop])
            for one, cells in zip(pieces, made_of, strict=True)
        )
        first = layout.pieces + layout.room * layout.stride
        # The stack shows which pieces take part in the acts under way.
        fields = tuple(
            NOTHING if cell in layout.parts else value
            for cell, value in enumerate(memory[first : layout.granted], first)
        )
        zones = tuple(memory[layout.tokens : layout.holder_cells(layout.first_piece_holder)[0]])
        rank = {one: index for index, one in enumerate(pieces)}
        bonuses = self.format.unlisted.bonuses.key(memory, rank)
        return (memory[POSTPONED], memory[MUST_ASK]), told, fields, bonuses, zones, self._stack_key(run.top, rank)

    def _stack_key(self, top: Frame | None, rank: Mapping[int, int]) -> tuple[Any, ...]:
        found = []
        while top is not None:
            values = tuple(
                self._value_key(base, value, rank) for base, value in zip(top.code.bases, top.env, strict=True)
            )
            found.append((top.code.name, top.pc, values, top.outs))
            top = top.parent
        return tuple(found)

    def _value_key(self, base: str, value: Any, rank: Mapping[int, int]) -> Any:
        if base == "piece":
            return rank.get(value, NOTHING)
        if base == "token" and value >= 0:
            holder, document = divmod(value, self.program.layout.documents)
            first = self.program.layout.first_piece_holder
            return (holder if holder < first else first + rank.get(holder - first, -1), document)
        if base in LISTS and isinstance(value, tuple):
            return (value[0], *(self._value_key(LISTS[base], one, rank) for one in value[1:]))
        if base == "queue":
            # A stack that has not begun yet is as empty as a finished one.
            return tuple((hook, rank.get(this, NOTHING)) for hook, this in value) if isinstance(value, tuple) else ()
        return value


def variant_of(game: OriginGame, options: Mapping[str, str], board: str) -> Variant:
    """Return the variant of a game for some options on a board."""
    return game.variant(options, board)
