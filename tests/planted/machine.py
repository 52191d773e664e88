"""Faults planted in the machine for the time of a test, each of which the laws of `check` find.

None of them raises an error by itself. The native machine, which plays whole games, stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import process_time
from typing import Any

import pytest

from loaded import shipped
from planted.planting import BUDGET, Sighting, first_finding
from warchest import OptionError, State
from warchest.engine import choices, effects, machine, permissions
from warchest.engine.runs import Run
from warchest.game import decision
from warchest.game.decision import Decision, Option
from warchest.game.position.zone_codecs import ZoneCodec
from warchest.testing.budget import clock
from warchest.testing.law_check import GameCheck

UNDO, CANDIDATES, FORBIDDEN, BY_ID = Run.undo, choices.role_candidates, permissions.forbidden_by, Decision.by_id
MOVE_TOKEN, MASK, ID, TELL, POSITION = effects.move_tokens, ZoneCodec.hidden, decision.id_of, Run.tell, State.position


@dataclass(frozen=True)
class MachineFault:
    """A wrong thing that replaces another one, the laws (one of them finds it), and the size of the position shown."""

    name: str
    laws: tuple[str, ...]
    places: tuple[tuple[object, str], ...]
    wrong: object
    near: tuple[str, ...]
    pieces: int = 2
    options: int = 2


def _undone_but_for_the_first(run: Run, mark: Any) -> None:
    """Take everything back but the first change."""
    first = run.log[mark[6]] if len(run.log) > mark[6] + 2 else None
    kept = (first[0], run.memory[first[0]]) if first is not None else None
    UNDO(run, mark)
    if kept is not None:
        run.memory[kept[0]] = kept[1]


def _without_the_last(run: Run, env: Any, point: Any) -> Sequence[int]:
    """Return the candidates of a role except the last one of many."""
    found = CANDIDATES(run, env, point)
    return found[:-1] if len(found) > 1 else found


def _masked_but_for_bags(codec: ZoneCodec, sees: Callable[[int], bool]) -> Iterator[tuple[str, ...]]:
    """Hide everything but bags."""
    return iter(()) if codec.key == "bag" else MASK(codec, sees)


def _no_target(data: Any) -> str:
    """Tell an option without where it goes."""
    return ID({key: value for key, value in data.items() if key != "to"})


def _silent_about_tokens(run: Run, kind: Callable[..., Any], clause: Any, *told: Any, cause: Any = None) -> None:
    """Report everything except tokens."""
    if kind.__name__ != "TokenMoved":
        TELL(run, kind, clause, *told, cause=cause)


def _any_id(one: Decision, text: str) -> Option:
    """Return the option of an id, or the first one, where there is none."""
    try:
        return BY_ID(one, text)
    except OptionError:
        return one.options[0]


def _half_a_move(run: Run, layout: Any, token: int, holder: int, count: int = 1) -> int:
    """Take a token away, and put none there, where there are two of it already."""
    moved = MOVE_TOKEN(run, layout, token, holder, count)
    if moved >= 0 and run.memory[layout.tokens + moved] > 2:
        run.set(layout.tokens + moved, 2)
    return moved


def _tamed(run: Run, roles: Any, act: Any) -> Any:
    """Forbid nothing to the second player."""
    return None if roles[1] == 1 else FORBIDDEN(run, roles, act)


def _forgetful(one: State) -> dict[str, Any]:
    """Tell a position without a flag that is seldom set."""
    return {**POSITION(one), "initiative_moved": False}


FAULTS = (
    MachineFault(
        "undo forgets a change",
        ("offered", "symmetry", "conservation", "saved", "properties", "no errors", "refused", "no dead end"),
        ((Run, "undo"),),
        _undone_but_for_the_first,
        ("Lancer",),
        3,
    ),
    MachineFault(
        "the last candidate is not offered",
        ("symmetry",),
        ((choices, "role_candidates"), (machine, "role_candidates")),
        _without_the_last,
        ("Bannerman",),
        3,
    ),
    MachineFault(
        "a view shows what is in bags", ("views",), ((ZoneCodec, "hidden"),), _masked_but_for_bags, ("Scout",), 0
    ),
    MachineFault(
        "ids leave a role out", ("words", "symmetry", "refused"), ((decision, "id_of"),), _no_target, ("Cavalry",), 1
    ),
    MachineFault("tokens go unheard", ("conservation",), ((Run, "tell"),), _silent_about_tokens, ("Knight",), 1),
    MachineFault(
        "anything is taken for the first option", ("refused",), ((Decision, "by_id"),), _any_id, ("Archer",), 0
    ),
    MachineFault(
        "a third coin is lost",
        ("conservation", "properties"),
        ((effects, "move_tokens"),),
        _half_a_move,
        ("Swordsman",),
        1,
    ),
    MachineFault(
        "one player may do what is forbidden",
        ("symmetry", "properties", "offered"),
        ((permissions, "forbidden_by"),),
        _tamed,
        ("Knight",),
        2,
    ),
    MachineFault("a flag is not saved", ("saved", "symmetry"), ((State, "position"),), _forgetful, ("Marshall",), 0),
    MachineFault(
        "chances do not add up",
        ("words",),
        ((Option, "probability"),),
        property(lambda one: Fraction(one.weight, one.whole + 1)),
        ("Warrior Priest",),
        1,
    ),
)


def sighted_in_machine(fault: MachineFault, budget: float = BUDGET, seed: int = 0) -> Sighting | None:
    """Look for a fault of the machine by `check`; None where it is not found in the budget."""
    check, begun = GameCheck(shipped(), seed=seed, games=0), process_time()
    with pytest.MonkeyPatch.context() as patch:
        for where, name in fault.places:
            patch.setattr(where, name, fault.wrong)
        return first_finding(check, fault.near, begun, clock() + budget)
