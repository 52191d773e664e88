"""A variant: one game on one board with one choice of options, ready to play. States of a variant share it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from warchest.engine.state import EndlessError, Frame, Machine, Run
from warchest.game.boards import IRREGULAR
from warchest.game.digest import Digest
from warchest.game.ending import refuse_other_winner, refuse_won
from warchest.game.errors import ASTRAY, OptionError, PositionError
from warchest.game.impossible import impossible, refuse_impossible
from warchest.game.links import Links
from warchest.game.naming import Naming
from warchest.game.pending import Pending, held, unlike
from warchest.game.position import Format, is_irregular
from warchest.lowering.board import Board
from warchest.lowering.code import LISTS
from warchest.lowering.layout import ASK, DIRTY, ENDED, HOLD, ROUND, TURN
from warchest.rules.values import NOTHING

if TYPE_CHECKING:
    from warchest.game.game import Game
    from warchest.game.state import State


class Variant:
    """The common part of all states of a game, board and choice of options."""

    def __init__(
        self,
        origin: Game,
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
        self.naming = Naming(program.layout)
        hooks = program.hooks
        self.naming.hooks = tuple(" ".join(bound.hook.span.text.split()) for bound in hooks)
        self.pending = Pending(program, self.naming)
        links = Links(program, self.naming, shapes)
        limits = self._limits()
        self.format = Format(program.layout, self.naming, shapes, links, written, limits, sheets, told, packs)
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
        """Return a run in which nothing is anywhere and nothing is pending."""
        return Run(self.machine, self.program.layout.blank())

    def state(self, mapping: Mapping[str, Any]) -> State:
        """Return the state for a position; raises PositionError."""
        from warchest.game.state import State

        run, irregular = self.blank_run(), is_irregular(mapping)
        self.format.read(mapping, run, irregular)
        # What is so already is looked at with the first thing that happens.
        run.memory[DIRTY] = 0
        del run.log[:]
        state = State(self, run)
        run.memory[TURN] = run.memory[ROUND] = 1
        if run.memory[ENDED]:
            refuse_other_winner(self, run)
            return state
        if mapping.get("pending") is not None:
            self._put_pending(run, mapping["pending"])
            self._guarded("pending", state.resume)
        else:
            assert self.program.play is not None
            if not irregular:
                refuse_impossible(self, mapping, run)
            refuse_won(self, run)
            run.begin(self.program.play)
            self._guarded("", state.advance)
        run.memory[TURN] = run.memory[ROUND] = 1
        del run.history[:], run.log[:]
        return state

    def _guarded(self, where: str, go_on: Callable[[], State]) -> None:
        try:
            go_on()
        except RecursionError:
            raise PositionError(where, f"the game cannot go on from here: {EndlessError()}") from None
        except ASTRAY as error:
            raise PositionError(where, f"the game cannot go on from here: {error}") from None

    def comes_back(self, state: State) -> bool:
        """Return whether something is pending in a state, once its position makes it again; raises PositionError."""
        position = self.write(state)
        if self.state(position) != state:
            raise PositionError("", "no position can tell all that there is then")
        return "pending" in position

    def _put_pending(self, run: Run, pending: Any) -> None:
        if not isinstance(pending, Mapping) or "stack" not in pending:
            raise PositionError("pending", "a mapping with a stack is needed")
        top = self.pending.read(pending["stack"], run.memory)
        run.memory[HOLD], run.memory[ASK] = held(top), int(pending.get("ask") is True)
        run.put_back(top)
        odd = unlike("pending", pending, self._pending(run))
        if odd is not None:
            raise PositionError(odd, "the game would not write it so")
        # What the state rules have to settle may be waiting until nothing holds it back.
        run.memory[DIRTY] = 1

    def write(self, state: State) -> dict[str, Any]:
        """Return the position of a state."""
        run = state.run
        written = self.format.write(run.memory)
        whole = bool(run.memory[ENDED]) or self.is_boundary(state)
        regular = self.format.is_regular(run, written)
        if regular and whole and not run.memory[ENDED]:
            regular = not any(impossible(self, run))
        head = {"game": self.game} if regular else {"game": self.game, IRREGULAR: True}
        return {**head, **written} if whole else {**head, **written, "pending": self._pending(run)}

    def _pending(self, run: Run) -> dict[str, Any]:
        """Return the part of a position about pending work, and about the values that matter only meanwhile."""
        memory = run.memory
        return {"stack": self.pending.write(run.top, memory), "ask": bool(memory[ASK]), "hold": memory[HOLD],
                **self.format.unlisted.write(memory)}  # fmt: skip

    def is_boundary(self, state: State) -> bool:
        """Whether the state is where the game would stop if it began from its position: nothing is half done."""
        run = state.run
        if not run.memory[ASK] or self.format.unlisted.write(run.memory):
            return False
        fresh = Run(self.machine, run.memory[:])
        assert self.program.play is not None
        fresh.begin(self.program.play)
        fresh.memory[ASK] = 1
        fresh.go()
        return self.key(fresh) == self.key(run)

    def view(self, state: State, player: str) -> dict[str, Any]:
        """Return the position as a player may see it; raises OptionError for an unknown player."""
        viewer = self.player_number(player)
        seen = self.write(state)
        for key, shape in self.format.shapes.items():
            if "zone" in shape and key in seen:
                self._mask(seen, key, shape["zone"], viewer)
        if "pending" in seen:
            decision = state.decision
            seen["pending"] = decision.prompt if decision is not None else ""
        return seen

    def _mask(self, seen: dict[str, Any], key: str, zone_name: str, viewer: int) -> None:
        number = self.format.zones[zone_name]
        zone, holders = self.program.ruleset.zones[number], self.program.layout.zones[number]
        if zone.of == "game":
            if not self.sees(viewer, holders.number(0)):
                seen[key] = len(seen[key])
            return
        for owner, name in enumerate(self.naming.players if zone.of_player else self.board.teams):
            for face in range(holders.faces):
                if self.sees(viewer, holders.number(owner, face)):
                    continue
                if zone.faces:
                    seen[key][name][zone.faces[face]] = len(seen[key][name][zone.faces[face]])
                else:
                    seen[key][name] = len(seen[key][name])

    def mixed(self, memory: list[int]) -> bool:
        """Whether pieces of several kinds are on the board then, so that two of them may be on one space."""
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
        """Return, for each holder of a zone, the players to whom it belongs, and who sees into it."""
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
        """Return the players to whom a zone of a player or a team belongs; nobody has one of the game."""
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

    def player_number(self, name: str) -> int:
        """Return the number of a player; raises OptionError if there is none of this name."""
        if name not in self.naming.players:
            raise OptionError("player", f"there is no player {name!r}")
        return self.naming.players.index(name)

    # ---- sameness

    @property
    def digest(self) -> Digest:
        """The hashes of its states."""
        if self._digest is None:
            self._digest = Digest(self.program.layout, self.format.write)
        return self._digest

    def key(self, run: Run) -> tuple[Any, ...]:
        """Return the identity of a state: pieces by place and not by number, the stack likewise."""
        layout, memory = self.program.layout, run.memory
        if memory[ENDED]:
            # What no key of a position tells of matters no more.
            return (json.dumps(self.format.write(memory), sort_keys=True),)
        pieces = self.naming.pieces(memory)
        told = tuple(
            (
                *memory[layout.piece(one) : layout.piece(one) + layout.stride],
                *(memory[cell] for cell in layout.holder_cells(layout.first_piece_holder + one)),
            )
            for one in pieces
        )
        fields = tuple(memory[layout.pieces + layout.room * layout.stride : layout.granted])
        zones = tuple(memory[layout.tokens : layout.holder_cells(layout.first_piece_holder)[0]])
        rank = {one: index for index, one in enumerate(pieces)}
        bonuses = self.format.unlisted.bonuses.key(memory, rank)
        return (memory[HOLD], memory[ASK]), told, fields, bonuses, zones, self._stack_key(run.top, rank)

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
            # One that has not been begun yet is as empty as one in which nothing is left.
            return (
                tuple((hook, rank.get(this, NOTHING)) for hook, this in value)
                if isinstance(value, tuple)
                else ()
            )
        return value


def variant_of(game: Game, options: Mapping[str, str], board: str) -> Variant:
    """Return the variant of a game for some options on a board."""
    return game.variant(options, board)
