"""Motions on the board, space by space: of pieces that go, arrive and leave, and of pieces that act on others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from warchest.engine.history import Acted, Decided, FieldSet, Happened, Moved, Placed, Removed
from warchest.game.telling.occurrences import occurrence_of
from warchest.ir.values import NOTHING
from warchest.source.records import record

if TYPE_CHECKING:
    from warchest.game.decision import Option
    from warchest.game.state import State
    from warchest.game.variant import Variant


class MotionKind(StrEnum):
    """The kinds of motions: a piece goes, acts on something, arrives or leaves; or a space is only named."""

    GOES = "goes there"
    ACTS = "acts on it"
    COMES = "comes"
    LEAVES = "leaves"
    NAMED = "chosen"


@record()
class Motion:
    """A motion from one space to another; on a single space, both are the same."""

    kind: MotionKind
    start: str
    end: str


def motions_of(history: Sequence[Happened], variant: Variant, viewer: str | None = None) -> tuple[Motion, ...]:
    """Return the motions in a part of a history that begins with a decision, each once.

    Effects of later decisions that were not asked are left out, except pieces that go, arrive or leave. With a
    `viewer`, spaces that others have only named are left out as well.
    """
    found = dict.fromkeys(_motions(history, variant, viewer))
    gone = {(one.start, one.end) for one in found if one.kind is MotionKind.GOES}
    arrows = [one for one in found if one.start != one.end]
    reached = {space for one in arrows for space in (one.start, one.end)}
    reached |= {one.end for one in found if one.kind is MotionKind.COMES}
    said = {MotionKind.ACTS: gone, MotionKind.NAMED: {(space, space) for space in reached}}
    return tuple(one for one in found if (one.start, one.end) not in said.get(one.kind, ()))


def is_turning_point(history: Sequence[Happened], variant: Variant) -> bool:
    """Whether, in a part of a history, a piece has left the board or a space has changed its value."""
    fields = variant.program.ruleset.fields
    return any(
        isinstance(one, Removed) or (isinstance(one, FieldSet) and fields[one.field].of == "space") for one in history
    )


def motions_by(state: State, option: Option) -> tuple[Motion, ...]:
    """Return the motions that an option of a state's decision causes; the state stays as it is."""
    after = state.clone()
    after.silent = False
    before = len(after.history())
    after.apply(option)
    return motions_of(after.history()[before:], state.variant)


def _motions(history: Sequence[Happened], variant: Variant, viewer: str | None) -> Iterator[Motion]:
    spaces, decisions = variant.naming.spaces, 0
    for one in history:
        match one:
            case Decided(player=player, notes=notes):
                decisions += 1
                if decisions == 1 and viewer in (None, player):
                    named = (_space_of(base, value) for _, base, value in notes)
                    yield from (Motion(MotionKind.NAMED, spaces[at], spaces[at]) for at in named if at is not None)
            case Acted() if decisions < 2:
                yield from _acts(one, variant)
            case Moved(piece=piece, space=space) if piece[1] != space:
                yield Motion(MotionKind.GOES, spaces[piece[1]], spaces[space])
            case Placed(piece=piece):
                yield Motion(MotionKind.COMES, spaces[piece[1]], spaces[piece[1]])
            case Removed(piece=piece):
                yield Motion(MotionKind.LEAVES, spaces[piece[1]], spaces[piece[1]])


def _acts(one: Acted, variant: Variant) -> Iterator[Motion]:
    """Yield a motion from the acting piece to each piece and space in the act."""
    done, spaces = occurrence_of(one, variant.program), variant.naming.spaces
    start = _space_of(*done.agent)
    for role in done.roles:
        end = _space_of(role.base, role.value)
        if end is not None and start is None:
            yield Motion(MotionKind.NAMED, spaces[end], spaces[end])
        elif end is not None and start is not None and start != end:
            yield Motion(MotionKind.ACTS, spaces[start], spaces[end])


def _space_of(base: str, value: Any) -> int | None:
    """Return the space of a value in a record; None if it is on none."""
    if base == "piece":
        return int(value[1]) if isinstance(value, tuple) else None
    if base == "printed":
        return int(value[2])
    return int(value) if base == "space" and value > NOTHING else None
