"""Asking a state for what is worked out: the numbers of a piece, what it bears, and what has befallen it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from warchest.engine.history import Acted
from warchest.engine.permissions import bearers_of
from warchest.game.errors import PositionError
from warchest.ir.ruleset import AGENT, FIXED
from warchest.ir.values import NOTHING

if TYPE_CHECKING:
    from warchest.game.state import State

BY = "by"
"""The key of who did something, in what is told of an event."""


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
    """Whether the piece which a position lists at `key[index]` bears the document of a name, however it got it."""
    piece, _ = _piece(state, key, index)
    document = state.variant.program.ruleset.sheet_number(name)
    return document >= 0 and bool(bearers_of(state.run, document) >> piece & 1)


def _env(piece: int) -> tuple[int, ...]:
    return (*(NOTHING,) * FIXED, piece)


def _piece(state: State, key: str, index: int) -> tuple[int, int]:
    """Return a piece, and its kind."""
    variant, memory = state.variant, state.run.memory
    kind = variant.format.kind(variant.format.shapes[key]["pieces"])
    return variant.naming.pieces(memory, kind)[index], kind


def events(state: State) -> Iterator[Mapping[str, Any]]:
    """Yield all acts, the oldest first: the act, its agent and the fillers of its roles, all by name.

    A piece is told by the document it is of by nature. The object of an act goes by the name of the act.
    """
    acts, naming = state.variant.program.acts, state.variant.naming
    for one in state.history():
        if not isinstance(one, Acted):
            continue
        act = acts[one.verb]
        told: dict[str, Any] = {"act": act.verb.act}
        keys = [BY, *(role.word or act.verb.act for role in act.verb.roles)]
        for key, base, value in zip(keys, act.bases[AGENT:], one.roles[AGENT:], strict=False):
            if base == "piece" and isinstance(value, tuple):
                told[key] = naming.documents[value[2]]
            elif isinstance(value, int) and value != NOTHING and base != "piece":
                told[key] = naming.name(base, value, state.run.memory)
        yield told
