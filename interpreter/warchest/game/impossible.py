"""Impossibilities in a position: adjectives of spaces and pieces that a game's document lists as impossible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from warchest.engine.evaluation import members_of
from warchest.game.errors import PositionError
from warchest.ir.ruleset import FIXED
from warchest.ir.values import NOTHING
from warchest.lowering.layout import SPACE

if TYPE_CHECKING:
    from warchest.engine.state import Run
    from warchest.game.variant import Variant


def refuse_impossible(variant: Variant, mapping: Mapping[str, Any], run: Run) -> None:
    """Raise PositionError where a space, or a piece, is what none may be while nothing is half done."""
    for said, word, space in impossible(variant, run):
        raise PositionError(_last_named(variant, mapping, space), f"{said} is {word}")


def impossible(variant: Variant, run: Run) -> Iterator[tuple[str, str, str]]:
    """Yield every space and piece that has an impossible adjective: its name, the adjective, and the space."""
    program, naming, memory = variant.program, variant.naming, run.memory
    for word, role, condition in program.ruleset.impossible:
        test = variant.functions.test(condition)
        if role.base == "space":
            named = list(enumerate(naming.spaces))
        else:
            kind = program.layout.of_kind + variant.format.kind(role.noun)
            named = [(piece, naming.spaces[memory[program.layout.piece(piece) + SPACE]])
                     for piece in members_of(memory[kind])]  # fmt: skip
        for one, space in named:
            if test(run, (*(NOTHING,) * FIXED, one)):
                said = space if role.base == "space" else f"{naming.own_name(one, memory)} on {space}"
                yield said, word, space


def _last_named(variant: Variant, mapping: Mapping[str, Any], space: str) -> str:
    """Return the field of the last piece that a position puts onto a space."""
    for key, shape in variant.format.shapes.items():
        found = [
            f"{key}[{index}].{shape['place']}"
            for index, item in enumerate(mapping.get(key) or () if "pieces" in shape else ())
            if item.get(shape["place"]) == space
        ]
        if found:
            return found[-1]
    return ""
