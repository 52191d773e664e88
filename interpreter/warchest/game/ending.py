"""The ends of games: their clauses, and whether a position agrees with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from warchest.engine.history import Acted, Happened
from warchest.engine.runs import Run
from warchest.game.errors import PositionError
from warchest.ir.parts import nodes_in
from warchest.ir.ruleset import FIXED
from warchest.ir.steps import Clock, Win
from warchest.ir.values import NOTHING
from warchest.lowering.layout import ENDED, UNSETTLED, WINNER
from warchest.source.text import Span

if TYPE_CHECKING:
    from warchest.game.variant import Variant

_EndStep = TypeVar("_EndStep", Win, Clock)


def refuse_won(variant: Variant, run: Run) -> None:
    """Raise PositionError if a rule would have ended the game earlier."""
    clause = _won_by(variant, run)
    if clause is not None:
        raise PositionError("winner", f"this is missing, because the game is over here: {_said(clause)}")


def refuse_other_winner(variant: Variant, run: Run) -> None:
    """Raise PositionError where a rule of the game makes another team the winner.

    If no rule applies, any team may have won: a position with a winner is the end of a game, even if it leaves out
    all other keys.
    """
    clause = _won_by(variant, run)
    winner = _winner(variant, run) if clause is not None else run.memory[WINNER]
    if clause is not None and winner != run.memory[WINNER]:
        raise PositionError("winner", f"it is {variant.board.teams[winner]} who has won here: {_said(clause)}")


def ended_by(variant: Variant, run: Run, backwards: Iterable[Happened]) -> Span | None:
    """Return the clause that has ended a game that is over; None where it could be one of several.

    The history is given `backwards`.
    """
    if run.memory[WINNER] == NOTHING:
        return _only(_everywhere(variant, Clock, "end"))
    clause = _won_by(variant, run)
    if clause is not None:
        return clause
    acts = variant.program.acts
    for one in backwards:
        ways = acts[one.verb].verb.definitions if isinstance(one, Acted) else ()
        wins = _found(Win, ways[max(one.way, 0)].code) if isinstance(one, Acted) and ways else []
        if wins:
            return wins[0].span
    return _only(_everywhere(variant, Win))


def _won_by(variant: Variant, run: Run) -> Span | None:
    """Return the clause that makes a team win in this position; None if there is none."""
    for bound in variant.program.state_rules:
        wins = [step for step in bound.rule.code.steps if isinstance(step, Win)]
        if wins and variant.functions.members(bound.rule.among)(run, (NOTHING,) * FIXED):
            return bound.rule.code.span
    return None


def _winner(variant: Variant, run: Run) -> int:
    """Return the team that the rules make the winner in this position."""
    fresh = Run(variant.machine, run.memory[:])
    fresh.memory[ENDED], fresh.memory[UNSETTLED] = 0, 1
    fresh.begin(variant.program.settling)
    fresh.go()
    return fresh.memory[WINNER]


@lru_cache(maxsize=32)
def _everywhere(variant: Variant, kind: type[_EndStep], what: str = "") -> list[_EndStep]:
    """Return all steps of a kind (if given, with one effect) in the rules of a game."""
    ruleset = variant.program.ruleset
    found = _found(kind, [ruleset, list(ruleset.setups.values())])
    return [step for step in found if not what or getattr(step, "what", "") == what]


def _found(kind: type[_EndStep], node: Any) -> list[_EndStep]:
    return [part for part in nodes_in(node) if isinstance(part, kind)]


def _only(steps: Sequence[Win | Clock]) -> Span | None:
    return steps[0].span if len(steps) == 1 else None


def _said(span: Span) -> str:
    return span.one_line
