"""Thousands of games on the native machine, on its checked build, and some of them on the reference machine.

`make explore GAMES=2000 SEED=1` plays them, with all setups of both games. The checked build finds accesses out of
bounds and undefined behaviour, and compares everything with a copy whenever something has been taken back.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lockstep_support import library_of, made_of, source_of
from native_support import SANITIZED, SANITIZING

from loaded import load_once
from warchest.bots import bot_named
from warchest.bots.greedy import Greedy
from warchest.cli import sim
from warchest.game.setup.beginning import Beginning
from warchest.game.valuation import Valuation
from warchest.native.compiled import ALWAYS, NativeLibrary, NativeTable, PlayCourse

CHECKED = ("-DCHECK", *SANITIZED)
FAST = ("-O1",)
FAVOURITES = {"war-chest": frozenset({"control"}), "unigames": frozenset({"storm", "step"})}
CAP = 1000
ONE_IN = 100
"""Of how many games one is played on the reference machine, too."""


def sanitizer() -> Path | None:
    """The library of the sanitizer, which has to be loaded first; None where the compiler brings none."""
    found = shutil.which("cc") or shutil.which("gcc")
    if found is None:
        return None
    command = [found, "-print-file-name=libasan.so"]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return Path(told) if Path(told).is_absolute() else None


@cache
def beginning_of(name: str, setup: str) -> Beginning:
    return load_once(name).beginning(setup=setup, sets="all" if name == "war-chest" else None)


@dataclass(frozen=True)
class Contest:
    """Games of a setup as plain data, so that another process can play them without loading anything."""

    memory: Sequence[int]
    setup: str
    seats: int
    cells: range
    favourite: frozenset[str]
    valuation: tuple[Any, ...]
    cap: int

    def played(self, library: NativeLibrary, seeds: Iterable[int]) -> list[Any]:
        """The results, some with a favourite act or with looking ahead: counts, and the memory at both ends."""
        table, valuation, found = NativeTable(library, self.memory, self.setup), Valuation(*self.valuation), []
        courses = [
            PlayCourse((acts,) * self.seats, self.cap, None, self.cells, looks, valuation)
            for acts, looks in (
                (frozenset[str](), (0,) * self.seats),
                (self.favourite, (0,) * self.seats),
                (frozenset[str](), (ALWAYS, 75) * (self.seats // 2)),
            )
        ]
        for seed in seeds:
            one = table.play(seed, courses[seed % 3])
            found.append([seed, table.game.why] if one is None else [seed, *_flat(astuple(one))])
        return found


def contest(name: str, setup: str, cap: int) -> Contest:
    """Games of a setup with at most that many decisions."""
    beginning = beginning_of(name, setup)
    greedy = bot_named("greedy", load_once(name))
    assert isinstance(greedy, Greedy)
    valuation = greedy.valuation(beginning.variant)
    assert isinstance(valuation, Valuation)
    seats, cells = len(beginning.variant.board.seats), range(beginning.variant.program.layout.size)
    return Contest(beginning.prepared().memory, setup, seats, cells, FAVOURITES[name], astuple(valuation), cap)


def _flat(told: tuple[Any, ...]) -> list[list[int]]:
    return [[int(number) for number in part] for part in told]


CHILD = "import exploring; exploring.play_what_is_given()"
"""The work of a process of its own: it is given its games, so that it loads none."""


def in_child(code: str, given: bytes, sanitized: bool = True) -> subprocess.CompletedProcess[bytes]:
    """Run code in a process of its own, with the library of the sanitizer loaded first if it is to be `sanitized`."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    if sanitized:
        environment |= {"LD_PRELOAD": str(sanitizer()), **SANITIZING}
    return subprocess.run([sys.executable, "-c", code], env=environment, input=given, capture_output=True, check=False)


def checked(name: str, games: Contest, seeds: Sequence[int]) -> list[Any]:
    """The results of games on the checked build, which needs a process of its own."""
    source = source_of(beginning_of(name, games.setup).variant)
    told = in_child(CHILD, pickle.dumps((made_of(source, CHECKED), source.legend, astuple(games), seeds)))
    assert told.returncode == 0, told.stderr.decode()[-3000:]
    return list(json.loads(told.stdout))


def play_what_is_given() -> None:
    """Play the games that are given to this process."""
    path, legend, games, seeds = pickle.load(sys.stdin.buffer)
    print(json.dumps(Contest(*games).played(NativeLibrary(path, legend), seeds)))


def referred(library: NativeLibrary, name: str, setup: str, seeds: Sequence[int], cap: int) -> list[int]:
    """The seeds of games that have another result on the reference machine."""
    beginning = beginning_of(name, setup)
    table = sim._BotTable(load_once(name), beginning, ["policy-c"])
    native = sim._BotTable(load_once(name), beginning, ["policy-c"])
    native.natively = NativeTable(library, beginning.prepared().memory, setup)
    return [seed for seed in seeds if native.play(0, seed, (cap, None), None) != table.play(0, seed, (cap, None), None)]


def explore(name: str, setup: str, games: int, first: int, sanitized: bool) -> list[str]:
    """The faults found in the given number of games of a setup, a line each."""
    library = library_of(source_of(beginning_of(name, setup).variant), FAST)
    seeds, contested = range(first, first + games), contest(name, setup, CAP)
    fast = contested.played(library, seeds)
    lost = [one for one in fast if len(one) == 2]
    again = checked(name, contested, seeds) if sanitized else fast
    wrong = [
        f"{name}, {setup}, seed {one[0]}: the checked build plays another game"
        for one, other in zip(fast, again, strict=True)
        if one != other
    ]
    some = seeds[: max(games // ONE_IN, 1)]
    wrong += [
        f"{name}, {setup}, seed {seed}: the reference machine plays another game"
        for seed in referred(library, name, setup, some, CAP)
    ]
    decisions = sum(one[1][2] for one in fast if len(one) > 2)
    print(
        f"{name}, {setup}: {games} games, {decisions} decisions, {len(lost)} left to the reference machine", flush=True
    )
    for one in lost[:5]:
        print(f"  seed {one[0]}: {one[1]}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="how many games of each setup")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=FAVOURITES, help="only this game")
    args = parser.parse_args()
    sanitized = sanitizer() is not None
    if not sanitized:
        print("the compiler brings no sanitizers: nothing is checked by them")
    wrong = []
    for name in [args.game] if args.game else FAVOURITES:
        for one in load_once(name).library.of_kind("setup"):
            wrong += explore(name, one.name, args.games, args.seed, sanitized)
    print("\n".join(wrong) or "all games are the same")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
