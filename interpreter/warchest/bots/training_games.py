"""Games that are played on a native machine so that a compiler knows which code is hot.

They are the same each time: games between bots that draw, games drawn in the machine's own way, games between bots
that look ahead, and games played decision by decision, in which near states are counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from random import Random

from warchest.bots.choose import bot_named
from warchest.bots.seated import Seated, seated
from warchest.game.game import Game
from warchest.game.native_games import NativeGame, NativeLibrary, NativeTable, PlayCourse, Standing, put
from warchest.game.setup.beginning import Beginning

CAP = 1000
"""The most decisions of a game."""
OWN, CONTESTS = 1000, {"policy-c": 4000, "greedy": 40}
"""The numbers of games that are drawn in the machine's own way, and of those between bots of some names."""
STEPS, EVERY, DEEP, STATES = 600, 60, 2, 500
"""The decisions taken one by one; how often near states are counted, in how many turns, and the most of them."""


def train(game: Game, beginnings: Sequence[Beginning], library: NativeLibrary) -> None:
    """Play on a machine from beginnings of a game, from each as many games as from the others."""
    for begun in beginnings:
        memory, setup = begun.prepared().memory, begun.setup.name
        table = NativeTable(library, memory, setup)
        for name, games in CONTESTS.items():
            seats = seated([bot_named(name, game)] * len(begun.variant.board.seats), begun.variant)
            assert isinstance(seats, Seated), seats
            course = PlayCourse(seats.favourites, CAP, None, range(0), seats.looks, seats.valuation)
            for seed in range(ceil(games / len(beginnings))):
                table.play(seed, course)
            if seats.valuation is None and setup in library.setups:
                own = range(ceil(OWN / len(beginnings)))
                library.playouts(memory, setup, next(iter(seats.favourites[0]), ""), CAP, own)
    _step_by_step(NativeGame(library), beginnings[-1])


def _step_by_step(native: NativeGame, beginning: Beginning) -> None:
    """Take one option after the other, and count the states that are near."""
    rng, standing = Random(0), Standing.OVER
    for step in range(STEPS):
        if standing is Standing.PLAYER and step % EVERY == 0:
            native.perft(DEEP, STATES)
        match standing:
            case Standing.PLAYER:
                standing = native.take(rng.randrange(len(native.options)))
            case Standing.CHANCE:
                standing = native.roll(rng.choice(list(native.outcomes)))
            case _:
                standing = put(native, beginning.begin(step))
