"""Positions: taken from random games, mutated, given to `warchest moves` and `warchest view`, and played."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from attack import texts, trees
from attack.cases import ACCEPTED, GROUP, REFUSED, Case, Kind, Verdict
from attack.games import game, keep, walk
from attack.judging import Ran, Wrong, findings_placed, guarded, play, run
from warchest.cli.common import read_marked, state_of
from warchest.cli.main import main

PENDING = "pending"


class Positions(Kind):
    """Positions with their pending work."""

    name, extent = "positions", "branches"

    def warm(self) -> None:
        """Load the games."""
        keep()

    def make(self, seed: str, group: int) -> list[Case]:
        """Return the cases of one random walk, two of three with pending work."""
        rng = Random(f"{seed} {self.name} {group}")
        states = walk(rng, group)
        told = [state.position() for state in states]
        waiting = [one for one in told if PENDING in one]
        strangers = [state.position() for state in walk(Random(f"{seed} strangers {group}"), group + 1, 6)]
        name = states[0].variant.game
        donors = [*told, *told, *strangers]
        chosen = (rng.choice((told, waiting or told, waiting or told)) for _ in range(GROUP))
        return [self._case(name, rng, one, donors) for one in chosen]

    def _case(self, name: str, rng: Random, told: list[Any], donors: list[Any]) -> Case:
        position = rng.choice(told)
        if rng.random() < 0.75:
            changed = trees.mutated(position, rng, donors, PENDING)
            data = json.dumps(changed, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
        else:
            data = as_text(position, rng, donors)
        return Case(self.name, name, "position.json", data)

    def judge(self, case: Case, folder: Path) -> Verdict:
        """List the options, show the position to a player, play."""
        file = folder / case.name
        file.write_bytes(case.data)
        ran = run(main, "moves", "--game", case.game, str(file))
        if ran.code:
            refused(ran, str(file))
            return Verdict(REFUSED)
        at = game(case.game)
        state = guarded(lambda: state_of(at, read_marked(str(file))))
        run(main, "view", "--game", case.game, str(file), state.variant.board.seats[0].name)
        return Verdict(ACCEPTED, play(state, at.position, Random(len(case.data))))


def refused(ran: Ran, path: str) -> None:
    """Raise Wrong unless a position was refused with its place, and with the key that is wrong."""
    if findings_placed(ran.err, path) == 0:
        raise Wrong("refused without a finding", ran.err)
    if "schema-mismatch: it " in ran.err or "schema-mismatch: the game cannot go on" in ran.err:
        raise Wrong("refused without a key", ran.err)


def as_text(value: Any, rng: Random, donors: list[Any], write: Callable[[Any], str] | None = None) -> bytes:
    """Return data as a text, one entry a line, that is mutated by byte, token and line."""
    write = write or (lambda one: json.dumps(one, ensure_ascii=False, indent=rng.choice((None, 1, 1))))
    stock = texts.stock_of([json.dumps(one, ensure_ascii=False, indent=1) for one in (value, rng.choice(donors))])
    return texts.mutated(write(value), rng, stock, {"byte": 2, "token": 5, "line": 3})
