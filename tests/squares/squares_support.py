"""The second game on squares: short ways to say where figures stand, what is done, and what came of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import warchest
from warchest import Game, State

Data = dict[str, Any]
SQUADS = {
    "P1": ["Dwarf Spear", "Dwarf Elder", "Dwarf Drummer", "Dwarf Stalker"],
    "P2": ["Kotharian Shield", "Kotharian Archer", "Kotharian Ghoul", "Kotharian Dancer"],
}
CHESTS = {"P1": "a1", "P2": "h8"}


@cache
def game(*figures: str) -> Game:
    """Return the game, with figures of one's own: `Foot 3/4/5 Backlash (2), Escape`."""
    with TemporaryDirectory() as folder:
        for number, text in enumerate(figures):
            name, values, *abilities = text.split(" ", 2)
            attack, defense, move = values.split("/")
            listed = ", ".join(f'"{one}"' for one in "".join(abilities).split("; ") if one)
            (Path(folder) / f"{number}.yaml").write_text(
                f"figure: {name}\nattack: {attack}\ndefense: {defense}\nmove: {move}\ncost: 10\n"
                f"abilities: [{listed}]\nsource: a test\n", encoding="utf-8")  # fmt: skip
        return warchest.load("unigames", extra=[folder] if figures else [])


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
