"""How functions of expressions are written."""

from __future__ import annotations

from typing import Any

from warchest.machine.binding import placed_once

LINES = ["return m[e[0] * 5] + m[1 + e[0] * 5] + m[e[1] * 5] + m[2 + e[1] * 5] + m[e[2] * 5]"]


def value(lines: list[str], memory: list[int], env: tuple[int, ...]) -> Any:
    found: dict[str, Any] = {}
    exec("\n ".join(["def found(m, e):", *lines]), found)
    return found["found"](memory, env)


def test_where_a_piece_begins_is_worked_out_once_for_each_variable() -> None:
    quick, memory = placed_once(LINES), list(range(100, 200))
    assert "\n".join(quick).count(" * 5") == 3 < "\n".join(LINES).count(" * 5")
    for env in [(0, 0, 4), (3, 1, 0), (2, 5, 5), (-1, 2, 1)]:
        assert value(quick, memory, env) == value(LINES, memory, env)


def test_what_is_asked_for_once_stays_as_it_is() -> None:
    assert placed_once(["return m[e[3] * 5]"]) == ["return m[e[3] * 5]"]


def test_variables_that_the_lines_change_are_not_worked_out_before() -> None:
    lines = ["a = m[e[0] * 5]", "e = (e[1], e[0])", "return a + m[e[0] * 5]"]
    assert placed_once(lines) == lines
