"""Whole positions: the complete state of a run, with its pending work, as a mapping; and how to make a run from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from warchest.engine.evaluation import members_of
from warchest.engine.runs import Frame, Run
from warchest.game.ending import refuse_other_winner, refuse_won
from warchest.game.errors import PositionError
from warchest.game.position.pending import Pending, held, parts_under_way, unlike
from warchest.game.position.read_cells import Memory, PositionMapping
from warchest.game.position.writing import Format, is_irregular
from warchest.game.setup.boards import IRREGULAR
from warchest.game.variant import Variant
from warchest.ir.ruleset import FIXED
from warchest.ir.values import NOTHING
from warchest.lowering.code import ChoicePoint
from warchest.lowering.layout import ENDED, LIVE, MUST_ASK, POSTPONED, ROUND, SPACE, TURN, UNSETTLED

ASIDE = ("game", "options", "pending", "packs")
"""The keys of positions about the wording of texts, and not about the state of the game."""

# ---- impossibilities in a position


def refuse_impossible(variant: Variant, mapping: Mapping[str, Any], run: Run) -> None:
    """Raise PositionError for a space or a piece in a condition that the rules exclude while no act is under way."""
    for said, word, space in impossible(variant, run):
        raise PositionError(_last_named(variant, mapping, space), f"{said} is {word}")


def impossible(variant: Variant, run: Run) -> Iterator[tuple[str, str, str]]:
    """Yield every space and piece that an excluded adjective fits: its name, the adjective, and the space."""
    program, naming, memory = variant.program, variant.naming, run.memory
    for word, role, condition in program.ruleset.impossible:
        test = variant.functions.test(condition)
        if role.base == "space":
            named = list(enumerate(naming.spaces))
        else:
            kind = program.layout.of_kind + variant.format.kind(role.noun)
            named = [
                (piece, naming.spaces[memory[program.layout.piece(piece) + SPACE]])
                for piece in members_of(memory[kind])
            ]
        for one, space in named:
            if test(run, (*(NOTHING,) * FIXED, one)):
                said = space if role.base == "space" else f"{naming.own_name(one, memory)} on {space}"
                yield said, word, space


def _last_named(variant: Variant, mapping: Mapping[str, Any], space: str) -> str:
    """Return the field of the last piece that a position puts onto a space."""
    found = (one.last_on(mapping.get(one.key), space) for one in variant.format.codecs)
    return next(filter(None, found), "")


# ---- whole positions


class ToldState(Protocol):
    """A state that a position can be written from, whichever machine holds it."""

    @property
    def variant(self) -> Variant:
        """The variant that is played."""

    @property
    def format(self) -> Format:
        """The writer of the keys, for the layout of the cells."""

    @property
    def pending(self) -> Pending:
        """The writer of the work under way."""

    @property
    def memory(self) -> Memory:
        """The cells of the memory."""

    @property
    def top(self) -> Frame | None:
        """The work under way, the innermost frame first."""

    @property
    def run(self) -> Run:
        """The run of the reference machine in this state."""

    def opens(self) -> bool:
        """Whether play that begins from the memory alone would stop at this same state."""


@dataclass(frozen=True, slots=True)
class ToldRun:
    """A run before a decision, or at the end of a game, as the source of a position."""

    variant: Variant
    run: Run

    @property
    def format(self) -> Format:
        """The writer of the keys, for the layout of the cells."""
        return self.variant.format

    @property
    def pending(self) -> Pending:
        """The writer of the work under way."""
        return self.variant.pending

    @property
    def memory(self) -> Memory:
        """The cells of the memory."""
        return self.run.memory

    @property
    def top(self) -> Frame | None:
        """The work under way, the innermost frame first."""
        return self.run.top

    def opens(self) -> bool:
        """Whether play that begins from the memory alone would stop at this same state."""
        fresh = Run(self.variant.machine, self.run.memory[:])
        _open(self.variant, fresh)
        fresh.memory[MUST_ASK] = 1
        fresh.go()
        return self.variant.alike(fresh, self.run)


# ---- reading


def run_of(variant: Variant, mapping: Mapping[str, Any]) -> tuple[Run, bool]:
    """Return the run that a position describes, and whether the position has pending work.

    Raises PositionError.
    """
    run, irregular = variant.blank_run(), is_irregular(mapping)
    variant.format.read(mapping, run, irregular)
    # The first event makes the state rules take effect for conditions that hold already.
    run.memory[UNSETTLED] = 0
    del run.log[:]
    run.memory[TURN] = run.memory[ROUND] = 1
    if run.memory[ENDED]:
        refuse_other_winner(variant, run)
    elif mapping.get("pending") is not None:
        _put_pending(variant, run, mapping["pending"])
        return run, True
    else:
        if not irregular:
            refuse_impossible(variant, mapping, run)
        refuse_won(variant, run)
        _open(variant, run)
    return run, False


def _open(variant: Variant, run: Run) -> None:
    """Put a run at the beginning of play, in the turn and the round of its position.

    The steps up to the first question begin a turn, which resets temporary fields and counts. In the position the turn
    has already begun, so its own values are put back.
    """
    assert variant.program.play is not None
    memory, timed = run.memory, variant.program.layout.timed()
    kept = {cell: memory[cell] for cell, one in timed if memory[cell] and (one < 0 or memory[LIVE] >> one & 1)}
    before = memory[:] if kept else []
    run.begin(variant.program.play)
    if not kept:
        return
    run.go()
    if run.top is None or not isinstance(run.code.instructions[run.pc], ChoicePoint):
        run.memory[:] = before
        run.begin(variant.program.play)
        return
    for cell, value in kept.items():
        run.memory[cell] = value
    del run.log[:]


def _put_pending(variant: Variant, run: Run, pending: Any) -> None:
    if not isinstance(pending, Mapping) or "stack" not in pending:
        raise PositionError("pending", "a mapping with a stack is needed")
    top = variant.pending.read(pending["stack"], run.memory)
    run.memory[POSTPONED], run.memory[MUST_ASK] = held(top), int(pending.get("ask") is True)
    run.put_back(top)
    for cell, value in parts_under_way(variant.program, top):
        run.memory[cell] = value
    odd = unlike("pending", pending, _pending(ToldRun(variant, run), variant.format.unlisted.write(run.memory)))
    if odd is not None:
        raise PositionError(odd, "the game would write it differently")
    # State rules may be due, and wait only because something holds them back.
    run.memory[UNSETTLED] = 1


# ---- writing


def position_of(state: ToldState) -> PositionMapping:
    """Return the position of a state."""
    position, unlisted = _position(state)
    return position if unlisted is None else {**position, "pending": _pending(state, unlisted)}


def _position(state: ToldState) -> tuple[PositionMapping, PositionMapping | None]:
    """Return the position of a state without the work under way, and the work itself, or None if there is no work."""
    variant, format_, memory = state.variant, state.format, state.memory
    written, ended = format_.write(memory), bool(memory[ENDED])
    unlisted = {} if ended else format_.unlisted.write(memory)
    whole = ended or _is_whole(state, unlisted)
    regular = format_.is_regular(memory, written)
    if regular and whole and not ended and variant.program.ruleset.impossible:
        regular = not any(impossible(variant, state.run))
    head = {"game": variant.game} if regular else {"game": variant.game, IRREGULAR: True}
    return {**head, **written}, None if whole else unlisted


def facts_in(position: Mapping[str, Any]) -> PositionMapping:
    """Return a position without the keys about the wording of texts, so that two versions of a game can share it."""
    return {key: value for key, value in position.items() if key not in ASIDE}


def _pending(state: ToldState, unlisted: Mapping[str, Any]) -> PositionMapping:
    """Return the part of a position about pending work, and about values that matter only while work is pending."""
    memory = state.memory
    return {
        "stack": state.pending.write(state.top, memory),
        "ask": bool(memory[MUST_ASK]),
        "hold": memory[POSTPONED],
        **unlisted,
    }


def is_boundary(state: ToldState) -> bool:
    """Whether a new run from the position of a state would stop at this state: no act is under way."""
    return bool(state.memory[MUST_ASK]) and _is_whole(state, state.format.unlisted.write(state.memory))


def _is_whole(state: ToldState, unlisted: Mapping[str, Any]) -> bool:
    """Whether no act is under way in a state; `unlisted` is its part for which positions have no key."""
    return bool(state.memory[MUST_ASK]) and not unlisted and state.opens()


# ---- hiding


def view_of(state: ToldState, prompt: Callable[[], str], player: str) -> PositionMapping:
    """Return the position as a player may see it; `prompt` is all that it shows of pending work.

    Raises OptionError for an unknown player.
    """
    position, unlisted = _position(state)
    seen = _masked(state, position, player)
    if unlisted is not None:
        seen["pending"] = prompt()
    return seen


def facts_seen(state: ToldState, player: str) -> PositionMapping:
    """Return the keys of the game in a player's view, without the check that the position is regular or whole.

    Raises OptionError for an unknown player.
    """
    return _masked(state, state.format.write(state.memory), player)


def _masked(state: ToldState, written: PositionMapping, player: str) -> PositionMapping:
    """Hide in a position the tokens that a player does not see, and return it."""
    variant = state.variant
    viewer = variant.player_number(player)
    return state.format.masked(written, viewer, variant.sees)
