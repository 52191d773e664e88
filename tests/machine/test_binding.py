"""How functions of expressions are written."""

from __future__ import annotations

from warchest.engine.evaluation import function_of, placed_once

LINES = ["v1 = e[1]", "if v1 > 2:", " v1 = 0", "return m[e[0] * 5] + m[1 + e[0] * 5] + m[v1 * 5] + m[2 + v1 * 5]"]


def function(lines: list[str]):  # type: ignore[no-untyped-def]
    return function_of("\n ".join(["def found(m, e):", *lines]), {})


def test_the_place_of_a_piece_is_computed_once_for_each_value() -> None:
    quick, memory = placed_once(LINES), list(range(100, 200))
    assert "\n".join(quick).count(" * 5") == 3 < "\n".join(LINES).count(" * 5")
    for env in [(0, 0), (3, 1), (2, 5), (-1, 2)]:
        assert function(quick)(memory, env) == function(LINES)(memory, env)


def test_expressions_used_once_are_unchanged() -> None:
    assert placed_once(["return m[e[3] * 5]"]) == ["return m[e[3] * 5]"]


def test_variables_that_the_lines_change_are_not_worked_out_before() -> None:
    lines = ["a = m[e[0] * 5]", "e = (e[1], e[0])", "return a + m[e[0] * 5]"]
    assert placed_once(lines) == lines
