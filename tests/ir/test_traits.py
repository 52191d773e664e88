"""The traits of steps and expressions (`changes`, `needs`, `reads`) are true of games, and of their classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest

from loaded import played, shipped
from warchest.engine.plain_steps import PLAIN
from warchest.engine.runs import Run
from warchest.ir.parts import asks_of_events, calls_in, choices_of, kept_by, needed_by, reads_in
from warchest.ir.steps import IN_PLACE, QUIET, Order, Ordered, StepChange, changes_of
from warchest.ir.values import Condition, Const, ExpressionPart, Holder, Members, Set, Value, Var
from warchest.lowering.layout import DOCUMENT, ENDED, KIND, OWNER, SCRATCH, SPACE, Layout
from warchest.source.records import names_of

SEEN_IN_BOTH = 12
"""The fewest kinds of steps that are carried out in the games of the test."""
OF_PIECES: dict[int, set[StepChange]] = {
    KIND: {"arrivals", "departures"},
    DOCUMENT: {"arrivals", "departures", "texts"},
    SPACE: {"arrivals", "departures", "places"},
    OWNER: {"arrivals", "departures", "owners"},
}
"""For some cells of a piece, the changes of steps that may change the cell: such a step has one of them."""
EXPRESSIONS = {*get_args(Value), *get_args(Holder), *get_args(Members), *get_args(Condition), Set}


def allowed(layout: Layout, cell: int) -> set[StepChange] | None:
    """Return the changes of steps that may change a cell, which have one of them; None where any step can."""
    if cell in SCRATCH:
        return None
    if cell == ENDED:
        return {"game"}
    if layout.pieces <= cell < layout.pieces + layout.room * layout.stride:
        return OF_PIECES.get((cell - layout.pieces) % layout.stride)
    if cell >= layout.tokens:
        return {"arrivals", "departures", "tokens", "new tokens"}
    return None


def compared(
    carry_out: Callable[[Run, Any, Any], Any], seen: set[type], wrong: list[str]
) -> Callable[[Run, Any, Any], Any]:
    """Return the function of a step, which notes each cell that the step should not have changed."""

    def carried_out(run: Run, env: Any, it: Any) -> Any:
        before = run.memory[:]
        stop, changes = carry_out(run, env, it), changes_of(it.step)
        seen.add(type(it.step))
        for cell in (one for one, old in enumerate(before) if run.memory[one] != old):
            least = allowed(run.program.layout, cell)
            if (least is not None and not least & changes) or (changes <= QUIET and cell not in SCRATCH):
                wrong.append(f"{it.step} changes cell {cell}")
        return stop

    return carried_out


def test_steps_change_only_their_declared_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, wrong = set[type](), list[str]()
    for kind, carry_out in list(PLAIN.items()):
        monkeypatch.setitem(PLAIN, kind, compared(carry_out, seen, wrong))  # type: ignore[arg-type]
    played(120)
    played(250, "unigames")
    assert wrong == [] and len(seen) >= SEEN_IN_BOTH, seen


def test_a_step_needs_parts_that_it_has() -> None:
    for kind in get_args(Order):
        assert set(kind.needs) <= set(names_of(kind)), kind
        assert not {"changes", "needs"} & set(names_of(kind)), kind
    assert issubclass(kind, Ordered) and QUIET & IN_PLACE == {"variables"}


def test_expressions_without_parts_read_the_state() -> None:
    for kind in EXPRESSIONS - {Var, Const}:
        parts = " ".join(str(hint) for name, hint in kind.__annotations__.items() if name != "span")
        holds_others = any(one in parts for one in ("Value", "Condition", "Set", "Holder", "Members", "FieldOf"))
        assert issubclass(kind, ExpressionPart) and (kind.reads or holds_others), kind


def test_the_parts_of_the_steps_of_shipped_games_fit_together() -> None:
    rules = shipped("unigames").variant().program.ruleset
    calls = [call for code in rules.codes() for call in calls_in(code.steps)]
    for call in calls:
        chosen = {var for var, _ in choices_of(call)}
        assert chosen <= set(kept_by(call)) and not chosen & set(needed_by(call))
    assert any(choices_of(call) for call in calls) and any(needed_by(call) for call in calls)
    asking = [hook for hook in rules.hooks if asks_of_events(hook.condition)]
    assert asking and all({"cause", "events"} & reads_in(hook.condition) for hook in asking)
    assert len(asking) < len(rules.hooks)
