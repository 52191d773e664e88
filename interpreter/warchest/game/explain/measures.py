"""Derived values of a state: the numbers of a piece, the documents it bears, and its events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from warchest.engine.history import Acted
from warchest.engine.permissions import bearers_of
from warchest.game.errors import PositionError
from warchest.game.telling.occurrences import Filler, occurrence_of
from warchest.ir.ruleset import FIXED
from warchest.ir.values import NOTHING

if TYPE_CHECKING:
    from warchest.game.state import State

BY = "by"
"""The key of the agent in the data of an event."""


def measured(state: State, key: str, index: int, noun: str) -> int:
    """Return the number that a game calls `noun`, of the piece which a position lists at `key[index]`.

    Raises PositionError where such pieces have no such number.
    """
    piece, kind = _piece(state, key, index)
    value = state.variant.program.ruleset.measures.get((noun, kind))
    if value is None:
        raise PositionError(f"{key}[{index}]", f"nothing tells its {noun}")
    return state.variant.functions.value(value)(state.run, _env(piece))


def bears(state: State, key: str, index: int, name: str) -> bool:
    """Whether the piece which a position lists at `key[index]` bears the document called `name`, for any reason."""
    piece, _ = _piece(state, key, index)
    document = state.variant.program.ruleset.sheet_number(name)
    return document >= 0 and bool(bearers_of(state.run, document) >> piece & 1)


def _env(piece: int) -> tuple[int, ...]:
    return (*(NOTHING,) * FIXED, piece)


def _piece(state: State, key: str, index: int) -> tuple[int, int]:
    """Return a piece, and its kind, by its place in a position."""
    variant, memory = state.variant, state.run.memory
    kind = variant.format.kind(variant.format.shapes[key]["pieces"])
    return variant.naming.pieces(memory, kind)[index], kind


def events(state: State) -> Iterator[Mapping[str, object]]:
    """Yield all acts, the oldest first: the act, its agent and the fillers of its roles, all by name.

    A piece is named by the document of its nature. The object of an act has the name of the act as its key.
    """
    naming, program = state.variant.naming, state.variant.program
    for one in state.history():
        if isinstance(one, Acted):
            act, agent, roles = occurrence_of(one, program)
            things = (Filler(BY, *agent), *(role._replace(key=role.word or act) for role in roles))
            yield {"act": act} | {
                key: naming.documents[value[2]] if base == "piece" else naming.name(base, value, state.run.memory)
                for key, base, value, _ in things
                if value is not None and isinstance(value, int) == (base != "piece")
            }
