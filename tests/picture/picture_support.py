"""Boards and positions with everything on them, and the pictures of them that are kept.

`python tests/picture/picture_support.py` draws the kept pictures again.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from hypothesis import settings

from warchest.documents.load import load
from warchest.documents.schemas import read_schemas
from warchest.game.setup.boards import board_of
from warchest.lowering.board import Board, Seat
from warchest.picture import Scene, Style, plain, scene_of, svg
from warchest.picture.style import style_of
from warchest.source.data import data_folder

FEW = settings().max_examples // 4
"""The examples of pictures, which take long to draw and to check."""
COMMAND = "python tests/picture/picture_support.py"
GOLDEN = Path(__file__).parent / "golden"


@lru_cache(maxsize=2)
def style(game: str = "war-chest") -> Style:
    return style_of(load([data_folder("cards") / game / "picture.yaml"], read_schemas()))


@lru_cache(maxsize=3)
def shipped_board(name: str, game: str = "war-chest") -> Board:
    library = load([data_folder("cards") / game / "boards" / f"{name}.yaml"], read_schemas())
    return board_of(library.documents[0])


def small_board() -> Board:
    """The board of two players."""
    return shipped_board("two-players")


def big_board(seats: tuple[tuple[str, str, str], ...] = ()) -> Board:
    """The whole printed board, with its four players or with others."""
    found = shipped_board("four-players")
    return replace(found, seats=tuple(Seat(*seat) for seat in seats)) if seats else found


UNITS = (
    "Archer",
    "Bannerman",
    "Berserker",
    "Bishop",
    "Cavalry",
    "Crossbowman",
    "Earl",
    "Ensign",
    "Footman",
    "Herald",
    "Knight",
    "Lancer",
    "Light Cavalry",
    "Marshall",
    "Mercenary",
    "Pikeman",
    "Royal Guard",
    "Sapper",
    "Scout",
    "Siege Tower",
    "Swordsman",
    "Trebuchet",
    "War Wagon",
    "Warrior Priest",
)
DECREES = ("Enlist", "Guard", "March", "Redeploy", "Reinforce", "Sacrifice", "Spy")
NAMES = (*UNITS, "Royal Coin", *DECREES)


TWO_POSITION: dict[str, Any] = {
    "to_act": "raven",
    "initiative": "wolf",
    "initiative_moved": True,
    "control": {"raven": ["e2", "h1", "g3"], "wolf": ["g6", "d7", "d4"]},
    "units": [
        {"at": "e2", "unit": "Siege Tower", "owner": "raven", "coins": 2},
        {"at": "g3", "unit": "Herald", "owner": "raven", "coins": 1},
        {"at": "f4", "unit": "Light Cavalry", "owner": "wolf", "coins": 3},
        {"at": "d4", "unit": "Sapper", "owner": "wolf", "coins": 1},
        {"at": "e5", "unit": "War Wagon", "owner": "wolf", "coins": 3},
    ],
    "hand": {"raven": ["Earl", "Herald", "Royal Coin"], "wolf": ["Sapper"]},
    "bag": {"raven": ["Earl", "Siege Tower"], "wolf": ["Royal Coin", "Sapper", "Sapper"]},
    "discard": {"raven": {"up": ["Herald"], "down": []}, "wolf": {"up": ["Light Cavalry"], "down": ["War Wagon"]}},
    "supply": {"raven": ["Earl", "Earl", "Herald"], "wolf": ["Light Cavalry"]},
    "box": {"raven": ["Siege Tower"], "wolf": []},
    "decrees": [
        {"name": "Enlist", "seals": ["raven", "wolf"]},
        {"name": "March", "seals": []},
        {"name": "Redeploy", "seals": ["wolf"]},
    ],
    "forts": ["d4", "e2", "h4", "i2"],
    "fort_supply": 3,
}
"""Two players, with decrees and forts: a unit in a fort of its own, one in another's, empty forts."""

