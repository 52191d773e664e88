"""Relations between directions, which are numbered clockwise, so that turning is adding."""

from __future__ import annotations

from warchest.ir import values as ir
from warchest.ir.parts import variables_in


def turn(what: str, count: int) -> int:
    """Return the number of turns clockwise, of `count`, to the direction to the `left`, to the `right` or `opposite`."""
    return {"left": count - 1, "right": 1, "opposite": count // 2}[what]


def beside(var: ir.Var, condition: ir.Condition) -> tuple[ir.Value, tuple[str, ...]] | None:
    """Return the other direction and the relations, if a condition only relates a direction to another one."""
    parts = condition.conditions if isinstance(condition, ir.Any) else (condition,)
    asked = [
        one.right
        for one in parts
        if isinstance(one, ir.Compare) and one.how == "==" and one.left == var and isinstance(one.right, ir.Attribute)
    ]
    origins = [one.of for one in asked if one.base == "direction"]
    if not origins or len(origins) < len(parts) or any(one != origins[0] for one in origins):
        return None
    return None if var.id in variables_in(origins[0]) else (origins[0], tuple(one.what for one in asked))


def table(ways: tuple[str, ...], count: int) -> tuple[tuple[int, ...], ...]:
    """Return for each direction, and last for no direction (-1), the directions that have given relations to it."""
    turns = {turn(what, count) for what in ways}
    return tuple(tuple(sorted((one + by) % count for by in turns)) for one in (*range(count), -1))
