"""What cannot be so in a position: adjectives of spaces that a game's document lists as impossible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from warchest.game.errors import PositionError
from warchest.rules.ruleset import FIXED
from warchest.rules.values import NOTHING

if TYPE_CHECKING:
    from warchest.game.variant import Variant
    from warchest.machine.run import Run


def refuse_impossible(variant: Variant, mapping: Mapping[str, Any], run: Run) -> None:
    """Raise PositionError where a space is what no space may be while nothing is half done."""
    program = variant.program
    for word, condition in program.ruleset.impossible.items():
        test = program.binder.test(condition)
        for space, name in enumerate(variant.naming.spaces):
            if test(run, (*(NOTHING,) * FIXED, space)):
                raise PositionError(_last_named(variant, mapping, name), f"{name} is {word}")


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
