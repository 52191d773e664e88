"""The second game on squares: short notations for positions, acts, and their results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from loaded import shipped
from warchest import Game, State

Data = dict[str, Any]
SQUADS = {
    "P1": ["Dwarf Spear", "Dwarf Elder", "Dwarf Drummer", "Dwarf Stalker"],
    "P2": ["Kotharian Shield", "Kotharian Archer", "Kotharian Ghoul", "Kotharian Dancer"],
}
CHESTS = {"P1": "a1", "P2": "h8"}


def game(*figures: str) -> Game:
    """Return the game, with files of figures of one's own: `Foot 3/4/5 Backlash (2); Escape`."""
    return shipped("unigames", *map(_document, map(sheet, figures)))


def sheet(text: str) -> Data:
    """Return the sheet of a figure."""
    name, values, *abilities = text.split(" ", 2)
    attack, defense, move = map(int, values.split("/"))
    listed = [one for one in "".join(abilities).split("; ") if one]
    return {"name": name, "attack": attack, "defense": defense, "move": move, "cost": 10, "abilities": listed}


def _document(of: Data) -> str:
    """Return a sheet as a file has it."""
    values = "".join(f"{key}: {json.dumps(value)}\n" for key, value in of.items() if key != "name")
    return f"figure: {of['name']}\n{values}source: a test\n"


def position(of: Game | Sequence[str], figures: str, turn: str = "P1", actions: int = 2) -> State:
    """Return a state: `P1 Foot d4 n, P2 Foot d6 s 2` (the last is damage), with the chests in their corners.

    It is one of a game, or of the usual one; then the position brings the sheets of its figures, as `Foot 3/4/5`, so
    that no game is loaded for them.
    """
    stand = []
    for one in figures.split(", "):
        owner, name, at, facing, *damage = one.split(" ")
        stand.append(
            {
                "name": name,
                "at": at,
                "owner": owner,
                "controller": owner,
                "facing": facing,
                "damage": int(damage[0]) if damage else 0,
            }
        )
    told = {"turn": turn, "actions_left": actions, "figures": stand, "chests": CHESTS}
    if isinstance(of, Game):
        return of.position(told)
    return shipped("unigames").position({**told, "sheets": list(map(sheet, of))})


def acts(state: State) -> set[str]:
    """Return the acts on offer."""
    assert state.decision is not None
    return {one.data["act"] for one in state.decision.options}


def figure(state: State, at: str) -> Data:
    """Return the figure on a square."""
    (found,) = [one for one in state.position()["figures"] if one["at"] == at]
    return dict(found)
