"""Random positions of figures without abilities, and how the contract writes a position (`game.position`)."""

from __future__ import annotations

from random import Random
from typing import Any

from .rules import FACINGS, OPPONENT, Figure, Position

SQUARES = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]
HOMES = {
    player: [one for one in SQUARES if int(one[1]) in ranks] for player, ranks in {"P1": (1, 2), "P2": (7, 8)}.items()
}


def random_position(rng: Random) -> Position:
    """Return a position of some figures in a part of the board, so that they meet; one Action is left, mostly."""
    file, rank = rng.choice("abcde"), rng.randint(1, 5)
    near = [one for one in SQUARES if 0 <= ord(one[0]) - ord(file) < 4 and 0 <= int(one[1]) - rank < 4]
    actions_left = rng.choice([1, 1, 1, 2])
    chests = {}
    for player, home in HOMES.items():
        chests[player] = rng.choice([one for one in home if one in near] or home)
    places = rng.sample([one for one in near if one not in chests.values()], rng.randint(2, 8))
    figures = [_worn(rng, figure(rng, at, f"Figure {number}", 5 - actions_left)) for number, at in enumerate(places)]
    opening = actions_left == 1 and not any(one.acted for one in figures)
    return Position(frozenset(figures), tuple(chests.items()), rng.choice(["P1", "P2"]), actions_left, opening)


def figure(rng: Random, at: str, name: str, move: int, owner: str = "") -> Figure:
    """Return a figure with at most some range of movement, of one player or of any."""
    owner = owner or rng.choice(["P1", "P2"])
    values = {"attack": rng.randint(0, 4), "defense": rng.randint(1, 5), "move": rng.randint(0, move)}
    return Figure(at, name, rng.choice(FACINGS), owner, owner, **values)


def _worn(rng: Random, one: Figure) -> Figure:
    """Return a figure that may have been hit, be Disabled or have acted, be neutral or have changed hands."""
    return one._replace(
        controller=rng.choices([one.owner, OPPONENT[one.owner], None], [12, 1, 2])[0],
        damage=rng.choice([0, rng.randrange(one.defense)]),
        disabled=rng.random() < 0.1,
        acted=rng.random() < 0.1,
    )


def beginning(rng: Random) -> Position:
    """Return an initial position of a game: three figures each at home, and a war chest."""
    figures, chests = [], {}
    for player, home in HOMES.items():
        chests[player], *places = rng.sample(home[4:12], 4)
        figures += [figure(rng, at, f"{player} {number}", 4, player) for number, at in enumerate(places)]
    return Position(frozenset(figures), tuple(chests.items()), "P1", 1, opening=True)


def to_data(position: Position) -> dict[str, Any]:
    """Return a position as the contract writes it, without the keys of abilities."""
    return {
        "game": "unigames",
        "turn": position.turn,
        "actions_left": position.actions_left,
        "opening": position.opening,
        "chests": dict(position.chests),
        "figures": [one._asdict() for one in sorted(position.figures)],
    }


def from_data(data: dict[str, Any]) -> Position:
    """Return a position that is written as the contract does; captured figures are in a collection."""
    over = "winner" in data
    # The acting figures of a finished game no longer matter.
    ended = {"acted": False} if over else {}
    return Position(
        frozenset(Figure(**{key: one[key] for key in Figure._fields} | ended) for one in data["figures"]),
        tuple(data["chests"].items()),
        "" if over else data["turn"],
        0 if over else data["actions_left"],
        data["opening"] and not over,
        captured=tuple(sorted((owner, name) for owner, names in data["collection"].items() for name in names)),
        over=over,
        winner=data.get("winner"),
    )
