"""Sheets of positions are data: they are played as sheets from files are, by a program that is there already."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from squares_support import CHESTS, figure, game

from warchest import PositionError, State
from warchest.game.pipeline import ROOM
from warchest.lowering.program import Program

FOOT = {"attack": 3, "defense": 4, "move": 5, "cost": 10}


def told(*figures: dict[str, Any], sheets: tuple[dict[str, Any], ...] = ()) -> State:
    """Return the state in which figures with own sheets face each other, `Foot` on d4 with others at its back."""
    stand = [
        {
            "name": "Foot",
            "at": f"d{4 + number}",
            "owner": f"P{1 + number % 2}",
            "controller": f"P{1 + number % 2}",
            "facing": "sn"[number % 2],
            **one,
        }
        for number, one in enumerate(figures)
    ]
    position = {"turn": "P1", "actions_left": 2, "chests": CHESTS, "figures": stand, "sheets": list(sheets)}
    return game().position(position)


def course(state: State, seed: int) -> list[Any]:
    """Return the questions, options and news of a random game; options are sorted by their labels."""
    rng, found = Random(seed), list[Any]()
    for _ in range(60):
        if state.decision is None:
            break
        options = sorted(state.decision.options, key=lambda one: one.label)
        found.append((state.decision.prompt, [(one.label, one.data) for one in options]))
        state.apply(rng.choice(options))
    return [*found, state.log]


@pytest.mark.parametrize("seed", range(6))
def test_a_sheet_of_a_position_is_played_as_one_from_a_file(seed: int) -> None:
    abilities = ["Backlash (2)", "Escape", "Charge", "Protection (2)", "Aid (+2 attack)", "Regenerate (1)"]
    bears = Random(seed).sample(abilities, 2)
    said = {**FOOT, "abilities": bears}
    filed = game(f"Foot 3/4/5 {'; '.join(bears)}", "Foe 2/9/3")
    state = told(said, {"name": "Foe", "attack": 2, "defense": 9, "move": 3, "cost": 10})
    where = state.position()
    other = filed.position({key: where[key] for key in where if key != "sheets"})
    assert filed.position(where).variant.origin is filed and game().position(where).variant.origin is not game()
    assert course(state, seed) == course(other, seed)


def test_another_sheet_makes_no_other_program(monkeypatch: pytest.MonkeyPatch) -> None:
    told(FOOT)
    made, begin = list[Program](), Program.__init__

    def counted(self: Program, *given: Any) -> None:
        made.append(self)
        begin(self, *given)

    monkeypatch.setattr(Program, "__init__", counted)
    for attack in range(3):
        state = told({**FOOT, "attack": attack}, {"name": "Foe", **FOOT, "abilities": ["Backlash (2)"]})
        course(state, attack)
    assert not made
    told(FOOT, sheets=tuple({"name": f"Ghost {number}", **FOOT} for number in range(ROOM)))
    assert len(made) == 1


def test_games_with_other_sheets_of_one_name_go_on_side_by_side() -> None:
    states = [told({**FOOT, "attack": attack}) for attack in (1, 8)]
    for state, attack in zip(states, (1, 8), strict=True):
        assert figure(state, "d4")["attack"] == attack
        assert game().position(state.position()) == state
    assert states[0] != states[1]
    first, second = ([one.data for one in state.decision.options] for state in states if state.decision is not None)
    assert first == second


def test_more_sheets_than_fit_are_written_again() -> None:
    ghosts = tuple({"name": f"Ghost {number:02}", **FOOT, "attack": number % 9} for number in range(ROOM + 3))
    state = told(FOOT, sheets=ghosts)
    written = {one["name"]: one["attack"] for one in state.position()["sheets"]}
    assert {one["name"]: one["attack"] for one in ghosts}.items() <= written.items()
    assert game().position(state.position()) == state


def test_a_raised_ability_is_numbered_among_those_that_the_game_raises() -> None:
    """Programs raise more than that, so that sheets with other bonuses are played by the same one."""
    state = told({**FOOT, "abilities": ["Aid (Flight)"]})
    layout = state.run.program.layout
    assert "Flight" in layout.ruleset.raised and set(layout.ruleset.raised) < set(layout.raises)
    assert layout.ruleset.raised.index("Flight") != layout.raises.index("Flight")
    plain = told(FOOT).run.program.layout
    assert "Flight" not in plain.ruleset.raised and plain.raises == layout.raises


@pytest.mark.parametrize(
    ("ability", "fault"),
    [
        ("Missile (far, range 5)", "`far` is not a number, which X of Missile means: say for example `2`"),
        ("Missile (2, range far)", "`range far` is not a number, which Y of Missile means: say for example `range 2`"),
        ("Aid (2)", "`2` is not a bonus, which B of Aid means: say for example `+2 attack`"),
    ],
)
def test_an_invalid_argument_of_an_ability_is_reported_with_an_example(ability: str, fault: str) -> None:
    with pytest.raises(PositionError) as caught:
        told({**FOOT, "abilities": [ability]})
    assert str(caught.value).endswith(fault)
