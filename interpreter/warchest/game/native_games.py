"""The native machine of a variant, where there is one, and the games that it plays whole.

It is made when somebody asks for many games, never before. Without it the reference machine plays; a reason says why.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from warchest.game.counted import probed
from warchest.game.game import ALL, load_game
from warchest.game.native_engine import made_of, native_machine
from warchest.game.native_engine import put as put_run
from warchest.game.setup.beginning import Beginning
from warchest.game.state import Outcome, State, outcome
from warchest.game.variant import Variant
from warchest.lowering.clause_counts import Counts, clause_probes, fate_probes
from warchest.native.c_compiler import Compiler, Unavailable, compiler
from warchest.native.compiled import Contest, NativeGame, NativeTable, PlayCourse, Played, Standing
from warchest.native.libraries import ship
from warchest.native.unfit import Unfit
from warchest.source.data import shipped_games


def compile_shipped(folder: Path, found: Compiler | Unavailable | None = None) -> list[Path] | Unavailable:
    """Compile the shipped games into a folder, with their usual sets and with all; return the files to be shipped.

    Every setup has its machine then; many share one. A wheel for this platform brings the files along. Another
    compiler than the one for this platform can be given. Other files are left in the folder, to compile less next time.
    """
    found = compiler() if found is None else found
    if isinstance(found, Unavailable):
        return found
    files: dict[str, list[Path]] = {}
    for name in shipped_games():
        game = load_game(name.name)
        for setup in game.library.of_kind("setup"):
            for sets in (None, ALL):
                variant = game.beginning(setup=setup.name, sets=sets).variant
                texts = made_of(variant)
                made = files[texts] if texts in files else ship(folder, variant.program, texts, found)
                if isinstance(made, Unavailable):
                    return made
                files[texts] = made
    return sorted({file for made in files.values() for file in made})


def playouts(
    beginning: Beginning, favourite: str, cap: int, seeds: Sequence[int], counts: Counts | None = None
) -> list[Played] | Unavailable:
    """Play whole games natively, each from the setup on, taking options of the favourite act wherever there are any.

    Chance is settled by the seeds, in the machine's own way. Without a native machine the reason is returned. To
    `counts` is added what the games do and ask of each clause, also games that the machine gives up, as far as they
    came; then another machine plays, which is compiled for that, and is slower.
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
    """Return a place to play the games of a beginning natively, each as the reference machine plays it; or why not.

    Raises PositionError for armies that cannot be.
    """
    library = native_machine(beginning.variant)
    if isinstance(library, Unavailable):
        return library
    try:
        return NativeTable(library, beginning.prepared().memory, beginning.setup.name)
    except Unfit as error:
        return Unavailable(f"the native machine has no room for this game: {error}")


def cells_of_zone(variant: Variant, name: str) -> range:
    """Return the cells of the memory in which the tokens of a zone are counted; none where there is no such zone."""
    if name not in variant.format.zones:
        return range(0)
    layout = variant.program.layout
    holders = layout.zones[variant.format.zones[name]]
    found = [
        layout.holder_cells(holders.number(owner, face))
        for owner in range(holders.owners)
        for face in range(holders.faces)
    ]
    return range(min(one.start for one in found), max(one.stop for one in found))


def zone_in(variant: Variant, name: str, cells: range, values: Sequence[int]) -> dict[str, list[str]]:
    """Return the contents of a zone of players, by the values of its cells."""
    if not cells:
        return {}
    memory = [0] * cells.start + list(values)
    found: dict[str, list[str]] = variant.format.zone(memory, variant.format.zones[name])
    return found


# ---- from where a state stands


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
    """Put a native game into the position of a state; raises Unfit where it has no room for that."""
    return put_run(game, state.run)


def perft(state: State, depth: int) -> int | Unavailable:
    """Count the different states after a number of turns, natively, or return why that cannot be."""
    game = stand(state)
    if isinstance(game, Unavailable):
        return game
    found = successors(game, state.variant, depth)
    return Unavailable("natively there are too many states, or too much is under way") if found is None else found


def successors(game: NativeGame, variant: Variant, depth: int) -> int | None:
    """Count the different states that are possible after a number of turns; None where the machine gives up.

    At the end of the game a state is what its position tells.
    """
    found = game.perft(depth)
    if found is None:
        return None
    count, ended = found
    return count + len({json.dumps(variant.format.write(memory), sort_keys=True) for memory in ended})


# ---- how a game ended


def outcome_of(variant: Variant, played: Played) -> Outcome | None:
    """Return the outcome of a game that was played natively; None where it was given up."""
    return outcome(variant, played.winner) if played.standing is Standing.OVER else None


__all__ = [
    "Contest",
    "NativeTable",
    "PlayCourse",
    "Unavailable",
    "cells_of_zone",
    "native_machine",
    "outcome_of",
    "perft",
    "playouts",
    "put",
    "stand",
    "successors",
    "table_for",
    "zone_in",
]