FOUR_POSITION: dict[str, Any] = {
    "to_act": "raven2",
    "initiative": "wolf2",
    "control": {"raven": ["b5", "e2", "g3", "h1"], "wolf": ["a7", "d7", "g6", "j3"]},
    "units": [
        {"at": "a7", "unit": "Scout", "owner": "wolf2", "coins": 1},
        {"at": "b5", "unit": "Warrior Priest", "owner": "raven2", "coins": 2},
        {"at": "d4", "unit": "Footman", "owner": "raven", "coins": 2},
        {"at": "e5", "unit": "War Wagon", "owner": "wolf", "coins": 1},
        {"at": "f4", "unit": "Royal Guard", "owner": "wolf2", "coins": 2},
        {"at": "g3", "unit": "Light Cavalry", "owner": "raven2", "coins": 1},
        {"at": "j3", "unit": "Sapper", "owner": "wolf", "coins": 3},
        {"at": "k1", "unit": "Footman", "owner": "raven", "coins": 1},
    ],
    "hand": {
        "raven": ["Crossbowman", "Footman", "Royal Coin"],
        "wolf": ["Sapper", "War Wagon", "War Wagon"],
        "raven2": ["Light Cavalry", "Royal Coin"],
        "wolf2": ["Royal Guard"],
    },
    "bag": {
        "raven": ["Crossbowman", "Footman", "Swordsman", "Swordsman"],
        "wolf": ["Bishop", "Royal Coin", "Sapper"],
        "raven2": ["Earl", "Earl", "Warrior Priest"],
        "wolf2": ["Mercenary", "Royal Coin", "Scout"],
    },
    "discard": {
        "raven": {"up": ["Swordsman"], "down": ["Crossbowman"]},
        "wolf": {"up": [], "down": ["Bishop"]},
        "raven2": {"up": ["Light Cavalry"], "down": []},
        "wolf2": {"up": [], "down": []},
    },
    "supply": {
        "raven": ["Crossbowman", "Crossbowman", "Swordsman"],
        "wolf": ["Bishop", "Bishop", "Bishop"],
        "raven2": ["Earl", "Earl", "Earl", "Light Cavalry"],
        "wolf2": ["Mercenary", "Scout", "Scout"],
    },
    "box": {"raven": [], "wolf": ["War Wagon"], "raven2": ["Warrior Priest"], "wolf2": ["Royal Guard"]},
    "decrees": [
        {"name": "Guard", "seals": ["raven"]},
        {"name": "Sacrifice", "seals": ["wolf"]},
        {"name": "Spy", "seals": ["raven", "wolf"]},
    ],
    "forts": ["d4", "e2", "e5", "g6"],
    "fort_supply": 2,
}
"""Four players on the whole board, with decrees and forts."""


FIGURES = (
    "Kotharian Ghoul",
    "Kotharian Archer",
    "Dwarf Stalker",
    "Hykolaran Witch",
    "Dwarf Elder",
    "Dwarf Spear",
    "Kotharian Shield",
    "Kotharian Dancer",
    "Goblin Maul",
    "War Chest",
)
SQUARES_POSITION: dict[str, Any] = {
    "turn": "P1",
    "actions_left": 1,
    "opening": True,
    "figures": [
        {
            "name": "Dwarf Spear",
            "at": "d4",
            "owner": "P1",
            "controller": "P1",
            "facing": "n",
            "damage": 2,
            "acted": True,
            "attack": 3,
            "defense": 4,
            "move": 3,
        },
        {
            "name": "Kotharian Shield",
            "at": "d5",
            "owner": "P2",
            "controller": "P2",
            "facing": "s",
            "disabled": True,
            "attack": 2,
            "defense": 6,
            "move": 2,
        },
        {
            "name": "Dwarf Elder",
            "at": "d5",
            "owner": "P1",
            "controller": "P1",
            "facing": "e",
            "attack": 1,
            "defense": 3,
            "move": 3,
        },
        {
            "name": "Hykolaran Witch",
            "at": "e4",
            "owner": "P2",
            "controller": "P1",
            "facing": "w",
            "attack": 1,
            "defense": 3,
            "move": 4,
            "counters": {"lingering": 1, "control": 3},
        },
        {
            "name": "Kotharian Ghoul",
            "at": "g2",
            "owner": "P2",
            "controller": None,
            "facing": "e",
            "stun": 2,
            "attack": 3,
            "defense": 4,
            "move": 4,
        },
        {
            "name": "Kotharian Archer",
            "at": "b6",
            "owner": "P2",
            "controller": "P2",
            "facing": "s",
            "attack": 1,
            "defense": 2,
            "move": 3,
        },
        {
            "name": "Kotharian Dancer",
            "at": "b6",
            "owner": "P2",
            "controller": "P2",
            "facing": "n",
            "attack": 2,
            "defense": 2,
            "move": 4,
        },
    ],
    "chests": {"P1": "a1", "P2": "h8"},
    "corpses": [
        {"at": "g2", "of": "Goblin Maul", "owner": "P2", "facing": "s"},
        {"at": "b6", "of": "Dwarf Stalker", "owner": "P1", "facing": "n"},
    ],
    "pools": {"P1": {"generic": 4, "Undead": 6}},
    "collection": {"P1": ["Dwarf Spear"], "P2": []},
}
"""Squares with pieces that look somewhere: two and three on a square, one unowned, one led by the other player."""


def seen(position: dict[str, Any], board: Board) -> Scene:
    return scene_of(position, board, style(), NAMES)


def two() -> Scene:
    return seen(TWO_POSITION, small_board())


def four() -> Scene:
    return seen(FOUR_POSITION, big_board())


def squares() -> Scene:
    return scene_of(SQUARES_POSITION, shipped_board("board", "unigames"), style("unigames"), FIGURES)


@cache
def kept() -> dict[str, str]:
    """The pictures that are kept, by the name of the file."""
    found = {}
    for name, scene in (("two-players", two()), ("four-players", four()), ("squares", squares())):
        found[f"{name}.txt"] = f"# written by: {COMMAND}\n{plain(scene)}"
        declared, rest = svg(scene).split("\n", 1)
        found[f"{name}.svg"] = f"{declared}\n<!-- written by: {COMMAND} -->\n{rest}"
    found["four-players-narrow.txt"] = f"# written by: {COMMAND}\n{plain(four(), width=80)}"
    return found


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for file, picture in kept().items():
        (GOLDEN / file).write_text(picture, encoding="utf-8")
