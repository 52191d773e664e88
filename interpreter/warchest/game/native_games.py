"""The native machine of a variant, where there is one, and the games that it plays whole.

It is made only if many games are requested. If it cannot be made, the reference machine plays; the reason is returned.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import TypeAlias

from warchest.game.counted import probed
from warchest.game.game import ALL, Game, load_game
from warchest.game.native_engine import engine_of, made_of, moment_at, native_machine
from warchest.game.native_engine import put as put_run
from warchest.game.setup.beginning import Beginning
from warchest.game.state import State, state_of
from warchest.game.variant import Variant
from warchest.lowering.clause_counts import Counts, clause_probes, fate_probes
from warchest.native.c_compiler import Compiler, Unavailable, compiler
from warchest.native.compiled import (
    Contest,
    ContestNumber,
    NativeGame,
    NativeLibrary,
    NativeTable,
    PlayCourse,
    Played,
    Standing,
    why_given_up,
)
from warchest.native.libraries import ship
from warchest.native.unfit import Unfit
from warchest.source.data import shipped_games

MOST_CONTENTS = 10_000
"""The number of different contents of a zone that are kept by name."""
Training: TypeAlias = Callable[[Game, Sequence[Beginning], NativeLibrary], None]
"""A function that plays some games on a machine, from beginnings, so that a compiler learns which code is hot."""


def compile_shipped(
    folder: Path, found: Compiler | Unavailable | None = None, training: Training | None = None
) -> list[Path] | Unavailable:
    """Compile the shipped games into a folder, with their usual sets and with all; return the files to be shipped.

    So every setup has a machine, which many setups share. A wheel for this platform contains the files. The compiler
    can be one for another platform. Other files are left in the folder, to compile less next time.
    With `training`, machines are compiled twice where that makes them faster.
    """
    found = compiler() if found is None else found
    if isinstance(found, Unavailable):
        return found
    shipped: list[Path] = []
    for name in shipped_games():
        game = load_game(name.name)
        beginnings: dict[str, list[Beginning]] = {}
        for setup, sets in product(game.library.of_kind("setup"), (None, ALL)):
            beginning = game.beginning(setup=setup.name, sets=sets)
            beginnings.setdefault(made_of(beginning.variant), []).append(beginning)
        for texts, alike in beginnings.items():
            train = partial(training, game, alike) if training is not None else None
            made = ship(folder, alike[0].variant.program, texts, found, train)
            if isinstance(made, Unavailable):
                return made
            shipped += made
    return sorted({*shipped})


def playouts(
    beginning: Beginning, favourite: str, cap: int, seeds: Sequence[int], counts: Counts | None = None
) -> list[Played] | Unavailable:
    """Play whole games natively, each from the setup on, taking options of the favourite act wherever there are any.

    Chance is settled by the seeds, in the machine's own way. Without a native machine the reason is returned. The
    events of each clause are added to `counts`, also those of games that the machine gives up; then another machine
    plays, which is compiled for that, and is slower.
    """
    library = native_machine(beginning.variant, clause_probes if counts is not None else None)
    if isinstance(library, Unavailable):
        return library
    played = partial(library.playouts, beginning.prepared().memory, beginning.setup.name, favourite, cap, seeds)
    if counts is None:
        return played()
    with probed(library, counts.seen_by(fate_probes(library.places.program))):
        return played()


def table_for(beginning: Beginning) -> NativeTable | Unavailable:
    """Return a machine to play the games of a beginning as the reference machine does; or the reason for having none.

    Raises PositionError for impossible armies.
    """
    library = native_machine(beginning.variant)
    if isinstance(library, Unavailable):
        return library
    try:
        return NativeTable(library, beginning.prepared().memory, beginning.setup.name)
    except Unfit as error:
        return Unavailable(f"the native machine has no room for this game: {error}")


class ZoneReader:
    """Reads the contents of a zone of players from its cells; the names for contents that recur are made once."""

    def __init__(self, variant: Variant, name: str) -> None:
        """Prepare to read the zone with a name; a zone that does not exist has no cells and no contents."""
        self.format, self.number = variant.format, variant.format.zones.get(name, -1)
        self.cells = range(0)
        """The cells that count the tokens of the zone, one owner after the other."""
        self.owners: tuple[str, ...] = ()
        if self.number >= 0:
            layout = variant.program.layout
            holders, first = layout.zones[self.number], layout.holder_cells(layout.zones[self.number].number(0))
            self.owners = tuple(self.format.zone([0] * layout.size, self.number))
            self.cells = range(first.start, first.start + len(first) * holders.owners * holders.faces)
        self._share = len(self.cells) // max(len(self.owners), 1)
        self._read: list[dict[bytes, list[str]]] = [{} for _ in self.owners]

    def contents(self, cells: array[int], begun: int, ended: int) -> dict[str, list[str]]:
        """Return the contents by owner, as at `ended` in the cells; if these are empty for an owner, as at `begun`."""
        found = {}
        for owner, name in enumerate(self.owners):
            at = owner * self._share
            found[name] = self._of(owner, cells, ended + at) or self._of(owner, cells, begun + at)
        return found

    def _of(self, owner: int, cells: array[int], first: int) -> list[str]:
        key, known = cells[first : first + self._share].tobytes(), self._read[owner]
        found = known.get(key)
        if found is None:
            if len(known) == MOST_CONTENTS:
                known.clear()
            memory = [0] * (self.cells.start + owner * self._share) + list(cells[first : first + self._share])
            memory += [0] * (self.cells.stop - len(memory))
            found = known[key] = self.format.zone(memory, self.number)[self.owners[owner]]
        return found


# ---- from a state


def stand(state: State) -> NativeGame | Unavailable:
    """Return a native game in the position of a state, or the reason why there is none."""
    library = native_machine(state.variant)
    if isinstance(library, Unavailable):
        return library
    game = NativeGame(library)
    try:
        put(game, state)
    except Unfit as error:
        return Unavailable(f"the native machine has no room for this state: {error}")
    return Unavailable(f"natively {game.why}") if game.standing is Standing.LOST else game


def put(game: NativeGame, state: State) -> Standing:
    """Put a native game into the position of a state; raises Unfit where the game has no room for it."""
    return put_run(game, state.run)


def perft(state: State, depth: int) -> int | Unavailable:
    """Count the different states after a number of turns natively, or return the reason why the machine cannot."""
    game = stand(state)
    if isinstance(game, Unavailable):
        return game
    found = successors(game, state.variant, depth)
    return Unavailable("natively there are too many states, or too much is under way") if found is None else found


def successors(game: NativeGame, variant: Variant, depth: int) -> int | None:
    """Count the different states that are possible after a number of turns; None where the machine gives up.

    At the end of the game a state is identified by its position.
    """
    found = game.perft(depth)
    if found is None:
        return None
    count, ended = found
    return count + len({json.dumps(variant.format.write(memory), sort_keys=True) for memory in ended})


def state_of_game(variant: Variant, library: NativeLibrary, handle: int) -> State:
    """Return the state of a native game, given by its address, without history."""
    return state_of(engine_of(variant, library, handle))


def moment_of(state: State) -> bytes | Unavailable:
    """Return the cells of a state's moment, or the reason why there are none."""
    found = state._moment or moment_at(state.variant, state.run)
    return found if isinstance(found, Unavailable) else found.bench.keep(found)


__all__ = [
    "Contest",
    "ContestNumber",
    "NativeGame",
    "NativeLibrary",
    "NativeTable",
    "PlayCourse",
    "Standing",
    "Unavailable",
    "ZoneReader",
    "moment_of",
    "native_machine",
    "perft",
    "playouts",
    "put",
    "stand",
    "state_of_game",
    "successors",
    "table_for",
    "why_given_up",
]
