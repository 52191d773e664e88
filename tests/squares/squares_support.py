"""The second game on squares: short ways to say where figures stand, what is done, and what came of it."""

from __future__ import annotations

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
    """Return the game, with figures of one's own: `Foot 3/4/5 Backlash (2), Escape`."""
    return shipped("unigames", *map(_sheet, figures))


def _sheet(text: str) -> str:
    """Return the document of a figure."""
    name, values, *abilities = text.split(" ", 2)
    attack, defense, move = values.split("/")
    listed = ", ".join(f'"{one}"' for one in "".join(abilities).split("; ") if one)
    return (
        f"figure: {name}\nattack: {attack}\ndefense: {defense}\nmove: {move}\ncost: 10\n"
        f"abilities: [{listed}]\nsource: a test\n"
    )


def position(of: Game, figures: str, turn: str = "P1", actions: int = 2) -> State:
    """Return a state: `P1 Foot d4 n, P2 Foot d6 s 2` (the last is damage), with the chests in their corners."""
    stand = []
    for one in figures.split(", "):
        owner, name, at, facing, *damage = one.split(" ")
        stand.append({"name": name, "at": at, "owner": owner, "controller": owner, "facing": facing,
                      "damage": int(damage[0]) if damage else 0})  # fmt: skip
    return of.position({"turn": turn, "actions_left": actions, "figures": stand, "chests": CHESTS})


def acts(state: State) -> set[str]:
    """Return the acts on offer."""
    assert state.decision is not None
    return {one.data["act"] for one in state.decision.options}


def figure(state: State, at: str) -> Data:
    """Return the figure on a square."""
    (found,) = [one for one in state.position()["figures"] if one["at"] == at]
    return dict(found)
