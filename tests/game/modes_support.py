"""Games with all sets, of two and of four: random ones from seeds, and checks of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from game_support import ROYAL, ZONES, Position, game, pick, play, start

from oracle.board import BOARDS, axial_of, name_of
from oracle.naive import random_position
from oracle.state import ALL_COUNTS
from warchest import Decision, State
from watching import Seeded, text

SEATS = {2: ("raven", "wolf"), 4: ("raven", "wolf", "raven2", "wolf2")}
TEAM = {"raven": "raven", "wolf": "wolf", "raven2": "raven", "wolf2": "wolf"}
TEAMS = ["raven", "wolf"]
FORTS = 7
LIMITS = {"Footman": 2}
DRAFTS = {2: "Draft", 4: "Four players draft"}
EXPANSIONS: tuple[tuple[str, ...], ...] = ((), ("nobility",), ("siege",), ("nobility", "siege"))
CAP = 200
"""The number of checked decisions of a game."""


# ---- random games


@dataclass(frozen=True)
class Walk:
    """A random game, or play from a random position, settled by a seed."""

    players: int
    seed: int
    cap: int = CAP

    def __str__(self) -> str:
        return f"{self.players} players, seed {self.seed}"

    def choose(self, decision: Decision, rng: Random) -> int:
        """Return the index of the option that is taken."""
        return eager(decision, rng)

    def start(self) -> State:
        """Return its first state: of a dealt or drafted game, or a crowded position, by the seed."""
        rng = Random(self.seed)
        kind = self.seed % 5
        if kind == 0:
            return game().new(seed=self.seed, sets="all", players=self.players)
        if kind == 1:
            return game().new(seed=self.seed, sets="all", setup=DRAFTS[self.players])
        if kind == 2:
            return game().new(seed=self.seed, sets="all", players=self.players, armies=self.armies())
        sets = rng.choice((*EXPANSIONS, EXPANSIONS[-1], EXPANSIONS[-1]))
        return game().position(random_position(rng, sets=sets, players=self.players))

    def armies(self) -> dict[str, list[str]]:
        """Return random armies; three seeds of this kind in a row, or two at four, use every unit there is."""
        size = 8 if self.players == 2 else 12
        turn, rank = divmod(self.seed // 5, len(ALL_COUNTS) // size)
        units = sorted(ALL_COUNTS)
        Random(turn).shuffle(units)
        each = size // self.players
        dealt = units[rank * size : (rank + 1) * size]
        return {player: dealt[n * each : (n + 1) * each] for n, player in enumerate(SEATS[self.players])}

    def states(self, cap: int = CAP) -> Iterator[State]:
        """Yield the state before each decision, and the state at the end; always the same one, changed."""
        return play(self.start(), Random(self.seed), cap, eager)


@dataclass(frozen=True)
class Duel(Seeded):
    """A short random game of two with the base set, mostly from a crowded position; settled by a seed."""

    kind = "duel"
    cap: int = 40

    def start(self) -> State:
        """Return its first state."""
        return start(self.seed)

    def choose(self, decision: Decision, rng: Random) -> int:
        """Return the index of the option that is taken."""
        return pick(decision, rng)


def eager(decision: Decision, rng: Random) -> int:
    """Return the index of an option: chance by weight, otherwise control where that is on offer, otherwise by act."""
    if not decision.is_chance:
        for index, option in enumerate(decision.options):
            if option.data["act"] == "control":
                return index
    return pick(decision, rng)


# ---- what can be said of a position


def stock(position: Position) -> Counter[tuple[str, str]]:
    """Return how many coins of each kind each player must have, by the armies."""
    full = Counter({(player, kind): ALL_COUNTS[kind] for player, army in position["armies"].items() for kind in army})
    full.update((player, ROYAL) for player in position["armies"])
    return full


def coins(position: Position) -> Counter[tuple[str, str]]:
    """Return how many coins of each kind each player has in the zones and on the board."""
    found: Counter[tuple[str, str]] = Counter()
    for unit in position["units"]:
        found[unit["owner"], unit["unit"]] += unit["coins"]
    for player in position["hand"]:
        for one in (*(position[zone][player] for zone in ZONES), *position["discard"][player].values()):
            found.update((player, coin) for coin in one)
    return found


# ---- the half-turn of the board, with all players one seat further on

_TURNED = {space: name_of(*(-part for part in axial_of(space))) for space in BOARDS[4].spaces}
assert all({_TURNED[space] for space in board.locations} == board.locations for board in BOARDS.values())
_POINTS = {"n": "s", "s": "n", "ne": "sw", "sw": "ne", "nw": "se", "se": "nw"}
_OF_TEAMS = ("control", "seals", "winner")
"""The keys of a position with teams; their names are those of players as well."""


def turned(value: Any, players: int, by_team: bool = False) -> Any:
    """Return a position, or an option's data, as seen from the seat before; lists are sorted."""
    names = SEATS[2 if by_team else players]
    swap = _TURNED | _POINTS | {one: names[(place + 1) % len(names)] for place, one in enumerate(names)}
    if isinstance(value, dict):
        return {swap.get(key, key): turned(item, players, by_team or key in _OF_TEAMS) for key, item in value.items()}
    if isinstance(value, list):
        return sorted((turned(item, players, by_team) for item in value), key=text)
    return swap.get(value, value) if isinstance(value, str) else value


def tidy(value: Any) -> Any:
    """Return a value with all lists sorted as `turned` sorts them."""
    if isinstance(value, dict):
        return {key: tidy(item) for key, item in value.items()}
    return sorted(map(tidy, value), key=text) if isinstance(value, list) else value
